"""The next game of a series begins as the first one did, except for what lasts the series."""

from __future__ import annotations

from array import array

import pytest

from interpreter.backends.factory import NAMES, make
from interpreter.state.frames import next_game, read_list, restart
from ruleset.table.nodes import ASKING, FUEL, OPEN, OVER, SEGMENT, STATUS
from tests.interpreter import compilers
from tests.interpreter.programs_series import rubber


@pytest.mark.parametrize("backend", [name for name in NAMES if compilers.WANTED or name != "native"])
def test_four_games(backend: str) -> None:
    """By hand. Games 2 to 4 begin with other code, cards and points. 0 is always chosen; the last asks nothing."""
    program = rubber()
    engine = make(program, backend)
    state = engine.start(1)
    for _ in range(3):
        engine.run(state)
        assert (state[STATUS], state[OPEN]) == (ASKING, 1)
        engine.answer(state, 1, (0,))
    engine.run(state)
    assert state[STATUS] == OVER
    games, points, score = program.tracks
    lasting, log = program.state_lists
    deck, hand = program.zones
    assert state[games.address] == 4
    assert read_list(state, lasting.address) == [100, 210, 220, 230]
    assert read_list(state, log.address) == [2 + 230]
    assert [len(read_list(state, zone.address)) for zone in (deck, hand)] == [2, 3]
    assert {3, 4} < set(read_list(state, hand.address)), "cards of the start"
    assert list(state[points.address : points.address + 2]) == [5 + 3, 6]
    assert list(state[points.arrival - 1 : points.arrival + 2]) == [1, 1, 0]
    assert list(state[score.address : score.address + 2]) == [7 + 6, 6]
    assert list(state[score.arrival - 1 : score.arrival + 2]) == [4, 4, 3]


def test_what_stays() -> None:
    """Chance, fuel, and the ranges that last stay as they were; all other cells are as at the beginning."""
    program = rubber()
    assert program.next_game is not None
    state = array("i", [77] * program.layout.cells)
    begun = restart(state, following := next_game(program))
    kept = {cell for start, count in program.next_game.kept for cell in range(start, start + count)}
    stay = {*range(4), FUEL, *kept}
    assert [cell for cell in range(len(state)) if state[cell] == 77] == sorted(stay)
    assert all(state[cell] == following[0][cell] for cell in range(len(state)) if cell not in stay)
    assert begun == state[SEGMENT] == program.procedures[program.next_game.procedure].entry
