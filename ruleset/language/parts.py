"""The parts of an effect: blocks `part LABEL:`, which house rules can change by their name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import attrs
from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_effect
from rulewright.ruleset.language.syntax_errors import Mistake

WORD = "part"


@frozen(repr=False)
class Part(Record):
    """A part: its label, and the range of its sentences in the effect."""

    label: s.Name
    start: int
    end: int


@lru_cache(maxsize=256)
def parts_of(effect: str) -> tuple[Part, ...]:
    """Return the parts of an effect, in their order; none if it has a mistake."""
    if f"{WORD} " not in effect:
        return ()
    tree = parse_effect(effect)
    return () if isinstance(tree, Mistake) else tuple(parts_in(tree))


def parts_in(tree: Any) -> Iterator[Part]:
    """Yield the parts in a tree."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from parts_in(item)
    elif isinstance(tree, s.Node):
        label = label_of(tree)
        if label is not None and isinstance(tree, s.PhraseBlock) and tree.body:
            yield Part(label, tree.body[0].start, tree.body[-1].end)
        for one in attrs.fields(type(tree)):
            yield from parts_in(getattr(tree, one.name))


def label_of(node: s.Node) -> s.Name | None:
    """Return the label of a part; None for anything else."""
    if not isinstance(node, s.PhraseBlock) or len(node.phrase.items) != 2:
        return None
    word, label = node.phrase.items
    if isinstance(word, s.Name) and word.text == WORD and isinstance(label, s.Name):
        return label
    return None


def sentences_of(effect: str, part: Part) -> str:
    """Return the sentences of a part as an effect of their own, without their indentation."""
    line = effect.rfind("\n", 0, part.start) + 1
    indent = effect[line : part.start]
    text = effect[part.start : part.end]
    if indent.strip():  # on the line of the label
        return text
    return "\n".join(row.removeprefix(indent) for row in text.split("\n"))
