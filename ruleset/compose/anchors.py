"""Resolve ids of declarations and the parts below them to places in documents.

An id is `SORT/NAME`, where the sort is the first key of a document (`verb/draw`, `phase/dusk`, `charm/bell` if a
pack has that kind) or names the section of an entry (`zone/hand`). Dots separate further parts: keys, ids of steps,
names of options. `step/PHASE.STEP` is a step of a phase, a set-up, or a round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.documents.kinds import SORTS
from rulewright.ruleset.documents.play import ChangeDocument, WasTo
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_pattern, parts_of, sentences_of
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.packs import Need
from rulewright.ruleset.source.nodes import (
    Around,
    MappingNode,
    Node,
    Path,
    ScalarNode,
    SequenceNode,
    bare_path,
    part,
    step_id,
)
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.source.reader import Document

FLOW = ("phase", "setup", "round", "finish")
"""Documents that have steps."""
MOST_SHOWN = 400
"""Limit of parts below a place among which the nearest is searched."""


@frozen(repr=False)
class DocumentPlace(Record):
    """A place: the number of a document, and the path in it. `id` is the id as requested."""

    id: str
    document: int
    path: Path = ()
    bare: Path = field()
    """The path without steps that house rules have put around it: the same for every pack that changes it."""

    @bare.default
    def _path(self) -> Path:
        return self.path

    def below(self, path: Path) -> DocumentPlace:
        """Return a place at a path below this one."""
        return DocumentPlace(".".join((self.id, *path)), self.document, (*self.path, *path), (*self.bare, *path))


class Anchors:
    """Indexes the ids of documents. Removed documents are None."""

    def __init__(self, documents: Sequence[Document | None]) -> None:
        self.documents = documents
        self._names: dict[str, DocumentPlace] = {}
        for number, document in enumerate(documents):
            if document is not None:
                self.note(number, document)

    def note(self, number: int, document: Document) -> None:
        """Add a document."""
        for place in _declared(number, document):
            self._names.setdefault(place.id, place)

    def find(self, id_: str) -> DocumentPlace | None:
        """Return the place that an id names, or None."""
        sort, _, rest = id_.partition("/")
        if sort == "prompt":  # ids of choices contain dots
            return self._sound(self._names.get(id_))
        name, *parts = rest.split(".")
        sorts = FLOW if sort == "step" and parts else (sort,)
        for one in sorts:
            found = self._sound(self._names.get(f"{one}/{name}"))
            path = self._path(found, parts) if found is not None else None
            if found is not None and path is not None:
                bare = bare_path(self.node(found), path)
                return DocumentPlace(id_, found.document, (*found.path, *path), (*found.bare, *bare))
        return None

    def of(self, sort: str) -> Iterator[DocumentPlace]:
        """Yield the places of all documents of a sort, or all entries of a section."""
        for id_, place in self._names.items():
            if id_.startswith(f"{sort}/") and self._sound(place) is not None:
                yield place

    def node(self, place: DocumentPlace) -> Node | None:
        """Return the node at a place, or None."""
        document = self.documents[place.document]
        if document is None:
            return None
        found = part(document.root, place.path)
        if found is None and place.path:
            effect = part(document.root, place.path[:-1])
            return part_of(effect, place.path[-1]) if isinstance(effect, ScalarNode) else None
        return found

    def nearest(self, id_: str) -> str | None:
        """Return an existing id similar to this one."""
        known = [name for name, place in self._names.items() if self._sound(place) is not None]
        sort, _, rest = id_.partition("/")
        name = rest.split(".")[0]
        tops = [f"{one}/{name}" for one in (FLOW if sort == "step" else (sort,))]
        for top in tops:
            place = self._sound(self._names.get(top))
            if place is not None and "." in rest:
                inner = [f"{sort}/{name}.{'.'.join(path)}" for path in self._parts(place)][:MOST_SHOWN]
                near = nearest(id_, inner)
                return near or (inner[0] if len(inner) == 1 else None)
        near = nearest(id_, known)
        if near is None and name:  # a correct name after a wrong sort
            near = next((one for one in known if one.partition("/")[2] == name), None)
        return near

    # -------------------------------------------------------------- parts

    def _sound(self, place: DocumentPlace | None) -> DocumentPlace | None:
        return place if place is not None and self.node(place) is not None else None

    def _path(self, place: DocumentPlace, parts: Sequence[str]) -> Path | None:
        """Return the path below a place that words name, including ids of steps and names of options."""
        node = self.node(place)
        path: Path = ()
        for word in parts:
            step = _step_path(node, word)
            if step is None:
                return None
            path = (*path, *step)
            effect = part(node, step[:-1])
            node = part(node, step) if not isinstance(effect, ScalarNode) else part_of(effect, word)
        return path

    def _parts(self, place: DocumentPlace) -> Iterator[Path]:
        """Yield the paths of steps, options, and keys below a place."""
        yield from _parts(self.node(place), ())


def _declared(number: int, document: Document) -> Iterator[DocumentPlace]:
    first = document.root.entries[0]
    if document.kind == "pack" or document.kind in SORTS:
        if document.kind == "pack" and isinstance(first.value, ScalarNode):
            yield DocumentPlace(f"pack/{first.value.text}", number)
        for entry in document.root.entries:
            if entry.key.text in SORTS and isinstance(entry.value, MappingNode):
                for one in entry.value.entries:
                    id_ = f"{SORTS[entry.key.text]}/{one.key.text}"
                    yield DocumentPlace(id_, number, (entry.key.text, one.key.text))
    elif isinstance(first.value, ScalarNode):
        name = document.called or (verb_name(first.value.text) if document.kind == "verb" else first.value.text)
        yield DocumentPlace(f"{document.kind}/{name}", number)


def verb_name(sentence: str) -> str:
    """Return the words of a verb's sentence, joined: `give-coin-to` for `give(s) <n> coin(s) to <who player>`."""
    parts = parse_pattern(sentence)
    if isinstance(parts, Mistake):
        return sentence
    return "-".join(item.forms[0] for item in parts if isinstance(item, s.WordNode))


