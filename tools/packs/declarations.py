"""What a pack declares, one by one: its id, where it stands, the node that says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve, field, frozen

from ruleset.common.span import Span
from ruleset.declare.declarations import Declared
from ruleset.source.document_kinds import SECTIONS, SINGLES, SORTS
from ruleset.source.reader import Document, Entry, Node, Scalar, Sequence
from ruleset.source.reader import Mapping as Block


@frozen
class Declaration:
    """`id` is `SORT/KEY`, such as `zone/hand`, or with a kind of the pack for the sort: `charm/bell`.

    `node` is its body, for a document all of it; `span` its name, `whole` all that belongs to it. `inner`: it is a
    part of another declaration (a step, a member of an enumeration). `made`: a component makes this definition,
    with these `values` of its fields.
    """

    sort: str
    key: str
    span: Span
    whole: Span
    node: Node
    inner: bool = False
    made: bool = False
    values: tuple[tuple[str, str], ...] = ()

    @property
    def id(self) -> str:
        return f"{self.sort}/{self.key}"

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What its body says, without its name."""
        if not isinstance(self.node, Block):
            return ()
        named = self.node.entries and self.node.entries[0].value.span == self.span
        return self.node.entries[1:] if named else self.node.entries


@frozen
class Declarations:
    """All of a pack, in the order of its files."""

    items: tuple[Declaration, ...]
    by_id: Mapping[str, Declaration] = field(init=False)

    @by_id.default
    def _index(self) -> dict[str, Declaration]:
        return {item.id: item for item in reversed(self.items)}

    def around(self, span: Span) -> Declaration | None:
        """The innermost declaration that a place belongs to."""
        found = [item for item in reversed(self.items) if span.within(item.whole) and not item.made]
        return min(found, key=lambda item: _size(item.whole), default=None)

    def part(self, item: Declaration, span: Span) -> str:
        """The key of a declaration's body under which a place stands; nothing for its name."""
        for entry in item.entries:
            if span.within(entry.key.span) or span.within(entry.value.span):
                return entry.key.text
        return ""


def declarations(documents: tuple[Document, ...], declared: Declared) -> Declarations:
    """The declarations of the documents of a pack."""
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
    root, first = document.root, document.root.entries[0]
    if document.kind == "pack" or document.kind in SECTIONS:
        if document.kind == "pack" and isinstance(first.value, Scalar):
            yield Declaration("pack", first.value.text, first.value.span, root.span, root)
        for entry in root.entries:
            if entry.key.text in SECTIONS and isinstance(entry.value, Block):
                yield from _section(entry.key.text, entry.value)
        return
    if not isinstance(first.value, Scalar):
        return
    name, span = first.value.text, first.value.span
    if document.kind == "verb":
        key = next((verb.key for verb in declared.verbs.values() if verb.span == span), name)
        yield Declaration("verb", key, span, root.span, root)
        yield from _steps(root.get("do"), key)
    elif document.kind in SINGLES:
        yield Declaration(document.kind, name, span, root.span, root)
        for part in ("steps", "do"):
            yield from _steps(root.get(part), name)
    elif document.kind in declared.kinds:
        yield Declaration(document.kind, name, span, root.span, root)
        for effect in declared.kinds[document.kind].effects:
            yield from _steps(root.get(effect), f"{name}.{effect}")


def _section(section: str, body: Block) -> Iterator[Declaration]:
    for entry in body.entries:
        whole = _joined(entry.key.span, entry.value.span)
        yield Declaration(SORTS[section], entry.key.text, entry.key.span, whole, entry.value)
        if section == "enumerations":
            yield from _members(entry)


def _members(entry: Entry) -> Iterator[Declaration]:
    if isinstance(entry.value, Sequence):
        for item in entry.value.items:
            if isinstance(item, Scalar):
                yield Declaration(entry.key.text, item.text, item.span, item.span, item, True)
    elif isinstance(entry.value, Block):
        for member in entry.value.entries:
            whole = _joined(member.key.span, member.value.span)
            yield Declaration(entry.key.text, member.key.text, member.key.span, whole, member.value, True)


def _steps(node: Node | None, prefix: str) -> Iterator[Declaration]:
    """The steps that have an id, named as hooks name them."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _steps(item, prefix)
    if not isinstance(node, Block):
        return
    name = node.get("id")
    if isinstance(name, Scalar):
        prefix = f"{prefix}.{name.text}"
        yield Declaration("step", prefix, name.span, node.span, node, True)
    for part in ("steps", "do"):
        yield from _steps(node.get(part), prefix)
    options = node.get("options")
    for entry in options.entries if isinstance(options, Block) else ():
        does = entry.value.get("do") if isinstance(entry.value, Block) else entry.value
        yield from _steps(does, f"{prefix}.{entry.key.text}")


def _joined(start: Span, end: Span) -> Span:
    return Span(start.path, start.line, start.column, end.end_line, end.end_column)


def _size(span: Span) -> tuple[int, int]:
    lines = span.end_line - span.line
    return lines, span.end_column - span.column if not lines else 0
