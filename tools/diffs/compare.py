"""Find the differences of two sides, thing by thing and part by part.

The order of keys does not matter. A part that only one side has is one difference, with any content. Steps are
matched by their ids, and those without an id by their contents.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.compose.anchors import Anchors, verb_name
from rulewright.ruleset.compose.conflicts import Deed, Insert
from rulewright.ruleset.documents.kinds import SORTS, record_of
from rulewright.ruleset.documents.reading import Declaring, Several
from rulewright.ruleset.documents.rules import Step, body_of
from rulewright.ruleset.documents.sections import ComponentEntry, PackDocument
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import (
    MappingEntry,
    MappingNode,
    Node,
    Path,
    ScalarNode,
    plain,
    step_id,
    texts_of,
)
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.source.reader import Document, read_documents
from rulewright.tools.common.document_kinds import TOOLS_KINDS

# ---- One side of a comparison: loaded packs as things with ids, and inserts woven around their sentences
#
# A thing is what an id of `ruleset.compose.anchors` without parts names: a document, or an entry of a
# section. Scenarios, layouts, bots, and prompts do not count as things: they do not change what a player can
# do.

UNTOLD = {"change", *(kind.called for kind in TOOLS_KINDS if not kind.names)}


@frozen
class ComparedThing:
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
class DiffSide:
    """One side. `named` is its name on the command line; `abouts` are the packs' own documents, by name."""

    named: str
    loaded: Loaded = field(repr=False)
    things: dict[str, ComparedThing] = field(repr=False)
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


def side(named: str, loaded: Loaded) -> DiffSide:
    """Build a side from loaded packs."""
    composed = loaded.composed
    things: dict[str, ComparedThing] = {}
    by_document: dict[int, list[ComparedThing]] = {}
    for index, document in enumerate(composed.documents):
        number = composed.places[index] if composed.places else index
        for thing in _things(document, number):
            id_, copy = thing.id, 1
            while id_ in things:  # verbs may share their words
                copy += 1
                id_ = f"{thing.id}-{copy}"
            things[id_] = ComparedThing(id_, thing.sort, thing.key, thing.node, thing.span, number, thing.path)
            by_document.setdefault(index, []).append(things[id_])
    return DiffSide(named, loaded, things, tuple(_with_inserts(loaded, by_document)), _abouts(loaded))


def _things(document: Document, number: int) -> Iterator[ComparedThing]:
    first = document.root.entries[0]
    if document.kind == "pack" or document.kind in SORTS:
        own = [entry for entry in document.root.entries[1:] if entry.key.text not in SORTS]
        if document.kind == "pack" and isinstance(first.value, ScalarNode):
            body = MappingNode(tuple(own), document.root.span)
            # The key is the same on both sides: versions of a game with different names are still compared.
            yield ComparedThing("pack/game", "pack", first.value.text, body, first.value.span, number)
        for entry in document.root.entries:
            if entry.key.text in SORTS and SORTS[entry.key.text] not in UNTOLD:
                yield from _entries(SORTS[entry.key.text], entry, number)
    elif document.kind not in UNTOLD and isinstance(first.value, ScalarNode):
        name = verb_name(first.value.text) if document.kind == "verb" else first.value.text
        body = MappingNode(
            document.root.entries[1:] if document.kind != "verb" else document.root.entries, document.span
        )
        yield ComparedThing(f"{document.kind}/{name}", document.kind, name, body, first.value.span, number)


def _entries(sort: str, section: MappingEntry, number: int) -> Iterator[ComparedThing]:
    for entry in section.value.entries if isinstance(section.value, MappingNode) else ():
        path = (section.key.text, entry.key.text)
        yield ComparedThing(
            f"{sort}/{entry.key.text}", sort, entry.key.text, entry.value, entry.key.span, number, path
        )


def _with_inserts(loaded: Loaded, things: dict[int, list[ComparedThing]]) -> Iterator[WovenInsert]:
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


def new_deeds(base: DiffSide, other: DiffSide) -> tuple[Deed, ...]:
    """Return the deeds that only the other side has, in order."""
    known = {_said(deed) for deed in base.loaded.composed.deeds}
    return tuple(deed for deed in other.loaded.composed.deeds if _said(deed) not in known)


def _said(deed: Deed) -> tuple[object, ...]:
    text = texts_of(deed.text) if deed.text is not None else ()
    return deed.pack, deed.place.id, deed.action, text


