"""What names mean at a place of a body: variables, `you`, the member under discussion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from attrs import define, evolve, field, frozen
from attrs.setters import frozen as frozen_attribute

from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.language.ast_rename import NamesSaid
from ruleset.language.types import Type
from ruleset.program import nodes as p
from ruleset.program.inside import Inside, labels_left
from ruleset.source.reader import Scalar
from ruleset.table import nodes as t

Original = Callable[[], "tuple[tuple[t.Stmt, ...], Scope]"]
"""Makes the code of sentences that others stand around. The scope has the names that the sentences surely give."""


@frozen(repr=False)
class Value(Record):
    """A checked expression.

    `node` gives a number (`t.Expr`) or, when `type.many` or the type is a zone read as its cards, a list.
    `maybe`: it may be none. `place`: where a card was when it was referred to. `zone`: the number of the zone.
    `target`: what `=` would set. `noun`: the plural or kind that a bare word is.
    """

    node: t.Expr | t.List
    type: Type
    maybe: bool = False
    place: t.Expr | None = None
    variable: int | None = None
    zone: t.Expr | None = None
    zone_key: str = ""
    target: Target | None = None
    effectful: str = ""
    """A pile that refills itself and whose end is read: reading it may shuffle."""


@frozen(repr=False)
class Target(Record):
    category: Literal["track", "list"]
    key: str
    indices: tuple[t.Expr, ...]
    """One for each scope, in their order; a placeholder where `holes` has its number."""
    missing: tuple[str, ...] = ()
    """Scopes that still want an index."""
    holes: tuple[int, ...] = ()
    """The numbers of these scopes."""


@frozen(repr=False)
class Bound(Record):
    """A local name. `place` is the variable that remembers where a card was."""

    variable: int
    type: Type
    maybe: bool = False
    place: int | None = None
    still: t.Expr | None = None


@frozen(repr=False)
class Introduced(Record):
    """A name that a sentence gives: the unit and the variable; whether the sentence is pointless without it."""

    unit: str
    variable: int
    word: str
    span: Span
    needed: bool


@frozen(repr=False)
class Member(Record):
    """`it`, inside a filter: a variable of some type; `kinds` are the kinds a card can be of.

    `named`: it has a name of its own; `outer` is the member of the filter around this one. `leads`: a bare word is
    the member's before it is yours, as in `players with most coins`.
    """

    variable: int
    type: Type
    kinds: tuple[str, ...]
    named: bool = False
    outer: Member | None = None
    leads: bool = False


@frozen(repr=False)
class Text(Record):
    """A string being checked, or the part of it that begins at `offset`."""

    scalar: Scalar
    offset: int = 0
    said: NamesSaid = field(default=NamesSaid(()), eq=False)
    """The names that stand in its effect."""

    def span(self, start: int, end: int) -> Span:
        return self.scalar.span_of(start + self.offset, end + self.offset)

    def says(self, start: int, end: int) -> str:
        """The author's own words."""
        return self.scalar.text[start + self.offset : end + self.offset]

    def before(self, start: int) -> str:
        """The text up to a place."""
        return self.scalar.text[: start + self.offset]


@define(eq=False, repr=False)
class Unit(Record):
    """A unit under construction: its variables and the choice ids it has given out."""

    key: str
    variables: list[p.Variable] = field(factory=list, init=False)
    choices: dict[str, int] = field(factory=dict, init=False)
    labels: int = field(default=0, init=False)
    left: Inside[int] = field(factory=lambda: Inside(labels_left), init=False, on_setattr=frozen_attribute)
    """The labels of the blocks that are left somewhere in code of this unit."""
    speaking: dict[t.Expr, Inside[bool]] = field(factory=dict, init=False, on_setattr=frozen_attribute)
    """Where code of this unit speaks of a seat."""

    def variable(self, name: str, type_: Type, many: bool = False) -> int:
        self.variables.append(p.Variable(name, type_.one, many))
        return len(self.variables) - 1

    def label(self) -> int:
        self.labels += 1
        return self.labels

    def speaks(self, code: Sequence[t.Stmt], seat: t.Expr) -> bool:
        """Whether something in a piece of code speaks of a seat."""
        if seat not in self.speaking:
            self.speaking[seat] = Inside(lambda node: (True,) if node == seat else ())
        return bool(self.speaking[seat].among(code))

    def choice(self, name: str, prefix: str = "") -> str:
        """A choice id that no other choice of this unit has."""
        key = f"{prefix or self.key}.{name}"
        seen = self.choices[key] = self.choices.get(key, 0) + 1
        return key if seen == 1 else f"{key}-{seen}"


@frozen(repr=False)
class Scope(Record):
    """Immutable: an inner scope is a copy with more in it.

    `you` is the acting seat; `subject` is set while the arguments of a sentence about somebody else are read.
    `exits` are the constructs that `end` can leave, by their words.
    """

    unit: Unit
    names: dict[str, Bound] = field(factory=dict)
    you: t.Expr | None = None
    member: Member | None = None
    subject: str = ""
    prefix: str = ""
    exits: dict[str, int] = field(factory=dict)
    reading: bool = True
    """Whether effects are forbidden here."""
    lost: frozenset[str] = frozenset()
    """Names that sentences before would have given, had they been understood: whoever uses one is not reported."""
    original: tuple[Span, Original] | None = None
    """What `proceed` does, in sentences that a pack put around others: their place, and the code of the others."""
    inside: frozenset[str] = frozenset()
    """In what a pack put before, after or around sentences: the names that those give, anywhere in them."""
    lent: frozenset[str] = frozenset()
    """Those of `inside` that are known here, since the sentences have been done and surely gave them."""

    def bind(self, name: str, bound: Bound) -> Scope:
        return evolve(self, names={**self.names, name: bound}, lent=self.lent - {name})

    def to_read(self, reading: bool = True) -> Scope:
        """The scope in which effects are forbidden, or are not."""
        return self if self.reading == reading else evolve(self, reading=reading)

    def lend(self, given: Scope) -> Scope:
        """The scope after sentences that give names. What already has a meaning here keeps it."""
        new = {name: bound for name, bound in given.names.items() if name not in self.names}
        lost = (self.lost | given.lost) - self.names.keys()
        return evolve(self, names={**self.names, **new}, lent=self.lent | new.keys(), lost=lost)

    def losing(self, *names: str) -> Scope:
        """The scope after a sentence that would have given these names, and could not be understood."""
        return evolve(self, lost=self.lost | frozenset(names)) if names else self


@frozen(repr=False)
class Unread(Record):
    """Something of a body that has no code: where it is written, and the prefix of the choices made there."""

    span: Span
    place: str


@frozen(repr=False)
class Contribution(Record):
    """What a hook does at an anchor, or a modifier to what it changes; `word` says on which side of the anchor."""

    category: Literal["hook", "modifier"]
    place: str
    word: str
    span: Span
    code: tuple[t.Stmt, ...]
