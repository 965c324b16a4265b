"""What the effects of a card remember while a verb lasts (`remembers`)."""

from __future__ import annotations

import pytest

from rulewright.interpreter.views.view import view
from tests.positions import Table, of
from tests.small_packs import changed, messages, started

PACK = """\
pack: memory
players: 2
kinds:
  spell:
    fields: {price: 0 to 9}
    effects:
      play: {optional: true}
      attack: {takes: {victim: player}, optional: true}
      afterwards: {optional: true}
    remembers: verb/cast
components:
  spells: {kind: spell, copies: 2, starts: library, home: library}
zones:
  library: {order: row}
  hand: {scope: player, order: bag}
  loot-pile: {order: row}
tracks:
  coins: {scope: player, starts: 9}
  rounds: {}
---
setup: deal
steps:
  - id: hands
    do: |
      let first-player = first of players
      each c in library where it is gem: move c to first-player's hand
---
spell: gem
name: Gem
price: 3
---
spell: robber
name: Robber
price: 1
remembers: {taken: number, victims: list of player, worst: player}
attack: |
  if taken is 0 or victim's coins < 9:
    victim's coins -= 2
    taken += 2
    worst = victim
  add victim to victims
afterwards: |
  coins += taken + 100 * count(victims)
  if worst is not none: worst's coins += 10
---
spell: twin
name: Twin
price: 5
remembers: {taken: number}
play: |
  taken = 7
  may echo: cast (first of (library where it is robber))
afterwards: coins += 1000 * taken
---
verb: cast(s) <what spell card>
do: |
  perform what's play
  each p in others: perform what's attack with victim = p
  perform what's afterwards
---
round: turn
turns-from: first of players
until: rounds is 2
steps:
  - id: act
    options:
      rob: cast (first of (library where it is robber))
      twin: cast (first of (library where it is twin))
  - id: count
    do: rounds += 1
---
finish: end
---
winner: one
among: players
"""


@pytest.fixture
def table() -> Table:
    return started(PACK)


def coins(table: Table) -> list[int]:
    return [table.number("coins", seat) for seat in range(2)]


def test_effects_of_a_card_share_values(table: Table) -> None:
    """0 takes 2 from 1 (100 for one victim), who gets 10 back; then 1 does the same, from nothing remembered."""
    table.answer(0, "turn.act.choice", "rob")
    assert coins(table) == [9 + 2 + 100, 9 - 2 + 10]
    table.answer(1, "turn.act.choice", "rob")
    assert coins(table) == [9 + 2 + 100 - 2 + 10, 9 - 2 + 10 + 2 + 100]


def test_a_card_within_a_card_has_values_of_its_own(table: Table) -> None:
    """The twin remembers 7 while the robber that it casts begins with 0, takes 2, and forgets it."""
    table.answer(0, "turn.act.choice", "twin")
    table.answer(0, "twin.play.echo", "echo")
    assert coins(table) == [9 + 2 + 100 + 7000, 9 - 2 + 10]


def test_nobody_sees_them(table: Table) -> None:
    table.answer(0, "turn.act.choice", "rob")
    seen = view(table.game.program, table.game.state, table.game.knowledge, 1)
    assert not any("remembers" in one.key for one in (*seen.tracks, *seen.lists))
    assert table.cards(of(0, "hand")) == ["gem", "gem"]


FINDINGS = [
    ("    remembers: verb/cast\n", "    remembers: verb/throw\n", "there is no verb `throw`"),
    ("    remembers: verb/cast\n", "", None),
    ("{taken: number}", "{coins: number}", "`coins` is already declared by the pack"),
    ("  taken = 7", "  let taken = 7", "`taken` is already a name in this effect"),
    ("afterwards: coins += 1000 * taken", "afterwards: coins += count(victims)", None),
]


@pytest.mark.parametrize(("before", "now", "message"), FINDINGS)
def test_findings(before: str, now: str, message: str | None) -> None:
    found = messages(changed(PACK, before, now))
    assert found and (message is None or message in found), found