# ---- Compare

Change = Literal["added", "removed", "changed", "inserted"]
IGNORED = ("source",)
"""Keys that do not concern players."""
IGNORED_OF_PACKS = ("version", "format", "extends", "requires", "conflicts", "after")
MOVING = ("phases", "awards")
"""Lists of names in the order of play."""


@frozen
class RuleDifference:
    """A difference: `before` is the node on the base side, `after` the one on the other.

    For insertions, `word` is `before`, `after`, or `around`, and `anchors` are the neighbouring or surrounded
    steps.
    """

    change: Change
    thing: ComparedThing
    path: Path
    before: Node | None
    after: Node | None
    word: str = ""
    anchors: tuple[str, ...] = ()
    woven: bool = False
    """Whether it is woven around sentences, not inserted into a list of steps."""
    was: ComparedThing | None = None
    """The thing on the base side."""


def differences(base: DiffSide, other: DiffSide) -> tuple[RuleDifference, ...]:
    """Return all differences, in the order of the other side's things; removed things come last."""
    found: list[RuleDifference] = []
    for id_, thing in other.things.items():
        old = base.things.get(id_)
        if old is None:
            found.append(RuleDifference("added", thing, (), None, thing.node))
        else:
            found.extend(_changed(base, other, old, thing))
        found.extend(_woven(base, other, thing))
    for id_, old in base.things.items():
        if id_ not in other.things:
            found.append(RuleDifference("removed", old, (), old.node, None, was=old))
    return tuple(found)


def _changed(base: DiffSide, other: DiffSide, old: ComparedThing, new: ComparedThing) -> Iterator[RuleDifference]:
    one, two = old.node, new.node
    if new.sort in other.loaded.declared.kinds and new.sort in base.loaded.declared.kinds:
        one, two = _filled(base, old, two), _filled(other, new, one)
    for found in _nodes(new, (), one, two):
        if new.sort == "pack" and found.path[:1] and found.path[0] in IGNORED_OF_PACKS:
            continue
        yield evolve(found, was=old)


def _filled(side: DiffSide, thing: ComparedThing, beside: Node) -> Node:
    """Add the kind's defaults to a definition, for keys that only the other side's definition has."""
    if not isinstance(thing.node, MappingNode) or not isinstance(beside, MappingNode):
        return thing.node
    defaults = dict(side.loaded.declared.kinds[thing.sort].defaults)
    copies = _copies(side, thing.sort)
    if copies is not None:
        defaults["copies"] = copies
    silent = [entry.key for entry in beside.entries if thing.node.get(entry.key.text) is None]
    more = tuple(MappingEntry(key, defaults[key.text]) for key in silent if key.text in defaults)
    return evolve(thing.node, entries=(*thing.node.entries, *more))


def _copies(side: DiffSide, kind: str) -> Node | None:
    """Return the default number of copies from the component of a kind."""
    for thing in side.things.values():
        says = thing.says if thing.sort == "component" else None
        if isinstance(says, ComponentEntry) and says.kind is not None and says.kind.text == kind:
            copies = says.copies or ScalarNode(1, "1", thing.span)
            return copies if isinstance(copies, ScalarNode) else copies.node
    return None


def _woven(base: DiffSide, other: DiffSide, thing: ComparedThing) -> Iterator[RuleDifference]:
    """Yield inserts around the sentences of a thing that only one side has."""
    sides = [[one for one in side.woven if one.thing == thing.id] for side in (base, other)]
    keys = [[(one.path, one.insert.word, plain(one.insert.node)) for one in side] for side in sides]
    for one, key in zip(sides[0], keys[0], strict=True):
        if key not in keys[1]:
            yield RuleDifference("removed", thing, one.path, one.insert.node, None, one.insert.word, woven=True)
    for one, key in zip(sides[1], keys[1], strict=True):
        if key not in keys[0]:
            yield RuleDifference("inserted", thing, one.path, None, one.insert.node, one.insert.word, woven=True)


# ------------------------------------------------------------------ parts

def _nodes(thing: ComparedThing, path: Path, one: Node, two: Node) -> Iterator[RuleDifference]:
    if isinstance(one, MappingNode) and isinstance(two, MappingNode):
        yield from _mappings(thing, path, one, two)
    elif isinstance(one, List) and isinstance(two, List) and (_steps(one) or _steps(two)):
        yield from _lists(thing, path, one, two)
    elif plain(one) != plain(two):
        yield RuleDifference("changed", thing, path, one, two)


