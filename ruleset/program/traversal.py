"""Traverse trees of `table` and `program` generically, by the attributes of their nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import attrs

from ruleset.common.record import Record
from ruleset.program import nodes as p
from ruleset.table import nodes as t

Node = TypeVar("Node")
_VARIABLES = (p.Var, p.ListVar)
_BINDING = (p.SetVar, p.SetListVar, p.Loop)
_NODES = (t.Expr, t.List, t.Stmt, t.End, t.Tree, p.Branching)


_NAMES: dict[Any, tuple[str, ...]] = {}
_PLAIN = re.compile(r"(?:tuple|dict|int|str|bool|None|Type|Span|Literal|[\[\], |.]|'[^']*'|\"[^\"]*\")*")
"""Annotations of attributes without nodes."""


def _fields(kind: Any) -> tuple[str, ...]:
    """Return the attributes that may contain nodes, in order."""
    names = _NAMES.get(kind)
    if names is None:
        attributes = attrs.fields(kind)
        names = tuple(one.name for one in attributes if not _PLAIN.fullmatch(str(one.type)))
        _NAMES[kind] = names
    return names


class _AreNodes(dict[type, bool]):
    """Whether objects of a class are nodes."""

    def __missing__(self, kind: type) -> bool:
        known = self[kind] = issubclass(kind, _NODES)
        return known


_IS_NODE = _AreNodes()


def children(node: Any) -> list[Any]:
    """Return the direct children of a node."""
    found: list[Any] = []
    kind = type(node)
    names = _NAMES.get(kind)
    for name in _fields(kind) if names is None else names:
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple:
            for item in value:
                if _IS_NODE[type(item)]:
                    found.append(item)
        elif _IS_NODE[kind]:
            found.append(value)
    return found


def everything(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes in it, in pre-order."""
    rest = [node]
    while rest:
        one = rest.pop()
        yield one
        if _NAMES.get(type(one)) != ():
            inside = children(one)
            if inside:
                inside.reverse()
                rest.extend(inside)


@attrs.frozen(eq=False, repr=False)
class Walk(Record):
    """All nodes of some code, in the order of `everything`."""

    nodes: list[Any]
    arounds: list[int]
    """For each node, the number of its parent; -1 if there is none."""

    def end(self, number: int) -> int:
        """Return the number after the last node in the subtree of a node."""
        end = number + 1
        while end < len(self.arounds) and self.arounds[end] >= number:
            end += 1
        return end


class Walks:
    """Cached walks of units, since many passes visit all nodes of a pack."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[p.Unit, Walk]] = {}

    def of(self, unit: p.Unit) -> Walk:
        known = self._known.get(id(unit))
        if known is None:
            known = self._known[id(unit)] = (unit, _walk(unit.body))  # keeps the unit, so that its id stays unique
        return known[1]

    def these(self, unit: p.Unit, kinds: Iterable[type]) -> list[Any]:
        """Return the nodes of these classes, which must have no subclasses."""
        kinds = frozenset(kinds)
        return [node for node in self.of(unit).nodes if type(node) in kinds]


def _walk(code: Sequence[Any]) -> Walk:
    nodes: list[Any] = []
    arounds: list[int] = []
    rest = list(reversed(code))
    outer = [-1] * len(rest)
    while rest:
        node = rest.pop()
        arounds.append(outer.pop())
        if _NAMES.get(type(node)) != ():
            inside = children(node)
            if inside:
                inside.reverse()
                rest.extend(inside)
                outer.extend([len(nodes)] * len(inside))
        nodes.append(node)
    return Walk(nodes, arounds)


def rebuild(node: Node, change: Callable[[Any], Any]) -> Node:
    """Return a copy of a node with `change` applied to each child."""
    news: dict[str, Any] = {}
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, _NODES):
            new = change(value)
            if new is not value:
                news[name] = new
        elif isinstance(value, tuple) and any(isinstance(item, _NODES) for item in value):
            news[name] = tuple(change(item) if isinstance(item, _NODES) else item for item in value)
    return attrs.evolve(node, **news) if news else node  # type: ignore[misc]  # all nodes are attrs records


def substitute(node: Node, values: dict[int, Any], slots: dict[int, int]) -> Node:
    """Return a copy with variables replaced by expressions, and bound variables by others."""
    if isinstance(node, _VARIABLES):
        if node.variable in values:
            return values[node.variable]  # type: ignore[no-any-return]  # an expression for an expression
        return attrs.evolve(node, variable=slots.get(node.variable, node.variable))
    changed = rebuild(node, lambda child: substitute(child, values, slots))
    if isinstance(changed, _BINDING):
        return attrs.evolve(changed, variable=slots.get(changed.variable, changed.variable))
    slot = getattr(changed, "slot", None)
    return attrs.evolve(changed, slot=slots[slot]) if slot in slots else changed  # type: ignore[misc]  # as above
