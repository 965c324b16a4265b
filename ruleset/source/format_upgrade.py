"""Upgrade documents of an older pack format, and report that the format is old.

Documents of an older format are read as if they had been rewritten. So the old format is reported once, real
mistakes are still found, and the old syntax alone causes no further findings. `tools.migrations` rewrites the files
themselves, with one module for each step. What depends on the kinds of other packs is left to `declare`: scopes of
tracks and lists (`Document.older`).

Invariant: documents in the current format are returned unchanged, as the same objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode
from rulewright.ruleset.source.reader import Document

CURRENT = 3
"""The current format, and the default for packs that name none."""
STATE, TRACKS = "state", "tracks"
"""Format 1 had two sections for remembered values. They differed in the default of `of`."""


def stated(documents: Sequence[Document]) -> ScalarNode | None:
    """Return the format number that a pack names, if it is an integer."""
    for document in documents:
        if document.kind == "pack":
            found = document.root.get("format")
            return found if isinstance(found, ScalarNode) and type(found.value) is int else None
    return None


def _number(says: ScalarNode) -> int:
    assert isinstance(says.value, int)
    return says.value


def uses_state(document: Document) -> bool:
    """Whether a document uses a section that only format 1 has."""
    if document.kind == "pack":
        return document.root.get(STATE) is not None
    return document.kind == STATE and isinstance(document.root.entries[0].value, MappingNode)


def format_of(documents: Sequence[Document]) -> int:
    """Return the format of a pack: an older one than it names if it uses a section that was removed since."""
    says = stated(documents)
    number = CURRENT if says is None else _number(says)
    return min(number, 1) if number <= CURRENT and any(map(uses_state, documents)) else number


def too_new(documents: Sequence[Document]) -> tuple[Diagnostic, ...]:
    """Report a pack whose format is newer than this version supports; it is not checked any further."""
    says = stated(documents)
    if says is None or format_of(documents) <= CURRENT:
        return ()
    message = f"this pack uses format {says.text}; this version of rulewright supports formats up to {CURRENT}"
    return (Diagnostic("RW641", says.span, message, "install a newer version of rulewright"),)


def modernised(documents: Sequence[Document]) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """Upgrade all documents to the current format, with a finding for each sign of an older one."""
    if format_of(documents) >= CURRENT:
        return tuple(documents), ()
    says, hint = stated(documents), _hint(documents)
    if says is not None and _number(says) < CURRENT:
        message = f"this pack uses format {says.text}; the current format is {CURRENT}"
        found = [Diagnostic("RW640", says.span, message, hint)]
    else:
        keys = [document.root.key(STATE) for document in documents if uses_state(document)]
        message = f"`{STATE}` is a section of format 1; later formats have `{TRACKS}` instead"
        found = [Diagnostic("RW640", key.span, message, hint) for key in keys if key is not None]
    return tuple(evolve(_tracks_only(_named(document)), older=True) for document in documents), tuple(found)


def _hint(documents: Sequence[Document]) -> str:
    """Return the command that upgrades the pack, with its folder as named in findings."""
    path = next((document.path for document in documents if document.kind == "pack"), "")
    folder = path.rpartition("/")[0]
    command = f"rulewright migrate {folder}" if folder else "rulewright migrate"
    return f"run `{command}`: it rewrites the pack and keeps comments and layout"


def _named(document: Document) -> Document:
    """Remove the `format` entry, which is reported separately."""
    given = document.root.get("format") if document.kind == "pack" else None
    if not isinstance(given, ScalarNode) or type(given.value) is not int:
        return document
    return _with(document, [entry for entry in document.root.entries if entry.value is not given])


# ------------------------------------------------------------------ from 1 to 2

def _tracks_only(document: Document) -> Document:
    """Move the entries of `state` after those of `tracks`, and give each an explicit `of`."""
    if not uses_state(document):
        return document
    root = document.root
    old, tracks = root.get(STATE), root.get(TRACKS)
    assert old is not None
    moved: Node = old
    if isinstance(old, MappingNode):
        entries = tuple(MappingEntry(entry.key, _saying(entry.value)) for entry in old.entries)
        moved = MappingNode(entries, old.span)
        if isinstance(tracks, MappingNode):
            moved = MappingNode((*tracks.entries, *entries), tracks.span)
    entries_of_root: list[MappingEntry] = []
    for entry in root.entries:
        if entry.key.text == STATE:
            if tracks is None:
                entries_of_root.append(evolve(entry, key=_word(entry.key, TRACKS), value=moved))
        elif entry.key.text == TRACKS and isinstance(old, MappingNode):
            entries_of_root.append(evolve(entry, value=moved))
        else:
            entries_of_root.append(entry)
    return _with(document, entries_of_root)


def _saying(value: Node) -> Node:
    """Add `of: boolean` to an entry of `state` that has no `of`."""
    if not isinstance(value, MappingNode) or value.get("of") is not None:
        return value
    span = value.span
    return MappingNode((MappingEntry(_scalar("of", value), _scalar("boolean", value)), *value.entries), span)


def _scalar(word: str, at: Node) -> ScalarNode:
    return ScalarNode(word, word, at.span)


def _word(key: ScalarNode, word: str) -> ScalarNode:
    return ScalarNode(word, word, key.span)


def _with(document: Document, entries: Sequence[MappingEntry]) -> Document:
    return evolve(document, kind=entries[0].key.text, root=MappingNode(tuple(entries), document.root.span))
