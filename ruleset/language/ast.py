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
class Node(Record):
    """A part of a string. Its `repr` omits the range, so that equal meanings look equal."""

    start: int
    end: int

    def __repr__(self) -> str:
        names = [one.name for one in fields(type(self)) if one.name not in ("start", "end", "said")]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


# ------------------------------------------------------------------ expressions

@frozen(repr=False)
class Number(Node):
    value: int


@frozen(repr=False)
class Name(Node):
    """A word. `said` is the original spelling if the pack's name was prepended (`compose.namespaces`)."""

    text: str
    said: str = ""

    @property
    def word(self) -> str:
        return self.said or self.text


@frozen(repr=False)
class Of(Node):
    """`owner's name`; `your name` has the name `you` as its owner."""

    owner: Expression
    name: Name


@frozen(repr=False)
class At(Node):
    """`base[index]`."""

    base: Expression
    index: Expression


@frozen(repr=False)
class CallOf(Node):
    """`name(arguments)`."""

    name: Name
    arguments: tuple[Expression, ...]


@frozen(repr=False)
class Arithmetic(Node):
    op: Literal["+", "-", "*", "div", "mod"]
    left: Expression
    right: Expression


@frozen(repr=False)
class Comparison(Node):
    """A comparison. `has no` and `not in` are negated `has` and `in`; `is empty` has no right side."""

    op: Literal["<", "<=", ">", ">=", "is", "in", "has", "empty"]
    left: Expression
    right: Expression | None
    negated: bool


@frozen(repr=False)
class Logic(Node):
    op: Literal["and", "or"]
    left: Expression
    right: Expression


@frozen(repr=False)
class Negation(Node):
    operand: Expression


@frozen(repr=False)
class Where(Node):
    """`base where condition`: the members that satisfy the condition."""

    base: Expression
    condition: Expression


@frozen(repr=False)
class WithExtreme(Node):
    """`base with most key` or `base with fewest key`: all members that tie for it."""

    base: Expression
    key: Expression
    lowest: bool


@frozen(repr=False)
class Quantified(Node):
    """`any x in base where condition` or `no x in ...`."""

    word: Literal["any", "no"]
    name: Name
    base: Expression
    condition: Expression | None


@frozen(repr=False)
class TotalOver(Node):
    body: Expression
    base: Expression


@frozen(repr=False)
class HighestOver(Node):
    body: Expression
    base: Expression
    lowest: bool


@frozen(repr=False)
class EndOf(Node):
    """`top 2 of deck`, `first of arrivals`; one item without a count, a list with one."""

    word: Literal["top", "bottom", "first", "last"]
    count: Expression | None
    base: Expression


@frozen(repr=False)
class Every(Node):
    """`every charm`: all definitions of a kind."""

    kind: Name


@frozen(repr=False)
class Range(Node):
    """`low to high`: the whole numbers from one to the other, both included."""

    low: Expression
    high: Expression


@frozen(repr=False)
class AnyNumber(Node):
    """`any number of`, in a sentence."""


Expression = (
    Number
    | Name
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
    | Range
    | AnyNumber
)


def ranged(low: Expression, high: Expression, condition: Expression | None) -> Range | Where:
    """Return a range, or its members that satisfy the condition."""
    every = Range(low.start, high.end, low, high)
    return Where(low.start, condition.end, every, condition) if condition is not None else every


# ------------------------------------------------------------------ statements

@frozen(repr=False)
class Phrase(Node):
    """A sentence: its items, `with a = b, ...` and `as name`. The checker determines the verb.

    `adverb` says how it is carried out (`in secret`), or is empty.
    """

    items: tuple[Expression, ...]
    given: tuple[tuple[Name, Expression], ...]
    result: Name | None
    adverb: str = ""


@frozen(repr=False)
class Let(Node):
    name: Name
    value: Expression


@frozen(repr=False)
class Assignment(Node):
    target: Expression
    op: Literal["=", "+=", "-="]
    value: Expression


@frozen(repr=False)
class IfElseBlock(Node):
    """`if`, any number of `else if`, and `else`."""

    cases: tuple[tuple[Expression, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]


@frozen(repr=False)
class EachBlock(Node):
    name: Name
    base: Expression
    body: tuple[Statement, ...]


@frozen(repr=False)
class RepeatBlock(Node):
    times: Expression | None
    condition: Expression | None
    body: tuple[Statement, ...]


@frozen(repr=False)
class PhraseBlock(Node):
    """A sentence with a block: `may pay:`, or `choose one:` and the options in it."""

    phrase: Phrase
    condition: Expression | None
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] | None


Statement = Phrase | Let | Assignment | IfElseBlock | EachBlock | RepeatBlock | PhraseBlock

# ------------------------------------------------------------------ patterns of verbs

@frozen(repr=False)
class Word(Node):
    """A literal word; `forms` are the spellings that match: `card(s)` matches card and cards."""

    text: str
    forms: tuple[str, ...]


@frozen(repr=False)
class Hole(Node):
    """`<name: type>`; the type is number by default."""

    name: str
    type: str


Part = Word | Hole


# ---- Rename (see `compose.namespaces`) and find names in trees of the effect language

def named_anew(node: Any, names: Mapping[str, str]) -> Any:
    """Rename the names in a tree; words of sentences are unchanged."""
    if isinstance(node, tuple):
        return tuple(named_anew(item, names) for item in node)
    if isinstance(node, Name):
        return evolve(node, text=names[node.text], said=node.text) if node.text in names else node
    if not isinstance(node, Node):
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
        elif isinstance(node, Node):
            given = node.name if isinstance(node, Let) else node.result if isinstance(node, Phrase) else None
            found.update([given.text] if given is not None else [])
            todo.extend(getattr(node, one.name) for one in attrs.fields(type(node)))
    return frozenset(found)


class NamesSaid:
    """An index of the names in a tree of the effect language, built on first use."""

    def __init__(self, tree: tuple[Node, ...]) -> None:
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
            elif isinstance(node, Name):
                found.setdefault(node.text, []).append(node.start)
            elif isinstance(node, Node):
                todo.extend(getattr(node, one.name) for one in attrs.fields(type(node)))
        for places in found.values():
            places.sort()
        return found
