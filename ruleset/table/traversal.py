"""Traverse and rebuild trees of nodes by the attributes of their classes.

It handles the nodes of table programs and those that `program.nodes` and the generators add.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from attrs import evolve, fields

from rulewright.ruleset.table.nodes import Node

Code = TypeVar("Code")

_PLAIN = re.compile(r"(?:tuple|dict|int|str|bool|None|Operator|Type|Span|Literal|[\[\], |.]|'[^']*'|\"[^\"]*\")*")
"""Annotations of attributes without nodes."""


class _Parts(dict[Any, "tuple[str, ...] | None"]):
    """For each class the attributes that may contain nodes, in order; None if it is no class of nodes."""

    def __missing__(self, kind: Any) -> tuple[str, ...] | None:
        names = None
        if issubclass(kind, Node):
            names = tuple(one.name for one in fields(kind) if not _PLAIN.fullmatch(str(one.type)))
        self[kind] = names
        return names


_PARTS = _Parts()


def parts(node: Node) -> tuple[str, ...]:
    """Return the attributes of a node that may contain other nodes, in order."""
    return _PARTS[type(node)] or ()


def children(node: Any) -> list[Any]:
    """Return the direct children of a node."""
    found: list[Any] = []
    for name in _PARTS[type(node)] or ():
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple:
            for item in value:
                if _PARTS[type(item)] is not None:
                    found.append(item)
        elif _PARTS[kind] is not None:
            found.append(value)
    return found


def everything(node: object) -> Iterator[Any]:
    """Iterate over a node and all nodes below it, each before its children, in source order.

    Tuples are walked through; other values are skipped.
    """
    rest = [node]
    while rest:
        one: Any = rest.pop()
        kind = type(one)
        if kind is tuple:
            rest.extend(reversed(one))
        elif _PARTS[kind] is not None:
            yield one
            if _PARTS[kind]:
                inside = children(one)
                inside.reverse()
                rest.extend(inside)


def rebuild(node: Code, change: Callable[[Any], Any]) -> Code:
    """Return a copy of a node with `change` applied to its direct children; the same node if none changes."""
    news: dict[str, Any] = {}
    for name in _PARTS[type(node)] or ():
        value = getattr(node, name)
        if type(value) is tuple:
            new: Any = tuple([change(item) if _PARTS[type(item)] is not None else item for item in value])
            if any(one is not other for one, other in zip(new, value, strict=True)):
                news[name] = new
        elif _PARTS[type(value)] is not None:
            new = change(value)
            if new is not value:
                news[name] = new
    return evolve(node, **news) if news else node  # type: ignore[misc]  # all nodes are attrs records


def transform(node: Code, change: Callable[[Any], Any]) -> Code:
    """Return a node, or a tuple, with `change` applied to all nodes below it and then to itself."""
    if isinstance(node, tuple):
        parts_of_it = tuple(transform(part, change) for part in node)
        same = all(new is old for new, old in zip(parts_of_it, node, strict=True))
        return node if same else parts_of_it  # type: ignore[return-value]  # of the same sorts of nodes
    if _PARTS[type(node)] is None:
        return node
    return change(rebuild(node, lambda part: transform(part, change)))  # type: ignore[no-any-return]  # of its sort
