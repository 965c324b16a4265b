"""YAML nodes: scalars, sequences, and mappings, each with its exact place.

Invariants: the keys of a mapping are distinct; an aliased node is shared and keeps the place of its anchor.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import field, frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.source.yaml_scalars import Places, Style, Value


@frozen(repr=False)
class Scalar(Record):
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
class Sequence(Record):
    items: tuple[Node, ...]
    span: Span


@frozen(repr=False)
class Entry(Record):
    key: Scalar
    value: Node


@frozen(repr=False)
class Mapping(Record):
    """Entries in file order."""

    entries: tuple[Entry, ...]
    span: Span
    _by_name: dict[str, Entry] = field(init=False, eq=False, repr=False)

    @_by_name.default
    def _index(self) -> dict[str, Entry]:
        return {entry.key.text: entry for entry in self.entries}

    def get(self, name: str) -> Node | None:
        entry = self._by_name.get(name)
        return entry.value if entry else None

    def key(self, name: str) -> Scalar | None:
        entry = self._by_name.get(name)
        return entry.key if entry else None

    def keys(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    def span_of(self, name: str) -> Span:
        """Return the place of a key, or of the whole mapping if the key is missing."""
        entry = self._by_name.get(name)
        return entry.key.span if entry else self.span


@frozen(repr=False)
class Around(Mapping):
    """A step that a house rule put around others, its `steps`, which keep their own paths.

    `of_one`: it surrounds one step instead of all steps of a phase.
    """

    of_one: bool = True


Node: TypeAlias = Scalar | Sequence | Mapping


def plain(node: Node) -> Any:
    """Convert a node to ordinary dicts, lists, and values."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key.text: plain(entry.value) for entry in node.entries}
