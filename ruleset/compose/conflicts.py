"""Record the changes that packs have made, and find conflicts among them.

Two packs conflict if both change the same thing and neither comes after the other, unless they make the same
change. A conflict is settled if a pack that comes after both overrules them.

Conflicting deeds are recorded, so that each pack's conflicts are found regardless of the others, but they are not
carried out: the game does not depend on the order of the packs (`ruleset.compose.composer` composes again without
them).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import INSERTS, Anchors, DocumentPlace, Patch, among, patch_of
from rulewright.ruleset.compose.namespaces import TEXTS, WORD
from rulewright.ruleset.documents.kinds import SECTIONS
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_effect, parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.packs import Resolved
from rulewright.ruleset.source.nodes import Around, Node, Path, ScalarNode, part, plain, replaced, step_id
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.source.reader import Document

# ---- Decide whether two packs write the same: code as syntax trees, texts as texts
#
# Blanks, redundant parentheses, comments, `|` blocks, and the order of keys make no difference. The order of
# named items does: options of a menu, parameters, members of an enumeration.

_TEXTS = (*TEXTS, "plural", "messages", "prompts", "version", "languages")
"""Keys and sections whose values are not code."""
_ORDERED = ("options", "takes", "each", "for-each", "choose", "fields", "effects", "expressions")
"""Keys of mappings whose keys are names in a significant order."""
_DIGITS = re.compile("[0-9]+")
Words = Mapping[str, str]
"""New names of some words of an author's texts, when all packs are combined."""
SAME: Words = {}
"""No word is renamed."""


def alike(one: Node | None, two: Node | None, path: Path, mine: Words = SAME, yours: Words = SAME) -> bool:
    """Whether two nodes for one place mean the same.

    `path` leads there from the top of the document; `mine` and `yours` are the renamed words of the two authors.
    """
    if isinstance(one, ScalarNode) and isinstance(two, ScalarNode):
        return _same_scalar(one, two, path) and (_is_text(path) or _one_meaning(one.text, mine, yours))
    if isinstance(one, List) and isinstance(two, List):
        pairs = zip(one.items, two.items, strict=False)
        return len(one.items) == len(two.items) and all(alike(a, b, path, mine, yours) for a, b in pairs)
    if isinstance(one, Block) and isinstance(two, Block):
        if path[-1:] and (path[-1] in _ORDERED or path[0] == "enumerations"):
            same_keys = tuple(one.keys()) == tuple(two.keys())
        else:
            same_keys = set(one.keys()) == set(two.keys())
        keys = one.keys() if same_keys else ()
        return same_keys and all(alike(one.get(key), two.get(key), (*path, key), mine, yours) for key in keys)
    return one is None and two is None


def _is_text(path: Path) -> bool:
    return any(word in _TEXTS for word in path)


def _same_scalar(one: ScalarNode, two: ScalarNode, path: Path) -> bool:
    if plain(one) == plain(two) and type(one.value) is type(two.value):
        return True
    if _is_text(path):
        return isinstance(one.value, str) and isinstance(two.value, str) and _folded(one.text) == _folded(two.text)
    return _same_code(one.text, two.text)


def _folded(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=1024)
def _same_code(one: str, two: str) -> bool:
    if one.strip() == two.strip():
        return True
    if _DIGITS.fullmatch(one) and _DIGITS.fullmatch(two):  # leading zeros are reported where they are written
        return one.lstrip("0") == two.lstrip("0")
    first, second = parse_effect(one), parse_effect(two)
    if not isinstance(first, Mistake) and not isinstance(second, Mistake):
        return _tree(first) == _tree(second)
    left, right = parse_expression(one), parse_expression(two)
    if isinstance(left, Mistake) or isinstance(right, Mistake):
        return False
    return _tree(left) == _tree(right)


def _tree(node: s.SyntaxNode | tuple[s.SyntaxNode, ...]) -> str:
    """Return a form of a tree without places in the text."""
    return repr(node)


def _one_meaning(text: str, mine: Words, yours: Words) -> bool:
    """Whether all words of a text mean the same to two authors."""
    return all(mine.get(word, word) == yours.get(word, word) for word in WORD.findall(text))


# ---- Conflicts

Action = Literal["set", "add", "remove", "before", "after", "around"]
Key = tuple[str, Span, Action, str]
"""Identifies a deed across repeated composing."""


@frozen(repr=False)
class Deed(Record):
    """One change by a pack: the place, the old node, and the new node."""

    pack: str
    span: Span
    action: Action
    place: DocumentPlace
    old: Node | None
    new: Node | None
    text: Node | None = None
    """The text of the change for players."""
    every: str = ""
    """The target of the change, if it is `every KIND where …`."""
    depth: int = 0
    """The number of words of the place that lead to the target of the change; the others lead on from there."""
    was: bool = False
    """Whether a `set` also says the old value."""
    wraps: bool = False
    """Whether an insert is an expression around another."""

    @property
    def key(self) -> Key:
        return (self.pack, self.span, self.action, self.place.id)


Pair = tuple[Deed, Deed]
"""Two conflicting deeds, in the order of the packs."""


