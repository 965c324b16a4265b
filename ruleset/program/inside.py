"""What is inside of code that is asked about again and again, each time with one more level around it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

from ruleset.program import nodes as p
from ruleset.program.traversal import children

Found = TypeVar("Found", bound=Hashable)
_NOTHING: frozenset[Any] = frozenset()


class Inside(Generic[Found]):
    """What a function finds in a node and in all nodes inside it. Each node is looked at once."""

    def __init__(self, find: Callable[[Any], Iterable[Found]]) -> None:
        self._find = find
        self._known: dict[int, tuple[Any, frozenset[Found]]] = {}
        """By the identity of nodes; they are kept so that no other has theirs."""

    def of(self, node: Any) -> frozenset[Found]:
        """What is found in a node and inside it."""
        known = self._known.get(id(node))
        return known[1] if known is not None else self._looked(node)

    def among(self, nodes: Iterable[Any]) -> frozenset[Found]:
        """What is found in some nodes and inside them."""
        found = _NOTHING
        for node in nodes:
            found = _joined(found, self.of(node))
        return found

    def _looked(self, node: Any) -> frozenset[Found]:
        nodes: list[Any] = []
        arounds: list[int] = []  # of each node the number of the node around it
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
        for number in range(len(nodes) - 1, -1, -1):  # what is inside of a node comes after it
            self._known[id(nodes[number])] = nodes[number], found[number]
            if number:
                found[arounds[number]] = _joined(found[arounds[number]], found[number])
        return found[0]


def labels_left(node: Any) -> tuple[int, ...]:
    """For `Inside`: the labels of the blocks that code leaves."""
    return (node.label,) if isinstance(node, p.Leave) else ()


def _joined(one: frozenset[Found], other: frozenset[Found]) -> frozenset[Found]:
    """Both; one of the two itself where it has all."""
    if not other or other is one:
        return one
    return one | other if one else other
