"""Documents `change: …` -> records: what is changed, and how. Their shape has been checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from attrs import frozen

from ruleset.document import Document
from ruleset.nodes import Entry, Mapping, Node, Scalar, Sequence
from ruleset.nodes_edit import Path
from ruleset.span import Span

WHERE = re.compile(r"every ([a-z][a-z0-9-]*)(?: where (.*))?", re.DOTALL)
Insertion = Literal["before", "after", "around"]
INSERTS: tuple[Insertion, ...] = ("before", "after", "around")


@frozen
class Setting:
    """One value of `set`: of the field at `path`, or of the whole where that is empty."""

    path: Path
    value: Node
    was: Node | None
    key: Scalar


@frozen
class Member:
    """One member of `add` or `remove`: an item of a list, or a key of a mapping, which `path` leads to."""

    path: Path
    name: Scalar
    value: Node | None = None

    @property
    def word(self) -> str:
        return self.name.text.rpartition(".")[2]


@frozen
class Patch:
    """One change. `sort` and `where` are those of `every`; else `id` names one thing."""

    pack: str
    target: Scalar
    id: str
    sort: str
    where: str
    offset: int
    """Where the condition begins in the target."""
    matches: int | None
    only_with: tuple[tuple[str, str, Span], ...]
    settings: tuple[Setting, ...]
    added: tuple[Member, ...]
    items: tuple[Entry, ...]
    """Members of lists that are no words: each with the path of its list, as a key."""
    removed: tuple[Member, ...]
    whole: Scalar | None
    """`remove: true`."""
    inserts: tuple[tuple[Insertion, Scalar, Node], ...]
    """`before`, `after`, `around`: the word, its key, what is inserted."""
    text: Node | None = None
    """What players read of it."""

    @property
    def span(self) -> Span:
        return self.target.span


def patch_of(pack: str, document: Document) -> Patch:
    """The change that a document says."""
    root = document.root
    target = root.entries[0].value
    assert isinstance(target, Scalar)
    every = WHERE.fullmatch(target.text.strip())
    remove = root.get("remove")
    added, items = _members(root.get("add"))
    matches = root.get("matches")
    count = matches.value if isinstance(matches, Scalar) and isinstance(matches.value, int) else None
    return Patch(
        pack=pack,
        target=target,
        id="" if every else target.text,
        sort=every[1] if every else "",
        where=(every[2] or "").strip() if every else "",
        offset=target.text.find(every[2]) if every and every[2] else 0,
        matches=count,
        only_with=tuple(_needs(root.get("only-with"))),
        settings=tuple(_settings(root)),
        added=added,
        items=items,
        removed=_members(remove)[0] if not isinstance(remove, Sequence) else _fields(remove),
        whole=remove if isinstance(remove, Scalar) and remove.text == "true" else None,
        inserts=tuple(_inserts(root)),
        text=root.get("text"),
    )


def _needs(node: Node | None) -> Iterator[tuple[str, str, Span]]:
    for entry in node.entries if isinstance(node, Mapping) else ():
        if isinstance(entry.value, Scalar):
            yield entry.key.text, entry.value.text, entry.key.span


def _settings(root: Mapping) -> Iterator[Setting]:
    node, key = root.get("set"), root.key("set")
    if node is None or key is None:
        return
    if not isinstance(node, Mapping) or _changes(node):
        yield _setting((), node, key)
        return
    for entry in node.entries:
        yield _setting(tuple(entry.key.text.split(".")), entry.value, entry.key)


def _setting(path: Path, node: Node, key: Scalar) -> Setting:
    if isinstance(node, Mapping) and _changes(node):
        new = node.get("to")
        assert new is not None
        return Setting(path, new, node.get("was"), key)
    return Setting(path, node, None, key)


def _changes(node: Mapping) -> bool:
    """Whether it is `{was: …, to: …}`."""
    return node.get("to") is not None and set(node.keys()) <= {"was", "to"}


def _members(node: Node | None) -> tuple[tuple[Member, ...], tuple[Entry, ...]]:
    """What `add` or `remove` names: words of lists and keys of mappings; and items of lists that are no words."""
    found: list[Member] = []
    items: list[Entry] = []
    for path, key, value in _lists(node):
        if isinstance(value, Sequence):
            for item in value.items:
                if isinstance(item, Scalar):
                    found.append(Member(path, item))
                else:
                    items.append(Entry(key, item))
        elif isinstance(value, Mapping) and path:
            found.extend(Member(path, entry.key, entry.value) for entry in value.entries)
        else:
            found.append(Member(path[:-1], key, value))
    return tuple(found), tuple(items)


def _lists(node: Node | None) -> Iterator[tuple[Path, Scalar, Node]]:
    if isinstance(node, Sequence):
        yield (), Scalar("", "", node.span), node
    for entry in node.entries if isinstance(node, Mapping) else ():
        yield tuple(entry.key.text.split(".")), entry.key, entry.value


def _fields(node: Sequence) -> tuple[Member, ...]:
    """Fields to be removed, named in a list; the last word of a path is the key."""
    found = []
    for item in node.items:
        if isinstance(item, Scalar):
            *path, _ = item.text.split(".")
            found.append(Member(tuple(path), item))
    return tuple(found)


def _inserts(root: Mapping) -> Iterator[tuple[Insertion, Scalar, Node]]:
    for word in INSERTS:
        node, key = root.get(word), root.key(word)
        if node is not None and key is not None:
            yield word, key, node
