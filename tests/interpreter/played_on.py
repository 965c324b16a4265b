"""Compare games that native code plays on from any state with those of generated Python."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence

from attrs import frozen

from interpreter.backends.native.compiler.library import load
from interpreter.backends.native.compiler.toolchain import Compiler
from interpreter.backends.native.module import Source, generate_playouts
from interpreter.backends.policies.random_player import RandomPlayer, play_out
from interpreter.backends.python.backend import PythonBackend
from interpreter.optimiser.canonical_states import CanonicalStates
from interpreter.state.chance import Stream, seed_state
from interpreter.state.rule_errors import MOST_ANSWERS, RuleError
from ruleset.table.nodes import ASKED, D_STATE, OVER, STATUS, TableProgram
from tests.interpreter import compilers

ANSWERS = 12
"""Questions of a game after which it is played on from each of them, at most."""
PATIENCE = 2**62
WRITING = "\nRW_PUBLIC void rw_written(rw_game *G) { if (!G->fault) rw_write_cards(G); }\n"
"""Writes the cells of cards, which playing on leaves alone."""


@frozen
class On:
    """A state in which a game goes on, and to which end random bots of the stream with a number lead from there."""

    state: array[int]
    stream: int
    code: str
    """Of the rule error that ended it, or empty."""
    after: tuple[int, ...]
    """Cells of the end: how it ended, tracks, lists, and zones up to interchangeable cards."""


def told(program: TableProgram) -> Iterator[int]:
    """The cells that are compared: how it ended, tracks and lists that are not about cards, and zones."""
    yield STATUS
    for track in program.tracks:
        if track.of != "card":
            yield from range(track.address, track.address + track.count)
    for info in program.state_lists:
        if info.of != "card":
            yield from range(info.address, info.address + info.count * (info.capacity + 1))
    for zone in program.zones:
        yield from range(zone.address, zone.address + zone.capacity + 1)


def moments(program: TableProgram, seed: int, games: int) -> Iterator[On]:
    """What generated Python does from some states of random games on."""
    backend, player = PythonBackend(program), RandomPlayer(program)
    for game in range(games):
        yield from _moments(program, backend, player, seed, game)


def _moments(
    program: TableProgram, backend: PythonBackend, player: RandomPlayer, seed: int, game: int
) -> Iterator[On]:
    state, stream, states = backend.start(seed, game), Stream(seed, game), CanonicalStates(program)
    for number in range(ANSWERS):
        begun, code = list(state), ""
        try:
            play_out(backend, begun, Stream(number), player)
        except RuleError as error:
            code = error.code
        end = begun if code else states.of(begun)
        yield On(array("i", state), number, code, tuple(end[cell] for cell in told(program)))
        try:
            backend.run(state)
        except RuleError:
            return
        if state[STATUS] == OVER:
            return
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                backend.answer(state, seat, player.choose(state, seat, stream))


def differing(program: TableProgram, source: Source, expected: Sequence[On], by: Compiler | None = None) -> str:
    """What native code of this text does otherwise; or nothing."""
    library = load(source.text + WRITING, by or compilers.quick())
    game = ctypes.create_string_buffer(library.rw_size_of_game())
    patience, codes = ctypes.c_longlong(PATIENCE), ("", *source.codes)
    cells, states = [*told(program)], CanonicalStates(program)
    for number, one in enumerate(expected):
        begun = (ctypes.c_int * len(one.state))(*one.state)
        key = ctypes.c_uint64(seed_state(one.stream, 0))
        arguments = key, MOST_ANSWERS, ctypes.byref(patience), None
        library.rw_play_from(game, begun, 0, *arguments)
        fault = library.rw_play_from(game, begun, 1, *arguments)  # as the cards lay before
        library.rw_written(game)
        end = states.of(list((ctypes.c_int * len(begun)).from_buffer(game)))
        if codes[fault] != one.code:
            return f"moment {number}: {codes[fault] or 'over'} instead of {one.code or 'over'}"
        others = [cell for cell, is_one in zip(cells, one.after, strict=True) if end[cell] != is_one]
        if not fault and others:
            return f"moment {number}: cells {others} differ"
    return ""


def same_played_on(program: TableProgram, games: int, seed: int, by: Compiler | None = None) -> None:
    """Plays games on both ways, if native code can. Raises AssertionError where they differ."""
    source = generate_playouts(program)
    if source is not None:
        found = differing(program, source, [*moments(program, seed, games)], by)
        assert not found, f"seed {seed}, {found}"
