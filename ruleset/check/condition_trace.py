"""Record the conditions that decide which options a decision has, with their places and clauses.

The checker records them separately from the code. Code does not hold the places of its parts and is the same with
and without records. Lowering finds the record of a condition by the identity of its expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Text, Value
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BOOLEAN, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

_OPPOSITES = {
    "<": ">=", "<=": ">", "is": "is not", "has": "has no", "in": "not in", "empty": "not empty", "yes": "no",
}  # fmt: skip
OPPOSITES = {**_OPPOSITES, **{opposite: op for op, opposite in _OPPOSITES.items()}}
"""The comparison that holds exactly if another one does not."""


def record_condition(
    context: Context, text: Text, node: s.Expression, check: Callable[[], Value | None]
) -> Value | None:
    """Return the value of a condition from `check`, and record it with its place and clauses."""
    outer, context.parts = context.parts, {}
    value = check()
    parts, context.parts = context.parts, outer
    if value is not None and isinstance(value.node, t.Expr):
        clauses = tuple(_clauses(node, True, parts))
        context.conditions.append(p.Condition(value.node, text.span(node.start, node.end), clauses))
    return value


def opposite(condition: p.Condition) -> tuple[p.Clause, ...]:
    """Return the clauses of the condition that holds exactly if another one does not."""
    if len(condition.clauses) != 1:
        return ()
    (clause,) = condition.clauses
    return (p.Clause(t.Not(clause.node), OPPOSITES.get(clause.op, ""), clause.operands),)


def _clauses(node: s.Expression, holds: bool, parts: Mapping[int, Value]) -> Iterator[p.Clause]:
    """Yield the parts of a condition that must all hold or, without `holds`, those of its opposite."""
    if isinstance(node, s.Logic) and (node.op == "and") == holds:
        yield from _clauses(node.left, holds, parts)
        yield from _clauses(node.right, holds, parts)
        return
    if isinstance(node, s.Negation):
        yield from _clauses(node.operand, not holds, parts)
        return
    value = parts.get(id(node))
    if value is not None and isinstance(value.node, t.Expr):
        op, operands = _compared(node, value, parts)
        if not holds:
            op = OPPOSITES.get(op, "")
        yield p.Clause(value.node if holds else t.Not(value.node), op, operands)


def _compared(node: s.Expression, value: Value, parts: Mapping[int, Value]) -> tuple[str, tuple[p.Operand, ...]]:
    """Return what an expression compares, and with which values; nothing if that cannot be told."""
    if not isinstance(node, s.Comparison):
        plain = isinstance(node, s.Name | s.Of | s.At) and isinstance(value.node, t.Expr)
        return ("yes", (p.Operand(value.node, BOOLEAN),)) if plain else ("", ())
    sides = [parts.get(id(side)) for side in (node.left, node.right) if side is not None]
    if None in sides:
        return "", ()
    operands = tuple(p.Operand(*_read(side)) for side in sides if side is not None)
    return OPPOSITES[node.op] if node.negated else node.op, operands


def _read(side: Value) -> tuple[t.Expr | t.List, Type]:
    return (side.zone if side.zone is not None else side.node), side.type
