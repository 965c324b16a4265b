"""Convert format 1 to 2: the section `state` becomes part of `tracks`.

The section gets the other name where it is. In a document that has both sections, `state` becomes a document
`tracks` of its own behind that one, with the comments above it and in it.

Each file is read again afterwards and compared with what it has to mean, so that a way of writing that is not
thought of here ends in a refusal and not in another game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from rulewright.ruleset.source.format_upgrade import STATE, TRACKS, modernised, uses_state
from rulewright.ruleset.source.nodes import MappingEntry, plain
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.reader import Document, Reading, read
from rulewright.tools.common.text_edit import Edit, FileText, applied
from rulewright.tools.migrations.outcome import MigrationNote, MigrationOutcome

FROM = 1
_OF = "of: boolean"
_MENTION = re.compile(rf"(?:^|[\s{{,])[\"']?{STATE}\b")
_UNREAD = ("RW119", "RW125")
"""Findings for which nothing of a text is read at all."""


def migrate(texts: Mapping[str, str]) -> MigrationOutcome:
    """All files of a pack in format 2. Files without anything of format 1 stay the same text."""
    readings = {path: read(path, text) for path, text in texts.items()}
    documents = [document for reading in readings.values() for document in reading.documents]
    pack = next((document for document in documents if document.kind == "pack"), None)
    refused = [said for path, reading in readings.items() for said in _unreadable(texts[path], reading)]
    if pack is None:
        first = next(iter(texts), "pack.yaml")
        refused.append(
            MigrationNote(first, 1, "no readable document declares the pack: begin one with `pack: NAME`")
        )
    if refused:
        return MigrationOutcome(texts, (), tuple(refused))
    out: dict[str, str] = {}
    done: list[MigrationNote] = []
    for path, raw in texts.items():
        out[path], told, wrong = _file(FileText(raw), readings[path].documents, pack)
        done += told
        refused += wrong
    return MigrationOutcome(texts if refused else out, tuple(done), tuple(refused))


def _unreadable(raw: str, reading: Reading) -> Iterator[MigrationNote]:
    """Why a file cannot be rewritten: a document that cannot be read might be one that has to be."""
    lost = list(reading.unread)
    if any(item.code in _UNREAD for item in reading.diagnostics):
        lost.append(raw)
    if any(_MENTION.search(text) for text in lost):
        first = min(reading.diagnostics, key=lambda item: item.span)
        yield MigrationNote(first.span.path, first.span.line, f"cannot be read; fix this first: {first.message}")


def _file(
    text: FileText, documents: Sequence[Document], pack: Document | None
) -> tuple[str, tuple[MigrationNote, ...], tuple[MigrationNote, ...]]:
    """The new text of a file, what was done, and what cannot be."""
    hindered = tuple(said for document in filter(uses_state, documents) for said in _hindered(text, document))
    if hindered:
        return text.raw, (), hindered
    edits: list[Edit] = []
    done: list[MigrationNote] = []
    for document in documents:
        if uses_state(document):
            more, told = _section(text, document)
            edits += more
            done += told
        if document is pack:
            edit, said = _format(text, document)
            edits.append(edit)
            done.append(said)
    if not edits:
        return text.raw, (), ()
    try:
        raw = applied(text.raw, edits)
    except ValueError:
        raw = ""
    if _meaning(read(documents[0].path, raw).documents) != _meaning(documents):
        return text.raw, (), _why(text, documents)
    return raw, tuple(sorted(done, key=lambda said: said.line)), ()


# ------------------------------------------------------------------ one document

def _section(text: FileText, document: Document) -> tuple[list[Edit], list[MigrationNote]]:
    """The edits that bring the section `state` of a document under `tracks`."""
    state = _state(document)
    edits, done = [Edit(text.begin(state.key.span), text.end(state.key.span), TRACKS)], []
    entries = state.value.entries if isinstance(state.value, Block) else ()
    for entry in entries:
        if isinstance(entry.value, Block) and entry.value.get("of") is None and not text.alias(entry):
            edits.append(text.added(entry.value, _OF))
            done.append(MigrationNote(document.path, entry.key.span.line, f"{entry.key.text}: added `{_OF}`"))
    count = f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}"
    said = f"the section {STATE} became {TRACKS} ({count})"
    if document.root.get(TRACKS) is not None:
        edits = _apart(text, document.root, state, edits)
        said = f"moved {count} from {STATE} to a separate document `{TRACKS}`"
    return edits, [MigrationNote(document.path, state.key.span.line, said), *done]


def _state(document: Document) -> MappingEntry:
    return next(entry for entry in document.root.entries if entry.key.text == STATE)


def _apart(text: FileText, root: Block, section: MappingEntry, inner: Sequence[Edit]) -> list[Edit]:
    """A section, with edits inside of it, as a document of its own behind the one in which it is."""
    where = root.entries.index(section)
    above = text.last_line(root.entries[where - 1]) if where else 0
    first, last = section.key.span.line, text.section_end(root, section)
    while first - 1 > above and text.is_comment(first - 1) and text.indent(first - 1) == root.span.column - 1:
        first -= 1
    begin, end = text.start(first), text.start(last + 1)
    moved = applied(text.raw, inner, begin, end)
    at = text.start(text.section_end(root, root.entries[-1]) + 1)
    before = "" if at == end or text.raw[:at].endswith(("\n", "\r")) else text.eol
    after = "" if moved.endswith(("\n", "\r")) else text.eol
    if end == len(text.raw) or text.is_blank(last + 1) or last + 1 == text.limit(last):
        while first > 1 and text.is_blank(first - 1):  # of two gaps one goes, too
            first -= 1
    return [Edit(text.start(first), end, ""), Edit(at, at, f"{before}---{text.eol}{moved}{after}")]


def _format(text: FileText, document: Document) -> tuple[Edit, MigrationNote]:
    """The pack says in which format it is."""
    root = document.root
    keys = root.keys()
    if "format" in keys:
        entry = root.entries[keys.index("format")]
        edit = Edit(text.begin(entry.value.span), text.end(entry.value.span), str(FROM + 1))
        said = f"format {text.of(entry.value.span)} became format {FROM + 1}"
        return edit, MigrationNote(document.path, entry.key.span.line, said)
    behind = keys.index("version") if "version" in keys else 0
    line = text.last_line(root.entries[behind])
    new = f"format: {FROM + 1}"
    return text.added(root, new, behind), MigrationNote(document.path, line, f"added `{new}`")


# ------------------------------------------------------------------ being sure

def _meaning(documents: Sequence[Document]) -> tuple[str, ...]:
    """What a file says, in whichever format, however it is divided: all that stands outside of tracks, and the
    tracks one after the other."""
    new, _ = modernised(documents)
    rest: list[str] = []
    tracks: list[str] = []
    for document in new:
        others = [
            (entry.key.text, plain(entry.value))
            for entry in document.root.entries
            if entry.key.text not in (TRACKS, "format") or document.kind not in ("pack", TRACKS)
        ]
        found = document.root.get(TRACKS) if document.kind in ("pack", TRACKS) else None
        if isinstance(found, Block):
            tracks += [json.dumps([entry.key.text, plain(entry.value)], sort_keys=True) for entry in found.entries]
        elif found is not None:
            tracks.append(json.dumps(plain(found)))
        if others:
            rest.append(json.dumps(others))
    return (*rest, "", *tracks)


def _hindered(text: FileText, document: Document) -> Iterator[MigrationNote]:
    """What prevents a document for `state`, with its line."""
    state, tracks, path = _state(document), document.root.get(TRACKS), document.path
    if tracks is None:
        return
    if not isinstance(state.value, Block):
        yield MigrationNote(path, state.key.span.line, f"`{STATE}` holds no entries: remove it")
    elif not isinstance(tracks, Block):
        yield MigrationNote(path, state.key.span.line, f"`{TRACKS}` of this document holds no entries: remove it")
    elif text.is_flow(document.root):
        said = f"`{STATE}` and `{TRACKS}` are in one pair of braces: write the document in lines"
        yield MigrationNote(path, state.key.span.line, said)
    else:
        for entry in state.value.entries:
            if tracks.get(entry.key.text) is not None:
                said = f"`{entry.key.text}` is in `{STATE}` and in `{TRACKS}`: rename or remove one of them"
                yield MigrationNote(path, entry.key.span.line, said)


def _why(text: FileText, documents: Sequence[Document]) -> tuple[MigrationNote, ...]:
    """What the edits have lost: entries of `state` with anchors and aliases; where there are none, all of it."""
    sections: list[MigrationNote] = []
    found: list[MigrationNote] = []
    for document in filter(uses_state, documents):
        state = _state(document)
        said = f"`{STATE}` is written in a way that cannot be moved safely: move its entries by hand"
        sections.append(MigrationNote(document.path, state.key.span.line, said))
        for entry in state.value.entries if isinstance(state.value, Block) else ():
            if text.alias(entry) or "&" in text.raw[text.end(entry.key.span) : text.value_end(entry)]:
                said = f"`{entry.key.text}` has an anchor `&` or an alias `*`: write out its value"
                found.append(MigrationNote(document.path, entry.key.span.line, said))
    first = documents[0]
    return tuple(found or sections) or (
        MigrationNote(first.path, first.span.line, "this file cannot be rewritten safely"),
    )
