"""Decide whether two conditions exclude each other.

Sound but incomplete: a condition is decomposed into comparisons of a value with a constant or another value. Two
conditions exclude each other if every way to satisfy one contradicts every way to satisfy the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.reads import read_by
from rulewright.ruleset.program.traversal import everything, rebuild
from rulewright.ruleset.table import nodes as t

MOST_WAYS = 16
"""Limit of ways to satisfy a condition; a condition with more excludes no other."""

_UNKNOWN = (p.Invocation, p.InvocationList, p.Worth, p.PlaceOf)
"""Parts of values that may read anything. All others change only if a statement writes what they name."""
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_FLIPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ORDERS = {"==": {0}, "!=": {-1, 1}, "<": {-1}, ">": {1}, "<=": {-1, 0}, ">=": {0, 1}}
"""The orders of the two sides that satisfy a comparison: less (-1), equal (0), greater (1)."""


@frozen(repr=False)
class Fact(Record):
    """A comparison that holds. `right` is a constant or another value."""

    left: t.Expr
    op: str
    right: t.Expr


Way = tuple[Fact, ...]
"""Facts that hold together."""


Reached = tuple[t.Expr | None, t.Stmt]


def under_conditions(code: tuple[t.Stmt, ...], under: t.Expr | None = None) -> Iterator[Reached]:
    """Yield the statements of a piece of code with the conditions under which they are reached."""
    for statement in code:
        if isinstance(statement, t.If):
            yield from under_conditions(statement.then, _both(under, statement.condition))
            yield from under_conditions(statement.otherwise, _both(under, t.Not(statement.condition)))
        elif isinstance(statement, p.Block):
            yield from under_conditions(statement.body, under)
        else:
            yield under, statement


def _both(one: t.Expr | None, other: t.Expr) -> t.Expr:
    return other if one is None else t.And(one, other)


def exclusive(one: t.Expr | None, other: t.Expr | None, changed: frozenset[str]) -> bool:
    """Whether two conditions never both hold if only `changed` changes between them.

    `changed` contains tracks, lists, zones, and `players` (`ruleset.program.touches`).
    """
    if one is None or other is None:
        return False
    first, second = ways(one, True), ways(other, True)
    if first is None or second is None:
        return False
    return all(contradict(lasting(a + b, changed)) for a, b in product(first, second))


def never(condition: t.Expr) -> bool:
    """Whether a condition certainly never holds."""
    if isinstance(condition, t.Const):
        return not condition.value
    if isinstance(condition, t.Not) and isinstance(condition.operand, t.Const):
        return bool(condition.operand.value)
    return exclusive(condition, condition, frozenset())


def ways(condition: t.Expr, holds: bool) -> tuple[Way, ...] | None:
    """Return the ways to satisfy a condition, or its negation; None if there are too many."""
    if isinstance(condition, t.Not):
        return ways(condition.operand, not holds)
    if isinstance(condition, t.And | t.Or):
        left, right = ways(condition.left, holds), ways(condition.right, holds)
        if left is None or right is None:
            return None
        if isinstance(condition, t.And) == holds:
            all_ = tuple(a + b for a, b in product(left, right))
        else:
            all_ = left + right
        return all_ if len(all_) <= MOST_WAYS else None
    fact = _fact(condition, holds)
    return ((fact,) if fact is not None else (),)


def _fact(condition: t.Expr, holds: bool) -> Fact | None:
    """Return the fact of a single comparison; None if one of its parts could read anything."""
    if isinstance(condition, t.Binary) and condition.op in _ORDERS:
        left, op, right = condition.left, str(condition.op), condition.right
    else:
        left, op, right = condition, "!=", t.Const(0)
    if any(isinstance(node, _UNKNOWN) for side in (left, right) for node in everything(side)):
        return None
    left, right = anywhere(left), anywhere(right)
    op = op if holds else _OPPOSITE[op]
    if isinstance(left, t.Const) or (not isinstance(right, t.Const) and repr(right) < repr(left)):
        left, op, right = right, _FLIPPED[op], left
    return Fact(left, op, right)


def lasting(facts: Way, changed: frozenset[str]) -> Way:
    """Return the facts that do not depend on `changed`."""
    return tuple(fact for fact in facts if not reads(fact) & changed)


def reads(fact: Fact) -> set[str]:
    """Return the names that a fact depends on."""
    return {name for side in (fact.left, fact.right) for node in everything(side) for name in read_by(node)}


def anywhere(node: Any) -> Any:
    """Return an expression without its places."""
    node = rebuild(node, anywhere)
    return evolve(node, at=0) if getattr(node, "at", 0) else node


def contradict(facts: Way) -> bool:
    """Whether the facts are contradictory."""
    orders: dict[tuple[t.Expr, t.Expr], set[int]] = {}
    ranges: dict[t.Expr, list[Fact]] = {}
    for fact in facts:
        if isinstance(fact.right, t.Const):
            ranges.setdefault(fact.left, []).append(fact)
        key = (fact.left, fact.right)
        orders[key] = orders.get(key, {-1, 0, 1}) & _ORDERS[fact.op]
    return not all(orders.values()) or any(_empty(about) for about in ranges.values())


def between(facts: Iterable[Fact]) -> tuple[int, int]:
    """Return the least and the greatest number that satisfy comparisons of a value with constants."""
    low, high = LOWEST, HIGHEST
    for fact in facts:
        assert isinstance(fact.right, t.Const)
        value = fact.right.value
        if fact.op in ("==", ">", ">="):
            low = max(low, value + (fact.op == ">"))
        if fact.op in ("==", "<", "<="):
            high = min(high, value - (fact.op == "<"))
    return low, high


def _empty(facts: list[Fact]) -> bool:
    """Whether no integer satisfies all these comparisons with constants."""
    low, high = between(facts)
    left_out = {fact.right.value for fact in facts if fact.op == "!=" and isinstance(fact.right, t.Const)}
    return high - low < len(left_out) + 1 and all(value in left_out for value in range(low, high + 1))
