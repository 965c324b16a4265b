"""Expressions whose values are known before a game begins."""

from __future__ import annotations

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.program.derived import asks_every
from rulewright.ruleset.program.settled import is_settled
from rulewright.ruleset.source.nodes import Node, Scalar
from rulewright.ruleset.table import nodes as t


def settled(expressions: ExpressionChecker, node: Node | None, type_: Type | None, scope: Scope) -> t.Expr | None:
    """Return the code of such an expression; None if there is none, or after a finding."""
    if not isinstance(node, Scalar):
        return None
    expressions.context.settling = True
    value = expressions.read(node, scope, type_)
    expressions.context.settling = False
    if value is None or not isinstance(value.node, t.Expr):
        return None
    asked = asks_every(expressions.context.derived, value.node)
    if asked:
        message = f"`{asked}` depends on which definitions are in the game"
        hint = "`when` and `copies` can use derived fields that do not ask `every KIND`"
        expressions.context.report("RW324", node.span, message, hint)
        return None
    if not is_settled(value.node):
        message = "this value is not known before the game starts"
        hint = "use numbers, options, values, or `count(all-players)`"
        expressions.context.report("RW324", node.span, message, hint)
        return None
    return value.node
