"""Modifiers with `while`: active as long as their condition holds, without being started.

Expected values come from the pack `edicts`, by hand. A plea fines 1 favour, but 0 whoever has a writ in court. To
settle gives the weight of the deed; while somebody has more than 5 coins, that of a charter (1) or an oath (2) is
doubled, plus one. A writ keeps its 3.
"""

from __future__ import annotations

from pathlib import Path

from tests.positions import Table, hand, of, program_of
from tests.small_packs import started

EDICTS = Path(__file__).parents[2] / "packs" / "edicts"
ACT, PLEA = "turn.act.choice", "plea.reaction"


def edicts(**tracks: int) -> Table:
    """Seat 0's turn among three, each with one of each deed; seat 1 begins with a writ in court."""
    zones = {hand(seat): ["charter", "oath", "writ"] for seat in (0, 2)}
    zones |= {hand(1): ["charter", "oath"], of(1, "court"): ["writ"]}
    table = Table.start(program_of(EDICTS, 3))
    coins = {("coins", seat): tracks.get(f"coins{seat}", 4) for seat in range(3)}
    return table.arrange(zones=zones, rest={"deed": "archive"}, tracks=coins)


def favour(table: Table) -> list[int]:
    return [table.number("favour", seat) for seat in range(3)]


def settled(table: Table, deed: str) -> int:
    """What the seat whose turn it is gains by settling a deed."""
    ((seat, _),) = table.asked
    before = table.number("favour", seat)
    table.answer(seat, ACT, f"settle:{deed}")
    return table.number("favour", seat) - before


def test_a_modifier_holds_for_those_whose_condition_holds() -> None:
    """Seat 1 has a writ in court, seat 2 has none; the parameter of the function is known in the condition."""
    table = edicts()
    table.answer(0, ACT, "plead")
    table.answer(1, PLEA, "pass")
    table.answer(2, PLEA, "pass")
    assert favour(table) == [0, 0, -1]


def test_it_begins_and_ends_with_its_condition() -> None:
    """Seat 0 settles an oath at its plain weight; with 6 coins of seat 1 it counts more, with 5 no longer."""
    assert settled(edicts(), "oath") == 2
    rich = edicts(coins1=6)
    assert settled(rich, "oath") == 2 * 2 + 1
    assert settled(rich, "charter") == 2 * 1 + 1
    assert settled(rich, "writ") == 3, "`when` excludes it"
    assert settled(edicts(coins1=5), "oath") == 2


def test_it_changes_in_the_middle_of_a_turn() -> None:
    """Seat 0 waits twice: with 4 + 1 coins nothing holds yet, with 4 + 2 it does."""
    table = edicts()
    table.answer(0, ACT, "wait")
    assert settled(table, "charter") == 1
    table.answer(2, ACT, "wait")
    table.answer(0, ACT, "wait")
    assert table.number("coins", 0) == 4 + 2
    assert settled(table, "oath") == 2 * 2 + 1


def test_nothing_of_the_state_is_spent_on_it() -> None:
    """A modifier that nothing starts has no counters."""
    counters = {one.key.split("/")[1] for one in program_of(EDICTS, 2).tracks if one.key.startswith("modifier/")}
    assert counters == {"plenty"}


BOTH = """\
pack: lamps
players: 2
kinds: {lamp: {fields: {glow: 0 to 9}}}
components: {lamps: {kind: lamp, copies: 1, starts: shelf, home: shelf}}
zones: {shelf: {order: row}}
tracks:
  seen: {scope: player}
  oil: {of: number, starts: 2}
  rounds: number
---
lamp: tall
glow: 3
---
modifier: flare
changes: lamp.glow
is: result + 10 * times
---
modifier: dusk
changes: lamp.glow
while: oil < 2
is: result * 2
---
round: turn
turns-from: first of players
until: rounds > 5
steps:
  - id: look
    do: |
      rounds += 1
      choose one:
        look: seen += total glow over shelf
        flare:
          start flare until the turn ends
          start flare until the turn ends
          seen += total glow over shelf
        burn: oil -= 1
---
finish: end
---
winner: one
among: players
"""


def test_with_a_modifier_that_is_started() -> None:
    """In document order: 3 + 20 first, then doubled where the oil is low; a flare ends with the turn."""
    table = started(BOTH)
    assert _seen(table, "look") == 3
    assert _seen(table, "flare") == 3 + 20
    assert _seen(table, "burn") == 0
    assert _seen(table, "look") == 3 * 2
    assert _seen(table, "flare") == (3 + 20) * 2


def _seen(table: Table, option: str) -> int:
    ((seat, choice),) = table.asked
    before = table.number("seen", seat)
    table.answer(seat, choice, option)
    return table.number("seen", seat) - before
