"""References between declarations: those that the checker recorded, and those in plain YAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingOf
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.play import BotDocument, Expect, FaceDocument, LayoutDocument, ScenarioDocument
from rulewright.ruleset.documents.reading import Declaring, Keyed, Written, inside, parts
from rulewright.ruleset.documents.rules import ANCHOR, MOVE, Modifier, VerbDocument
from rulewright.ruleset.language.names import NAME
from rulewright.ruleset.program.nodes import Field, Reference
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.tools.packs.declarations import Declaration, Declarations


@frozen
class Mention:
    """A reference from one declaration to another.

    `part` is the key of `source` that contains it, `of` the referenced part of `target` (a field of a kind, a
    choice of an option).
    """

    source: Declaration
    part: str
    target: Declaration
    of: str
    span: Span


def mentions(declared: Declared, items: Declarations, checked: tuple[Reference, ...]) -> tuple[Mention, ...]:
    """Return all mentions in the order of their places, each place once."""
    found: dict[tuple[Span, str], Mention] = {}
    written = [one for item in items.items for one in _written(item, declared)]
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
    """Return the declaration that a reference means, and the part of it."""
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


# ------------------------------------------------------------------ plain YAML

def _written(item: Declaration, declared: Declared) -> Iterator[Reference]:
    """Yield the references of a declaration: from the fields of its record, and from the kind's own syntax."""
    if item.says is None or item.inner or item.made:
        return
    yield from _fields(item.says, declared)
    if item.sort in declared.kinds:
        yield from _definition(declared.kinds[item.sort].fields, item, declared)
    more = _MORE.get(type(item.says))
    if more is not None:
        yield from more(item.says, declared)


def _fields(record: Written, declared: Declared) -> Iterator[Reference]:
    for meaning, value in inside(record):
        if meaning.names == ANCHOR:
            anchors = (value,) if isinstance(value, ScalarNode) else value or ()
            yield from (Reference(anchor.text, anchor.span) for anchor in anchors if anchor.text != MOVE)
        elif meaning.names:
            yield from _names(value, meaning.names)
        elif meaning.types:
            yield from _types(value, declared)
        else:
            yield from (one for part in parts(value) for one in _fields(part, declared))


def _definition(fields: MappingOf[str, Field], item: Declaration, declared: Declared) -> Iterator[Reference]:
    for entry in item.entries:
        field = fields.get(entry.key.text)
        if field is not None and field.per and isinstance(entry.value, MappingNode):
            yield from _names(tuple(one.key for one in entry.value.entries), field.per)
        if field is not None and field.type.name == "enumeration":
            yield from _names(_scalars(entry.value), field.type.of)
        elif field is not None and field.type.name == "definition":
            yield from _names(_scalars(entry.value), "definition")


def _changed(modifier: Modifier, declared: Declared) -> Iterator[Reference]:
    changes = modifier.changes
    if changes is not None:
        of = "value" if changes.text in declared.values else "function"
        yield from _names(changes, "field" if "." in changes.text else of)


def _of_scenario(scenario: ScenarioDocument, declared: Declared) -> Iterator[Reference]:
    nodes = [scenario.given.node] if scenario.given is not None else []
    yield from (one for node in (*nodes, *(each.value for each in scenario.when)) for one in _cards(node, declared))


def _cards(node: Node | None, declared: Declared) -> Iterator[Reference]:
    """Yield the cards that a scenario names: definitions, or their copies (`bell-2`)."""
    if isinstance(node, MappingNode):
        for entry in node.entries:
            yield from _cards(entry.value, declared)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _cards(item, declared)
    elif isinstance(node, ScalarNode):
        for word in re.finditer(NAME, node.text):
            key = next((k for k in (word[0], re.sub(r"-\d+\Z", "", word[0])) if k in declared.definitions), None)
            if key is not None:
                yield Reference(f"definition/{key}", node.span_of(word.start(), word.end()))


def _preferred(bot: BotDocument, declared: Declared) -> Iterator[Reference]:
    """Yield the cards and other definitions that a bot prefers; for menus, only after the name of the option."""
    for item in (item for answer in bot.answers for item in answer.prefer):
        begin = item.text.find(":") + 1
        for found in _cards(item, declared):
            if found.span.column >= item.span_of(begin, begin).column:
                yield found


