"""Which declaration names which: the references that the checker noted, and those that are plain YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from ruleset.common.span import Span
from ruleset.declare.declarations import Declared
from ruleset.language.names import NAME
from ruleset.program.nodes import Reference
from ruleset.source.reader import Document, Mapping, Node, Scalar, Sequence
from tools.packs.declarations import Declaration, Declarations


@frozen
class Mention:
    """One declaration names another. `part` is the key of `source` under which it does, `of` the part of `target`
    that is meant (a field of a kind, a choice of an option)."""

    source: Declaration
    part: str
    target: Declaration
    of: str
    span: Span


def mentions(
    documents: tuple[Document, ...], declared: Declared, items: Declarations, checked: tuple[Reference, ...]
) -> tuple[Mention, ...]:
    """All mentions, in the order of their places, each place once."""
    found: dict[tuple[Span, str], Mention] = {}
    written = [one for document in documents for one in _written(document, declared)]
    for reference in (*checked, *written):
        meant = _meant(reference.what, declared, items)
        source = items.around(reference.span)
        if meant is not None and source is not None:
            target, of = meant
            if target.span != reference.span:
                part = items.part(source, reference.span)
                found.setdefault((reference.span, target.id), Mention(source, part, target, of, reference.span))
    return tuple(sorted(found.values(), key=lambda mention: mention.span))


def _meant(what: str, declared: Declared, items: Declarations) -> tuple[Declaration, str] | None:
    """The declaration that a reference means, and the part of it."""
    sort, _, key = what.partition("/")
    if sort == "definition" and key in declared.definitions:
        what = f"{declared.definitions[key].kind}/{key}"
    if sort == "field":
        kind, _, name = key.partition(".")
        target = items.by_id.get(f"kind/{kind}")
        return (target, name) if target is not None else None
    target = items.by_id.get(what) or items.by_id.get(f"option/{sort}")
    if target is None:
        return None
    return target, key if target.id == f"option/{sort}" and what not in items.by_id else ""


# ------------------------------------------------------------------ what is plain YAML

_NAMED = {
    ("round", "phases"): "phase",
    ("finish", "awards"): "award",
    ("finish", "reveals"): "zone",
    ("award", "prizes"): "value",
}
"""Keys of documents under which names stand, and of what."""


def _written(document: Document, declared: Declared) -> Iterator[Reference]:
    root = document.root
    if document.kind in declared.kinds:
        yield from _definition(document.kind, root, declared)
    for (kind, key), sort in _NAMED.items():
        if document.kind == kind:
            yield from _names(root.get(key), sort)
    if document.kind == "modifier":
        changed = root.get("changes")
        field = isinstance(changed, Scalar) and "." in changed.text
        yield from _names(changed, "field" if field else "function")
    if document.kind == "hook":
        for key in ("before", "after", "instead-of"):
            node = root.get(key)
            if isinstance(node, Scalar):
                yield Reference(node.text, node.span)
    if document.kind == "layout":
        yield from _shown(root, declared)
    if document.kind == "bot":
        yield from _preferred(root.get("answers"), declared)
    if document.kind == "scenario":
        yield from (one for key in ("given", "when") for one in _cards(root.get(key), declared))
    for key in ("gives", "takes"):
        yield from _types(root.get(key), declared)
    if document.kind == "verb":
        yield from _holes(root.entries[0].value, declared)
    for section in ("components", "zones", "tracks", "lists", "kinds"):
        entries = root.get(section)
        for entry in entries.entries if isinstance(entries, Mapping) else ():
            yield from _entry(section, entry.value, declared)


def _entry(section: str, node: Node, declared: Declared) -> Iterator[Reference]:
    """What an entry of a section names."""
    if not isinstance(node, Mapping):
        yield from _types(node, declared)
        return
    if section == "components":
        yield from _names(node.get("kind"), "kind")
        yield from (one for key in ("starts", "home") for one in _names(node.get(key), "zone"))
    elif section == "kinds":
        for fields in ("fields", "expressions"):
            group = node.get(fields)
            for entry in group.entries if isinstance(group, Mapping) else ():
                type_ = entry.value.get("type") if isinstance(entry.value, Mapping) else entry.value
                yield from _types(type_, declared)
        effects = node.get("effects")
        for entry in effects.entries if isinstance(effects, Mapping) else ():
            yield from _types(entry.value.get("takes") if isinstance(entry.value, Mapping) else None, declared)
    else:
        yield from _types(node.get("of"), declared)
        yield from _types(node.get("scope"), declared)
        yield from _names(node.get("accepts"), "kind")
        refill = node.get("refill")
        yield from _names(refill.get("from") if isinstance(refill, Mapping) else None, "zone")


def _definition(kind: str, root: Mapping, declared: Declared) -> Iterator[Reference]:
    fields = declared.kinds[kind].fields
    for entry in root.entries[1:]:
        field = fields.get(entry.key.text)
        if field is not None and field.type.name == "enumeration":
            yield from _names(entry.value, field.type.of)
        elif field is not None and field.type.name == "definition":
            yield from _names(entry.value, "definition")
        elif entry.key.text in ("starts", "home"):
            yield from _names(entry.value, "zone")


def _cards(node: Node | None, declared: Declared) -> Iterator[Reference]:
    """The cards that a scenario names: definitions, or their copies (`bell-2`)."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield from _cards(entry.value, declared)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _cards(item, declared)
    elif isinstance(node, Scalar):
        for word in re.finditer(NAME, node.text):
            key = next((k for k in (word[0], re.sub(r"-\d+\Z", "", word[0])) if k in declared.definitions), None)
            if key is not None:
                yield Reference(f"definition/{key}", node.span_of(word.start(), word.end()))


