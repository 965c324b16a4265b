"""The next game of a series begins as the first one did, except for what lasts the series."""

from __future__ import annotations

from array import array

from interpreter.state.frames import next_game, restart
from ruleset.table.nodes import FUEL, SEGMENT
from tests.interpreter.programs_series import rubber


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
