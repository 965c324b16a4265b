"""The next game of a series begins with its own code, cards and numbers; what lasts stays."""

from __future__ import annotations

from array import array

from interpreter.state.frames import next_game, read_list, restart
from ruleset.table.nodes import FUEL, SEGMENT
from tests.interpreter.programs_series import rubber


def test_what_stays_and_what_is_new() -> None:
    """Chance, fuel, and the ranges that last stay as they were; all other cells are as at its beginning."""
    program = rubber()
    declared = program.next_game
    assert declared is not None
    state = array("i", [77] * program.layout.cells)
    begun = restart(state, following := next_game(program))
    kept = {cell for start, count in declared.kept for cell in range(start, start + count)}
    stay = {*range(4), FUEL, *kept}
    assert [cell for cell in range(len(state)) if state[cell] == 77] == sorted(stay)
    assert all(state[cell] == following[0][cell] for cell in range(len(state)) if cell not in stay)
    assert begun == state[SEGMENT] == program.procedures[declared.procedure].entry
    for zone, cards in declared.start:
        assert sorted(read_list(state, program.zones[zone].address)) == sorted(cards)
        assert {state[program.layout.places + card] for card in cards} == {zone}
    for track, values in zip(program.tracks, declared.tracks, strict=True):
        assert [*following[0][track.address : track.address + track.count]] == [*values]
