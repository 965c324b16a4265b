"""Programs with recorded results of the reference, for tests of native code.

Stretches between decisions of random games, whole games, copies of games, and games played on from anywhere.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterator
from itertools import pairwise

from attrs import frozen

from interpreter.backends.native.backend import NativeBackend
from interpreter.backends.native.compiler.library import load
from interpreter.backends.native.module import Source, generate_playing, generate_stepping
from interpreter.backends.policies.random_player import RandomPlayer, play_out
from interpreter.backends.python.backend import PythonBackend
from interpreter.batch.batch import stepping_many
from interpreter.batch.native_batch import NativeMany
from interpreter.batch.results import Results
from interpreter.optimiser.canonical_states import CanonicalStates
from interpreter.state.chance import Stream, seed_state
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import ASKED, D_STATE, OVER, STATUS, TableProgram
from tests.interpreter import compilers
from tests.interpreter.many_beside import compare

ANSWERS = 30
"""Of a recorded game, at most."""
FIRST = 3
"""Number of the first whole game."""
MOST_ON, MOST_HALF, MOST_COPIES = 12, 4, 40
"""Games that are played on, those of them in the middle of a choice of several seats, and copies of games."""


@frozen
class Stretch:
    """What becomes of a state: the next one, or a rule error."""

    before: array[int]
    after: array[int] | None
    fault: tuple[str, int] | None


@frozen
class Case:
    """A program and what is right. The texts are those of the generator that is right."""

    name: str
    program: TableProgram
    seed: int
    stretches: tuple[Stretch, ...]
    on: tuple[tuple[array[int], int, array[int]], ...]
    """States, the key of a stream, and the end to which random bots of that stream lead from there."""
    games: Results
    stepping: Source
    playing: Source
    states: CanonicalStates

    def differs(self, change: Callable[[Source], Source] = lambda source: source) -> str:
        """What native code does otherwise, made by the generator as it is now, its text changed; or nothing."""
        stepping, playing = generate_stepping(self.program), generate_playing(self.program)
        for made, right, tried in ((stepping, self.stepping, self._steps), (playing, self.playing, self._plays)):
            changed = change(made)
            if changed != right and (found := tried(changed)):
                return f"{self.name}: {found}"
        return ""

    def _steps(self, source: Source) -> str:
        backend = NativeBackend(self.program, source, compilers.quick())
        for number, stretch in enumerate(self.stretches):
            state = stretch.before.tolist()
            fault = None
            try:
                backend.run(state)
            except RuleError as error:
                fault = error.code, error.at
            if fault != stretch.fault or (stretch.after is not None and array("i", state) != stretch.after):
                return f"stretch {number}"
        return self._copies(backend) or self._goes_on(backend) or self._plays(source)

    def _copies(self, backend: NativeBackend) -> str:
        """One game becomes like another, in memory that holds a game."""
        size = backend.library.rw_size_of_game()
        one, other = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size)
        states = [stretch.after for stretch in self.stretches if stretch.after is not None]
        for first, second in pairwise(states[:MOST_COPIES]):
            cells = (ctypes.c_int * len(first))(*first)
            backend.library.rw_load(one, cells)
            backend.library.rw_load(other, (ctypes.c_int * len(second))(*second))
            backend.library.rw_clone(other, one)
            backend.library.rw_store(other, cells)
            if list(cells) != list(first):
                return "a copy of a game"
        return ""

    def _goes_on(self, backend: NativeBackend) -> str:
        game = ctypes.create_string_buffer(backend.library.rw_size_of_game())
        for number, (before, key, after) in enumerate(self.on):
            cells = (ctypes.c_int * len(before))(*before)
            backend.library.rw_load(game, cells)
            backend.library.rw_play_on(game, ctypes.c_uint64(key), -1)
            backend.library.rw_store(game, cells)
            if list(cells) != list(after):
                return f"game {number} played on"
        return ""

    def _plays(self, source: Source) -> str:
        library = load(source.text, compilers.quick())
        native = NativeMany(library, source.codes, range(self.program.layout.cells))
        try:
            compare(native.play(self.seed, FIRST, self.games.count), self.games, self.states)
        except AssertionError as error:
            return str(error)
        return ""


def recorded(name: str, program: TableProgram, seed: int, games: int, whole: int) -> Case:
    """What generated Python does with a program in so many games, and in so many whole ones."""
    backend, player = PythonBackend(program), RandomPlayer(program)
    stretches: list[Stretch] = []
    for game in range(games):
        stretches += _game(backend, player, seed, game)
    return Case(
        name,
        program,
        seed,
        tuple(stretches),
        tuple(_on(backend, player, stretches)),
        stepping_many(program, range(program.layout.cells), "python").play(seed, FIRST, whole),
        generate_stepping(program),
        generate_playing(program),
        CanonicalStates(program),
    )


def _game(backend: PythonBackend, player: RandomPlayer, seed: int, game: int) -> Iterator[Stretch]:
    state, stream = backend.start(seed, game), Stream(seed, game)
    for _ in range(ANSWERS):
        before = array("i", state)
        try:
            backend.run(state)
        except RuleError as error:
            yield Stretch(before, None, (error.code, error.at))
            return
        yield Stretch(before, array("i", state), None)
        if state[STATUS] == OVER:
            return
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                backend.answer(state, seat, player.choose(state, seat, stream))


def _half_answered(backend: PythonBackend, player: RandomPlayer, stretches: list[Stretch]) -> Iterator[array[int]]:
    """States in which several seats are asked, after the last of them has answered."""
    for stretch in stretches:
        state = stretch.after.tolist() if stretch.after is not None else []
        asked = [seat for seat, slot in enumerate(player.slots) if state and state[slot + D_STATE] == ASKED]
        if len(asked) > 1:
            backend.answer(state, asked[-1], player.choose(state, asked[-1], Stream(1)))
            yield array("i", state)


def _on(
    backend: PythonBackend, player: RandomPlayer, stretches: list[Stretch]
) -> Iterator[tuple[array[int], int, array[int]]]:
    """Games from some stretches on, from one end, and from where one of several seats has answered, without those
    in which a rule fails."""
    starts = [stretch.before for stretch in stretches[:: len(stretches) // MOST_ON + 1]]
    starts += [one.after for one in stretches if one.after is not None and one.after[STATUS] == OVER][:1]
    starts += [*_half_answered(backend, player, stretches)][:MOST_HALF]
    for number, start in enumerate(starts):
        state = start.tolist()
        try:
            play_out(backend, state, Stream(number), player)
        except RuleError:
            continue
        yield start, seed_state(number, 0), array("i", state)