def _mappings(thing: ComparedThing, path: Path, one: MappingNode, two: MappingNode) -> Iterator[RuleDifference]:
    for key in dict.fromkeys((*two.keys(), *one.keys())):
        if key in IGNORED:
            continue
        before, after = one.get(key), two.get(key)
        if before is not None and after is not None:
            yield from _nodes(thing, (*path, key), before, after)
        else:
            yield RuleDifference("added" if before is None else "removed", thing, (*path, key), before, after)


def _steps(node: List) -> bool:
    return any(step_id(item) is not None for item in node.items)


def _lists(thing: ComparedThing, path: Path, one: List, two: List) -> Iterator[RuleDifference]:
    """Compare lists of steps: inserted, removed, changed, and reordered ones."""
    old, new = _keyed(one, two), _keyed(two, one)
    around = {name: _inside(node, old, new) for name, node in new.items() if name not in old}
    wrapped = {inner for names in around.values() for inner in names}
    opened = {name: _inside(node, new, old) for name, node in old.items() if name not in new}
    freed = {inner: name for name, names in opened.items() for inner in names}
    for name, node in new.items():
        if name in freed:
            found = _found(old[freed[name]], name)
            assert found is not None
            yield from _nodes(thing, (*path, name), found[1], node)
            continue
        if name in old:
            yield from _nodes(thing, (*path, name), old[name], node)
            continue
        if around[name]:
            yield RuleDifference("inserted", thing, (*path, name), None, node, "around", tuple(around[name]))
            for inner in around[name]:
                found = _found(node, inner)
                assert found is not None
                where, deeper = found
                yield from _nodes(thing, (*path, name, *where), old[inner], deeper)
        else:
            word, anchor = _beside(name, list(new), old)
            yield RuleDifference("inserted", thing, (*path, name), None, node, word, (anchor,) if anchor else ())
    for name, node in old.items():
        if name not in new and name not in wrapped:
            word = "around" if opened[name] else ""
            yield RuleDifference("removed", thing, (*path, name), node, None, word, tuple(opened[name]))
    orders = [[name for name in names if name in old and name in new] for names in (old, new)]
    if orders[0] != orders[1]:
        yield RuleDifference("changed", thing, path, one, two, "order", tuple(orders[1]))


def _keyed(items: List, others: List) -> dict[str, Node]:
    """Map ids to steps. Steps without an id get their number, or that of an equal step in the other list."""
    free = [(number, plain(item)) for number, item in enumerate(others.items, 1) if step_id(item) is None]
    found: dict[str, Node] = {}
    for number, item in enumerate(items.items, 1):
        name = step_id(item)
        if name is None:
            same = next((one for one in free if one[1] == plain(item)), None)
            if same is not None:
                free.remove(same)
            name = str(min(number, same[0]) if same is not None else number)
        while name in found:
            name += "'"
        found[name] = item
    return found


def _inside(node: Node, old: dict[str, Node], new: dict[str, Node]) -> list[str]:
    """Return the steps that are gone from a list and are now inside a new one."""
    return [name for name in old if name not in new and _found(node, name) is not None]


def _found(node: Node, name: str) -> tuple[Path, Node] | None:
    """Find a step inside another, at any depth."""
    if isinstance(node, List):
        for item in node.items:
            inner = step_id(item)
            if inner == name:
                return (name,), item
            deeper = _found(item, name)
            if deeper is not None:
                return ((inner, *deeper[0]) if inner is not None else deeper[0]), deeper[1]
    if isinstance(node, MappingNode):
        for key in ("steps", "do"):
            held = node.get(key)
            deeper = _found(held, name) if held is not None else None
            if deeper is not None:
                return (key, *deeper[0]), deeper[1]
    return None


def _beside(name: str, order: list[str], old: dict[str, Node]) -> tuple[str, str]:
    """Return the neighbour of a new step: after a step that existed before, or else before one."""
    at = order.index(name)
    earlier = [one for one in order[:at] if one in old]
    if earlier:
        return "after", earlier[-1]
    later = [one for one in order[at:] if one in old]
    return ("before", later[0]) if later else ("", "")
