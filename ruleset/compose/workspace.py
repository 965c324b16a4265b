"""The documents of several packs while changes are made to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import Anchors, DocumentPlace, Patch, among, patch_of
from rulewright.ruleset.compose.conflicts import Action, Deed, Deeds, Key
from rulewright.ruleset.documents.kinds import SECTIONS
from rulewright.ruleset.packs import Resolved
from rulewright.ruleset.source.nodes import Around, Node, Path, ScalarNode, part, replaced, step_id
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.source.reader import Document

# ---- The result of composing: one set of documents, and what the packs changed

# ---- Records of what packs on top of a game put around its sentences, steps, phases, and awards

@frozen(repr=False)
class Weave(Record):
    """The inserts before, after, and around sentences (or an award), in the order of the packs."""

    before: tuple[Node, ...] = ()
    after: tuple[Node, ...] = ()
    around: tuple[Node, ...] = ()
    instead: Node | None = None
    """The sentences that a pack has put in place of a part."""

    def inserts(self) -> Iterator[tuple[str, Node]]:
        """Iterate over the nodes, each with the key under which a change has it."""
        for key, nodes in (("before", self.before), ("after", self.after), ("around", self.around)):
            yield from ((key, node) for node in nodes)
        if self.instead is not None:
            yield "set", self.instead


def part_span(effect: Span, label: str) -> Span:
    """Return the place under which the inserts at a part are recorded: no other part or effect has it."""
    return evolve(effect, path=f"{effect.path}#{label}")


@frozen(repr=False)
class Insert(Record):
    """An insert `before`, `after`, or `around` an anchor, which is an id; `set` is in place of a part.

    `ordered` are packs that certainly come before it.
    """

    pack: str
    anchor: str
    word: str
    span: Span
    node: Node
    ordered: frozenset[str] = frozenset()


@frozen(repr=False)
class Composed(Record):
    """The result of composing. `changed` are the documents whose shape must be checked again."""

    documents: tuple[Document, ...] = ()
    changed: tuple[Document, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    woven: dict[Span, Weave] = field(factory=dict)
    deeds: tuple[Deed, ...] = ()
    inserts: tuple[Insert, ...] = ()
    places: tuple[int, ...] = ()
    """For each document, its number while changes were made, as in `Deed.place`."""

    @property
    def numbered(self) -> dict[int, Document]:
        """The documents by these numbers; empty for a pack alone."""
        return dict(zip(self.places, self.documents, strict=True)) if self.places else {}


DONE: dict[Action, str] = {"set": "sets", "add": "adds", "remove": "removes"}
"""Verbs for messages about what a pack does with a change."""


class Composing:
    """All documents with their packs, and the findings and deeds so far. Removed documents are None.

    `renamed` maps each pack to its renamed words, as in `compose.namespaces`. `without` is as in `Deeds`.
    """

    def __init__(
        self,
        packs: Mapping[str, Sequence[Document]],
        resolved: Resolved,
        renamed: Mapping[str, Mapping[str, str]],
        without: frozenset[Key] = frozenset(),
    ) -> None:
        self.packs = packs
        self.resolved = resolved
        self.renamed = renamed
        self.documents: list[Document | None] = []
        self.owners: list[str] = []
        self.patches: list[Patch] = []
        for number, head in enumerate(resolved.order):
            for document in packs.get(head.pack, ()):
                if document.kind == "change":
                    self.patches.append(patch_of(head.pack, document))
                elif number and document.kind == "pack":
                    for section in _sections(document):
                        self.add(head.pack, section)
                else:
                    self.add(head.pack, document)
        self.all_patches = tuple(self.patches)
        """The changes of all packs, even in a view that makes only some of them (`ruleset.compose.every`)."""
        self.chosen: dict[int, tuple[str, ...]] = {}
        self.anchors = Anchors(self.documents)
        self.changed: set[int] = set()
        self.found: list[Diagnostic] = []
        self.deeds = Deeds(resolved, renamed, without)
        self.woven: dict[Span, Weave] = {}
        self.inserts: list[Insert] = []
        self.depth = 0
        """The number of words of places that lead to the target of the current change."""

    def add(self, pack: str, document: Document) -> None:
        """Add a document of a pack."""
        self.documents.append(document)
        self.owners.append(pack)

    def kind(self, name: str) -> Node | None:
        """Return the declaration of a kind."""
        place = self.anchors.find(f"kind/{name}")
        return self.anchors.node(place) if place is not None else None

    def deed(
        self, patch: Patch, span: Span, action: Action, place: DocumentPlace, old: Node | None, new: Node | None
    ) -> Deed:
        """Return the record of a change at a place."""
        every = patch.target.text.strip() if patch.sort else ""
        return Deed(patch.pack, span, action, place, old, new, patch.text, every, self.depth)

    def in_the_way(self, patch: Patch, place: DocumentPlace, span: Span) -> tuple[Label, ...] | None:
        """Explain why something cannot be changed, if another pack changed it before: a label at its change.

        None if the order of the packs is not declared: then the two conflict, which is recorded.
        """
        cause = self.deeds.cause(place, patch.pack)
        if cause is None:
            return ()
        if cause.pack not in self.resolved.comes_after[patch.pack]:
            self.deeds.clash(cause, self.deed(patch, span, "set", place, None, None))
            return None
        return (Label(cause.span, f"`{cause.pack}` {DONE[cause.action]} it here"),)

    def report(self, code: str, span: Span, message: str, hint: str | None = None, *labels: Label) -> None:
        """Add a finding."""
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def below(self, place: DocumentPlace, path: Path) -> DocumentPlace:
        """Return the place at the end of a path from another place.

        Steps that changes have put around others are skipped: what is set, added, or removed goes inside them.
        """
        found = self._inside(place)
        for word in path:
            node = self.anchors.node(found)
            real = (among(node, word) if isinstance(node, List) else None) or (word,)
            bare = (*found.bare, word)
            found = self._inside(DocumentPlace(f"{found.id}.{word}", found.document, (*found.path, *real), bare))
        return found

    def _inside(self, place: DocumentPlace) -> DocumentPlace:
        """Return the place of the inner steps if a step was put around all steps of a phase."""
        node = self.anchors.node(place)
        while isinstance(node, List) and len(node.items) == 1:
            around, name = node.items[0], step_id(node.items[0])
            if not isinstance(around, Around) or around.of_one or name is None:
                break
            place = DocumentPlace(place.id, place.document, (*place.path, name, "steps"), place.bare)
            node = self.anchors.node(place)
        return place

    def put(self, place: DocumentPlace, new: Node | None, key: ScalarNode | None = None) -> None:
        """Replace the node at a place; None removes it."""
        document = self.documents[place.document]
        assert document is not None
        if place.path and part(document.root, place.path[:-1]) is None:
            assert key is not None
            self.put(above(place), Block((), key.span), evolve(key, text=place.path[-2], value=place.path[-2]))
            document = self.documents[place.document]
            assert document is not None
        root = replaced(document.root, place.path, new, key)
        assert isinstance(root, Block)
        self.documents[place.document] = evolve(document, root=root)
        self.changed.add(place.document)


def above(place: DocumentPlace) -> DocumentPlace:
    """Return the place around a place."""
    return DocumentPlace(place.id, place.document, place.path[:-1])


def _sections(document: Document) -> Iterator[Document]:
    """Yield each section in the `pack.yaml` of a pack on top of a game as a document."""
    for entry in document.root.entries:
        if entry.key.text in SECTIONS:
            yield evolve(document, root=evolve(document.root, entries=(entry,)), kind=entry.key.text)


def shown(node: Node | None) -> str:
    """Format a node in one line, as an author would write it."""
    if node is None:
        return "nothing"
    if isinstance(node, ScalarNode):
        return " then ".join(line.strip() for line in node.text.strip().splitlines())
    if isinstance(node, List):
        return "[" + ", ".join(shown(item) for item in node.items) + "]"
    return "{" + ", ".join(f"{entry.key.text}: {shown(entry.value)}" for entry in node.entries) + "}"


def members(node: Node | None) -> Iterator[str]:
    """Yield the words that a list or mapping declares: its members and keys."""
    if isinstance(node, List):
        for item in node.items:
            yield from (item.text,) if isinstance(item, ScalarNode) else members(item)
    elif isinstance(node, Block):
        for entry in node.entries:
            yield entry.key.text
            yield from members(entry.value)
