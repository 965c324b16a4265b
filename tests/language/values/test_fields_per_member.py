"""Fields with one value for each member of an enumeration."""

from __future__ import annotations

import pytest

from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table.canonical import program_hash
from tests.small_packs import Course, changed, lowered

PACK = Course("""\
pack: prices
players: 2
enumerations: {colour: [red, green, blue]}
kinds:
  stage:
    fields:
      price: {per: colour, type: 0 to 7, default: 0}
      glazed: {per: colour, type: boolean, default: {red: true, green: false, blue: false}}
      heir: {per: colour, type: stage, default: none}
      weight: number
  role:
    cards: false
    fields: {price: {per: colour, type: number}}
components: {stages: {kind: stage, copies: 2, starts: shelf}}
zones: {shelf: {order: row}}
tracks:
  sum: number
  rounds: number
  trump: {of: colour, starts: none}
---
stage: kiln
weight: 1
price: {red: 2, blue: 5}
glazed: {blue: true}
heir: {green: vase}
---
stage: vase
weight: 2
price: 3
heir: kiln
---
stage: tile
weight: 4
---
role: potter
price: {blue: 70, red: -10, green: 20}
""")


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("sum = kiln's price[red] * 100 + kiln's price[green] * 10 + kiln's price[blue]", 205),
        ("each c in colour: sum += vase's price[c]", 9),
        ("sum = total tile's price[it] over colour", 0),
        ("each c in colour: sum += total price[c] over every stage", 16),
        ("sum = total price[blue] over shelf", 16),
        ("sum = count(shelf where price[red] > 1)", 4),
        ("let dear = first of (shelf where weight is 2)\nsum = dear's price[green] * 10 + dear's weight", 32),
        ("sum = potter's price[blue] + potter's price[red] + potter's price[green] * 2", 100),
        ("if kiln's glazed[red] and kiln's glazed[blue] and not kiln's glazed[green]: sum = 1", 1),
        ("sum = count(every stage where glazed[blue]) * 10 + count(every stage where glazed[red])", 13),
        ("if kiln's heir[green] is vase and kiln's heir[red] is none: sum = vase's heir[red]'s price[blue]", 5),
        ("trump = green\nsum = vase's price[next(trump)] + kiln's price[next(trump)]", 8),
    ],
)
def test_values(effect: str, expected: int) -> None:
    assert PACK.started(effect).number("sum") == expected


@pytest.mark.parametrize("effect", ["sum = kiln's price[trump]", "sum = kiln's heir[red]'s price[red]"])
def test_a_member_that_is_none(effect: str) -> None:
    with pytest.raises(RuleError) as fault:
        PACK.started(effect)
    assert fault.value.code == "absent"


def test_a_player_chooses_what_is_affordable() -> None:
    buy = "    each: {s: every stage}\n    when: s's price[red] < 3\n    do: sum += s's price[blue]"
    act = f"options:\n  buy:\n{buy}"
    table = PACK.started("do nothing", act)
    assert [one.key for one in table.decision.options] == ["buy:kiln", "buy:tile"]
    table.answer(0, "turn.act.choice", "buy:kiln")
    assert table.number("sum") == 5


def test_one_member_costs_what_a_field_costs() -> None:
    text = PACK.text("sum = total price[blue] over shelf")
    other = changed(text, "price: {red: 2, blue: 5}", "price: {red: 0, blue: 5}")
    hashes = {program_hash(lowered(text)) for text in (text, other)}
    assert len(hashes) == 1, "only the table of one member is part of the program"
