"""Walking the trees of `table` and `program`: generic, by the attributes of the nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

import attrs

from ruleset import program as p
from ruleset import table as t

Node = TypeVar("Node")
_NODES = (t.Expr, t.List, t.Stmt, t.End, t.Tree, p.Branching)


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(attribute.name for attribute in attrs.fields(kind))


def children(node: Any) -> Iterator[Any]:
    """The nodes directly inside a node."""
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, _NODES):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, _NODES))


def everything(node: Any) -> Iterator[Any]:
    """A node and all nodes inside it."""
    yield node
    for child in children(node):
        yield from everything(child)


def rebuild(node: Node, change: Callable[[Any], Any]) -> Node:
    """A copy of a node in which `change` has been applied to each node directly inside it."""
    news: dict[str, Any] = {}
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, _NODES):
            new = change(value)
            if new is not value:
                news[name] = new
        elif isinstance(value, tuple) and any(isinstance(item, _NODES) for item in value):
            news[name] = tuple(change(item) if isinstance(item, _NODES) else item for item in value)
    return attrs.evolve(node, **news) if news else node  # type: ignore[misc]


def rename(node: Node, variables: dict[int, int]) -> Node:
    """A copy that reads other variables."""
    if isinstance(node, p.Var):
        return p.Var(variables.get(node.variable, node.variable))  # type: ignore[return-value]
    return rebuild(node, lambda child: rename(child, variables))
