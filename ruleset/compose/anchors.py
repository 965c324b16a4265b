"""Ids of what packs declare, and the places that they name.

An id is `SORT/NAME`, where the sort is the first key of a document (`verb/draw`, `phase/dusk`, `charm/bell` where
a pack has that kind) or says which section an entry is of (`zone/hand`). Behind it, divided by dots, stand parts:
keys, ids of steps, names of options. `step/PHASE.STEP` means a step of a phase, a set-up or a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from ruleset.common.nearest import nearest
from ruleset.common.record import Record
from ruleset.documents.kinds import SORTS
from ruleset.language import ast as s
from ruleset.language.parser import parse_pattern
from ruleset.language.syntax_errors import Mistake
from ruleset.source.node_edit import Path, bare_path, part, step_id
from ruleset.source.nodes import Around, Mapping, Node, Scalar
from ruleset.source.nodes import Sequence as List
from ruleset.source.reader import Document

FLOW = ("phase", "setup", "round", "finish")
"""Documents that have steps."""
MOST_SHOWN = 400
"""Ids among which the nearest is looked for; parts come after all names."""


@frozen(repr=False)
class Place(Record):
    """Where something stands: the number of a document, and the path in it. `id` is as it was asked for."""

    id: str
    document: int
    path: Path = ()
    bare: Path = field()
    """The path without the steps that house rules have put around it meanwhile: the same for all who change it."""

    @bare.default
    def _path(self) -> Path:
        return self.path

    def below(self, path: Path) -> Place:
        return Place(".".join((self.id, *path)), self.document, (*self.path, *path), (*self.bare, *path))


class Anchors:
    """The ids of documents. Documents that were removed are None."""

    def __init__(self, documents: Sequence[Document | None]) -> None:
        self.documents = documents
        self._names: dict[str, Place] = {}
        for number, document in enumerate(documents):
            if document is not None:
                self.note(number, document)

    def note(self, number: int, document: Document) -> None:
        """Takes in one more document."""
        for place in _declared(number, document):
            self._names.setdefault(place.id, place)

    def find(self, id_: str) -> Place | None:
        """The place that an id names."""
        sort, _, rest = id_.partition("/")
        if sort == "prompt":  # the ids of choices have dots of their own
            return self._sound(self._names.get(id_))
        name, *parts = rest.split(".")
        sorts = FLOW if sort == "step" and parts else (sort,)
        for one in sorts:
            found = self._sound(self._names.get(f"{one}/{name}"))
            path = self._path(found, parts) if found is not None else None
            if found is not None and path is not None:
                bare = bare_path(self.node(found), path)
                return Place(id_, found.document, (*found.path, *path), (*found.bare, *bare))
        return None

    def of(self, sort: str) -> Iterator[Place]:
        """All documents of a sort, or all entries of a section."""
        for id_, place in self._names.items():
            if id_.startswith(f"{sort}/") and self._sound(place) is not None:
                yield place

    def node(self, place: Place) -> Node | None:
        document = self.documents[place.document]
        return part(document.root, place.path) if document is not None else None

    def nearest(self, id_: str) -> str | None:
        """The id that was perhaps meant."""
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
        if near is None and name:  # a right name behind a wrong sort
            near = next((one for one in known if one.partition("/")[2] == name), None)
        return near

    # -------------------------------------------------------------- parts

    def _sound(self, place: Place | None) -> Place | None:
        return place if place is not None and self.node(place) is not None else None

    def _path(self, place: Place, parts: Sequence[str]) -> Path | None:
        """The path below a place that words name, some of which are ids of steps or names of options."""
        node = self.node(place)
        path: Path = ()
        for word in parts:
            step = _step_path(node, word)
            if step is None:
                return None
            path = (*path, *step)
            node = part(node, step)
        return path

    def _parts(self, place: Place) -> Iterator[Path]:
        """The steps, options and keys that can be named below a place."""
        yield from _parts(self.node(place), ())


def _declared(number: int, document: Document) -> Iterator[Place]:
    first = document.root.entries[0]
    if document.kind == "pack" or document.kind in SORTS:
        if document.kind == "pack" and isinstance(first.value, Scalar):
            yield Place(f"pack/{first.value.text}", number)
        for entry in document.root.entries:
            if entry.key.text in SORTS and isinstance(entry.value, Mapping):
                for one in entry.value.entries:
                    id_ = f"{SORTS[entry.key.text]}/{one.key.text}"
                    yield Place(id_, number, (entry.key.text, one.key.text))
    elif isinstance(first.value, Scalar):
        name = document.called or (verb_name(first.value.text) if document.kind == "verb" else first.value.text)
        yield Place(f"{document.kind}/{name}", number)


def verb_name(sentence: str) -> str:
    """The words of a verb's sentence, joined: `give-coin-to` for `give(s) <n> coin(s) to <who player>`."""
    parts = parse_pattern(sentence)
    if isinstance(parts, Mistake):
        return sentence
    return "-".join(item.forms[0] for item in parts if isinstance(item, s.Word))


def _step_path(node: Node | None, word: str) -> Path | None:
    """How a word leads on from a node: to a step, to an option, to a key; steps may stand in an effect."""
    if isinstance(node, List):
        return among(node, word)
    if not isinstance(node, Mapping):
        return None
    for inner in (("steps",), ("do",)):
        found = part(node, inner)
        step = among(found, word) if isinstance(found, List) else None
        if step is not None:
            return (*inner, *step)
    options = node.get("options")
    if isinstance(options, Mapping) and options.get(word) is not None:
        return ("options", word)
    if node.get(word) is not None:
        return (word,)
    does = node.get("do")
    if isinstance(does, Mapping):
        deeper = _step_path(does, word)
        return ("do", *deeper) if deeper is not None else None
    return None


def among(steps: List, word: str) -> Path | None:
    """How a word leads to a step of a list, also to one that a house rule has put another around."""
    if any(step_id(item) == word for item in steps.items):
        return (word,)
    for item in steps.items:
        held, name = (item.get("steps"), step_id(item)) if isinstance(item, Around) else (None, None)
        found = among(held, word) if isinstance(held, List) else None
        if found is not None and name is not None:
            return (name, "steps", *found)
    return None


def _parts(node: Node | None, path: Path) -> Iterator[Path]:
    if isinstance(node, Mapping):
        for inner in ("steps", "do"):
            found = node.get(inner)
            if isinstance(found, List | Mapping):
                yield from _parts(found, path)
        options = node.get("options")
        for entry in options.entries if isinstance(options, Mapping) else ():
            yield (*path, entry.key.text)
            yield from _parts(entry.value, (*path, entry.key.text))
        if not path:
            yield from ((entry.key.text,) for entry in node.entries[1:])
    elif isinstance(node, List):
        for item in node.items:
            name = step_id(item)
            if name is not None:
                yield (*path, name)
                yield from _parts(item, path if isinstance(item, Around) else (*path, name))
