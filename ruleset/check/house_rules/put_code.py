"""The code of inserts, and the code or the expression that they surround."""

from __future__ import annotations

from typing import Any

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.compose.weave import Insert
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import rebuild
from rulewright.ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]
REST = p.Block(-1, ())
"""Placeholder for the surrounded code."""
INNER = -1
"""The variable that stands for a surrounded expression."""


def inserted(insert: Insert, context: Context) -> tuple[Code, Code]:
    """Return the code of an insert, and the code that it surrounds."""
    code = context.inserted_code
    rest = context.proceeded_code.get(insert.node.span, ())
    if insert.node.span in code:
        return code[insert.node.span], rest
    items = getattr(insert.node, "items", ())  # several steps
    return tuple(statement for item in items for statement in code.get(item.span, ())), rest


def apart(code: Code, rest: Code) -> tuple[Code, Code]:
    """Return code with `REST` in place of the surrounded code, and the surrounded code."""
    if not rest:
        return code, ()
    numbers = set(map(id, rest))

    def without(node: Any) -> Any:
        return REST if id(node) in numbers else rebuild(node, without)

    return tuple(without(statement) for statement in code), rest


def around_expression(insert: Insert, context: Context) -> Code:
    """Return an expression around another as code that sets the variable `INNER`, which is also its `proceed`.

    Empty if the insert is no expression.
    """
    wrapped = context.wrapped.get(insert.node.span)
    if wrapped is None:
        return ()
    inside = set(map(id, wrapped.proceeds))

    def of_inner(node: Any) -> Any:
        if id(node) in inside:
            return p.ListVar(INNER) if isinstance(node, t.List) else p.Var(INNER)
        return rebuild(node, of_inner)

    node = of_inner(wrapped.node)
    return (p.SetListVar(INNER, node) if isinstance(node, t.List) else p.SetVar(INNER, node),)
