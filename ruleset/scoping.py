"""Names of packs that do not know each other: each pack's texts see its own names and those of the packs it builds
on.

All packs are declared together, so a name that could mean something else to a pack that does not know it gets the
name of its pack in front: `attic` of the pack `night-watch` becomes `night-watch-attic`, in that pack and those
that build on it. That happens only where some other pack uses the word, for whatever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from ruleset.collecting import SECTIONS, SINGLES
from ruleset.dependencies import Resolved
from ruleset.document import Document
from ruleset.nodes import Entry, Node, Scalar
from ruleset.nodes import Mapping as Block
from ruleset.nodes import Sequence as List

Renamed = Mapping[str, Mapping[str, str]]
"""Each pack -> what some words of its texts are called when all packs are together."""

_WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_COMMENT = re.compile(r"#[^\n]*")
_TEXTS = ("name", "text", "source")
_UNNAMED = ("pack", "verb", "change", "scenario", "messages", "prompts")
"""Documents that declare no name which texts could use; messages and prompts have names of their own."""


@frozen
class Scoped:
    """The documents of each pack under the names they have together, and what was renamed."""

    packs: Mapping[str, Sequence[Document]]
    renamed: Renamed


Known = Mapping[str, frozenset[str]]
"""Each pack -> the packs whose names its texts may use."""


def knowing(packs: Mapping[str, Sequence[Document]], resolved: Resolved) -> Known:
    """What packs see, and those that a change of theirs is only made with."""
    sees = dict(resolved.sees)
    for pack, documents in packs.items():
        changes = (document.root.get("only-with") for document in documents if document.kind == "change")
        others = {name for node in changes if isinstance(node, Block) for name in node.keys()} & set(resolved.sees)
        sees[pack] = sees[pack].union(others, *(resolved.sees[one] for one in others))
    return sees


def scoped(packs: Mapping[str, Sequence[Document]], resolved: Resolved, knows: Known) -> Scoped:
    """Gives names of their own to what packs declare that others could mistake."""
    words: dict[str, set[str]] = {}
    declared = {pack: set(_declared(documents)) for pack, documents in packs.items()}
    renamed: dict[str, dict[str, str]] = {}
    taken = {name for names in declared.values() for name in names}
    for pack in (head.pack for head in resolved.order[1:]):
        seen = resolved.sees[pack]
        known = {name for other in seen if other != pack for name in _said(packs.get(other, ()))}
        for name in sorted(declared.get(pack, set()) - known):
            friends = [one for one in packs if one == pack or (pack in knows[one] and name not in declared[one])]
            strangers = [other for other in packs if other not in friends]
            for other in strangers:
                if other not in words:
                    words[other] = set(_words(packs[other]))
            if any(name in words[other] for other in strangers) and f"{pack}-{name}" not in taken:
                for one in friends:
                    renamed.setdefault(one, {})[name] = f"{pack}-{name}"
    if not renamed:
        return Scoped(packs, {})
    changed = {
        pack: [_document(document, renamed[pack]) for document in documents] if pack in renamed else documents
        for pack, documents in packs.items()
    }
    return Scoped(changed, renamed)


# ------------------------------------------------------------------ which words there are


def _declared(documents: Iterable[Document]) -> Iterator[str]:
    """The names that documents declare."""
    for document in documents:
        first = document.root.entries[0].value
        if document.kind == "pack" or document.kind in SECTIONS:
            for entry in document.root.entries:
                if entry.key.text in SECTIONS and entry.key.text not in _UNNAMED and isinstance(entry.value, Block):
                    yield from _entries(entry.key.text, entry.value)
        elif document.kind not in _UNNAMED and isinstance(first, Scalar):
            yield first.text


def _entries(section: str, body: Block) -> Iterator[str]:
    for entry in body.entries:
        yield entry.key.text
        if section == "enumerations":
            members = entry.value
            if isinstance(members, Block):
                yield from members.keys()
            elif isinstance(members, List):
                yield from (item.text for item in members.items if isinstance(item, Scalar))


def _said(documents: Iterable[Document]) -> Iterator[str]:
    """What documents declare, fields and effects of kinds included: a name of theirs that is declared again is
    the business of whoever knows it."""
    yield from _declared(documents)
    for document in documents:
        kinds = document.root.get("kinds")
        for kind in kinds.entries if isinstance(kinds, Block) else ():
            for group in ("fields", "effects", "expressions"):
                fields = kind.value.get(group) if isinstance(kind.value, Block) else None
                yield from fields.keys() if isinstance(fields, Block) else ()


def _words(documents: Iterable[Document]) -> Iterator[str]:
    """All words of the texts that mean something to the game."""
    for document in documents:
        for entry in document.root.entries:
            if entry.key.text not in _TEXTS:
                yield from _inside(entry.value)


def _inside(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from _WORD.findall(_COMMENT.sub("", node.text))
    elif isinstance(node, List):
        for item in node.items:
            yield from _inside(item)
    else:
        for entry in node.entries:
            if entry.key.text not in _TEXTS:
                yield from _WORD.findall(entry.key.text)
                yield from _inside(entry.value)


# ------------------------------------------------------------------ other names


def _document(document: Document, names: Mapping[str, str]) -> Document:
    entries = tuple(_entry(entry, names) for entry in document.root.entries)
    if document.kind in ("pack", *SECTIONS, *SINGLES):  # a word of the language, whatever else is called so
        first = document.root.entries[0]
        entries = (evolve(entries[0], key=first.key), *entries[1:])
    return evolve(document, root=evolve(document.root, entries=entries), kind=entries[0].key.text)


def _entry(entry: Entry, names: Mapping[str, str]) -> Entry:
    if entry.key.text in _TEXTS:
        return entry
    return Entry(_scalar(entry.key, names), _renamed(entry.value, names))


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    if isinstance(node, Scalar):
        return _scalar(node, names)
    if isinstance(node, List):
        return evolve(node, items=tuple(_renamed(item, names) for item in node.items))
    return evolve(node, entries=tuple(_entry(entry, names) for entry in node.entries))


_ID = re.compile(r"[a-z][a-z0-9-]*(?:[/.][a-z0-9-]+)+")
_TYPE = re.compile(r"(?:list of )?[a-z][a-z0-9|-]*(?: card)?")


def _scalar(node: Scalar, names: Mapping[str, str]) -> Scalar:
    """A scalar that is a name, a type or an id; sentences keep their text, and their trees are named anew."""
    if not isinstance(node.value, str):
        return node
    if node.text in names:
        new = names[node.text]
    elif _ID.fullmatch(node.text) or (_TYPE.fullmatch(node.text) and (" " in node.text or "|" in node.text)):
        new = _WORD.sub(lambda word: names.get(word[0], word[0]), node.text)
    else:
        return node
    return evolve(node, text=new, value=new) if new != node.text else node