def _step_path(node: Node | None, word: str) -> Path | None:
    """Return the path from a node to the step, option, or key that a word names, also through `do`."""
    if isinstance(node, List):
        return among(node, word)
    if isinstance(node, ScalarNode):
        return (word,) if part_of(node, word) is not None else None
    if not isinstance(node, MappingNode):
        return None
    for inner in (("steps",), ("do",)):
        found = part(node, inner)
        step = among(found, word) if isinstance(found, List) else None
        if step is not None:
            return (*inner, *step)
    options = node.get("options")
    if isinstance(options, MappingNode) and options.get(word) is not None:
        return ("options", word)
    if node.get(word) is not None:
        return (word,)
    does = node.get("do")
    if isinstance(does, MappingNode):
        deeper = _step_path(does, word)
        return ("do", *deeper) if deeper is not None else None
    if isinstance(does, ScalarNode) and part_of(does, word) is not None:
        return ("do", word)
    return None


def part_of(effect: ScalarNode, label: str) -> ScalarNode | None:
    """Return the sentences of a part of an effect; None if it has no such part."""
    found = next((one for one in parts_of(effect.text) if one.label.text == label), None)
    if found is None:
        return None
    text = sentences_of(effect.text, found)
    return ScalarNode(text, text, effect.span_of(found.start, found.end))


def among(steps: List, word: str) -> Path | None:
    """Return the path to a step of a list, also inside steps that house rules have put around it."""
    if any(step_id(item) == word for item in steps.items):
        return (word,)
    for item in steps.items:
        held, name = (item.get("steps"), step_id(item)) if isinstance(item, Around) else (None, None)
        found = among(held, word) if isinstance(held, List) else None
        if found is not None and name is not None:
            return (name, "steps", *found)
    return None


def _parts(node: Node | None, path: Path) -> Iterator[Path]:
    if isinstance(node, MappingNode):
        for inner in ("steps", "do"):
            found = node.get(inner)
            if isinstance(found, List | MappingNode):
                yield from _parts(found, path)
        options = node.get("options")
        for entry in options.entries if isinstance(options, MappingNode) else ():
            yield (*path, entry.key.text)
            yield from _parts(entry.value, (*path, entry.key.text))
        if not path:
            for entry in node.entries[1:]:
                yield (entry.key.text,)
                if isinstance(entry.value, ScalarNode):
                    above = () if entry.key.text == "do" else (entry.key.text,)
                    yield from ((*above, one.label.text) for one in parts_of(entry.value.text))
    elif isinstance(node, List):
        for item in node.items:
            name = step_id(item)
            if name is not None:
                yield (*path, name)
                yield from _parts(item, path if isinstance(item, Around) else (*path, name))


# ---- Documents `change: …` -> records of the target and the edits. Their shape has been checked

WHERE = re.compile(r"\s*every ([a-z][a-z0-9-]*)(?: where (.*))?\s*", re.DOTALL)
Insertion = Literal["before", "after", "around"]
INSERTS: tuple[Insertion, ...] = ("before", "after", "around")


@frozen(repr=False)
class SetValue(Record):
    """A value of `set`: for the field at `path`, or for the whole if that is empty."""

    path: Path
    value: Node
    was: Node | None
    key: ScalarNode


