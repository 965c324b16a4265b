"""Inserts of two packs at one place that never both run: their order does not matter (no RW626)."""

from __future__ import annotations

import random
from itertools import product

import pytest

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.order import exclusive
from rulewright.ruleset.table import nodes as t
from tests.house.test_weaving import game, same
from tests.house.together import codes

MORE = "---\ntracks: {glow: {of: colour}, dusk: boolean, tide: number, ebb: number}\n"

APART = [
    ("rounds is 1", "rounds is 2"),
    ("rounds is 1", "rounds is not 1"),
    ("rounds < 3", "rounds >= 3"),
    ("rounds < 3", "rounds > 2"),
    ("3 > rounds", "rounds is 3"),
    ("dusk", "not dusk"),
    ("dusk is true", "not dusk"),
    ("dusk", "dusk is false"),
    ("glow is red", "glow is blue"),
    ("glow is red", "glow is not red"),
    ("long-night", "not long-night"),
    ("starting-player is you", "starting-player is not you"),
    ("starting-player is none", "starting-player is not none"),
    ("fame[red] > 1", "fame[red] is 0"),
    ("tide < ebb", "tide >= ebb"),
    ("tide < ebb", "ebb < tide"),
    ("tide is ebb", "not (ebb is tide)"),
    ("dusk and rounds is 1", "rounds is 2 and count(hand) > 3"),
    ("rounds is 1 or rounds is 2", "rounds > 2"),
    ("not (dusk and rounds < 2)", "dusk and rounds is 1"),
    ("rounds is 1 or rounds is 2", "not (rounds is 1) and rounds is not 2 and rounds < 3 and rounds > 0"),
    ("count(hand) > 9 and dusk", "not dusk"),
]
"""Conditions that never both hold."""

TOGETHER = [
    ("rounds is 1", "rounds > 0"),
    ("rounds is 1", "tide is 2"),
    ("rounds <= 3", "rounds >= 3"),
    ("dusk", "rounds is 1"),
    ("glow is red", "glow is not blue"),
    ("fame[red] is 0", "fame[green] is 1"),
    ("dusk or rounds is 1", "not dusk"),
    ("rounds is 1 or rounds is 2", "rounds > 1"),
    ("tide <= ebb", "ebb <= tide"),
    ("starting-player is you", "starting-player is none"),
    *(LED := [("coins is 1", "coins is 2"), ("rounds is 1 and coins < 2", "coins >= 2")]),
]
"""Conditions that may both hold, at once or (`LED`) since the first, which adds a coin, leads to the second. The
other way round none of these leads to the other: one coin more than 2 is not 1, and no coin is not 2."""


def conflicts(first: str, second: str, form: str) -> list[str]:
    """The findings where two packs change coins, each in one case."""
    if form == "sentences":
        does = ((first, "coins += 1"), (second, "coins = 0"))
        texts = [f"change: verb/draw\nafter: |\n  if {when}: {what}\n" for when, what in does]
    elif form == "otherwise":
        both = f"  if {first}:\n    coins += 1\n  else if {second}:\n    fame[red] += 1\n"
        texts = ["change: verb/draw\nafter: |\n" + text for text in (both, f"  if {second}: coins = 0\n")]
    else:
        step = "{{id: {}, for-each: {{p: players}}, when: '{}', do: p's coins {}}}"
        step = f"change: step/market.buy\nafter: {step}\n"
        texts = [step.format(*one) for one in (("one", first, "+= 1"), ("two", second, "= 0"))]
    # some conditions hold under no circumstances, which is a finding about one pack
    return [code for code in codes(game({}, MORE, fog=texts[0], rain=texts[1])) if code != "RW639"]


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), APART)
def test_conditions_that_exclude_each_other(first: str, second: str) -> None:
    assert conflicts(first, second, "sentences") == []
    assert conflicts(second, first, "sentences") == []
    if "you" not in first and "hand" not in first + second:  # nobody acts there
        forms = (first.replace("fame[red]", "tide"), second.replace("fame[red]", "tide"))
        assert conflicts(*forms, "steps") == []


