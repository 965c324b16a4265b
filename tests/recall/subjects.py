"""The shipped packs for planting mistakes: texts of files, documents, and declared names."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import Any

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.declare.kind_schemas import definition_schema
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.schema.check_documents import KERNEL
from rulewright.ruleset.schema.registry import inlined
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode
from rulewright.ruleset.source.reader import Document, read
from rulewright.tools.packs import loading as packs
from rulewright.tools.packs.declarations import PackDeclarations, declarations, mentions
from rulewright.tools.packs.discovery import shipped
from rulewright.tools.packs.pack_set import PackSet

TEXTS = ("name", "text", "source", "log", "prompts", "messages")
"""Keys whose values are for players and readers."""
APART = ("bot", "scenario")
"""Documents beside the rules."""


@frozen
class Source:
    """The text of one file, with the offsets of its lines."""

    path: str
    text: str
    starts: tuple[int, ...] = field(init=False)

    @starts.default
    def _starts(self) -> tuple[int, ...]:
        return (0, *(at + 1 for at, letter in enumerate(self.text) if letter == "\n"))

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column - 1

    def line(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def range(self, node: Node) -> tuple[int, int]:
        """The offsets of a node, without blank lines after it."""
        if isinstance(node, ScalarNode) and node.places is not None:
            start, end = node.places.start, node.places.end
        else:
            span = node.span
            start, end = self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)
        while end > start and self.text[end - 1] in " \n":
            end -= 1
        return start, end

    def in_flow(self, node: Node) -> bool:
        """Whether a mapping is written in braces, or a list in brackets."""
        return self.text[self.range(node)[0]] in "{["


@frozen
class Reference:
    """A word that names something: its sort (`zone`), what it names (`zone/hand`), and its offsets."""

    what: str
    path: str
    start: int
    end: int

    @property
    def sort(self) -> str:
        return self.what.partition("/")[0]


@frozen(eq=False)
class Subject:
    """One pack, with the packs that it needs."""

    name: str
    together: PackSet
    loaded: Loaded
    sources: dict[str, Source]
    documents: tuple[Document, ...]
    declarations: PackDeclarations
    references: tuple[Reference, ...]
    names: frozenset[str]
    """Every name of the pack and of the packs that it needs."""

    @cache  # noqa: B019  (subjects live as long as the process)
    def schema(self, kind: str) -> Any:
        """The JSON Schema of documents of a kind."""
        if kind in KERNEL:
            return inlined(kind)
        return definition_schema(self.loaded.declared, kind)

    def is_apart(self, path: str, line: int) -> bool:
        """Whether a place belongs to a bot or a scenario."""
        document = [one for one in self.documents if one.path == path and one.root.span.line <= line]
        return bool(document) and document[-1].kind in APART


@cache
def subject(name: str) -> Subject:
    """A shipped pack, read once."""
    together = packs.read_pack_set(str(shipped()[name]))
    loaded = packs.load_pack_set(together, playable=False)
    assert not loaded.findings, (name, loaded.findings)
    own = together.asked[0]
    sources = {path: Source(path, data.decode()) for path, data in own.files}
    documents = tuple(document for path, one in sources.items() for document in read(path, one.text).documents)
    items = declarations(loaded.composed.documents, loaded.declared)
    found: dict[tuple[str, int, int], Reference] = {}
    spans: list[tuple[str, Span]] = [(one.what, one.span) for one in loaded.references]
    spans += [(one.target.id, one.span) for one in mentions(loaded.declared, items, loaded.references)]
    for what, span in spans:
        if span.path not in sources:
            continue
        one = sources[span.path]
        start, end = one.offset(span.line, span.column), one.offset(span.end_line, span.end_column)
        found.setdefault((span.path, start, end), Reference(what, span.path, start, end))
    own_items = PackDeclarations(tuple(item for item in items.items if item.span.path in sources))
    return Subject(
        name, together, loaded, sources, documents, own_items, tuple(found.values()), _names(loaded, items)
    )


def names() -> tuple[str, ...]:
    """The shipped packs."""
    return tuple(shipped())


def _names(loaded: Loaded, items: PackDeclarations) -> frozenset[str]:
    declared = loaded.declared
    found = {item.key.rpartition(".")[2] for item in items.items}
    found |= {*declared.plurals, *declared.kinds, *declared.definitions}
    for kind in declared.kinds.values():
        found |= {kind.plural, *kind.fields, *kind.effects, *kind.expressions}
    return frozenset(found)


def mappings(node: Node) -> list[MappingNode]:
    """All mappings in a node, itself included."""
    if isinstance(node, ScalarNode):
        return []
    inner = node.items if not isinstance(node, MappingNode) else [entry.value for entry in node.entries]
    found = [node] if isinstance(node, MappingNode) else []
    return [*found, *(one for item in inner for one in mappings(item))]
