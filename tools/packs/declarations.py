"""The declarations of a pack, one by one, with ids and places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Mapping as MappingOf
from typing import Any

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.kinds import KIND_OF, PACK, SECTIONS, SINGLES, DocumentKind, sections_of
from rulewright.ruleset.documents.play import BotDocument, Expect, FaceDocument, LayoutDocument, ScenarioDocument
from rulewright.ruleset.documents.reading import Declaring, Keyed, Several, Written, inside, parts
from rulewright.ruleset.documents.rules import ANCHOR, MOVE, Body, MenuOption, Modifier, Step, VerbDocument, body_of
from rulewright.ruleset.documents.sections import DefinitionDocument, EnumerationEntry
from rulewright.ruleset.language.types import NAME
from rulewright.ruleset.program.nodes import Field, Reference
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.reader import Document, read


@frozen
class Declaration:
    """A declaration. `id` is `SORT/KEY`, such as `zone/hand`, or with a kind of the pack as the sort: `charm/bell`.

    `node` is its body (the whole document, for a document), `says` its record, `span` the place of its name, and
    `whole` that of all its parts. `inner`: it is a part of another declaration (a step, a member of an
    enumeration). `made`: a component generates this definition, with these `values` of its fields.
    """

    sort: str
    key: str
    span: Span
    whole: Span
    node: Node
    says: Declaring | None = None
    inner: bool = False
    made: bool = False
    values: tuple[tuple[str, str], ...] = ()

    @property
    def id(self) -> str:
        return f"{self.sort}/{self.key}"

    @property
    def entries(self) -> tuple[MappingEntry, ...]:
        """The entries of its body, without its name."""
        if not isinstance(self.node, Block):
            return ()
        named = self.node.entries and self.node.entries[0].value.span == self.span
        return self.node.entries[1:] if named else self.node.entries


@frozen
class PackDeclarations:
    """All declarations of a pack, in the order of its files."""

    items: tuple[Declaration, ...]
    by_id: Mapping[str, Declaration] = field(init=False)

    @by_id.default
    def _index(self) -> dict[str, Declaration]:
        return {item.id: item for item in reversed(self.items)}

    def around(self, span: Span) -> Declaration | None:
        """Return the innermost declaration around a place."""
        found = [item for item in reversed(self.items) if span.within(item.whole) and not item.made]
        return min(found, key=lambda item: _size(item.whole), default=None)

    def part(self, item: Declaration, span: Span) -> str:
        """Return the key of a declaration's body around a place; "" for its name."""
        for entry in item.entries:
            if span.within(entry.key.span) or span.within(entry.value.span):
                return entry.key.text
        return ""


def declarations(documents: tuple[Document, ...], declared: Declared) -> PackDeclarations:
    """Return the declarations in the documents of a pack."""
    found: list[Declaration] = []
    for document in documents:
        found.extend(_of(document, declared))
    components = {item.span: item for item in found if item.sort == "component"}
    for definition in declared.definitions.values():
        component = components.get(definition.span)
        if component is not None:
            kind = definition.kind
            values = tuple((name, _made(declared, kind, name, number)) for name, number in definition.made)
            found.append(evolve(component, sort=kind, key=definition.key, made=True, values=values))
    return PackDeclarations(tuple(found))


def _made(declared: Declared, kind: str, name: str, number: int) -> str:
    type_ = declared.kinds[kind].fields[name].type
    return declared.enumerations[type_.of][1][number] if type_.name == "enumeration" else str(number)


