"""Rename (see `compose.namespaces`) and find names in trees of the effect language."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

import attrs
from attrs import evolve

from rulewright.ruleset.language import ast as s


def named_anew(node: Any, names: Mapping[str, str]) -> Any:
    """Rename the names in a tree; words of sentences are unchanged."""
    if isinstance(node, tuple):
        return tuple(named_anew(item, names) for item in node)
    if isinstance(node, s.Name):
        return evolve(node, text=names[node.text], said=node.text) if node.text in names else node
    if not isinstance(node, s.Node):
        return node
    changes = {}
    for one in attrs.fields(type(node)):
        old = getattr(node, one.name)
        new = named_anew(old, names)
        if new is not old:
            changes[one.name] = new
    return evolve(node, **changes) if changes else node


def names_given(tree: Any) -> frozenset[str]:
    """Return the names that sentences bind with `as` or `let` anywhere in a tree."""
    found: set[str] = set()
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif isinstance(node, s.Node):
            given = node.name if isinstance(node, s.Let) else node.result if isinstance(node, s.Phrase) else None
            found.update([given.text] if given is not None else [])
            todo.extend(getattr(node, one.name) for one in attrs.fields(type(node)))
    return frozenset(found)


class NamesSaid:
    """An index of the names in a tree of the effect language, built on first use."""

    def __init__(self, tree: tuple[s.Node, ...]) -> None:
        self._tree = tree
        self._places: dict[str, list[int]] | None = None

    def between(self, word: str, start: int, end: int) -> bool:
        """Whether a name occurs in a range of the tree's string."""
        if self._places is None:
            self._places = self._found()
        places = self._places.get(word, [])
        next_ = bisect_left(places, start)
        return next_ < len(places) and places[next_] < end

    def _found(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        todo: list[Any] = [self._tree]
        while todo:
            node = todo.pop()
            if isinstance(node, tuple):
                todo.extend(node)
            elif isinstance(node, s.Name):
                found.setdefault(node.text, []).append(node.start)
            elif isinstance(node, s.Node):
                todo.extend(getattr(node, one.name) for one in attrs.fields(type(node)))
        for places in found.values():
            places.sort()
        return found
