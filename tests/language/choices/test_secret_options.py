"""A menu that depends on hidden cards asks even if one option is left."""

from __future__ import annotations

import pytest

from tests.small_packs import started

PACK = """\
pack: sea
players: 2
kinds: {fish: {fields: {big: boolean}, expressions: {worth: {type: number, default: 0}}}}
components: {fish: {kind: fish, copies: 1, starts: sea, home: sea}}
zones: {hand: {scope: player, seen-by: owner}, sea: {order: pile, seen-by: nobody}}
tracks: {caught: number}
---
fish: cod
big: false
worth: count(your hand where big)
---
fish: eel
big: false
---
setup: begin
steps: [{id: deal, do: "each p in players: move top of sea to p's hand"}]
---
function: has-big
takes: {who: player}
is: any f in who's hand where big
---
function: has-many
takes: {who: player}
is: count(who's hand) > 3
---
function: indirectly
takes: {who: player}
is: has-big(who)
---
round: turn
turns-from: first of players
until: caught > 5
steps:
  - id: act
    options:
      show: {when: CONDITION, do: caught += 1}
      keep: caught += 1
---
finish: end
---
winner: one
among: players
"""


@pytest.mark.parametrize(("condition", "asked"), [
    ("any f in hand where big", True),
    ("has-big(you)", True),
    ("indirectly(you)", True),
    ("(total worth over hand) > 3", True),
    ("has-many(you)", False),  # everybody sees how many cards there are
    ("caught > 9", False),
])  # fmt: skip
def test_a_menu_tells_nothing_by_not_asking(condition: str, asked: bool) -> None:
    table = started(PACK.replace("CONDITION", condition))
    assert bool(table.asked) == asked
    if asked:
        assert table.options == ["keep"]