def _of(document: Document, declared: Declared) -> Iterator[Declaration]:
    root, kind, first = document.root, document.kind, document.root.entries[0].value
    if kind == PACK.key or kind in SECTIONS:
        if kind == PACK.key and isinstance(first, ScalarNode):
            yield _document(PACK.called, first.text, PACK.record.read(first, root))
        for section, entries in sections_of(root):
            for entry in entries.entries:
                yield from _entry(section, entry)
    elif isinstance(first, ScalarNode) and kind in SINGLES:
        says, name = KIND_OF[kind].record.read(first, root), first.text
        if kind == "verb":
            name = next((verb.key for verb in declared.verbs.values() if verb.span == first.span), name)
        yield _document(kind, name, says)
        for part in ("steps", "do"):
            yield from _steps(getattr(says, part, None), name)
    elif isinstance(first, ScalarNode) and kind in declared.kinds:
        yield _document(kind, first.text, DefinitionDocument.read(first, root))
        for entry in root.entries:
            if entry.key.text in declared.kinds[kind].effects:
                yield from _steps(body_of(entry.value), f"{first.text}.{entry.key.text}")


def _document(sort: str, key: str, says: Declaring) -> Declaration:
    return Declaration(sort, key, says.span, says.node.span, says.node, says)


def _entry(section: DocumentKind, entry: MappingEntry) -> Iterator[Declaration]:
    whole, says = _joined(entry.key.span, entry.value.span), section.record.read(entry.key, entry.value)
    yield Declaration(section.called, entry.key.text, entry.key.span, whole, entry.value, says)
    if isinstance(says, EnumerationEntry):
        for member in says.members:
            node = member.value if member.value is not None else member.key
            place = _joined(member.key.span, node.span)
            yield Declaration(entry.key.text, member.key.text, member.key.span, place, node, inner=True)


def _steps(body: Body | None, prefix: str) -> Iterator[Declaration]:
    """Yield the steps with an id, under the ids that hooks use."""
    if isinstance(body, Several):
        for item in body.items:
            yield from _steps(item, prefix)
    if not isinstance(body, Step):
        return
    if body.id is not None:
        prefix = f"{prefix}.{body.id.text}"
        yield Declaration("step", prefix, body.id.span, body.span, body.node, inner=True)
    for part in (body.steps, body.do):
        yield from _steps(part, prefix)
    for option in body.options.items if body.options is not None else ():
        does = option.value.do if isinstance(option.value, MenuOption) else option.value
        yield from _steps(does, f"{prefix}.{option.key.text}")


def _joined(start: Span, end: Span) -> Span:
    return Span(start.path, start.line, start.column, end.end_line, end.end_column)


def _size(span: Span) -> tuple[int, int]:
    lines = span.end_line - span.line
    return lines, span.end_column - span.column if not lines else 0


# ---- Find the documents about a declaration, also those that cannot be read

def documents_about(sources: Mapping[str, str], key: str) -> list[Span]:
    """Return the places of documents that name a key or id, from the first line to the last.

    They name it after their kind (`bell` in `charm: bell`), which may be unknown; changes name an id. A document
    that is not valid YAML may also name it as an entry of a section, or as a name for players.
    """
    word = rf"[\"']?(?<![\w-]){re.escape(key)}(?![\w-])[\"']?"
    ways = (rf"^[\w-]+:\s*{word}\s*(?:#.*)?$", rf"{word}\s*:(?=\s|$)", rf"\bname:.*{word}")
    named = re.compile("|".join(ways), re.MULTILINE | re.IGNORECASE)
    found: list[Span] = []
    for path, text in sources.items():
        reading, lines = read(path, text), text.replace("\r\n", "\n").replace("\r", "\n")
        for document in reading.documents:
            first = document.root.entries[0].value
            if isinstance(first, ScalarNode) and first.text == key:
                found.append(document.span)
        for unread in filter(named.search, reading.unread):
            line = lines.count("\n", 0, lines.index(unread)) + 1
            found.append(Span(path, line, 1, line + unread.count("\n"), len(unread.rpartition("\n")[2]) + 1))
    return found


# ---- References between declarations: those that the checker recorded, and those in plain YAML

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


def mentions(declared: Declared, items: PackDeclarations, checked: tuple[Reference, ...]) -> tuple[Mention, ...]:
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


def _meant(what: str, declared: Declared, items: PackDeclarations) -> tuple[Declaration, str] | None:
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
