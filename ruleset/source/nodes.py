"""YAML nodes: scalars, sequences, and mappings, each with its exact place.

Invariants: the keys of a mapping are distinct; an aliased node is shared and keeps the place of its anchor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.yaml_scalars import Places, Style, Value


@frozen(repr=False)
class ScalarNode(Record):
    """A word, number or text. `text` is the decoded text; `value` is the parsed value (for keys, the text)."""

    value: Value
    text: str
    span: Span
    style: Style = "plain"
    places: Places | None = field(default=None, eq=False, repr=False)

    def span_of(self, start: int, end: int) -> Span:
        """Return the exact place of `text[start:end]`; an end at `len(text)` is just after the last character."""
        if self.places is None:
            return self.span
        return self.places.span(self.text, self.style, start, end)


@frozen(repr=False)
class SequenceNode(Record):
    items: tuple[Node, ...]
    span: Span


@frozen(repr=False)
class MappingEntry(Record):
    key: ScalarNode
    value: Node


@frozen(repr=False)
class MappingNode(Record):
    """Entries in file order."""

    entries: tuple[MappingEntry, ...]
    span: Span
    _by_name: dict[str, MappingEntry] = field(init=False, eq=False, repr=False)

    @_by_name.default
    def _index(self) -> dict[str, MappingEntry]:
        return {entry.key.text: entry for entry in self.entries}

    def get(self, name: str) -> Node | None:
        entry = self._by_name.get(name)
        return entry.value if entry else None

    def key(self, name: str) -> ScalarNode | None:
        entry = self._by_name.get(name)
        return entry.key if entry else None

    def keys(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    def span_of(self, name: str) -> Span:
        """Return the place of a key, or of the whole mapping if the key is missing."""
        entry = self._by_name.get(name)
        return entry.key.span if entry else self.span


@frozen(repr=False)
class Around(MappingNode):
    """A step that a house rule put around others, its `steps`, which keep their own paths.

    `of_one`: it surrounds one step instead of all steps of a phase.
    """

    of_one: bool = True


Node: TypeAlias = ScalarNode | SequenceNode | MappingNode


def plain(node: Node) -> Any:
    """Convert a node to ordinary dicts, lists, and values."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    return {entry.key.text: plain(entry.value) for entry in node.entries}


# ---- Edit a tree of nodes: select a part by a path of words and rebuild the tree around it
#
# Each word of a path is a key of a mapping or the id of a step in a list.

Path = tuple[str, ...]


def part(node: Node | None, path: Path) -> Node | None:
    """Return the node at a path, or None if there is none."""
    for word in path:
        if isinstance(node, MappingNode):
            node = node.get(word)
        elif isinstance(node, SequenceNode):
            node = next((item for item in node.items if step_id(item) == word), None)
        else:
            return None
    return node


def bare_path(node: Node | None, path: Path) -> Path:
    """Return a path without the steps that house rules put around its target."""
    bare: list[str] = []
    for word in path:
        if isinstance(node, Around) and word == "steps":
            bare.pop()
        else:
            bare.append(word)
        node = part(node, (word,))
    return tuple(bare)


def replaced(node: Node, path: Path, new: Node | None, key: ScalarNode | None = None) -> Node:
    """Replace the part at a path, or remove it if `new` is None.

    A missing key is added at the end, spelt as `key`. All of the path except its last word must exist.
    """
    if not path:
        assert new is not None
        return new
    word, rest = path[0], path[1:]
    if isinstance(node, MappingNode):
        old = next((entry for entry in node.entries if entry.key.text == word), None)
        if old is None:
            if new is None:
                return node
            assert not rest and key is not None
            return evolve(node, entries=(*node.entries, MappingEntry(key, new)))
        if new is None and not rest:
            return evolve(node, entries=tuple(entry for entry in node.entries if entry is not old))
        changed = evolve(old, value=replaced(old.value, rest, new, key))
        return evolve(node, entries=tuple(changed if entry is old else entry for entry in node.entries))
    assert isinstance(node, SequenceNode)
    items: list[Node] = []
    for item in node.items:
        if step_id(item) != word:
            items.append(item)
        elif rest or new is not None:
            items.append(replaced(item, rest, new, key))
    return evolve(node, items=tuple(items))


def inserted(items: SequenceNode, name: str, before: tuple[Node, ...], after: tuple[Node, ...]) -> SequenceNode:
    """Insert items before and after the item of the given name."""
    found: list[Node] = []
    for item in items.items:
        found += (*before, item, *after) if named(item) == name else (item,)
    return evolve(items, items=tuple(found))


def step_id(node: Node) -> str | None:
    """Return the id of a step; None if the node has none."""
    found = node.get("id") if isinstance(node, MappingNode) else None
    return found.text if isinstance(found, ScalarNode) else None


def named(node: Node) -> str | None:
    """Return the name of a list item: the text of a word, or the id of a step."""
    return node.text if isinstance(node, ScalarNode) else step_id(node)


# ---- Read plain values from YAML nodes whose shape has been checked

def texts_of(node: Node) -> tuple[tuple[str, str], ...]:
    """Return a text for players as (language, text) pairs; a bare text is English."""
    if isinstance(node, MappingNode):
        return tuple((e.key.text, e.value.text) for e in node.entries if isinstance(e.value, ScalarNode))
    return (("en", node.text),) if isinstance(node, ScalarNode) else ()


def numbers_of(node: Node) -> tuple[int, ...]:
    """Return the integers in a node, in order."""
    if isinstance(node, SequenceNode):
        return tuple(n for item in node.items for n in numbers_of(item))
    if isinstance(node, ScalarNode) and isinstance(node.value, int):
        return (int(node.value),)
    return ()


def is_every(node: Node) -> bool:
    """Whether a node is the word `all`."""
    return isinstance(node, ScalarNode) and node.text == "all"


def words_of(node: Node) -> Iterator[str]:
    """Yield every key and word in a node: names that a broken declaration may have meant to declare."""
    if isinstance(node, ScalarNode):
        yield node.text
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from words_of(item)
    else:
        for entry in node.entries:
            yield entry.key.text
            yield from words_of(entry.value)
