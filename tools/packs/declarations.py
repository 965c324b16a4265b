"""The declarations of a pack, one by one, with ids and places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.flow import Body, MenuOption, Step, body_of
from rulewright.ruleset.documents.kinds import KIND_OF, PACK, SECTIONS, SINGLES, DocumentKind, sections_of
from rulewright.ruleset.documents.reading import Declaring, Several
from rulewright.ruleset.documents.sections import DefinitionDocument, EnumerationEntry
from rulewright.ruleset.source.nodes import MappingEntry, Node, ScalarNode
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
class Declarations:
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


def declarations(documents: tuple[Document, ...], declared: Declared) -> Declarations:
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
    return Declarations(tuple(found))


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
