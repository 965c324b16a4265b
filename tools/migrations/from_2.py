"""Convert format 2 to 3: a scope with one value for each card of a kind says so (`KIND card`).

In format 2, `scope: KIND` of a track or list meant each card if the kind has cards, and each definition otherwise.
In format 3, it means each definition. For a kind of another pack, `KIND card` is written; if it has no cards,
the result has a finding, and nothing is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, ScalarNode, plain
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.source.reader import Document, read
from rulewright.tools.common.text_edit import Edit, FileText, applied
from rulewright.tools.migrations.outcome import MigrationNote, MigrationOutcome

FROM = 2
_SECTIONS = ("tracks", "lists")
_NO_KIND = ("game", "player")
_CARD = " card"
_SCOPE, _KIND, _FORMAT, _CHANGE = "scope", "kind", "format", "change"
_STATED = ("was", "to")
"""What a change says of a value: the old one and the new one."""
_TARGETS = ("track/", "list/")
"""What a change begins with if it changes the scope itself."""


def migrate(texts: Mapping[str, str]) -> MigrationOutcome:
    """All files of a pack in format 3. Files without such a scope stay the same text."""
    documents = {path: read(path, text).documents for path, text in texts.items()}
    everything = [document for found in documents.values() for document in found]
    other = frozenset(_NO_KIND) | _enumerations(everything) | _without_cards(everything)
    pack = next((document for document in everything if document.kind == "pack"), None)
    out: dict[str, str] = {}
    done: list[MigrationNote] = []
    refused: list[MigrationNote] = []
    for path, raw in texts.items():
        out[path], told, wrong = _file(FileText(raw), path, documents[path], other, pack)
        done += told
        refused += wrong
    return MigrationOutcome(texts if refused else out, tuple(done), tuple(refused))


def _file(
    text: FileText, path: str, documents: Sequence[Document], other: frozenset[str], pack: Document | None
) -> tuple[str, list[MigrationNote], list[MigrationNote]]:
    """The new text of a file, what was done, and what cannot be."""
    scopes = {one.span: one for document in documents for one in _scopes(document, other)}
    edits = [Edit(text.begin(span), text.end(span), f"{one.text}{_CARD}") for span, one in scopes.items()]
    done = [
        MigrationNote(path, span.line, f"the scope {one.text} became {one.text}{_CARD}")
        for span, one in scopes.items()
    ]
    if pack is not None and pack in documents:
        number = pack.root.get(_FORMAT)
        if isinstance(number, ScalarNode):
            edits.append(Edit(text.begin(number.span), text.end(number.span), str(FROM + 1)))
            done.append(MigrationNote(path, number.span.line, f"format {number.text} became format {FROM + 1}"))
    if not edits:
        return text.raw, [], []
    try:
        raw = applied(text.raw, edits)
    except ValueError:
        raw = ""
    wanted = [_meaning(document, other) for document in documents]
    if wanted != [_meaning(document, frozenset(_NO_KIND), True) for document in read(path, raw).documents]:
        first = next(iter(scopes), documents[0].span)
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


def _plain(node: Node, spans: set[Any], pack: bool = False) -> Any:
    if isinstance(node, Block):
        left = [entry for entry in node.entries if not (pack and entry.key.text == "format")]
        return [[entry.key.text, _plain(entry.value, spans)] for entry in left]
    if isinstance(node, List):
        return [_plain(item, spans) for item in node.items]
    return f"{node.text}{_CARD}" if node.span in spans else plain(node)
