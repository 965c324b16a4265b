"""Hooks at several places: one effect before or after several verbs and steps.

Expected values come from the pack `edicts`, by hand. `tithe` asks after a harvest and after gleaning if the
number is less than 5: to give it is worth as much favour, to keep it costs 1. `gleaners` adds 1 to the alms
before somebody gleans, and before each turn is counted.
"""

from __future__ import annotations

from pathlib import Path

from tests.positions import Table, hand, program_of
from tests.small_packs import started

EDICTS = Path(__file__).parents[2] / "packs" / "edicts"
ACT, TITHE = "turn.act.choice", "tithe.choice"


def edicts(ashes: int = 0) -> Table:
    """Seat 0's turn among three, with empty hands and so many cards in the ashes."""
    zones = {hand(seat): [] for seat in range(3)} | {"ashes": ["oath"] * ashes}
    return Table.start(program_of(EDICTS, 3)).arrange(zones=zones, rest={"deed": "archive"})


def test_after_each_of_its_verbs() -> None:
    """A harvest of 3 + 4 - 3 (three cards are ashes), and gleaning 3; the hole `n` is that of either verb."""
    table = edicts(ashes=3)
    table.answer(0, ACT, "harvest")
    assert table.asked == [(0, TITHE)]
    table.answer(0, TITHE, "give")
    assert table.number("favour", 0) == 4
    table.answer(1, ACT, "glean")
    assert table.asked == [(1, TITHE)], "the same choice"
    table.answer(1, TITHE, "give")
    assert table.number("favour", 1) == 3
    assert table.number("coins", 2) == 4 + 3, "seat 1 gleans for seat 2, and the hook asks seat 1"


def test_its_condition_is_that_of_the_place() -> None:
    """A harvest of 3 + 4 is too much to be asked."""
    table = edicts()
    table.answer(0, ACT, "harvest")
    assert table.asked == [(1, ACT)]


def test_before_a_verb_and_a_step() -> None:
    """Two turns are counted, and one player gleans: 1 + 1 + 1."""
    table = edicts()
    table.answer(0, ACT, "wait")
    assert table.number("alms") == 1
    table.answer(1, ACT, "glean")
    assert table.number("alms") == 2
    table.answer(1, TITHE, "keep")
    assert (table.number("alms"), table.number("favour", 1)) == (3, -1)


TWICE = """\
pack: bells
players: 2
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 1, starts: shelf, home: shelf}}
zones: {shelf: {order: row}}
tracks: {marks: {scope: player}, rounds: number}
---
hook: bell
after: [step/turn.wake, step/turn.work]
do: |
  choose one:
    ring: marks += 1
    rest: marks -= 1
---
round: turn
turns-from: first of players
until: rounds >= 5
steps:
  - {id: wake, do: marks += 10}
  - {id: work, do: rounds += 1}
---
prompts: {bell.choice: Ring or rest?}
---
finish: end
---
winner: one
among: players
"""


def test_its_choice_has_one_id_at_all_places() -> None:
    """After two steps of one round: the same question, with the same text."""
    table = started(TWICE)
    assert table.asked == [(0, "bell.choice")]
    table.answer(0, "bell.choice", "ring")
    assert table.asked == [(0, "bell.choice")]
    table.answer(0, "bell.choice", "ring")
    assert (table.number("marks", 0), table.asked) == (12, [(1, "bell.choice")])
