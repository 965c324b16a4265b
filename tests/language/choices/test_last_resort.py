"""Options of last resort: offered only where no other option of the menu is."""

from __future__ import annotations

import pytest

from rulewright.interpreter.game.seat_eyes import left_out
from rulewright.ruleset.lower.reasons import lower_reasons
from tests.positions import Table, of
from tests.small_packs import pack_in, started

PACK = """\
pack: resort
players: 2
kinds: {gem: {fields: {price: 0 to 9}}}
components: {gems: {kind: gem, copies: 1, starts: shelf, home: shelf}}
zones: {shelf: {order: row}, purse: {scope: player, order: bag}}
tracks:
  coins: {scope: player, starts: 3, at-least: 0}
  rounds: number
---
gem: ruby
price: 2
name: Ruby
---
gem: opal
price: 4
name: Opal
---
round: turn
turns-from: first of players
until: rounds > 5
steps:
  - id: buy
    options:
      buy:
        each: {one: gems in shelf}
        when: coins >= one's price
        do: |
          coins -= one's price
          move one to purse
      beg:
        when: otherwise
        do: coins += 2
  - id: rest
    do: |
      rounds += 1
      choose one:
        gamble when coins > 4: coins -= 4
        save when coins > 4 and rounds > 2: coins -= 1
        sleep when otherwise: coins += 0
---
finish: end
---
winner: one
among: players
"""


@pytest.fixture
def table() -> Table:
    return started(PACK)


def test_an_option_of_last_resort(table: Table) -> None:
    """The first player buys the ruby (3 coins, price 2), later begs twice (1 + 2 + 2 coins), and may then gamble.

    Until then every menu has a single option, which is not asked: `beg` and `sleep` where nothing else is offered.
    """
    assert table.cards(of(0, "purse")) == ["ruby"]
    assert table.asked == [(0, "turn.rest.choice")]
    assert table.options == ["gamble", "save"]
    assert table.number("coins", 0) == 1 + 2 + 2
    assert table.number("coins", 1) == 3 + 2 - 4 + 2  # begs, gambles as its only option, and begs
    table.answer(0, "turn.rest.choice", "save")
    assert table.asked == [(1, "turn.rest.choice")]
    assert table.options == ["gamble", "save"]


def test_why_tells_that_others_are_offered(table: Table) -> None:
    reasons = lower_reasons(pack_in(PACK), 2, {})
    state, knowledge = table.game.state, table.game.knowledge
    (left,) = left_out(reasons, state, knowledge, 0)
    assert left.branch == 2
    assert left.span is not None and left.span.line == PACK[: PACK.index("otherwise: coins")].count("\n") + 1
