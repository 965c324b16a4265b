"""Lists that are passed: as long as a range can be, and longer than a parameter can hold."""

from __future__ import annotations

import pytest

from rulewright.interpreter.game.game import Game, RuleFault
from tests.positions import Table
from tests.small_packs import started

PACK = """\
pack: long-lists
players: 2
kinds: {coin: {effects: {pay: {takes: {xs: list of coin card}}}}}
components: {coins: {kind: coin, copies: 3, starts: bank}}
zones: {bank: {order: row, seen-by: all}}
tracks: {n: {starts: 150}, counted: {}}
---
coin: penny
name: Penny
pay: |
  may shine: counted = count(xs)
---
verb: sum(s) <xs list of number> up
do: |
  may count: counted += count(xs)
---
function: how-many
takes: {xs: list of number}
gives: number
is: count(xs) + 1000 * (first of xs) + 1000 * (last of xs)
---
function: coins-of
takes: {xs: list of coin card}
gives: number
is: count(xs) + count(xs where it is penny)
---
verb: hoard(s) <xs list of coin card>
do: |
  may hoard: counted = count(xs)
---
round: turn
turns-from: first of players
until: true
steps:
  - id: go
    options:
      numbers: |
        let many = 1 to n
        counted = how-many(many)
        sum many up
      coins: hoard (bank + bank)
      function: counted = coins-of(bank + bank)
      effect: |
        let penny-itself = first of bank
        perform penny-itself's pay with xs = bank + bank
---
finish: end
---
winner: one
among: players
"""


@pytest.fixture
def table() -> Table:
    return started(PACK)


def test_a_range_is_passed_whole(table: Table) -> None:
    """150 numbers from 1 to 150: 150 + 1,000 + 150,000, and 150 more for the verb."""
    table.answer(0, "turn.go.choice", "numbers")
    table.answer(0, "sum-up.count", "count")
    assert table.number("counted") == 150 + 1000 + 150_000 + 150


@pytest.mark.parametrize("option", ["coins", "function", "effect"])
def test_a_list_that_a_parameter_cannot_hold(table: Table, option: str) -> None:
    """Each coin twice are 6, and a list of the 3 coins can hold 3: the rule error `full`, on every backend."""
    game: Game = table.game
    with pytest.raises(RuleFault) as failed:
        game.apply(0, [option])
    assert failed.value.code == "full"