def _shown(layout: LayoutDocument, declared: Declared) -> Iterator[Reference]:
    for item in (item for group in layout.groups for item in group.show):
        yield from _owned(item if isinstance(item, ScalarNode) else item.key, declared)
    yield from (one for name in layout.hidden for one in _owned(name, declared))


def _faced(face: FaceDocument, declared: Declared) -> Iterator[Reference]:
    """Yield the kind of a face, and the fields and definitions that it names."""
    yield Reference(f"kind/{face.key}", face.span)
    kind = declared.kinds.get(face.key)
    fields = (*kind.fields, *kind.expressions) if kind is not None else ()
    corners = face.corners.entries if isinstance(face.corners, MappingNode) else ()
    groups = (node for node in (face.colours, face.picture) if isinstance(node, MappingNode))
    keys = [one.key for one in face.symbols] + [one.key for node in groups for one in node.entries]
    for name in (*(one.value for one in corners if isinstance(one.value, ScalarNode)), *keys):
        sort = f"field/{face.key}." if name.text in fields else "definition/"
        yield Reference(f"{sort}{name.text}", name.span)
    named = [*((one.key, one.value) for one in face.symbols)]
    named += [(one.key, one.value) for one in face.colours.entries] if isinstance(face.colours, MappingNode) else []
    for key, value in named:
        field = kind.fields.get(key.text) if kind is not None else None
        if field is not None and isinstance(value, MappingNode):
            yield from _names(tuple(one.key for one in value.entries), field.type.of)


def _expected(expect: Expect, declared: Declared) -> Iterator[Reference]:
    """Yield the options, kinds, and definitions of which an expectation speaks."""
    yield from (Reference(f"option/{one.key.text}", one.key.span) for one in expect.options)
    shares = (*expect.offered_in_games, *expect.chosen_when_offered, *expect.ignore)
    for name in (*(one.key for one in shares), *expect.none_stands_out):
        yield Reference(name.text if "/" in name.text else f"kind/{name.text}", name.span)


def _owned(name: ScalarNode, declared: Declared) -> Iterator[Reference]:
    groups = (
        ("zone", declared.zones),
        ("track", declared.tracks),
        ("list", declared.lists),
        ("function", declared.functions),
    )
    yield from (Reference(f"{sort}/{name.text}", name.span) for sort, group in groups if name.text in group)


def _names(value: ScalarNode | tuple[ScalarNode, ...], sort: str) -> Iterator[Reference]:
    yield from (Reference(f"{sort}/{one.text}", one.span) for one in _all(value))


def _types(value: Any, declared: Declared) -> Iterator[Reference]:
    """Yield the kinds and enumerations that types name."""
    for item in _all(value):
        for word in re.finditer(NAME, item.text):
            yield from _type(word[0], item.span_of(word.start(), word.end()), declared)


def _all(value: Any) -> Iterator[ScalarNode]:
    """Yield the words in a field."""
    for one in value if isinstance(value, tuple) else (value,):
        yield one.value if isinstance(one, Keyed) else one


def _type(word: str, span: Span, declared: Declared) -> Iterator[Reference]:
    if word in declared.kinds:
        yield Reference(f"kind/{word}", span)
    elif word in declared.enumerations:
        yield Reference(f"enumeration/{word}", span)


def _holes(verb: VerbDocument, declared: Declared) -> Iterator[Reference]:
    """Yield the types of a sentence's holes: `<name type>`."""
    sentence = verb.node.entries[0].value
    assert isinstance(sentence, ScalarNode)
    for hole in re.finditer(r"<[^<>\s]+\s+([^<>]+)>", sentence.text):
        for word in re.finditer(NAME, hole[1]):
            start = hole.start(1) + word.start()
            yield from _type(word[0], sentence.span_of(start, start + len(word[0])), declared)


def _scalars(node: Node) -> tuple[ScalarNode, ...]:
    items = node.items if isinstance(node, SequenceNode) else (node,)
    return tuple(one for one in items if isinstance(one, ScalarNode))


_MORE: dict[type[Declaring], Callable[[Any, Declared], Iterator[Reference]]] = {
    VerbDocument: _holes,
    Modifier: _changed,
    LayoutDocument: _shown,
    FaceDocument: _faced,
    BotDocument: _preferred,
    ScenarioDocument: _of_scenario,
    Expect: _expected,
}
"""References in the special syntax of some kinds of documents."""
