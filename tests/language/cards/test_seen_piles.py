"""Knowledge of others about cards put on a pile together, and about a choice among drawn cards.

Expected values come from the text of that pack, read with `docs/reference/language.md`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.state.events import BACK
from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.views.knowledge import Folding, Knowledge
from rulewright.ruleset.lower.decisions import UnitCode
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table.nodes import AS_A_BLOCK
from tests.positions import Table, hand, pack_of, program_of
from tests.suites.secrecy import secrecy

EMBERS = Path(__file__).parents[2] / "packs" / "embers"
ACT = "turn.act.choice"


def embers(
    mine: tuple[str, ...] = ("1", "2", "3"), hearth: tuple[str, ...] = (), ash: tuple[str, ...] = ()
) -> Table:
    """Seat 0's turn with these embers in hand, on top of the hearth (the top last), and in the ash."""
    table = Table.start(program_of(EMBERS, 2))
    zones = {hand(0): list(mine), hand(1): ["4", "4"], "ash": list(ash)}
    return table.arrange(zones=zones, top={"hearth": list(reversed(hearth))}, rest={"ember": "hearth"})


def seen(table: Table, seat: int) -> tuple[str | None, ...]:
    return table.game.view(seat).zone("ash").cards


def heard(table: Table, seat: int, since: int) -> list[tuple[str | None, ...]]:
    """The cards of each move to the ash that a seat was told of since then."""
    keys = {BACK: None} | {number: card.key for number, card in enumerate(table.program.cards)}
    ash = next(number for number, zone in enumerate(table.program.zones) if zone.key == "ash")
    told = table.game.events(seat, since)
    return [
        tuple(keys[card] for card in event.cards)
        for event in told
        if event.kind == "moved" and event.numbers[1] == ash
    ]


# ------------------------------------------------------------------ several cards on a pile

def test_of_several_cards_put_down_at_once_others_see_the_last() -> None:
    """`move burnt to ash`: who holds them knows all; seat 1 only what lies on top in the end, and how many."""
    table = embers()
    table.answer(0, ACT, "at-once")
    before = len(table.game.events())
    table.answer(0, "turn.act.at-once.burnt", "1", "2", "3")
    assert table.cards("ash") == ["1", "2", "3"]
    assert (seen(table, 0), seen(table, 1)) == (("1", "2", "3"), (None, None, "3"))
    assert heard(table, 1, before) == [(None, None), ("3",)]
    assert heard(table, 0, before) == [("1", "2"), ("3",)]


def test_of_several_cards_put_down_one_by_one_others_see_each() -> None:
    """`each c in …: move c to ash`: each was on top for a moment, and its place is remembered."""
    table = embers()
    before = len(table.game.events())
    table.answer(0, ACT, "one-by-one")
    assert (seen(table, 0), seen(table, 1)) == (("1", "2", "3"), ("1", "2", "3"))
    assert [card for move in heard(table, 1, before) for card in move] == ["1", "2", "3"]


def test_one_card_is_seen_and_covers_what_was_seen_before() -> None:
    """Known places stay known: seat 1 saw each of two; a third covers them."""
    table = embers()
    for seat, burnt in ((0, "2"), (1, "4"), (0, "1")):
        table.answer(seat, ACT, "at-once")
        table.answer(seat, "turn.act.at-once.burnt", burnt)
    assert (seen(table, 0), seen(table, 1)) == (("2", "4", "1"), ("2", "4", "1"))


def test_what_goes_under_a_pile_is_not_seen() -> None:
    table = embers(ash=("2",))
    table.answer(0, ACT, "under")
    assert sorted(table.cards("ash")[:-1]) == ["1", "2", "3"] and table.cards("ash")[-1] == "2"
    assert seen(table, 1) == (None, None, None, "2")


def test_what_lies_under_the_last_differs_in_twins_and_nothing_is_told() -> None:
    views, events = set(), set()
    for mine in (("1", "2", "3"), ("2", "1", "3"), ("1", "1", "3")):
        table = embers(mine)
        table.answer(0, ACT, "at-once")
        table.answer(0, "turn.act.at-once.burnt", *sorted(mine))
        views.add(table.game.view(1).digest)
        last = [(event.kind, event.numbers, len(event.cards)) for event in table.game.events(1)[-4:]]
        events.add(tuple(last))
    assert len(views) == 1 and len(events) == 1


# ------------------------------------------------------------------ a choice among drawn cards

@pytest.mark.parametrize(
    ("drawn", "options"),
    [(("1", "2"), []), (("1", "3"), ["3"]), (("3", "4"), ["3", "4"]), (("3", "3"), ["3", "3"])],
)
def test_who_drew_is_asked_though_there_may_be_nothing_to_choose(
    drawn: tuple[str, ...], options: list[str]
) -> None:
    """`choose 1 card from drawn where heat > 2`: that nobody is asked would tell others what was not drawn."""
    table = embers(hearth=drawn)
    table.answer(0, ACT, "stir")
    assert table.asked == [(0, "turn.act.stir.glowing")]
    assert table.options == options
    table.answer(0, "turn.act.stir.glowing", *options[:1])
    assert table.number("hot", 0) == 1 and table.asked == [(1, ACT)]


def test_while_one_chooses_others_cannot_tell_from_what() -> None:
    views, events = set(), set()
    for drawn in (("1", "2"), ("1", "3"), ("3", "4")):
        table = embers(hearth=drawn)
        table.answer(0, ACT, "stir")
        views.add(table.game.view(1).digest)
        events.add(tuple((event.kind, event.numbers, event.cards) for event in table.game.events(1)[-4:]))
    assert len(views) == 1 and len(events) == 1


def test_a_choice_from_all_drawn_cards_is_asked_only_where_there_is_one() -> None:
    """How many were drawn everybody sees."""
    table = embers(hearth=("1", "2"))
    table.answer(0, ACT, "poke")
    assert table.asked == [(0, "turn.act.poke.poked")]
    everything_else = ["1", "1", "2", "2", "3", "3", "4"]
    table = embers(mine=("1", "2", "3"), ash=tuple(everything_else))
    assert table.count("hearth") == 0
    table.answer(0, ACT, "poke")
    assert table.asked == [(1, ACT)]


def test_the_suite_finds_a_choice_that_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the rule for lists that a name holds, twins are asked differently."""
    secret = UnitCode._secret

    def forgetful(self: UnitCode, *nodes: Any) -> bool:
        named = any(isinstance(part, p.ListVar) for node in nodes for part in everything(node))
        return not named and secret(self, *nodes)

    monkeypatch.setattr(UnitCode, "_secret", forgetful)
    with pytest.raises(AssertionError, match="seat"):
        secrecy(lower(pack_of(EMBERS), 2), 20, 1, "walker")


# ------------------------------------------------------------------ a pile that moves

@pytest.mark.parametrize(("manner", "known"), [(0, 3), (AS_A_BLOCK, 0)])
def test_a_pile_that_moves_as_a_block_shows_no_card_below_another(manner: int, known: int) -> None:
    """Taken one by one, each card is on top for a moment; turned over at once, to fill a pile again, none is."""
    table = embers(ash=("1", "2", "4"))
    program, state = table.program, table.game.state
    contents = [read_list(state, zone.address) for zone in program.zones]
    number = {zone.key: place for place, zone in enumerate(program.zones)}
    folding = Folding(program, contents, Knowledge((0,) * len(program.cards), ()))
    folding.move(number["ash"], number["hearth"], contents[number["ash"]][::-1], sees=0, manner=manner)
    seat = 1
    assert sum(mask >> seat & 1 for mask in folding.result().masks) == known
