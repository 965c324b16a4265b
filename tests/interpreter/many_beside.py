"""Compare whole games with games in steps: final cells, faults, decisions.

Native code plays the whole games, and plays on from the middle of some; the walker plays the steps.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from attrs import frozen

from rulewright.interpreter.backends.native.library import load
from rulewright.interpreter.backends.native.module import CSource, generate_playing_on
from rulewright.interpreter.backends.native.toolchain import Compiler
from rulewright.interpreter.backends.policies import RandomPlayer, play_out
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.state.chance import Stream, seed_state
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.limits import MOST_ANSWERS
from rulewright.ruleset.table.nodes import ASKED, D_STATE, OVER, STATUS, TableProgram
from tests.interpreter import compilers

Ends = Counter[str]
"""How games ended: `over`, or the code of a rule error."""


def same_many(program: TableProgram, games: int, seed: int, first: int = 0, by: Compiler | None = None) -> Ends:
    """Plays games both ways. Gives how they ended; raises AssertionError where they differ."""
    every = range(program.layout.cells)
    expected = stepping_many(program, every, "walker").play(seed, first, games)
    native = native_many(program, every, by=by or compilers.quick())
    compare(native.play(seed, first, games), expected)
    return Counter(code or "over" for code in _codes(expected))


def compare(found: GameResults, expected: GameResults) -> None:
    """Raises AssertionError where results differ."""
    assert (found.first, found.count) == (expected.first, expected.count)
    pairs = (
        ("rule errors", _codes(found), _codes(expected)),
        ("places of rule errors", list(found.places), list(expected.places)),
        ("decisions", list(found.decisions), list(expected.decisions)),
    )
    for what, one, other in pairs:
        differing = (game for game, pair in enumerate(zip(one, other, strict=True)) if len({*pair}) > 1)
        games = [expected.first + game for game in differing]
        assert one == other, f"other {what} in games {games}"
    cells = [cell for cell, pair in enumerate(zip(found.cells, expected.cells, strict=True)) if pair[0] != pair[1]]
    assert not cells, f"columns {cells} differ"


def _codes(results: GameResults) -> list[str]:
    codes = ("", *results.codes)
    return [codes[fault] for fault in results.faults]


# ------------------------------------------------------------------ played on

ANSWERS = 12
"""Questions of a game after which it is played on, at most."""


@frozen
class Moment:
    """A state of a game, a number, and what becomes of the state: cells, or the code and place of a rule error."""

    before: array[int]
    number: int
    after: array[int] | None
    fault: tuple[str, int] | None


def becomes(run: Callable[[array[int]], object], before: array[int], number: int) -> Moment:
    """What running a state makes of it."""
    after = before[:]
    try:
        run(after)
    except RuleError as error:
        return Moment(before, number, None, (error.code, error.at))
    return Moment(before, number, after, None)


def states(program: TableProgram, seed: int, games: int, answers: int) -> Iterator[tuple[array[int], int]]:
    """States of random games on the walker, with a number each: of stretches between questions, so many of a game,
    of games that are over, and between two answers to a question.
    """
    walker, player = Walker(program), RandomPlayer(program)
    for game in range(games):
        state, stream = walker.start(seed, game), Stream(seed, game)
        for _ in range(answers):
            yield state[:], game
            try:
                walker.run(state)
            except RuleError:
                break
            if state[STATUS] == OVER:
                yield state[:], game
                break
            asked = [seat for seat, slot in enumerate(player.slots) if state[slot + D_STATE] == ASKED]
            for seat in reversed(asked):
                yield state[:], seat
                walker.answer(state, seat, player.choose(state, seat, stream))


def played_on(program: TableProgram, seed: int, games: int) -> Iterator[Moment]:
    """How games end on the walker in which random bots play on; the stream of a moment's number is theirs."""
    walker, player = Walker(program), RandomPlayer(program)
    for state, number in states(program, seed, games, ANSWERS):
        yield becomes(partial(play_out, walker, stream=Stream(number), player=player), state, number)


def playing_on_differs(source: CSource, expected: Iterable[Moment], by: Compiler) -> str:
    """Say what native code of this text does otherwise; or nothing."""
    library = load(source.text, by)
    game, codes = ctypes.create_string_buffer(library.rw_size_of_game()), ("", *source.codes)
    for number, one in enumerate(expected):
        state, stopped = one.before[:], one.before[:]
        library.rw_run(game, (ctypes.c_int * len(stopped)).from_buffer(stopped))  # as a search does before
        cells = (ctypes.c_int * len(state)).from_buffer(state)
        fault = codes[library.rw_play_on(game, cells, ctypes.c_uint64(seed_state(one.number, 0)), MOST_ANSWERS)]
        right = one.fault[0] if one.fault else ""
        if fault != right:
            return f"moment {number}: {fault or 'over'} instead of {right or 'over'}"
        if one.after is not None and state != one.after:
            others = [cell for cell, pair in enumerate(zip(state, one.after, strict=True)) if len({*pair}) > 1]
            return f"moment {number}: cells {others} differ"
    return ""


def same_played_on(program: TableProgram, games: int, seed: int, by: Compiler | None = None) -> None:
    """Plays on both ways. Raises AssertionError where they differ."""
    source = generate_playing_on(program)
    found = playing_on_differs(source, played_on(program, seed, games), by or compilers.quick())
    assert not found, f"seed {seed}, {found}"
