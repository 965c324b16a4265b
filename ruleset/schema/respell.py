"""Correct misspelt keys in documents.

A misspelling is reported where it is found. The corrected document needs no further findings: a misspelt section
declares its names, and a misspelt kind its definitions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.source.nodes import Entry, Node, Scalar, Sequence
from rulewright.ruleset.source.nodes import Mapping as Block
from rulewright.ruleset.source.reader import Document


def respelt(document: Document, meant: Mapping[Span, str]) -> Document:
    """Replace the keys at the given places."""
    root = _node(document.root, meant)
    assert isinstance(root, Block)
    return evolve(document, root=root, kind=root.entries[0].key.text)


def _node(node: Node, meant: Mapping[Span, str]) -> Node:
    if isinstance(node, Sequence):
        return evolve(node, items=tuple(_node(item, meant) for item in node.items))
    if isinstance(node, Scalar):
        return node
    return evolve(node, entries=tuple(_entry(entry, meant) for entry in node.entries))


def _entry(entry: Entry, meant: Mapping[Span, str]) -> Entry:
    word = meant.get(entry.key.span)
    key = entry.key if word is None else Scalar(word, word, entry.key.span, entry.key.style)
    return Entry(key, _node(entry.value, meant))


def known_kinds(
    documents: Iterable[Document], kernel: Iterable[str], kinds: Iterable[str], unread: Collection[str]
) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """Correct misspelt first keys, and report them.

    A document that has another known first key among its keys has its first line elsewhere, and is left alone; so
    is one whose kind occurs in an `unread` text, which may declare it.
    """
    first = frozenset((*kernel, *kinds))
    out: list[Document] = []
    found: list[Diagnostic] = []
    for document in documents:
        key = document.root.entries[0].key
        near = nearest(document.kind, first) if document.kind not in first else None
        declared = re.compile(rf"(?<![\w-]){re.escape(document.kind)}(?![\w-])")
        if near is None or first.intersection(document.root.keys()) or any(map(declared.search, unread)):
            out.append(document)
            continue
        found.append(Diagnostic("RW310", key.span, f"there is no kind `{key.text}`", f"did you mean `{near}`?"))
        out.append(respelt(document, {key.span: near}))
    return tuple(out), tuple(found)
