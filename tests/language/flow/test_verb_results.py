"""Results of verbs: given in any branch, by `as` and `let`, and named by the caller."""

from __future__ import annotations

import pytest

from tests.positions import Table, of
from tests.small_packs import changed, messages, started

PACK = """\
pack: results
players: 2
kinds: {gem: {fields: {cost: 0 to 9}}}
components: {gems: {kind: gem, copies: 1, starts: shelf, home: shelf}}
zones: {shelf: {order: row, seen-by: all}, purse: {scope: player, order: row}}
tracks:
  coins: {scope: player, starts: 0}
  rounds: number
  made: {of: gem}
---
gem: ruby
cost: 2
name: Ruby
---
gem: opal
cost: 4
name: Opal
---
gem: jade
cost: 7
name: Jade
---
verb: take(s) a gem costing up to <limit number>
gives: {found: gem card}
do: |
  choose 1 gem from shelf where cost <= limit as found
  if found is none: stop
  move found to purse
---
verb: find(s) the cheapest
gives: {cheapest: gem}
do: |
  if shelf is empty: stop
  choose 1 gem from shelf where cost <= 4 as one
  if one is not none: let cheapest = one
  else: let cheapest = jade
---
verb: weigh(s) <n number>
gives: {weight: number}
do: |
  repeat 3 times:
    if n > 5: let weight = n * 2 then stop
---
verb: list(s) all from <limit number>
gives: {all-of-them: list of gem card}
do: choose any number of gems from shelf where cost >= limit as all-of-them
---
round: turn
turns-from: first of players
until: rounds is 2
steps:
  - id: act
    do: |
      take a gem costing up to 4 as gift
      if gift is not none: coins += gift's cost
      take a gem costing up to 1 as nothing
      if nothing is none: coins += 100
      take a gem costing up to 0
      find the cheapest as model
      made = model
      weigh 6 as heavy
      weigh 3 as light
      coins += heavy + 1000 * (light + 1)
      list all from 7 as dear
      coins += 10000 * count(dear)
      rounds += 1
finish: end
---
winner: one
among: players
""".replace("finish: end", "---\nfinish: end")


@pytest.fixture
def table() -> Table:
    return started(PACK)


def test_results(table: Table) -> None:
    """The opal costs 4; none costs up to 1 (100); `weigh 6` gives 12, `weigh 3` 0 (1,000); one gem is dear."""
    table.answer(0, "take-a-gem-costing-up-to.found", "opal@place-2")
    assert table.cards(of(0, "purse")) == ["opal"]
    assert table.number("made") == 0  # the ruby: the first definition, and the only choice
    table.answer(0, "list-all-from.all-of-them", "jade@place-2")
    assert table.number("coins", 0) == 4 + 100 + 12 + 1000 + 10_000
    # 1 has one gem to choose from, so it is not asked: the ruby; then only the jade is left
    table.answer(1, "list-all-from.all-of-them")
    assert table.number("coins", 1) == 2 + 100 + 12 + 1000
    assert table.number("made") == 2


FINDINGS = [
    ("repeat 3 times:", "each weight in 1 to 3:", "`weight` is already a name in this effect"),
    ("let weight = n * 2 then stop", "coins += 1", "no sentence of this verb gives `weight` a value"),
    ("let weight = n * 2", "let weight = shelf", "expected a number, found a zone"),
    ("weigh 3 as light", "weigh 3 as gift", "`gift` is already a name in this effect"),
    ("gives: {weight: number}", "gives: {n: number}", "`n` is already the name of a hole"),
    ("gives: {weight: number}", "gives: {weight: nonsense}", None),
    ("gives: {weight: number}\n", "", "`weigh(s) <n number>` gives no result to name"),
]


@pytest.mark.parametrize(("before", "now", "message"), FINDINGS)
def test_findings(before: str, now: str, message: str | None) -> None:
    found = messages(changed(PACK, before, now))
    assert found and (message is None or message in found), found