def _preferred(answers: Node | None, declared: Declared) -> Iterator[Reference]:
    """The cards and other definitions that a bot prefers; of a menu what stands behind the name of the option."""
    for answer in answers.items if isinstance(answers, Sequence) else ():
        for item in _scalars(answer.get("prefer") if isinstance(answer, Mapping) else None):
            begin = item.text.find(":") + 1
            for found in _cards(item, declared):
                if found.span.column >= item.span_of(begin, begin).column:
                    yield found


def _shown(root: Mapping, declared: Declared) -> Iterator[Reference]:
    groups = root.get("groups")
    for group in groups.items if isinstance(groups, Sequence) else ():
        show = group.get("show") if isinstance(group, Mapping) else None
        for item in show.items if isinstance(show, Sequence) else ():
            named = item.entries[0].key if isinstance(item, Mapping) and item.entries else item
            yield from _owned(named, declared)
    yield from (one for name in _scalars(root.get("hidden")) for one in _owned(name, declared))


def _owned(node: Node, declared: Declared) -> Iterator[Reference]:
    groups = (("zone", declared.zones), ("track", declared.tracks), ("list", declared.lists))
    if isinstance(node, Scalar):
        yield from (Reference(f"{sort}/{node.text}", node.span) for sort, group in groups if node.text in group)


def _names(node: Node | None, sort: str) -> Iterator[Reference]:
    yield from (Reference(f"{sort}/{item.text}", item.span) for item in _scalars(node))


def _types(node: Node | None, declared: Declared) -> Iterator[Reference]:
    """The kinds and enumerations that a type names, or all types of a mapping or list."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield from _types(entry.value, declared)
    for item in _scalars(node):
        for word in re.finditer(NAME, item.text):
            yield from _type(word[0], item.span_of(word.start(), word.end()), declared)


def _type(word: str, span: Span, declared: Declared) -> Iterator[Reference]:
    if word in declared.kinds:
        yield Reference(f"kind/{word}", span)
    elif word in declared.enumerations:
        yield Reference(f"enumeration/{word}", span)


def _holes(node: Node, declared: Declared) -> Iterator[Reference]:
    """The types of a sentence's holes: `<name type>`."""
    for hole in re.finditer(r"<[^<>\s]+\s+([^<>]+)>", node.text) if isinstance(node, Scalar) else ():
        for word in re.finditer(NAME, hole[1]):
            start = hole.start(1) + word.start()
            assert isinstance(node, Scalar)
            yield from _type(word[0], node.span_of(start, start + len(word[0])), declared)


def _scalars(node: Node | None) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        yield from (item for item in node.items if isinstance(item, Scalar))
