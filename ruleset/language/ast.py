"""Syntax trees of the effect language, independent of the parser.

Every node has the half-open range of characters, `start` to `end`, of its string.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, Literal

import attrs
from attrs import evolve, fields, frozen

from rulewright.ruleset.common.record import Record


@frozen(repr=False)
class SyntaxNode(Record):
    """A part of a string. Its `repr` omits the range, so that equal meanings look equal."""

    start: int
    end: int

    def __repr__(self) -> str:
        names = [one.name for one in fields(type(self)) if one.name not in ("start", "end", "said")]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


# ------------------------------------------------------------------ expressions

@frozen(repr=False)
class NumberNode(SyntaxNode):
    value: int


@frozen(repr=False)
class NameNode(SyntaxNode):
    """A word. `said` is the original spelling if the pack's name was prepended (`compose.namespaces`)."""

    text: str
    said: str = ""

    @property
    def word(self) -> str:
        return self.said or self.text


@frozen(repr=False)
class Of(SyntaxNode):
    """`owner's name`; `your name` has the name `you` as its owner."""

    owner: Expression
    name: NameNode


@frozen(repr=False)
class At(SyntaxNode):
    """`base[index]`."""

    base: Expression
    index: Expression


@frozen(repr=False)
class CallOf(SyntaxNode):
    """`name(arguments)`."""

    name: NameNode
    arguments: tuple[Expression, ...]


@frozen(repr=False)
class Arithmetic(SyntaxNode):
    op: Literal["+", "-", "*", "div", "mod"]
    left: Expression
    right: Expression


@frozen(repr=False)
class Comparison(SyntaxNode):
    """A comparison. `has no` and `not in` are negated `has` and `in`; `is empty` has no right side."""

    op: Literal["<", "<=", ">", ">=", "is", "in", "has", "empty"]
    left: Expression
    right: Expression | None
    negated: bool


@frozen(repr=False)
class Logic(SyntaxNode):
    op: Literal["and", "or"]
    left: Expression
    right: Expression


@frozen(repr=False)
class Negation(SyntaxNode):
    operand: Expression


@frozen(repr=False)
class Where(SyntaxNode):
    """`base where condition`: the members that satisfy the condition."""

    base: Expression
    condition: Expression


@frozen(repr=False)
class WithExtreme(SyntaxNode):
    """`base with most key` or `base with fewest key`: all members that tie for it."""

    base: Expression
    key: Expression
    lowest: bool


@frozen(repr=False)
class Quantified(SyntaxNode):
    """`any x in base where condition` or `no x in ...`."""

    word: Literal["any", "no"]
    name: NameNode
    base: Expression
    condition: Expression | None


@frozen(repr=False)
class TotalOver(SyntaxNode):
    body: Expression
    base: Expression


@frozen(repr=False)
class HighestOver(SyntaxNode):
    body: Expression
    base: Expression
    lowest: bool


@frozen(repr=False)
class EndOf(SyntaxNode):
    """`top 2 of deck`, `first of arrivals`; one item without a count, a list with one."""

    word: Literal["top", "bottom", "first", "last"]
    count: Expression | None
    base: Expression


@frozen(repr=False)
class Every(SyntaxNode):
    """`every charm`: all definitions of a kind."""

    kind: NameNode


@frozen(repr=False)
class RangeNode(SyntaxNode):
    """`low to high`: the whole numbers from one to the other, both included."""

    low: Expression
    high: Expression


@frozen(repr=False)
class AnyNumber(SyntaxNode):
    """`any number of`, in a sentence."""


Expression = (
    NumberNode
    | NameNode
    | Of
    | At
    | CallOf
    | Arithmetic
    | Comparison
    | Logic
    | Negation
    | Where
    | WithExtreme
    | Quantified
    | TotalOver
    | HighestOver
    | EndOf
    | Every
    | RangeNode
    | AnyNumber
)


def ranged(low: Expression, high: Expression, condition: Expression | None) -> RangeNode | Where:
    """Return a range, or its members that satisfy the condition."""
    every = RangeNode(low.start, high.end, low, high)
    return Where(low.start, condition.end, every, condition) if condition is not None else every


