"""Zones, tracks, and lists with one for each member of an enumeration, definition, or card."""

from __future__ import annotations

import pytest

from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.lower.lowering import TableError, lower
from tests.small_packs import Course, changed, pack_in

PACK = Course("""\
pack: scopes
players: 2
enumerations: {colour: [red, green, blue], size: [small, large]}
kinds:
  stage:
    fields:
      glaze: colour
      price: {per: colour, type: 0 to 9, default: 1}
      shelf-of: {type: colour, cases: [{when: glaze is red, is: blue}, {is: red}]}
      maker: {type: potter, default: ann}
  potter: {cards: false}
components:
  stages:
    kind: stage
    each: {glaze: all}
    copies: 2
    starts: "heap[glaze]"
    home: "shelf[shelf-of]"
  pots: {kind: pot, copies: 1, starts: "bench[maker]", home: heap-of-pots}
zones:
  heap: {scope: colour, order: pile, accepts: [stage], seen-by: nobody, top-seen-by: all}
  shelf: {scope: colour, order: row}
  spare: {scope: colour, order: pile, seen-by: nobody, refill: {from: shelf, when: needed}}
  bench: {scope: potter}
  heap-of-pots: {order: row}
tracks:
  sum: number
  rounds: number
  trump: {of: colour, starts: none}
  heat: {scope: [colour, size]}
  wear: {scope: stage}
  damage: {scope: stage card}
  used: {scope: [player, stage]}
  best: {scope: stage, of: potter}
lists:
  fans: {scope: colour, of: player}
  marks: {scope: size, of: number, repeats: true, at-most: 5}
  owners: {scope: stage, of: player}
  users: {scope: stage card, of: player}
---
kinds: {pot: {fields: {maker: potter}}}
---
pot: bowl
maker: bob
---
pot: jug
maker: ann
---
potter: ann
---
potter: bob
""")


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("sum = count(heap[red]) * 10 + count(shelf[red])", 20),
        ("each c in colour: sum += count(heap[c] where glaze is c)", 6),
        ("move top of heap[red] to heap[blue]\nsum = count(heap[red]) * 10 + count(heap[blue])", 13),
        ("trump = next(red)\nmove heap[trump] to shelf[next(trump)]\nsum = count(shelf[blue])", 2),
        ("move heap[red] to shelf[red]\nif shelf[red][2] is last of shelf[red]: sum = 1", 1),
        ("move heap[red] to shelf[red]\nif shelf[red][3] is none: sum = 1", 1),
        ("each c in colour: move heap[c] to home\nsum = count(shelf[blue]) * 10 + count(shelf[red])", 24),
        ("move heap[green] to shelf[green]\nmove top of spare[green] to shelf[red]\nsum = count(shelf[red])", 1),
        ("move heap[red] to shelf[red]\nmove top of spare[green] to shelf[blue]\nsum = count(shelf[blue])", 0),
        ("if bench[bob] is bowl + none and bench[ann] is jug + none: sum = 1", 1),
        ("heat[red][large] += 3\nheat[blue][small] += 4\nsum = total heat[it][large] over colour", 3),
        ("add first of players to fans[green]\nadd last of players to fans[green]\nsum = count(fans[green])", 2),
        ("add first of players to fans[green]\nsum = count(fans[red]) * 10 + count(fans[blue])", 0),
        ("fans[red] = players\nremove players[1] from fans[red]\nif fans[red] is players[2] + none: sum = 1", 1),
        ("add 3 to marks[large]\nadd 3 to marks[large]\nsum = total it over marks[large]", 6),
        ("trump = blue\nfans[trump] = players\nif fans[next(red)] is none and fans[blue] is players: sum = 1", 1),
    ],
)
def test_one_for_each_member(effect: str, expected: int) -> None:
    assert PACK.started(effect).number("sum") == expected


CARDS = """\
let one = last of (stages in heap[red])
let two = first of (stages in heap[red])
let other = last of (stages in heap[blue])
"""


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("one's wear += 2\nsum = two's wear * 100 + wear[one] * 10 + other's wear", 220),
        ("one's damage += 2\nsum = two's damage * 100 + damage[one] * 10 + other's damage", 20),
        ("every-stage-wears\nsum = (total wear over every stage) * 10 + (total wear over heap[red])", 64),
        ("one's wear = 3\nsum = count(heap[red] where wear is 3) * 10 + count(every stage where wear is 3)", 21),
        ("one's damage = 3\nsum = count(heap[red] where damage is 3)", 1),
        ("let kind-of = one's definition\nkind-of's wear += 4\nsum = two's wear", 4),
        ("add players[1] to one's owners\nsum = count(two's owners) * 10 + count(other's owners)", 10),
        ("add players[1] to one's users\nsum = count(one's users) * 100 + count(two's users) * 10", 100),
        ("let kind-of = two's definition\none's owners = players\nsum = count(kind-of's owners)", 2),
        ("players[2]'s used[one] += 3\nsum = players[2]'s used[two] * 10 + players[1]'s used[two]", 30),
        ("one's best = bob\nif two's best is bob and other's best is none: sum = 1", 1),
    ],
)
def test_one_for_each_definition_or_card(effect: str, expected: int) -> None:
    effect = effect.replace("every-stage-wears", "each s in every stage: s's wear += 2")
    assert PACK.started(CARDS + effect).number("sum") == expected


@pytest.mark.parametrize("effect", ["move top of heap[trump] to shelf[red]", "add first of players to fans[trump]"])
def test_no_zone_of_none(effect: str) -> None:
    with pytest.raises(RuleError) as fault:
        PACK.started(effect)
    assert fault.value.code == "absent"


def test_options_over_zones() -> None:
    take = "each: {c: colour}\n    when: heap[c] is not empty and not (fans[c] has you)"
    do = "    do: |\n      move top of heap[c] to shelf[c]\n      add you to fans[c]"
    act = f"options:\n  take:\n    {take}\n{do}\n  leave: rounds += 1"
    table = PACK.started("move heap[green] to shelf[green]", act)
    assert [one.key for one in table.decision.options] == ["take:red", "take:blue", "leave"]
    table.answer(0, "turn.act.choice", "take:blue")
    assert table.cards("shelf/blue") == ["blue"]
    assert [one.key for one in table.decision.options] == ["take:red", "take:blue", "leave"]
    table.answer(1, "turn.act.choice", "take:red")
    assert [one.key for one in table.decision.options] == ["take:red", "leave"]


def test_a_field_that_selects_a_zone_must_not_be_none() -> None:
    text = changed(PACK.text(), "pot: bowl\nmaker: bob", "pot: bowl")
    text = changed(text, "fields: {maker: potter}", "fields: {maker: {type: potter, default: none}}")
    program = pack_in(text)
    with pytest.raises(TableError, match="`maker` of `bowl` is none, but it selects a zone of `bench`"):
        lower(program, 2, {})
