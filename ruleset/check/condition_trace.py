"""Record the conditions that decide which options a decision has, with their places and parts.

The checker records them separately from the code. Code does not hold the places of its parts and is the same with
and without records. Lowering finds the record of a condition by the identity of its expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ruleset.check.context import Context
from ruleset.check.scope import Text, Value
from ruleset.language import ast as s
from ruleset.program import nodes as p
from ruleset.table import nodes as t


def record_condition(
    context: Context, text: Text, node: s.Expression, check: Callable[[], Value | None]
) -> Value | None:
    """Return the value of a condition from `check`, and record it with its place and parts."""
    outer, context.parts = context.parts, {}
    value = check()
    parts, context.parts = context.parts, outer
    if value is not None and isinstance(value.node, t.Expr):
        told = []
        for part in _told(node):
            found = parts.get(id(part))
            if found is not None and found.zone is None and not isinstance(found.node, t.Const):
                told.append(p.ConditionPart(text.span(part.start, part.end), found.node, found.type))
        context.conditions.append(p.Condition(value.node, text.span(node.start, node.end), tuple(told)))
    return value


def _told(node: s.Expression) -> Iterator[s.Expression]:
    """Yield the parts of a condition whose values explain it: compared values, and simple truth values."""
    if isinstance(node, s.Logic):
        yield from _told(node.left)
        yield from _told(node.right)
    elif isinstance(node, s.Negation):
        yield from _told(node.operand)
    elif isinstance(node, s.Comparison):
        sides = (node.left, node.right) if node.op != "has" else (node.left,)
        yield from (side for side in sides if side is not None and _varies(side))
    elif _varies(node):
        yield node


def _varies(node: s.Expression) -> bool:
    return not isinstance(node, s.Number) and not (isinstance(node, s.Name) and node.text in ("it", "none", "you"))
