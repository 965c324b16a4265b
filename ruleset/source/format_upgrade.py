"""Documents of an older format of packs -> the same documents in the format of today, with findings that say so.

What an older format wrote in another way is read as if it had been rewritten already: so it is told once that the
pack is old, and whatever else is wrong is still found, and nothing because of the old way of writing alone. The
files themselves are rewritten by `tools.migrations`, with one module for each step.

Invariant: documents of today's format pass as they are, the same objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from ruleset.common.diagnostic import Diagnostic
from ruleset.source.nodes import Entry, Mapping, Node, Scalar
from ruleset.source.reader import Document

CURRENT = 2
"""The format that packs are written in; a pack that names none is written in it."""
STATE, TRACKS = "state", "tracks"
"""Format 1 had two sections for what the game remembers. They differed in what `of` was when it was left out."""


def stated(documents: Sequence[Document]) -> Scalar | None:
    """The format that a pack names, if that is a whole number."""
    for document in documents:
        if document.kind == "pack":
            found = document.root.get("format")
            return found if isinstance(found, Scalar) and type(found.value) is int else None
    return None


def _number(says: Scalar) -> int:
    assert isinstance(says.value, int)
    return says.value


def uses_state(document: Document) -> bool:
    """Whether a document is written with a section of format 1."""
    if document.kind == "pack":
        return document.root.get(STATE) is not None
    return document.kind == STATE and isinstance(document.root.entries[0].value, Mapping)


def format_of(documents: Sequence[Document]) -> int:
    """The format in which a pack is written, whatever it says: one that uses what today's has not is older."""
    says = stated(documents)
    number = CURRENT if says is None else _number(says)
    return min(number, 1) if number <= CURRENT and any(map(uses_state, documents)) else number


def too_new(documents: Sequence[Document]) -> tuple[Diagnostic, ...]:
    """The finding that a pack is written in a format not known here; then nothing else can be said of it."""
    says = stated(documents)
    if says is None or format_of(documents) <= CURRENT:
        return ()
    message = f"this pack is written in format {says.text}, and this rulewright knows formats up to {CURRENT}"
    return (Diagnostic("RW641", says.span, message, "install a newer rulewright to check and play it"),)


def modernised(documents: Sequence[Document]) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """All documents in today's format, and a finding for each place that tells of an older one."""
    if format_of(documents) >= CURRENT:
        return tuple(documents), ()
    says, hint = stated(documents), _hint(documents)
    if says is not None and _number(says) < CURRENT:
        message = f"this pack is written in format {says.text}; packs are now written in format {CURRENT}"
        found = [Diagnostic("RW640", says.span, message, hint)]
    else:
        keys = [document.root.key(STATE) for document in documents if uses_state(document)]
        message = f"`{STATE}` is a section of format 1; in format {CURRENT} all that is remembered is in `{TRACKS}`"
        found = [Diagnostic("RW640", key.span, message, hint) for key in keys if key is not None]
    return tuple(_tracks_only(_named(document)) for document in documents), tuple(found)


def _hint(documents: Sequence[Document]) -> str:
    """What to do: the command, with the pack's folder as findings name it."""
    path = next((document.path for document in documents if document.kind == "pack"), "")
    folder = path.rpartition("/")[0]
    command = f"rulewright migrate {folder}" if folder else "rulewright migrate"
    return f"run `{command}`: it rewrites the pack, and keeps comments and all else as they are"


def _named(document: Document) -> Document:
    """A document without the format that it names, which has its own finding."""
    given = document.root.get("format") if document.kind == "pack" else None
    if not isinstance(given, Scalar) or type(given.value) is not int:
        return document
    return _with(document, [entry for entry in document.root.entries if entry.value is not given])


# ------------------------------------------------------------------ from 1 to 2


def _tracks_only(document: Document) -> Document:
    """The entries of `state` behind those of `tracks`; each says what it holds."""
    if not uses_state(document):
        return document
    root = document.root
    old, tracks = root.get(STATE), root.get(TRACKS)
    assert old is not None
    moved: Node = old
    if isinstance(old, Mapping):
        entries = tuple(Entry(entry.key, _saying(entry.value)) for entry in old.entries)
        moved = Mapping(entries, old.span)
        if isinstance(tracks, Mapping):
            moved = Mapping((*tracks.entries, *entries), tracks.span)
    entries_of_root: list[Entry] = []
    for entry in root.entries:
        if entry.key.text == STATE:
            if tracks is None:
                entries_of_root.append(evolve(entry, key=_word(entry.key, TRACKS), value=moved))
        elif entry.key.text == TRACKS and isinstance(old, Mapping):
            entries_of_root.append(evolve(entry, value=moved))
        else:
            entries_of_root.append(entry)
    return _with(document, entries_of_root)


def _saying(value: Node) -> Node:
    """What a state holds, said as a track says it: true or false, where nothing was said."""
    if not isinstance(value, Mapping) or value.get("of") is not None:
        return value
    span = value.span
    return Mapping((Entry(_scalar("of", value), _scalar("boolean", value)), *value.entries), span)


def _scalar(word: str, at: Node) -> Scalar:
    return Scalar(word, word, at.span)


def _word(key: Scalar, word: str) -> Scalar:
    return Scalar(word, word, key.span)


def _with(document: Document, entries: Sequence[Entry]) -> Document:
    return evolve(document, kind=entries[0].key.text, root=Mapping(tuple(entries), document.root.span))
