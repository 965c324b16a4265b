"""`together` with a range of expressions: how many a player chooses depends on the player.

The first player has one pick, the second has two; both have three equal cards.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.views.refusals import Refusal
from tests.positions import Table
from tests.small_packs import lowered

PACK = """\
pack: nets
version: 0.1.0
format: 3
players: 2
kinds: {crab: {}}
components: {crabs: {kind: crab, starts: deck}}
zones:
  deck: {order: pile, seen-by: nobody}
  hand: {scope: player, seen-by: owner}
  basket: {scope: player}
tracks:
  picks: {scope: player, starts: 1}
---
crab: red
copies: 6
---
setup: deal
steps:
  - id: deal
    do: |
      let last = previous(first of players)
      each p in players: move top 3 of deck to p's hand
      each p in players where p is last: p's picks = 2
---
function: most-picks
takes: {p: player}
gives: number
is: p's picks
---
round: tide
steps:
  - id: take
    together: players
    choose: {taken: {number: RANGE, from: hand}}
    do: move taken to basket
until: true
---
winner: all
among: players
"""


@pytest.mark.parametrize(
    ("numbers", "bounds"),
    [("1 to most-picks(you)", [(1, 1), (1, 2)]), ("picks - 1 to 2", [(0, 2), (1, 2)]), ("picks", [(1, 1), (2, 2)])],
)
def test_how_many_each_player_may_choose(numbers: str, bounds: list[tuple[int, int]]) -> None:
    program = lowered(PACK.replace("RANGE", numbers))
    game = Table.start(program).game
    assert [(one.least, one.most) for one in game.decisions] == bounds
    dealt = len(game.events())
    for one, (least, most) in zip(game.decisions, bounds, strict=True):
        assert isinstance(game.apply(one.seat, ["red"] * (most + 1)), Refusal)
        if least:
            assert isinstance(game.apply(one.seat, ["red"] * (least - 1)), Refusal)
        assert not isinstance(game.apply(one.seat, ["red"] * most), Refusal)
    moved = [len(event.cards) for event in game.events()[dealt:] if event.kind == "moved"]
    assert moved == [most for _, most in bounds]