@frozen(repr=False)
class Deeds(Record):
    """All deeds in order. `without` are conflicting deeds that are not carried out."""

    resolved: Resolved
    renamed: Mapping[str, Mapping[str, str]] = field(factory=dict)
    without: frozenset[Key] = frozenset()
    noted: list[Deed] = field(factory=list, init=False)
    """All deeds, carried out or not."""
    _done: list[Deed] = field(factory=list, init=False)
    _pairs: list[Pair] = field(factory=list, init=False)
    _by_document: dict[int, list[Deed]] = field(factory=dict, init=False)

    def note(self, deed: Deed) -> bool:
        """Record a deed; return False if it must not be carried out."""
        earlier = self._by_document.setdefault(deed.place.document, [])
        clashing = [(one, deed) for one in earlier if self._conflict(one, deed)]
        self._pairs.extend(clashing)
        self.noted.append(deed)
        earlier.append(deed)
        if clashing or deed.key in self.without:
            return False
        self._done.append(deed)
        return True

    def yields(self, deed: Deed) -> bool:
        """Whether a stranger's equal value stays: it is a text such as `(5)`, and this one is a number.

        Where only a number is allowed, the text is an error, which must be found under any names of the packs.
        """
        if not isinstance(deed.new, ScalarNode) or isinstance(deed.new.value, str):
            return False
        return any(
            one.place == deed.place and isinstance(one.new, ScalarNode) and isinstance(one.new.value, str)
            for one in self._by_document.get(deed.place.document, ())
            if one.action == "set" and one.pack not in self.resolved.comes_after[deed.pack]
        )

    def clash(self, one: Deed, two: Deed) -> None:
        """Record a conflict between two deeds."""
        self._pairs.append((one, two))

    @property
    def all(self) -> tuple[Deed, ...]:
        """The deeds that were done, even if later overruled; of conflicting ones, only those carried out."""
        live = {deed.key for pair in self.conflicts() for deed in pair}
        done = {deed.key for deed in self._done}
        return tuple(deed for deed in self.noted if deed.key in done or deed.key not in live)

    def conflicts(self) -> tuple[Pair, ...]:
        """Return the conflicts that nothing settles."""
        settled = self._settled()
        return tuple(pair for pair in self._pairs if not any(deed.key in settled for deed in pair))

    def void(self) -> frozenset[Key]:
        """Return deeds that must not be carried out: they conflict, or would if no later pack overruled them."""
        return frozenset({deed.key for pair in self.conflicts() for deed in pair} | self._settled())

    def _settled(self) -> set[Key]:
        """Return conflicting deeds that a later pack overrules."""
        deeds = {deed.key: deed for pair in self._pairs for deed in pair}
        return {key for key, deed in deeds.items() if self._overruled(deed)}

    def _overruled(self, deed: Deed) -> bool:
        """Whether a later pack has the last word at the place of a deed."""
        for one in self._by_document.get(deed.place.document, ()):
            covers = one.place.bare == deed.place.bare[: len(one.place.bare)] and one.action in ("set", "remove")
            same = one.place.bare == deed.place.bare and one.action == "add"
            if (covers or same) and deed.pack in self.resolved.comes_after[one.pack]:
                return True
        return False

    def removal(self, id_: str) -> Deed | None:
        """Return the deed that removed the target of an id."""
        removed = (one for one in self._done if one.action == "remove")
        return next((one for one in removed if id_ == one.place.id or id_.startswith(f"{one.place.id}.")), None)

    def cause(self, place: DocumentPlace, pack: str) -> Deed | None:
        """Return the last deed of another pack at a place, or around it."""
        found = None
        for one in self._done:
            around = one.place.document == place.document and one.place.bare == place.bare[: len(one.place.bare)]
            if around and one.pack != pack and one.action not in INSERTS:
                found = one
        return found

    def before(self, place: DocumentPlace, seen: frozenset[str], now: Node | None) -> Node | None:
        """Return the node at a place before packs outside `seen` changed it."""
        for one in self._by_document.get(place.document, ()):
            if one.pack not in seen and one.place.bare == place.bare and one.action not in INSERTS:
                return one.old
        return now

    def repeats(self, deed: Deed) -> bool:
        """Whether another pack made the same change before."""
        earlier = self._by_document.get(deed.place.document, ())
        return any(one.pack != deed.pack and self._same(one, deed) for one in earlier)

    def _conflict(self, one: Deed, two: Deed) -> bool:
        if one.pack != two.pack and one.pack in self.resolved.comes_after[two.pack]:
            return False
        paths = one.place.bare, two.place.bare
        shorter = min(len(path) for path in paths)
        if paths[0][:shorter] != paths[1][:shorter]:
            return False
        if one.pack != two.pack and (_moot(one, two) or _moot(two, one)):
            return False
        inserts = [deed for deed in (one, two) if deed.action in INSERTS]
        if len(inserts) == 1:
            (insert,) = inserts
            other = two if insert is one else one
            if other.action == "remove":
                return len(other.place.bare) <= len(insert.place.bare)
            same = insert.wraps and other.was and len(other.place.bare) == len(insert.place.bare)
            return other.action == "set" and (same or len(other.place.bare) < len(insert.place.bare))
        if inserts:
            return False
        if one.pack == two.pack:
            return paths[0] == paths[1] and one.action == two.action
        return not self._same(one, two)

    def _same(self, one: Deed, two: Deed) -> bool:
        """Whether two packs make the same change."""
        if one.place.bare != two.place.bare or one.action != two.action:
            return False
        mine, yours = (self.renamed.get(deed.pack, {}) for deed in (one, two))
        return alike(one.new, two.new, one.place.bare, mine, yours)


def _moot(deed: Deed, removal: Deed) -> bool:
    """Whether a removal does not affect another deed.

    That removes a part of the same thing, or comes from `every …` and its definition is gone.
    """
    if removal.action != "remove" or len(removal.place.bare) > len(deed.place.bare):
        return False
    return deed.action == "remove" or (bool(deed.every) and len(removal.place.bare) <= deed.depth)


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
