"""Convert packs from one format to the next.

Each step is a pure function of the files of a pack, in `MIGRATIONS`; what a pack of an older format means meanwhile
is in `ruleset.source.format_upgrade`. To change the format: a function and its line here, what it means there, and
examples in `tests/tools/migrations`. A step that nobody needs any more goes, and `OLDEST` moves on.

From 2 to 3: a scope with one value for each card of a kind says so (`KIND card`). In format 2, `scope: KIND` of a
track or list meant each card if the kind has cards, and each definition otherwise. In format 3, it means each
definition. For a kind of another pack, `KIND card` is written; if it has no cards, the result has a finding, and
nothing is written.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, ScalarNode, plain
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.source.reader import Document, Reading, read
from rulewright.tools.common.text_edit import Edit, FileText, applied


@frozen(order=True)
class MigrationNote:
    """What was done at a place, or why nothing can be."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@frozen
class MigrationOutcome:
    """The texts of all files after a migration, what it did, and what it cannot do.

    When anything is refused the texts are not to be used: half a migrated pack is in no format.
    """

    texts: Mapping[str, str]
    done: tuple[MigrationNote, ...] = ()
    refused: tuple[MigrationNote, ...] = ()


def migrated(texts: Mapping[str, str], start: int, end: int) -> MigrationOutcome:
    """Texts of a pack in format `start` as they are in format `end`, step by step."""
    outcome = MigrationOutcome(dict(texts))
    for number, step in MIGRATIONS.items():
        if start <= number < end and not outcome.refused:
            after = step(outcome.texts)
            outcome = MigrationOutcome(after.texts, (*outcome.done, *after.done), after.refused)
    return outcome


# ------------------------------------------------------------------ from 2 to 3

_SECTIONS = ("tracks", "lists")
_NO_KIND = ("game", "player")
_CARD = " card"
_SCOPE, _KIND, _FORMAT, _CHANGE = "scope", "kind", "format", "change"
_UNREAD = ("RW119", "RW125")
"""Findings for which a whole file or document is left out."""
_STATED = ("was", "to")
"""What a change says of a value: the old one and the new one."""
_TARGETS = ("track/", "list/")
"""What a change begins with if it changes the scope itself."""


def _cards_said(texts: Mapping[str, str]) -> MigrationOutcome:
    """All files of a pack in format 3. Files without such a scope stay the same text."""
    readings = {path: read(path, text) for path, text in texts.items()}
    documents = {path: reading.documents for path, reading in readings.items()}
    everything = [document for found in documents.values() for document in found]
    other = frozenset(_NO_KIND) | _enumerations(everything) | _without_cards(everything)
    pack = next((document for document in everything if document.kind == "pack"), None)
    out: dict[str, str] = {}
    done: list[MigrationNote] = []
    refused = [said for reading in readings.values() for said in _unreadable(reading)]
    for path, raw in texts.items():
        out[path], told, wrong = _file(FileText(raw), path, documents[path], other, pack)
        done += told
        refused += wrong
    return MigrationOutcome(texts if refused else out, tuple(done), tuple(refused))


def _unreadable(reading: Reading) -> Iterator[MigrationNote]:
    """Why a file cannot be rewritten: what cannot be read might have a scope or the format."""
    if reading.unread or any(item.code in _UNREAD for item in reading.diagnostics):
        first = min(reading.diagnostics, key=lambda item: item.span)
        yield MigrationNote(first.span.path, first.span.line, f"cannot be read; fix this first: {first.message}")


def _file(
    text: FileText, path: str, documents: Sequence[Document], other: frozenset[str], pack: Document | None
) -> tuple[str, list[MigrationNote], list[MigrationNote]]:
    """The new text of a file, what was done, and what cannot be."""
    found = [one for document in documents for one in _scopes(document, other)]
    scopes = {one.span: one for one in found}
    edits = [Edit(text.begin(span), text.end(span), f"{one.text}{_CARD}") for span, one in scopes.items()]
    done = [
        MigrationNote(path, span.line, f"the scope {one.text} became {one.text}{_CARD}")
        for span, one in scopes.items()
    ]
    if pack is not None and pack in documents:
        number = pack.root.get(_FORMAT)
        if isinstance(number, ScalarNode):
            edits.append(Edit(text.begin(number.span), text.end(number.span), "3"))
            done.append(MigrationNote(path, number.span.line, f"format {number.text} became format 3"))
    if not edits:
        return text.raw, [], []
    try:
        raw = applied(text.raw, edits)
    except ValueError:
        raw = ""
    wanted = [_meaning(document, other) for document in documents]
    shared = Counter(_spans([document.root for document in documents])) - Counter(one.span for one in found)
    places = [span for span in scopes if span in shared]  # an alias means something else by the same word
    new = read(path, raw).documents
    if places or wanted != [_meaning(document, frozenset(_NO_KIND), True) for document in new]:
        first = next(iter([*places, *scopes]), documents[0].span)
        said = "a scope is written in a way that cannot be changed safely: write each without an anchor or alias"
        return text.raw, [], [MigrationNote(path, first.line, said)]
    return raw, sorted(done, key=lambda said: said.line), []


