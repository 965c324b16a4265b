"""One side of a comparison: loaded packs as things with ids, and inserts woven around their sentences.

A thing is what an id of `ruleset.compose.anchors` without parts names: a document, or an entry of a section.
Scenarios, layouts, bots, and prompts do not count as things: they do not change what a player can do.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.compose.anchors import Anchors, verb_name
from rulewright.ruleset.compose.composed import Insert
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.documents.flow import Step, body_of
from rulewright.ruleset.documents.kinds import SORTS, record_of
from rulewright.ruleset.documents.reading import Declaring, Several
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, Path, ScalarNode, texts_of
from rulewright.ruleset.source.reader import Document, read_documents
from rulewright.tools.common.document_kinds import TOOLS_KINDS

UNTOLD = {"change", *(kind.called for kind in TOOLS_KINDS if not kind.names)}


@frozen
class Thing:
    """A thing to compare.

    `node` is its body: a document without its first key. `document` is its number in deeds.
    """

    id: str
    sort: str
    key: str
    node: Node
    span: Span
    document: int
    path: Path = ()

    @property
    def says(self) -> Declaring:
        """The record of its body."""
        return record_of(self.sort, ScalarNode(self.key, self.key, self.span), self.node)


@frozen
class WovenInsert:
    """An insert before, after, or around sentences, with the thing and the part of it."""

    thing: str
    path: Path
    insert: Insert


@frozen
class Side:
    """One side. `named` is its name on the command line; `abouts` are the packs' own documents, by name."""

    named: str
    loaded: Loaded = field(repr=False)
    things: dict[str, Thing] = field(repr=False)
    woven: tuple[WovenInsert, ...] = field(repr=False)
    abouts: dict[str, PackDocument] = field(repr=False)

    @property
    def versions(self) -> dict[str, str]:
        return {head.pack: head.version for head in self.loaded.heads}

    @property
    def players(self) -> tuple[int, int]:
        return self.loaded.declared.players

    def owner(self, span: Span) -> str:
        """Return the pack whose files contain a place."""
        heads = self.loaded.heads
        return self.loaded.owners.get(span.path, heads[0].pack if heads else self.loaded.pack)

    def inserted(self, name: Node) -> tuple[str, str] | None:
        """Return how and at which anchor a pack on top inserted a thing of this name, or None."""
        for insert in self.loaded.composed.inserts:
            if any(one == name for one in _names(insert.node)):
                return insert.word, insert.anchor
        return None


def side(named: str, loaded: Loaded) -> Side:
    """Build a side from loaded packs."""
    composed = loaded.composed
    things: dict[str, Thing] = {}
    by_document: dict[int, list[Thing]] = {}
    for index, document in enumerate(composed.documents):
        number = composed.places[index] if composed.places else index
        for thing in _things(document, number):
            id_, copy = thing.id, 1
            while id_ in things:  # verbs may share their words
                copy += 1
                id_ = f"{thing.id}-{copy}"
            things[id_] = Thing(id_, thing.sort, thing.key, thing.node, thing.span, number, thing.path)
            by_document.setdefault(index, []).append(things[id_])
    return Side(named, loaded, things, tuple(_woven(loaded, by_document)), _abouts(loaded))


def _things(document: Document, number: int) -> Iterator[Thing]:
    first = document.root.entries[0]
    if document.kind == "pack" or document.kind in SORTS:
        own = [entry for entry in document.root.entries[1:] if entry.key.text not in SORTS]
        if document.kind == "pack" and isinstance(first.value, ScalarNode):
            body = MappingNode(tuple(own), document.root.span)
            # The key is the same on both sides: versions of a game with different names are still compared.
            yield Thing("pack/game", "pack", first.value.text, body, first.value.span, number)
        for entry in document.root.entries:
            if entry.key.text in SORTS and SORTS[entry.key.text] not in UNTOLD:
                yield from _entries(SORTS[entry.key.text], entry, number)
    elif document.kind not in UNTOLD and isinstance(first.value, ScalarNode):
        name = verb_name(first.value.text) if document.kind == "verb" else first.value.text
        body = MappingNode(
            document.root.entries[1:] if document.kind != "verb" else document.root.entries, document.span
        )
        yield Thing(f"{document.kind}/{name}", document.kind, name, body, first.value.span, number)


def _entries(sort: str, section: MappingEntry, number: int) -> Iterator[Thing]:
    for entry in section.value.entries if isinstance(section.value, MappingNode) else ():
        path = (section.key.text, entry.key.text)
        yield Thing(f"{sort}/{entry.key.text}", sort, entry.key.text, entry.value, entry.key.span, number, path)


def _woven(loaded: Loaded, things: dict[int, list[Thing]]) -> Iterator[WovenInsert]:
    nodes = {
        id(node)
        for weave in loaded.composed.woven.values()
        for _, node in weave.inserts()
    }  # fmt: skip
    anchors = Anchors(loaded.composed.documents)
    for insert in loaded.composed.inserts:
        place = anchors.find(insert.anchor) if id(insert.node) in nodes else None
        for thing in things.get(place.document, ()) if place is not None else ():
            assert place is not None
            if place.path[: len(thing.path)] == thing.path:
                yield WovenInsert(thing.id, place.path[len(thing.path) :], insert)
                break


def _abouts(loaded: Loaded) -> dict[str, PackDocument]:
    """Return the packs' own documents, by name."""
    known = {head.span.path for head in loaded.heads}
    found: dict[str, PackDocument] = {}
    for path in known:
        for document in read_documents(path, loaded.sources.get(path, ""))[0]:
            name = document.root.entries[0].value
            if document.kind == "pack" and isinstance(name, ScalarNode):
                found[name.text] = PackDocument.read(name, document.root)
    return found


def _names(node: Node) -> Iterator[Node]:
    """Yield the ids in an insert."""
    body = body_of(node)
    steps = body.items if isinstance(body, Several) else (body,)
    yield from (step.id for step in steps if isinstance(step, Step) and step.id is not None)


def new_deeds(base: Side, other: Side) -> tuple[Deed, ...]:
    """Return the deeds that only the other side has, in order."""
    known = {_said(deed) for deed in base.loaded.composed.deeds}
    return tuple(deed for deed in other.loaded.composed.deeds if _said(deed) not in known)


def _said(deed: Deed) -> tuple[object, ...]:
    text = texts_of(deed.text) if deed.text is not None else ()
    return deed.pack, deed.place.id, deed.action, text
