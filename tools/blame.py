"""`rulewright blame`: who says what of something: each value of it, with the packs that set it, file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from ruleset.anchors import Anchors, Place
from ruleset.compose import Composed
from ruleset.composing import shown
from ruleset.conflicts import Deed
from ruleset.document import Mapping, Node
from ruleset.load import Loaded
from ruleset.nodes import Sequence as List
from ruleset.nodes_edit import Path, bare_path, part
from ruleset.patch import INSERTS
from ruleset.span import Span
from tools import packs
from tools.failure import CLEAN, Usage
from tools.say import say, say_data
from tools.together import with_more

WIDEST = 60
"""Characters of a value that are shown."""


@frozen
class Word:
    """What one pack says of a value, and where. `value` is None where it takes it away."""

    pack: str
    span: Span
    action: str
    value: str | None


@frozen
class Line:
    """One value, by its path, with all that packs say of it: the last has the last word."""

    path: str
    value: str | None
    words: tuple[Word, ...]


def blame(pack: str, id_: str, more: Sequence[str], as_json: bool) -> int:
    """Prints where the values of a thing come from."""
    loaded = packs.load_together(packs.read_together(with_more(pack, more), scenarios=False))
    lines = blamed(loaded, id_)
    if as_json:
        say_data(_data(loaded, id_, lines))
    else:
        for line in _text(id_, lines):
            say(line)
    return CLEAN


def blamed(loaded: Loaded, id_: str) -> tuple[Line, ...]:
    """The values of what an id names, in the order in which they are written. Raises Usage for an unknown one."""
    composed = loaded.composed
    anchors = Anchors(composed.documents)
    place = anchors.find(id_) or _made(loaded, anchors, id_)
    if place is None:
        gone = next((deed for deed in composed.deeds if deed.action == "remove" and deed.place.id == id_), None)
        if gone is None:
            near = anchors.nearest(id_)
            raise Usage(f"there is no {id_} in {loaded.pack}" + (f"; did you mean {near}?" if near else ""))
        return (Line("", None, tuple(_words(loaded, gone.old, [gone], gone.place.path))),)
    number = composed.places[place.document] if composed.places else place.document
    deeds = [deed for deed in composed.deeds if deed.place.document == number]
    return tuple(_lines(loaded, composed, place, deeds))


def _made(loaded: Loaded, anchors: Anchors, id_: str) -> Place | None:
    """The component that makes a definition."""
    definition = loaded.declared.definitions.get(id_.partition("/")[2])
    if definition is None or not definition.made or definition.kind != id_.partition("/")[0]:
        return None
    named = next((one for one in loaded.declared.components.values() if one.span == definition.span), None)
    return anchors.find(f"component/{named.key}") if named is not None else None


def _lines(loaded: Loaded, composed: Composed, place: Place, deeds: list[Deed]) -> Iterator[Line]:
    root = composed.documents[place.document].root
    here = [deed for deed in deeds if _below(deed.place.bare, place.bare)]
    used: set[int] = set()
    for real, node in _leaves(part(root, place.path), place.path):
        path = bare_path(root, real)
        about = [deed for deed in here if _below(path, deed.place.bare) or _below(deed.place.bare, path)]
        about = [deed for deed in about if deed.action not in INSERTS]
        used.update(map(id, about))
        yield Line(".".join(path[len(place.bare) :]), shown(node), tuple(_words(loaded, node, about, path)))
    for deed in here:
        if id(deed) not in used:
            insert = (deed.action,) if deed.action in INSERTS else ()
            name = " ".join((".".join(deed.place.bare[len(place.bare) :]), *insert)).strip()
            value = shown(deed.new) if deed.new is not None else None
            yield Line(name, value, tuple(_words(loaded, deed.old, [deed], deed.place.bare)))


def _leaves(node: Node | None, path: Path) -> Iterator[tuple[Path, Node]]:
    """The values below a node that are no mappings."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield from _leaves(entry.value, (*path, entry.key.text))
    elif node is not None:
        yield path, node


def _below(path: Path, above: Path) -> bool:
    return path[: len(above)] == above


def _words(loaded: Loaded, node: Node | None, deeds: list[Deed], path: Path) -> Iterator[Word]:
    """The first who said a value, then all that changed it."""
    changes = [deed for deed in deeds if deed.action not in INSERTS]
    first = _at(changes[0].old, changes[0], path) if changes and not isinstance(node, List) else node
    if first is not None:
        yield Word(_owner(loaded, first.span), first.span, "declares", shown(first))
    for deed in deeds:
        new = _at(deed.new, deed, path)
        yield Word(deed.pack, deed.span, deed.action, shown(new) if new is not None else None)


def _at(node: Node | None, deed: Deed, path: Path) -> Node | None:
    """The part of what a deed was about that a path means."""
    return part(node, path[len(deed.place.bare) :]) if _below(path, deed.place.bare) else node


def _owner(loaded: Loaded, span: Span) -> str:
    return loaded.owners.get(span.path, loaded.pack)


# ------------------------------------------------------------------ told


def _text(id_: str, lines: Sequence[Line]) -> list[str]:
    out = [id_]
    words = [word for line in lines for word in line.words]
    wide = max((len(word.pack) for word in words), default=0)
    for line in lines:
        value = _short(line.value) if line.value is not None else "(removed)"
        out.append(f"  {line.path}: {value}" if line.path else f"  {value}")
        for word in line.words:
            said = "" if word.value is None else _short(word.value)
            place = f"{word.span.path}:{word.span.line}"
            out.append(f"      {word.pack:<{wide}}  {word.action:<8}  {place}  {said}".rstrip())
    return out


def _short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def _data(loaded: Loaded, id_: str, lines: Sequence[Line]) -> dict[str, Any]:
    return {
        "version": 1,
        "packs": [{"pack": head.pack, "version": head.version} for head in loaded.heads],
        "id": id_,
        "values": [
            {
                "path": line.path,
                "value": line.value,
                "words": [
                    {
                        "pack": word.pack,
                        "action": word.action,
                        "value": word.value,
                        "file": word.span.path,
                        "line": word.span.line,
                        "column": word.span.column,
                    }
                    for word in line.words
                ],
            }
            for line in lines
        ],
    }
