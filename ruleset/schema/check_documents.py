"""Check the shape of documents and split them into good and faulty ones, with findings.

The shapes are the schemas in `schemas`, one for each first key that the kernel knows. Documents of the pack's own
kinds pass: `declare.kind_schemas` checks them once the kinds are declared. Sections are split by entry, so
that a faulty zone does not affect other zones.

Invariant: a good document has its shape, if necessary after correction of misspelt keys; a faulty document tells
which names its author meant to declare.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.documents.kinds import SECTIONS, SINGLES
from rulewright.ruleset.schema.explain import check_spelling
from rulewright.ruleset.schema.registry import inline, inlined
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import Document

KERNEL = ("pack", *SECTIONS, *SINGLES)
"""The first keys of all documents except definitions of a pack's own kinds."""

Checked = tuple[tuple[Document, ...], tuple[Document, ...], tuple[Diagnostic, ...]]


def check_shapes(documents: Iterable[Document]) -> Checked:
    """Return the good documents, the faulty documents, and the findings."""
    good: list[Document] = []
    faulty: list[Document] = []
    found: list[Diagnostic] = []
    no_findings: tuple[Diagnostic, ...] = ()
    for one in documents:
        document, findings = one, no_findings
        if one.kind in KERNEL:
            spelt = check_spelling(one, inlined(one.kind))
            document, findings = spelt.document, spelt.others
            found.extend((*spelt.keys, *findings))
        if not findings:
            good.append(document)
        elif document.kind in SINGLES:
            faulty.append(document)
        else:
            right, wrong = _divided(document, {finding.span for finding in findings})
            good.append(right)
            faulty.append(wrong)
    return tuple(good), tuple(faulty), tuple(found)


def check_body(key: str, node: Node) -> tuple[Diagnostic, ...]:
    """Return the findings of the shape of an effect that is written under a key of a change."""
    root = MappingNode((MappingEntry(ScalarNode(key, key, node.span), node),), node.span)
    if isinstance(node, ScalarNode):
        return ()
    found = check_spelling(Document(node.span.path, root, "change", node.span), _body_schema(key))
    return (*found.keys, *found.others)


@cache
def _body_schema(key: str) -> dict[str, Any]:
    return inline({"type": "object", "properties": {key: {"$ref": "step.schema.json#/$defs/body"}}})


def spelt(document: Document) -> Document:
    """Correct misspelt keys of a `pack` document, so that its references to other packs can be read."""
    if document.kind != "pack":
        return document
    return check_spelling(document, inlined("pack")).document


def sound(entries: Iterable[MappingEntry], places: set[Span]) -> tuple[MappingEntry, ...]:
    """Return the entries that contain none of the places. An alias's contents are in every entry that uses it."""
    return tuple(entry for entry in entries if not places.intersection(_places(entry)))


def _divided(document: Document, places: set[Span]) -> tuple[Document, Document]:
    """Split a document of sections into its correct and its faulty entries."""
    right: list[MappingEntry] = []
    wrong: list[MappingEntry] = []
    for entry in document.root.entries:
        section = entry.key.text in SECTIONS
        if section and document.kind in SECTIONS and entry.key.text != document.kind:
            wrong.append(entry)  # a second section in a document: its contents have not been checked
        elif section and isinstance(entry.value, MappingNode):
            kept = sound(entry.value.entries, places)
            rest = tuple(one for one in entry.value.entries if one not in kept)
            right.append(evolve(entry, value=MappingNode(kept, entry.value.span)))
            if rest:
                wrong.append(evolve(entry, value=MappingNode(rest, entry.value.span)))
        elif entry is document.root.entries[0] or sound([entry], places):
            right.append(entry)
        else:
            wrong.append(entry)
    wrong = wrong or [document.root.entries[0]]
    return _with(document, right), _with(document, wrong)


def _with(document: Document, entries: list[MappingEntry]) -> Document:
    return evolve(document, root=MappingNode(tuple(entries), document.root.span))


def _places(entry: MappingEntry) -> Iterator[Span]:
    yield entry.key.span
    yield from _inside(entry.value)


def _inside(node: Node) -> Iterator[Span]:
    yield node.span
    if isinstance(node, MappingNode):
        for entry in node.entries:
            yield from _places(entry)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _inside(item)
