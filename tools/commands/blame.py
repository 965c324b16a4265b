"""`rulewright blame`: show each value of a declaration, with the packs that set it, file, and line.

The declared values are read from the files, since a change to a part does not record the original whole. Inserts
around sentences, hooks, and modifiers do not change values, so each is a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.compose.anchors import INSERTS, Anchors, DocumentPlace
from rulewright.ruleset.compose.conflicts import Composed, Deed, shown
from rulewright.ruleset.documents.reading import Declaring
from rulewright.ruleset.documents.rules import Hook, Modifier
from rulewright.ruleset.documents.sections import ComponentEntry
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import MappingNode, Node, Path, ScalarNode, bare_path, part
from rulewright.ruleset.source.reader import Document, read_documents
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import say, say_data
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more

WIDEST = 60
"""Limit of characters of a value that are shown."""


@frozen
class BlamedAction:
    """What one pack does to a value, and where. `value` is None if it removes the value."""

    pack: str
    span: Span
    action: str
    value: str | None


@frozen
class BlamedValue:
    """One value, by its path, with the actions of all packs in order; the last one decides."""

    path: str
    value: str | None
    words: tuple[BlamedAction, ...]


def blame(pack: str, id_: str, more: Sequence[str], as_json: bool) -> int:
    """Print where the values of a declaration come from."""
    loaded = loading.load_pack_set(loading.read_pack_set(with_more(pack, more), scenarios=False))
    lines = blamed(loaded, id_)
    if as_json:
        say_data(_data(loaded, id_, lines))
    else:
        for line in _text(id_, lines):
            say(line)
    return CLEAN


def blamed(loaded: Loaded, id_: str) -> tuple[BlamedValue, ...]:
    """Return the values that an id names in written order, then its hooks and modifiers in order of execution.

    Raises Usage for an unknown id.
    """
    composed = loaded.composed
    anchors = Anchors(composed.documents)
    place = anchors.find(id_) or _made(loaded, anchors, id_)
    if place is None:
        gone = next((deed for deed in composed.deeds if deed.action == "remove" and deed.place.id == id_), None)
        if gone is None:
            near = anchors.nearest(id_)
            hint = f"did you mean {near}?" if near else "rulewright show lists all declarations"
            raise Usage(f"{id_} not found in {loaded.pack}; {hint}")
        bare = gone.place.bare
        about = [deed for deed in _of_document(composed, gone.place.document) if _below(deed.place.bare, bare)]
        declared = next((deed.old for deed in about if deed.place.bare == bare), gone.old)
        return (BlamedValue("", None, tuple(_words(loaded, declared, about, bare))),)
    number = composed.places[place.document] if composed.places else place.document
    deeds = _of_document(composed, number)
    return (*_lines(loaded, composed, place, deeds), *_hooks(loaded, anchors, place), *_modifiers(loaded, id_))


def _of_document(composed: Composed, number: int) -> list[Deed]:
    return [deed for deed in composed.deeds if deed.place.document == number]


def _made(loaded: Loaded, anchors: Anchors, id_: str) -> DocumentPlace | None:
    """Return the place of the component that generates a definition."""
    definition = loaded.declared.definitions.get(id_.partition("/")[2])
    if definition is None or not definition.made or definition.kind != id_.partition("/")[0]:
        return None
    components = loaded.declared.all_of(ComponentEntry).values()
    named = next((one for one in components if one.span == definition.span), None)
    return anchors.find(f"component/{named.key}") if named is not None else None


def _lines(loaded: Loaded, composed: Composed, place: DocumentPlace, deeds: list[Deed]) -> Iterator[BlamedValue]:
    document = composed.documents[place.document]
    root, written = document.root, _as_written(loaded, document)
    here = [deed for deed in deeds if _below(deed.place.bare, place.bare)]
    sets = [deed for deed in deeds if deed.action not in INSERTS]
    used: set[int] = set()

    def line(path: Path, node: Node | None) -> BlamedValue:
        about = [deed for deed in sets if _below(path, deed.place.bare) or _below(deed.place.bare, path)]
        used.update(map(id, about))
        first = part(written.root, path) if written is not None else None
        if first is None:
            first = _at(about[0].old, about[0], path) if about else node
        value = shown(node) if node is not None else None
        return BlamedValue(".".join(path[len(place.bare) :]), value, tuple(_words(loaded, first, about, path)))

    for real, node in _leaves(part(root, place.path), place.path):
        yield line(bare_path(root, real), node)
    for deed in here:
        if deed.action in INSERTS:
            name = " ".join((".".join(deed.place.bare[len(place.bare) :]), deed.action)).strip()
            value = shown(deed.new) if deed.new is not None else None
            yield BlamedValue(name, value, tuple(_words(loaded, None, [deed], deed.place.bare)))
        elif id(deed) not in used:  # its target no longer exists, or is a part of an effect
            of_effect = isinstance(part(root, deed.place.path[:-1]), ScalarNode)
            yield line(deed.place.bare, deed.new if of_effect else None)


def _as_written(loaded: Loaded, document: Document) -> Document | None:
    """Return a document before packs changed it; None if it can no longer be read."""
    read = read_documents(document.path, loaded.sources.get(document.path, ""))[0]
    return next((one for one in read if one.span == document.span), None)


def _hooks(loaded: Loaded, anchors: Anchors, place: DocumentPlace) -> Iterator[BlamedValue]:
    """Yield the hooks of a verb or step."""
    for hook in loaded.declared.all_of(Hook).values():
        for word, anchor in hook.anchors:
            found = anchors.find(anchor.text)
            if found is not None and (found.document, found.bare) == (place.document, place.bare):
                yield _other(loaded, hook, f"hook/{hook.key} {word}", ("do",))


def _modifiers(loaded: Loaded, id_: str) -> Iterator[BlamedValue]:
    """Yield the modifiers of a function or value, or of the fields that a field, kind, or definition id covers."""
    sort, _, name = id_.partition("/")
    for modifier in loaded.declared.all_of(Modifier).values():
        changed = modifier.changes.text if modifier.changes is not None else ""
        kind, dot, field = changed.partition(".")
        of_field = (dot and (sort == kind or id_ == f"kind/{kind}")) or id_ == f"kind/{kind}.fields.{field}"
        if (sort in ("function", "value") and name == changed) or of_field:
            about = f" ({field})" if dot else ""
            yield _other(loaded, modifier, f"modifier/{modifier.key}{about}", ("is",))


def _other(loaded: Loaded, record: Declaring, name: str, path: Path) -> BlamedValue:
    """Describe a hook or modifier, with the pack that declares it."""
    does = part(record.node, path)
    value = shown(does) if does is not None else ""
    return BlamedValue(name, value, (BlamedAction(_owner(loaded, record.span), record.span, "declares", value),))


def _leaves(node: Node | None, path: Path) -> Iterator[tuple[Path, Node]]:
    """Yield the values below a node that are not mappings."""
    if isinstance(node, MappingNode):
        for entry in node.entries:
            yield from _leaves(entry.value, (*path, entry.key.text))
    elif node is not None:
        yield path, node


def _below(path: Path, above: Path) -> bool:
    return path[: len(above)] == above


def _words(loaded: Loaded, first: Node | None, deeds: list[Deed], path: Path) -> Iterator[BlamedAction]:
    """Yield the declaration and all changes of a value.

    For additions to and removals from lists, the value is the member.
    """
    if first is not None:
        yield BlamedAction(_owner(loaded, first.span), first.span, "declares", shown(first))
    for deed in deeds:
        new = _at(deed.new, deed, path)
        inner = ".".join(deed.place.bare[len(path) :])
        value = shown(new) if new is not None else None
        if inner and deed.action == "remove":
            value = inner
        yield BlamedAction(deed.pack, deed.span, deed.action, value)


def _at(node: Node | None, deed: Deed, path: Path) -> Node | None:
    """Return the part of a deed's node that a path names."""
    return part(node, path[len(deed.place.bare) :]) if _below(path, deed.place.bare) else node


def _owner(loaded: Loaded, span: Span) -> str:
    return loaded.owners.get(span.path, loaded.pack)


# ------------------------------------------------------------------ output

def _text(id_: str, lines: Sequence[BlamedValue]) -> list[str]:
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


def _data(loaded: Loaded, id_: str, lines: Sequence[BlamedValue]) -> dict[str, Any]:
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