# ------------------------------------------------------------------ statements

@frozen(repr=False)
class Phrase(SyntaxNode):
    """A sentence: its items, `with a = b, ...` and `as name`. The checker determines the verb.

    `adverb` says how it is carried out (`in secret`), or is empty.
    """

    items: tuple[Expression, ...]
    given: tuple[tuple[NameNode, Expression], ...]
    result: NameNode | None
    adverb: str = ""


@frozen(repr=False)
class Let(SyntaxNode):
    name: NameNode
    value: Expression


@frozen(repr=False)
class Assignment(SyntaxNode):
    target: Expression
    op: Literal["=", "+=", "-="]
    value: Expression


@frozen(repr=False)
class IfElseBlock(SyntaxNode):
    """`if`, any number of `else if`, and `else`."""

    cases: tuple[tuple[Expression, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]


@frozen(repr=False)
class EachBlock(SyntaxNode):
    name: NameNode
    base: Expression
    body: tuple[Statement, ...]


@frozen(repr=False)
class RepeatBlock(SyntaxNode):
    times: Expression | None
    condition: Expression | None
    body: tuple[Statement, ...]


@frozen(repr=False)
class PhraseBlock(SyntaxNode):
    """A sentence with a block: `may pay:`, or `choose one:` and the options in it."""

    phrase: Phrase
    condition: Expression | None
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] | None


Statement = Phrase | Let | Assignment | IfElseBlock | EachBlock | RepeatBlock | PhraseBlock

# ------------------------------------------------------------------ patterns of verbs

@frozen(repr=False)
class WordNode(SyntaxNode):
    """A literal word; `forms` are the spellings that match: `card(s)` matches card and cards."""

    text: str
    forms: tuple[str, ...]


@frozen(repr=False)
class Hole(SyntaxNode):
    """`<name: type>`; the type is number by default."""

    name: str
    type: str


Part = WordNode | Hole


# ---- Rename (see `compose.namespaces`) and find names in trees of the effect language

def named_anew(node: Any, names: Mapping[str, str]) -> Any:
    """Rename the names in a tree; words of sentences are unchanged."""
    if isinstance(node, tuple):
        return tuple(named_anew(item, names) for item in node)
    if isinstance(node, NameNode):
        return evolve(node, text=names[node.text], said=node.text) if node.text in names else node
    if not isinstance(node, SyntaxNode):
        return node
    changes = {}
    for one in attrs.fields(type(node)):
        old = getattr(node, one.name)
        new = named_anew(old, names)
        if new is not old:
            changes[one.name] = new
    return evolve(node, **changes) if changes else node


def names_given(tree: Any) -> frozenset[str]:
    """Return the names that sentences bind with `as` or `let` anywhere in a tree."""
    found: set[str] = set()
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif isinstance(node, SyntaxNode):
            given = node.name if isinstance(node, Let) else node.result if isinstance(node, Phrase) else None
            found.update([given.text] if given is not None else [])
            todo.extend(getattr(node, one.name) for one in attrs.fields(type(node)))
    return frozenset(found)


class NamesSaid:
    """An index of the names in a tree of the effect language, built on first use."""

    def __init__(self, tree: tuple[SyntaxNode, ...]) -> None:
        self._tree = tree
        self._places: dict[str, list[int]] | None = None

    def between(self, word: str, start: int, end: int) -> bool:
        """Whether a name occurs in a range of the tree's string."""
        if self._places is None:
            self._places = self._found()
        places = self._places.get(word, [])
        next_ = bisect_left(places, start)
        return next_ < len(places) and places[next_] < end

    def _found(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        todo: list[Any] = [self._tree]
        while todo:
            node = todo.pop()
            if isinstance(node, tuple):
                todo.extend(node)
            elif isinstance(node, NameNode):
                found.setdefault(node.text, []).append(node.start)
            elif isinstance(node, SyntaxNode):
                todo.extend(getattr(node, one.name) for one in attrs.fields(type(node)))
        for places in found.values():
            places.sort()
        return found
