"""Games that start in a position, and the next game of a series.

That backends agree from there on is tried with all scenarios (`tests/content/test_scenarios.py`).
"""

from __future__ import annotations

from array import array
from functools import partial
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import JournalError, write
from rulewright.interpreter.state.frames import next_game, read_list, restart
from rulewright.interpreter.state.position import PositionError, WantedPosition, positioned
from rulewright.ruleset.lower.entry_point import before, enter
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.nodes import FUEL, OVER, SEGMENT, STATUS, TableProgram
from rulewright.tools.playing import kept_rules
from rulewright.tools.scenarios.stage import Stages
from tests.interpreter.programs_series import rubber
from tests.positions import pack_of

ROOT = Path(__file__).parents[3]
pack = partial(pack_of, ROOT / "content" / "rattus-cartus")


def entered() -> TableProgram:
    """The table of the first scenario that enters the game somewhere."""
    scenario = next(one for one in pack().scenarios if one.entry)
    return Stages(pack(), (scenario,)).stage(scenario, bare=True).table


@pytest.mark.slow
def test_a_game_from_a_position_is_saved_and_loaded(tmp_path: Path) -> None:
    game = Game.start(entered(), 5)
    for _ in range(3):
        one = game.decisions[0]
        game.apply(one.seat, [option.key for option in one.options for _ in range(option.count)][: one.least])
    game.save(tmp_path / "game.journal")
    assert Game.load(tmp_path / "game.journal", kept_rules.table_of).state == game.state


def test_a_position_of_no_scenario_is_not_saved() -> None:
    """A journal names a scenario of its packs; the position itself is not in it."""
    table = entered()
    assert table.origin is not None
    with pytest.raises(JournalError, match="was not compiled from packs"):
        write(Game.start(evolve(table, origin=evolve(table.origin, scenario=-1)), 5).journal)


def begun() -> tuple[TableProgram, TableProgram, array[int]]:
    """A table entered at its first phase, the table of its set-up, and the state after that."""
    set_up = lower(before(pack()), 3)
    game = Game.start(set_up, 1)
    assert game.state[STATUS] == OVER
    return lower(enter(pack(), "phase/new-buildings"), 3), set_up, game.state


def test_what_is_not_said_stays_as_it_was() -> None:
    table, set_up, state = begun()
    game = Game.start(positioned(table, set_up, state, WantedPosition()), 1)
    old, new = ({zone.key: zone.address for zone in one.zones} for one in (set_up, table))
    for key in ("deck", "nun-row", "hand/1", "hand/2", "hand/3"):
        assert game.state[new[key] : new[key] + 6] == state[old[key] : old[key] + 6], key


def test_cards_that_make_room_take_the_places_of_those_that_came() -> None:
    table, set_up, state = begun()
    wanted = WantedPosition(
        zones={"hand/1": ["church-4"] * 3}, tracks={("rats", 0): 7, ("influence", 0, "church"): 2}
    )
    game = Game.start(positioned(table, set_up, state, wanted), 1)
    view = game.view(0)
    assert view.zone("hand/1").cards == ("church-4",) * 3
    assert view.zone("deck").size == 84 - 5 - 3 - 5 - 5
    assert view.track("rats").values[0] == 7
    assert game.view(1).zone("hand/1").cards == (None,) * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (WantedPosition(zones={"hand/1": ["church-4"] * 9}), "there is no church-4 left for hand/1: the game has"),
        (WantedPosition(zones={"cellar": []}), "there is no zone cellar"),
        (WantedPosition(zones={"deck": []}), "cards of deck would lie nowhere"),
        (WantedPosition(tracks={("rats", 0): -1}), "rats is from 0"),
        (WantedPosition(tracks={("gold", 0): 1}), "nothing in this game uses gold"),
        (WantedPosition(tracks={("rats",): 1}), "rats is kept for player"),
        (WantedPosition(tracks={("influence", 0, "kings"): 1}), "there is no class kings"),
        (WantedPosition(lists={("arrivals",): [0, 1, 2, 0]}), "arrivals has room for 3"),
    ],
)
def test_positions_that_cannot_be(wanted: WantedPosition, said: str) -> None:
    table, set_up, state = begun()
    with pytest.raises(PositionError) as error:
        positioned(table, set_up, state, wanted)
    assert said in str(error.value)


def test_a_next_game_begins_as_declared_and_keeps_what_lasts() -> None:
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


def test_the_rest_lies_under_the_own_cards_of_a_pile() -> None:
    """Gems of the pack `entries` that are in no zone of the position, and with no seat."""
    program = pack_of(ROOT / "tests" / "packs" / "entries")
    set_up = lower(before(program), 2)
    game = Game.start(set_up, 1)
    table = lower(enter(program, "phase/act"), 2)
    zones = {zone.key: zone for zone in set_up.zones}
    own, tray = (read_list(game.state, zones[key].address) for key in ("box", "tray"))
    assert (len(own), len(tray)) == (6, 2)
    made = positioned(table, set_up, game.state, WantedPosition(left="box"))
    cards = {made.zones[number].key: cards for number, cards in made.start}
    assert cards["box"] == (*tray, *own)
    assert "tray" not in cards
    assert [len(cards[key]) for key in ("hand/1", "hand/2", "bush")] == [2, 2, 3]
    with pytest.raises(PositionError, match="there is no zone cellar"):
        positioned(table, set_up, game.state, WantedPosition(left="cellar"))
