"""Format 1 -> 2: what stood in the section `state` stands in `tracks`, and says that it is true or false.

A document `state:` of its own gets another first key. In a document that has both sections the entries of `state`,
with the comments above and behind them, go to the end of `tracks`; where they cannot stand in its braces, they
become a document of their own behind it.

Each file is read again afterwards and compared with what it has to mean, so that a way of writing that is not
thought of here ends in a refusal and not in another game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from ruleset.source.format_upgrade import STATE, TRACKS, modernised, uses_state
from ruleset.source.reader import Document, Entry, Node, Reading, plain, read
from ruleset.source.reader import Mapping as Block
from tools.migrations.move_entries import Moving
from tools.migrations.outcome import Outcome, Said
from tools.migrations.text_edit import Edit, Text, applied

FROM = 1
_OF = "of: boolean"
_MENTION = re.compile(rf"(?:^|[\s{{,])[\"']?{STATE}\b")
_GLUED = re.compile(r"[ \t]+#[^\s#]")
"""A comment that would be taken for a lost part of a text before it, if that were not in braces."""
_UNREAD = ("RW119", "RW125")
"""Findings for which nothing of a text is read at all."""


def migrate(texts: Mapping[str, str]) -> Outcome:
    """All files of a pack in format 2. Files without anything of format 1 stay the same text."""
    readings = {path: read(path, text) for path, text in texts.items()}
    documents = [document for reading in readings.values() for document in reading.documents]
    pack = next((document for document in documents if document.kind == "pack"), None)
    refused = [said for path, reading in readings.items() for said in _unreadable(texts[path], reading)]
    if pack is None:
        first = next(iter(texts), "pack.yaml")
        refused.append(
            Said(first, 1, "no document that can be read declares the pack: begin one with `pack: NAME`")
        )
    if refused:
        return Outcome(texts, (), tuple(refused))
    out: dict[str, str] = {}
    done: list[Said] = []
    for path, raw in texts.items():
        out[path], told, wrong = _file(Text(raw), readings[path].documents, pack)
        done += told
        refused += wrong
    return Outcome(texts if refused else out, tuple(done), tuple(refused))


def _unreadable(raw: str, reading: Reading) -> Iterator[Said]:
    """Why a file cannot be rewritten: a document that cannot be read might be one that has to be."""
    lost = list(reading.unread)
    if any(item.code in _UNREAD for item in reading.diagnostics):
        lost.append(raw)
    if any(_MENTION.search(text) for text in lost):
        first = min(reading.diagnostics, key=lambda item: item.span)
        yield Said(first.span.path, first.span.line, f"cannot be read, which comes first: {first.message}")


def _file(
    text: Text, documents: Sequence[Document], pack: Document | None
) -> tuple[str, tuple[Said, ...], tuple[Said, ...]]:
    """The new text of a file, what was done, and what cannot be."""
    edits: list[Edit] = []
    done: list[Said] = []
    for document in documents:
        if uses_state(document):
            more, told = _section(text, document)
            edits += more
            done += told
        if document is pack:
            more, said = _format(text, document)
            edits += more
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


def _section(text: Text, document: Document) -> tuple[list[Edit], list[Said]]:
    """The edits that bring the section `state` of a document under `tracks`."""
    root = document.root
    state = next(entry for entry in root.entries if entry.key.text == STATE)
    tracks = next((entry for entry in root.entries if entry.key.text == TRACKS), None)
    fills, done = _fills(text, state)
    line = state.key.span.line
    count = len(state.value.entries) if isinstance(state.value, Block) else 0
    rename = Edit(text.begin(state.key.span), text.end(state.key.span), TRACKS)
    if tracks is None:
        said = f"the section {STATE} became {TRACKS} ({_entries(count)})"
        return [rename, *fills], [Said(document.path, line, said), *done]
    moving = Moving(text, root, state, tracks, tuple(fills))
    edits, where = moving.edits(rename)
    said = f"moved {_entries(count)} from {STATE} to {where}"
    return edits, [Said(document.path, line, said), *done]


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def _fills(text: Text, state: Entry) -> tuple[list[Edit], list[Said]]:
    """What the entries that did not say it hold: each says that it is true or false."""
    edits: list[Edit] = []
    done: list[Said] = []
    for entry in state.value.entries if isinstance(state.value, Block) else ():
        value = entry.value
        if not isinstance(value, Block) or value.get("of") is not None or text.alias(entry):
            continue  # what an alias stands for says it where it is written
        begin, end = text.begin(value.span), text.end(value.span)
        said = f"{entry.key.text}: added `{_OF}`"
        if not text.is_flow(value):
            line = entry.key.span.end_line + 1
            indent = " " * (value.span.column - 1)
            edits.append(Edit(text.start(line), text.start(line), f"{indent}{_OF}{text.eol}"))
        elif not text.raw[begin + 1 : end - 1].strip(" ") and not _GLUED.match(text.raw, end):
            edits.append(Edit(begin, end, "boolean"))
            said = f"{entry.key.text}: `{text.of(value.span)}` became `boolean`"
        elif len(value.entries) == 0:
            edits.append(Edit(begin + 1, begin + 1, _OF))
        else:
            inside = begin + 1
            while text.raw[inside] == " ":
                inside += 1
            if text.raw[inside] in "\r\n#":
                edits.append(Edit(begin + 1, begin + 1, f"{_OF},"))
            else:
                edits.append(Edit(inside, inside, f"{_OF}, "))
        done.append(Said(state.key.span.path, entry.key.span.line, said))
    return edits, done


def _format(text: Text, document: Document) -> tuple[list[Edit], Said]:
    """The pack says in which format it is."""
    root = document.root
    new = f"format: {FROM + 1}"
    entry = next((entry for entry in root.entries if entry.key.text == "format"), None)
    if entry is not None:
        edit = Edit(text.begin(entry.value.span), text.end(entry.value.span), str(FROM + 1))
        said = f"format {text.of(entry.value.span)} became format {FROM + 1}"
        return [edit], Said(document.path, entry.key.span.line, said)
    before = next((entry for entry in root.entries if entry.key.text == "version"), root.entries[0])
    said = f"added `{new}`"
    if text.is_flow(root):
        at = text.value_end(before)
        return [Edit(at, at, f", {new}")], Said(document.path, before.key.span.line, said)
    line = text.last_line(before)
    at, indent = text.start(line + 1), " " * (root.span.column - 1)
    ended = text.raw[:at].endswith(("\n", "\r"))
    more = f"{indent}{new}{text.eol}" if ended else f"{text.eol}{indent}{new}"
    return [Edit(at, at, more)], Said(document.path, line, said)


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
            tracks += [json.dumps([entry.key.text, plain(_held(entry))]) for entry in found.entries]
        elif found is not None:
            tracks.append(json.dumps(plain(found)))
        if others:
            rest.append(json.dumps(others))
    return (*rest, "", *tracks)


def _held(entry: Entry) -> Node:
    """A track that says nothing but its type, in the short form."""
    value = entry.value
    if isinstance(value, Block) and value.keys() == ("of",):
        return value.entries[0].value
    return value


def _why(text: Text, documents: Sequence[Document]) -> tuple[Said, ...]:
    """The places of a file that stand in the way; where none can be told, all that had to be moved."""
    sections: list[Said] = []
    found: list[Said] = []
    for document in filter(uses_state, documents):
        state = next(entry for entry in document.root.entries if entry.key.text == STATE)
        tracks, line = document.root.get(TRACKS), state.key.span.line
        said = f"`{STATE}` is written in a way that cannot be moved safely: move its entries by hand"
        sections.append(Said(document.path, line, said))
        found += [Said(document.path, line, said) for line, said in _in_the_way(text, state, tracks)]
        if not isinstance(state.value, Block):
            found.append(Said(document.path, line, f"`{STATE}` holds no entries: remove it"))
        elif tracks is not None and not isinstance(tracks, Block):
            found.append(Said(document.path, line, f"`{TRACKS}` of this document holds no entries: remove it"))
        elif tracks is not None and text.is_flow(document.root):
            said = f"`{STATE}` and `{TRACKS}` stand in one pair of braces: write the document in lines"
            found.append(Said(document.path, line, said))
    first = documents[0]
    return tuple(found or sections) or (Said(first.path, first.span.line, "this file cannot be rewritten safely"),)


def _in_the_way(text: Text, state: Entry, tracks: Node | None) -> Iterator[tuple[int, str]]:
    """The entries that cannot be moved, each with its line."""
    for entry in state.value.entries if isinstance(state.value, Block) else ():
        name, line = entry.key.text, entry.key.span.line
        if isinstance(tracks, Block) and tracks.get(name) is not None:
            yield line, f"`{name}` is in `{STATE}` and in `{TRACKS}`: rename or remove one of them"
        elif text.alias(entry) or "&" in text.raw[text.end(entry.key.span) : text.value_end(entry)]:
            yield line, f"`{name}` has an anchor `&` or an alias `*`: write out what it stands for"
