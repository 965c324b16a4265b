"""Documents `change: …` -> records of the target and the edits. Their shape has been checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.documents.play import ChangeDocument, WasTo
from rulewright.ruleset.packs.manifest import Need
from rulewright.ruleset.source.nodes import MappingNode, Node, Path, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import Document

WHERE = re.compile(r"\s*every ([a-z][a-z0-9-]*)(?: where (.*))?\s*", re.DOTALL)
Insertion = Literal["before", "after", "around"]
INSERTS: tuple[Insertion, ...] = ("before", "after", "around")


@frozen(repr=False)
class Setting(Record):
    """A value of `set`: for the field at `path`, or for the whole if that is empty."""

    path: Path
    value: Node
    was: Node | None
    key: ScalarNode


@frozen(repr=False)
class Member(Record):
    """A key that `add` puts into the mapping at `path`, or a member that `remove` takes out there."""

    path: Path
    word: str
    key: ScalarNode
    value: Node


@frozen(repr=False)
class Item(Record):
    """An item that `add` puts into the list at `path`, written as `key`."""

    path: Path
    value: Node
    key: ScalarNode


@frozen(repr=False)
class Patch(Record):
    """A change. `sort` is the kind that `every` names; otherwise `id` names a single target."""

    pack: str
    target: ScalarNode
    id: str
    sort: str
    condition: int | None
    """Offset of the condition in the target, if there is one."""
    matches: int | None
    only_with: tuple[Need, ...]
    settings: tuple[Setting, ...]
    added: tuple[Member, ...]
    items: tuple[Item, ...]
    removed: tuple[Member, ...]
    whole: bool
    """`remove: true`."""
    inserts: tuple[tuple[Insertion, ScalarNode, Node], ...]
    """`before`, `after`, `around`: the word, its key, and the inserted node."""
    text: Node | None = None
    """The text of the change for players."""

    @property
    def span(self) -> Span:
        return self.target.span


def patch_of(pack: str, document: Document) -> Patch:
    """Read a change document."""
    root = document.root
    target = root.entries[0].value
    assert isinstance(target, ScalarNode)
    every = WHERE.fullmatch(target.text)
    says = ChangeDocument.read(target, root)
    added, items = _added(says.add)
    return Patch(
        pack=pack,
        target=target,
        id="" if every else target.text,
        sort=every[1] if every else "",
        condition=every.start(2) if every and every[2] else None,
        matches=says.matches,
        only_with=tuple(Need(one.key.text, one.value.text, one.key.span) for one in says.only_with),
        settings=tuple(_settings(says)),
        added=added,
        items=items,
        removed=tuple(_removed(says.remove)),
        whole=isinstance(says.remove, ScalarNode),
        inserts=tuple(_inserts(says)),
        text=says.text,
    )


def _settings(says: ChangeDocument) -> Iterator[Setting]:
    node, key = says.set, says.node.key("set")
    if node is None or key is None:
        return
    if not isinstance(node, MappingNode) or _changes(node):
        yield _setting((), node, key)
        return
    for entry in node.entries:
        yield _setting(_path(entry.key.text), entry.value, entry.key)


def _setting(path: Path, node: Node, key: ScalarNode) -> Setting:
    if isinstance(node, MappingNode) and _changes(node):
        both = WasTo.made_of(node)
        assert both.to is not None
        return Setting(path, both.to, both.was, key)
    return Setting(path, node, None, key)


def _changes(node: MappingNode) -> bool:
    """Whether the mapping is `{was: …, to: …}`."""
    return "to" in node.keys() and set(node.keys()) <= {"was", "to"}  # noqa: SIM118 - no dict


def _added(node: Node | None) -> tuple[tuple[Member, ...], tuple[Item, ...]]:
    """Return the additions of `add`: keys with their values, and items of lists."""
    keys: list[Member] = []
    items: list[Item] = []
    if isinstance(node, SequenceNode):
        items += (Item((), item, ScalarNode("", "", node.span)) for item in node.items)
    for entry in node.entries if isinstance(node, MappingNode) else ():
        path, key, value = _path(entry.key.text), entry.key, entry.value
        if isinstance(value, SequenceNode):
            items += (Item(path, item, key) for item in value.items)
        elif isinstance(value, MappingNode):
            keys += (Member(path, one.key.text, one.key, one.value) for one in value.entries)
        else:
            keys.append(Member(path[:-1], path[-1], key, value))
    return tuple(keys), tuple(items)


def _removed(node: Node | None) -> Iterator[Member]:
    """Yield the targets of `remove`: fields in a list, or members of lists and keys by field."""
    for item in node.items if isinstance(node, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            *path, word = _path(item.text)
            yield Member(tuple(path), word, item, item)
    for entry in node.entries if isinstance(node, MappingNode) else ():
        for item in entry.value.items if isinstance(entry.value, SequenceNode) else ():
            if isinstance(item, ScalarNode):
                yield Member(_path(entry.key.text), item.text, item, item)


def _path(text: str) -> Path:
    return tuple(text.split("."))


def _inserts(says: ChangeDocument) -> Iterator[tuple[Insertion, ScalarNode, Node]]:
    for word in INSERTS:
        node, key = getattr(says, word), says.node.key(word)
        if node is not None and key is not None:
            yield word, key, node
