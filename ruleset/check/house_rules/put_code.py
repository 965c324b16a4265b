"""The code of what packs put around other code, and what that is put around."""

from __future__ import annotations

from typing import Any

from ruleset.check.context import Context
from ruleset.compose.weave import Insert
from ruleset.program import nodes as p
from ruleset.program.traversal import rebuild
from ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]
REST = p.Block(-1, ())
"""Stands for the code that something is put around."""


def inserted(insert: Insert, context: Context) -> tuple[Code, Code]:
    """The code of an insert, and of what it is put around."""
    code = context.inserted_code
    rest = context.proceeded_code.get(insert.node.span, ())
    if insert.node.span in code:
        return code[insert.node.span], rest
    items = getattr(insert.node, "items", ())  # several steps
    return tuple(statement for item in items for statement in code.get(item.span, ())), rest


def apart(code: Code, rest: Code) -> tuple[Code, Code]:
    """Code with `REST` in the place of what it is put around, and that."""
    if not rest:
        return code, ()
    numbers = set(map(id, rest))

    def without(node: Any) -> Any:
        return REST if id(node) in numbers else rebuild(node, without)

    return tuple(without(statement) for statement in code), rest