@pytest.mark.parametrize(("first", "second"), TOGETHER)
def test_conditions_that_may_both_hold(first: str, second: str) -> None:
    assert conflicts(first, second, "sentences") == ["RW626"]
    assert conflicts(second, first, "sentences") == ([] if (first, second) in LED else ["RW626"])


def test_else_is_under_the_opposite_condition() -> None:
    assert conflicts("rounds is 1", "rounds is 2", "otherwise") == []
    assert conflicts("rounds is 1", "rounds < 5", "otherwise") == ["RW626"]


def test_a_step_that_changes_the_condition() -> None:
    """The first step makes the second one's condition true, so their order matters."""
    one = "change: verb/draw\nafter: |\n  if tide is 1:\n    coins += 1\n    tide = 2\n"
    two = "change: verb/draw\nafter: |\n  if tide is 2: coins = 0\n"
    assert codes(game({}, MORE, fog=one, rain=two)) == ["RW626"]
    assert codes(game({}, MORE, fog=two, rain=one)) == ["RW626"]
    called = one.replace("tide = 2", "turn-tide")
    verb = "---\nverb: turn-tide(s)\ndo: tide = 2\n"
    assert codes(game({}, MORE + verb, fog=called, rain=two)) == ["RW626"]
    apart = one.replace("    tide = 2\n", "  ebb = 2\n")
    assert codes(game({}, MORE, fog=apart, rain=two)) == []


def test_the_order_does_not_matter() -> None:
    """Of inserts without a finding, either order is the same game; the order is that of the names."""
    one = "change: verb/draw\nafter: |\n  if rounds < 2: coins += 1\n"
    two = "change: verb/draw\nafter: |\n  if rounds >= 2: coins = 0\n"
    by_hand = "do: |\n  move top n of deck to hand\n  if rounds {}\n  if rounds {}\n"
    draw = "do: move top n of deck to hand\n"
    cases = ("< 2: coins += 1", ">= 2: coins = 0")
    assert same(game({}, fog=one, rain=two), game({draw: by_hand.format(*cases)}))
    assert same(game({}, fog=two, rain=one), game({draw: by_hand.format(*reversed(cases))}))


# ------------------------------------------------------------------ by trying all values

VALUES = range(3)
WIDE = range(-2, 5)
"""With all that can be less or greater than each of the values."""
A, B = p.TrackAt("a", ()), p.TrackAt("b", ())
OPERATORS: dict[str, object] = {
    "==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__,
}  # fmt: skip


def condition(chance: random.Random, depth: int) -> t.Expr:
    if depth and chance.random() < 0.6:
        kind = chance.choice([t.And, t.Or, t.Not])
        parts = [condition(chance, depth - 1) for _ in range(1 if kind is t.Not else 2)]
        return kind(*parts)
    left, right = chance.choice([(A, B), (B, A), (A, None), (B, None), (A, None)])
    right = right or t.Const(chance.choice(VALUES))
    return t.Binary(chance.choice(list(OPERATORS)), left, right)


def value(node: t.Expr, a: int, b: int) -> int:
    if isinstance(node, t.Const):
        return node.value
    if isinstance(node, p.TrackAt):
        return a if node.track == "a" else b
    if isinstance(node, t.Not):
        return int(not value(node.operand, a, b))
    if isinstance(node, t.And | t.Or):
        both = [value(node.left, a, b), value(node.right, a, b)]
        return int(all(both) if isinstance(node, t.And) else any(both))
    assert isinstance(node, t.Binary)
    return int(OPERATORS[node.op](value(node.left, a, b), value(node.right, a, b)))


def test_what_is_said_holds_for_all_values() -> None:
    chance = random.Random(7)
    found = missed = 0
    for _ in range(1000):
        one, other = condition(chance, 2), condition(chance, 2)
        both = any(value(one, a, b) and value(other, a, b) for a, b in product(WIDE, WIDE))
        said = exclusive(one, other, frozenset())
        assert not (said and both), (one, other)
        # what one insert may change is no ground: `a` is then different for the two
        changing = any(value(one, a, b) and value(other, c, b) for a, b, c in product(WIDE, WIDE, WIDE))
        assert not (exclusive(one, other, frozenset(["a"])) and changing), (one, other)
        found += said
        missed += not said and not both
    assert found > 100 and missed < found // 4
