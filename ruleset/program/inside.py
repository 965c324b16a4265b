"""Memoised searches of nested code that is queried repeatedly, each time with another level around it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import children
from rulewright.ruleset.table import nodes as t

Found = TypeVar("Found", bound=Hashable)
_NOTHING: frozenset[Any] = frozenset()


class Inside(Generic[Found]):
    """The union of the results of a function for a node and all nodes in it. Each node is visited once."""

    def __init__(self, find: Callable[[Any], Iterable[Found]]) -> None:
        self._find = find
        self._known: dict[int, tuple[Any, frozenset[Found]]] = {}
        """By identity of nodes, which are kept alive so that their ids stay unique."""

    def of(self, node: Any) -> frozenset[Found]:
        """Return the results for a node and its contents."""
        known = self._known.get(id(node))
        return known[1] if known is not None else self._looked(node)

    def among(self, nodes: Iterable[Any]) -> frozenset[Found]:
        """Return the results for some nodes and their contents."""
        found = _NOTHING
        for node in nodes:
            found = _joined(found, self.of(node))
        return found

    def _looked(self, node: Any) -> frozenset[Found]:
        nodes: list[Any] = []
        arounds: list[int] = []  # for each node, the number of its parent
        found: list[frozenset[Found]] = []
        rest, outer = [node], [0]
        while rest:
            one, around = rest.pop(), outer.pop()
            known = self._known.get(id(one))
            if known is not None:
                found[around] = _joined(found[around], known[1])
                continue
            below = children(one)
            rest += below
            outer += [len(nodes)] * len(below)
            nodes.append(one)
            arounds.append(around)
            own = self._find(one)
            found.append(frozenset(own) if own else _NOTHING)
        for number in range(len(nodes) - 1, -1, -1):  # children come after their parent
            self._known[id(nodes[number])] = nodes[number], found[number]
            if number:
                found[arounds[number]] = _joined(found[arounds[number]], found[number])
        return found[0]


def labels_left(node: Any) -> tuple[int, ...]:
    """Return the label of the block that a node leaves, for use in `Inside`."""
    return (node.label,) if isinstance(node, p.Leave) else ()


def sources_announced(node: Any) -> tuple[int, ...]:
    """Return the source of the message that a node announces, for use in `Inside`."""
    return (node.at,) if isinstance(node, t.Emit) and node.kind == "announced" and node.at >= 0 else ()


def _joined(one: frozenset[Found], other: frozenset[Found]) -> frozenset[Found]:
    """Return the union, without a new object if one is empty or both are the same."""
    if not other or other is one:
        return one
    return one | other if one else other
