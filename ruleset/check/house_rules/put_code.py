"""The code of inserts, and the code that they surround."""

from __future__ import annotations

from typing import Any

from ruleset.check.context import Context
from ruleset.compose.weave import Insert
from ruleset.program import nodes as p
from ruleset.program.traversal import rebuild
from ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]
REST = p.Block(-1, ())
"""Placeholder for the surrounded code."""


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
