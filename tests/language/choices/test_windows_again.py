"""Windows with `again: true`: a player who reacts is asked again, until the player passes.

Expected values come from the pack `edicts`: paying costs 2 of 4 coins and gives 1 favour; a charter gives 2.
"""

from __future__ import annotations

from pathlib import Path

from tests.positions import Table, hand, program_of
from tests.small_packs import started

EDICTS = Path(__file__).parents[2] / "packs" / "edicts"
ACT, PLEA = "turn.act.choice", "plea.reaction"


def pleaded(*hands: list[str], seats: int = 3) -> Table:
    """Seat 0 has pleaded; these are the hands, and all others lie in the archive."""
    zones = {hand(seat): hands[seat] if seat < len(hands) else [] for seat in range(seats)}
    table = Table.start(program_of(EDICTS, seats)).arrange(zones=zones, rest={"deed": "archive"})
    table.answer(0, ACT, "plead")
    return table


def values(table: Table, track: str) -> list[int]:
    return [table.number(track, seat) for seat in range(table.program.seats)]


def test_a_player_reacts_until_it_passes() -> None:
    """Seat 1 pays once and passes with 2 coins left; seat 2 pays twice and can then only pass.

    Both lose the favour that pleading costs, since neither cancelled.
    """
    table = pleaded()
    for seat, options, answer in (
        (1, ["pay", "pass"], "pay"),
        (1, ["pay", "pass"], "pass"),
        (2, ["pay", "pass"], "pay"),
        (2, ["pay", "pass"], "pay"),
        (2, ["pass"], "pass"),
    ):
        assert (table.asked, table.options) == ([(seat, PLEA)], options)
        table.answer(seat, PLEA, answer)
    assert values(table, "coins") == [4, 2, 0]
    assert values(table, "favour") == [0, 1 - 1, 2 - 1]
    assert table.asked == [(1, ACT)]


def test_the_options_are_those_of_now() -> None:
    """Shown deeds are gone from the hand; who has cancelled once is listed, whatever follows."""
    table = pleaded([], ["oath", "charter"])
    assert set(table.options) == {"show:charter", "show:oath", "pay", "pass"}
    table.answer(1, PLEA, "show:oath")
    assert set(table.options) == {"show:charter", "pay", "pass"}
    table.answer(1, PLEA, "show:charter")
    assert set(table.options) == {"pay", "pass"}
    table.answer(1, PLEA, "pass")
    table.answer(2, PLEA, "pass")
    assert values(table, "favour") == [0, 2, -1]
    assert table.cards("ashes") == ["oath", "charter"]


ONCE = """\
pack: farewell
players: 2 to 3
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 1, starts: shelf, home: shelf}}
zones: {shelf: {order: row}}
tracks:
  marks: {scope: player}
  rounds: number
---
window: farewell
asks: others
again: true
options:
  stay: marks += 1
  leave: eliminate you
---
round: turn
turns-from: first of players
until: rounds >= 1
steps:
  - id: ask
    do: |
      open farewell
      rounds += 1
  - id: rest
    turns: players
    options: {one: rounds += 0, other: rounds += 0}
---
finish: end
---
winner: one
among: players
"""


def test_who_is_out_is_not_asked_again() -> None:
    """The second player stays twice and leaves; then the third is asked, and only the two others go on."""
    table = started(ONCE, seats=3)
    for seat, answer in ((1, "stay"), (1, "stay"), (1, "leave"), (2, "stay"), (2, "pass")):
        assert table.asked == [(seat, "farewell.reaction")]
        table.answer(seat, "farewell.reaction", answer)
    assert [table.number("marks", seat) for seat in range(3)] == [0, 2, 1]
    table.answer(0, "turn.rest.choice", "one")
    assert table.asked == [(2, "turn.rest.choice")]


def test_without_again_each_player_reacts_once() -> None:
    table = started(ONCE.replace("again: true\n", ""), seats=3)
    table.answer(1, "farewell.reaction", "stay")
    table.answer(2, "farewell.reaction", "stay")
    assert table.asked == [(0, "turn.rest.choice")]