@frozen(repr=False)
class AddedMember(Record):
    """A key that `add` puts into the mapping at `path`, or a member that `remove` takes out there."""

    path: Path
    word: str
    key: ScalarNode
    value: Node


@frozen(repr=False)
class AddedItem(Record):
    """An item that `add` puts into the list at `path`, written as `key`."""

    path: Path
    value: Node
    key: ScalarNode


@frozen(repr=False)
class Patch(Record):
    """A change. `sort` is the kind that `every` names; otherwise `id` names a single target."""

    pack: str
    target: ScalarNode
    id: str
    sort: str
    condition: int | None
    """Offset of the condition in the target, if there is one."""
    matches: int | None
    only_with: tuple[Need, ...]
    settings: tuple[SetValue, ...]
    added: tuple[AddedMember, ...]
    items: tuple[AddedItem, ...]
    removed: tuple[AddedMember, ...]
    whole: bool
    """`remove: true`."""
    inserts: tuple[tuple[Insertion, ScalarNode, Node], ...]
    """`before`, `after`, `around`: the word, its key, and the inserted node."""
    text: Node | None = None
    """The text of the change for players."""

    @property
    def span(self) -> Span:
        return self.target.span


def patch_of(pack: str, document: Document) -> Patch:
    """Read a change document."""
    root = document.root
    target = root.entries[0].value
    assert isinstance(target, ScalarNode)
    every = WHERE.fullmatch(target.text)
    says = ChangeDocument.read(target, root)
    added, items = _added(says.add)
    return Patch(
        pack=pack,
        target=target,
        id="" if every else target.text,
        sort=every[1] if every else "",
        condition=every.start(2) if every and every[2] else None,
        matches=says.matches,
        only_with=tuple(Need(one.key.text, one.value.text, one.key.span) for one in says.only_with),
        settings=tuple(_settings(says)),
        added=added,
        items=items,
        removed=tuple(_removed(says.remove)),
        whole=isinstance(says.remove, ScalarNode),
        inserts=tuple(_inserts(says)),
        text=says.text,
    )


def _settings(says: ChangeDocument) -> Iterator[SetValue]:
    node, key = says.set, says.node.key("set")
    if node is None or key is None:
        return
    if not isinstance(node, MappingNode) or _changes(node):
        yield _setting((), node, key)
        return
    for entry in node.entries:
        yield _setting(_path(entry.key.text), entry.value, entry.key)


def _setting(path: Path, node: Node, key: ScalarNode) -> SetValue:
    if isinstance(node, MappingNode) and _changes(node):
        both = WasTo.made_of(node)
        assert both.to is not None
        return SetValue(path, both.to, both.was, key)
    return SetValue(path, node, None, key)


def _changes(node: MappingNode) -> bool:
    """Whether the mapping is `{was: …, to: …}`."""
    return "to" in node.keys() and set(node.keys()) <= {"was", "to"}  # noqa: SIM118 - no dict


def _added(node: Node | None) -> tuple[tuple[AddedMember, ...], tuple[AddedItem, ...]]:
    """Return the additions of `add`: keys with their values, and items of lists."""
    keys: list[AddedMember] = []
    items: list[AddedItem] = []
    if isinstance(node, SequenceNode):
        items += (AddedItem((), item, ScalarNode("", "", node.span)) for item in node.items)
    for entry in node.entries if isinstance(node, MappingNode) else ():
        path, key, value = _path(entry.key.text), entry.key, entry.value
        if isinstance(value, SequenceNode):
            items += (AddedItem(path, item, key) for item in value.items)
        elif isinstance(value, MappingNode):
            keys += (AddedMember(path, one.key.text, one.key, one.value) for one in value.entries)
        else:
            keys.append(AddedMember(path[:-1], path[-1], key, value))
    return tuple(keys), tuple(items)


def _removed(node: Node | None) -> Iterator[AddedMember]:
    """Yield the targets of `remove`: fields in a list, or members of lists and keys by field."""
    for item in node.items if isinstance(node, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            *path, word = _path(item.text)
            yield AddedMember(tuple(path), word, item, item)
    for entry in node.entries if isinstance(node, MappingNode) else ():
        for item in entry.value.items if isinstance(entry.value, SequenceNode) else ():
            if isinstance(item, ScalarNode):
                yield AddedMember(_path(entry.key.text), item.text, item, item)


def _path(text: str) -> Path:
    return tuple(text.split("."))


def _inserts(says: ChangeDocument) -> Iterator[tuple[Insertion, ScalarNode, Node]]:
    for word in INSERTS:
        node, key = getattr(says, word), says.node.key(word)
        if node is not None and key is not None:
            yield word, key, node
