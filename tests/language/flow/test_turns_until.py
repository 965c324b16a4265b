"""Turns that go round until a condition holds, queues that end early, and one player as a list."""

from __future__ import annotations

import pytest

from tests.positions import Table
from tests.small_packs import messages, started

AUCTION = """\
pack: auction
players: 3
kinds: {lot: {}}
components: {lots: {kind: lot, copies: 1, starts: shelf}}
zones: {shelf: {order: row}}
tracks:
  bid: {at-least: 0, at-most: 40}
  bidder: player
  turns-taken: {scope: player, starts: 0}
  passes: {starts: 0}
---
lot: vase
name: Vase
---
round: sale
until: true
steps:
  - id: opening
    turns: bidder
    do: bid += 30
  - id: auction
    turns: clockwise(first of players)
    until: count(players) is 1
    options:
      raise:
        name: bid {n}
        each: {n: bid + 1 to 10}
        do: |
          bid = n
          bidder = you
          turns-taken += 1
      drop: eliminate you
      wait: turns-taken += 1
  - id: rest
    turns: bidder
    do: passes += 1
  - id: leftovers
    queue: all-players
    until: passes >= 3
    options:
      again: {do: passes += 1, then: go to the end of the queue}
      enough: {then: leave the queue}
finish: end
---
winner: one
among: players
""".replace("finish: end", "---\nfinish: end")


@pytest.fixture
def table() -> Table:
    return started(AUCTION, seats=3)


def answer(table: Table, seat: int, option: str) -> None:
    assert table.asked == [(seat, "sale.auction.choice")]
    table.answer(seat, "sale.auction.choice", option)


def test_turns_go_round_until_a_condition_holds(table: Table) -> None:
    """0 bids 2, 1 waits, 2 drops, 0 bids 5, and 1 drops: 2 is passed over, and 0, the last, has no more turn.

    Nobody has bid when the step before begins, so it has no turn.
    """
    answer(table, 0, "raise:2")
    assert table.options == ["raise:3", "raise:4", "raise:5", "raise:6", "raise:7", "raise:8", "raise:9",
                             "raise:10", "drop", "wait"]  # fmt: skip
    answer(table, 1, "wait")
    answer(table, 2, "drop")
    answer(table, 0, "raise:5")
    answer(table, 1, "drop")
    assert table.number("bid") == 5
    assert [table.number("turns-taken", seat) for seat in range(3)] == [2, 1, 0]
    assert table.number("passes") == 1  # the step `rest`: the bidder alone
    assert table.asked == [(0, "sale.leftovers.choice")]


def test_a_queue_ends_when_its_condition_holds(table: Table) -> None:
    """Players who are out are not asked; after two more passes (3 in all) the queue is over, and the game too."""
    for seat, option in ((0, "wait"), (1, "drop"), (2, "raise:1"), (0, "drop")):
        answer(table, seat, option)
    assert table.asked == [(2, "sale.leftovers.choice")]
    table.answer(2, "sale.leftovers.choice", "again")
    table.answer(2, "sale.leftovers.choice", "again")
    assert table.number("passes") == 3 and table.asked == []


def test_turns_end_when_nobody_is_left() -> None:
    """The condition never holds, but all three drop: the turns end, and nobody is asked in the queue either."""
    text = AUCTION.replace("until: count(players) is 1", "until: bid > 10")
    table = started(text, seats=3)
    for seat in range(3):
        answer(table, seat, "drop")
    assert table.asked == [] and table.number("passes") == 0


def test_until_without_turns() -> None:
    text = AUCTION.replace("    turns: clockwise(first of players)\n", "    for-each: {one: players}\n")
    assert "`until` requires `turns` or `queue`: it ends turns that go round" in messages(text)