def _scopes(document: Document, other: frozenset[str]) -> Iterator[ScalarNode]:
    """Yield the words of scopes of tracks and lists that mean each card."""
    target = document.root.get(_CHANGE)
    if document.kind == _CHANGE and isinstance(target, ScalarNode) and target.text.startswith(_TARGETS):
        for entry in document.root.entries:
            yield from _of_entry(entry.value, other)
    else:
        yield from _of_sections(document.root, document.kind, other)


def _of_sections(node: Node, section: str, other: frozenset[str]) -> Iterator[ScalarNode]:
    for entry in node.entries if isinstance(node, Block) else ():
        if entry.key.text in _SECTIONS and isinstance(entry.value, Block):
            for one in entry.value.entries:
                yield from _of_entry(one.value, other)
        elif section in (_CHANGE, "pack") and isinstance(entry.value, Block):
            yield from _of_sections(entry.value, section, other)


def _of_entry(entry: Node, other: frozenset[str]) -> Iterator[ScalarNode]:
    """Yield them from an entry, or from what a change sets, adds, or removes in it."""
    scope = entry.get(_SCOPE) if isinstance(entry, Block) else None
    stated = {one.key.text: one.value for one in scope.entries} if isinstance(scope, Block) else {"to": scope}
    for value in (stated[key] for key in _STATED if key in stated):
        yield from _of_scope(value, other)


def _of_scope(scope: Node | None, other: frozenset[str]) -> Iterator[ScalarNode]:
    for word in scope.items if isinstance(scope, List) else (scope,):
        if isinstance(word, ScalarNode) and word.text not in other and not word.text.endswith(_CARD):
            yield word


def _enumerations(documents: Sequence[Document]) -> frozenset[str]:
    """Return the enumerations, and the options with choices of their own, which are enumerations, too."""
    sections = [found for name in ("enumerations", "options") for found in _sections(documents, name)]
    return frozenset(entry.key.text for section in sections for entry in section.entries)


def _without_cards(documents: Sequence[Document]) -> frozenset[str]:
    """Return the kinds of the pack that no component makes cards of."""
    kinds = {entry.key.text for section in _sections(documents, "kinds") for entry in section.entries}
    components = [entry.value for section in _sections(documents, "components") for entry in section.entries]
    made = (one.get(_KIND) for one in components if isinstance(one, Block))
    return frozenset(kinds - {one.text for one in made if isinstance(one, ScalarNode)})


def _sections(documents: Sequence[Document], name: str) -> Iterator[Block]:
    for document in documents:
        found = document.root.get(name) if document.kind in ("pack", name) else None
        if isinstance(found, Block):
            yield found


def _meaning(document: Document, other: frozenset[str], new: bool = False) -> str:
    """What a document says in format 3, without the format."""
    spans = set() if new else {one.span for one in _scopes(document, other)}
    return json.dumps(_plain(document.root, spans, document.kind == "pack"))


def _spans(nodes: Iterable[Node]) -> Iterator[Span]:
    """Yield where each word is written, aliases included."""
    for node in nodes:
        if isinstance(node, Block):
            yield from _spans(entry.value for entry in node.entries)
        elif isinstance(node, List):
            yield from _spans(node.items)
        else:
            yield node.span


def _plain(node: Node, spans: set[Span], pack: bool = False) -> Any:
    if isinstance(node, Block):
        left = [entry for entry in node.entries if not (pack and entry.key.text == "format")]
        return [[entry.key.text, _plain(entry.value, spans)] for entry in left]
    if isinstance(node, List):
        return [_plain(item, spans) for item in node.items]
    return f"{node.text}{_CARD}" if node.span in spans else plain(node)


MIGRATIONS: Mapping[int, Callable[[Mapping[str, str]], MigrationOutcome]] = {2: _cards_said}
"""The steps, in order, by the format that each begins from."""
