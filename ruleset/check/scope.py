"""The meaning of names at a point in a body: variables, `you`, and the member of a filter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from attrs import define, evolve, field, frozen
from attrs.setters import frozen as frozen_attribute

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.ast import NamesSaid
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Inside, labels_left, sources_announced
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t

Original = Callable[[], "tuple[tuple[t.Stmt, ...], Scope]"]
"""Builds the code of surrounded sentences. The returned scope has the names that they always give."""


@frozen(repr=False)
class CheckedExpression(Record):
    """A checked expression.

    `node` gives a number (`t.Expr`) or, if `type.many` or for a zone read as its cards, a list. `maybe`: it may be
    none. `place`: the place of a card when it was named. `zone`: the number of the zone. `target`: the target of
    `=`.
    """

    node: t.Expr | t.List
    type: Type
    maybe: bool = False
    place: t.Expr | None = None
    variable: int | None = None
    zone: t.Expr | None = None
    zone_key: str = ""
    target: AssignTarget | None = None
    effectful: str = ""
    """The key of a self-refilling pile whose end is read: reading may shuffle it."""


@frozen(repr=False)
class AssignTarget(Record):
    """A track or list that an assignment can set, or a field that needs an index."""

    category: Literal["track", "list", "field"]
    key: str
    indices: tuple[t.Expr, ...]
    """One for each scope, in order; a placeholder at the positions in `holes`."""
    missing: tuple[str, ...] = ()
    """Scopes that still need an index."""
    holes: tuple[int, ...] = ()
    """The positions of these scopes."""


@frozen(repr=False)
class Bound(Record):
    """A local name. `place` is the variable that holds the place of a card."""

    variable: int
    type: Type
    maybe: bool = False
    place: int | None = None
    still: t.Expr | None = None


@frozen(repr=False)
class Introduced(Record):
    """A name that a sentence gives: its unit and variable, and whether the sentence is pointless without it."""

    unit: str
    variable: int
    word: str
    span: Span
    needed: bool


@frozen(repr=False)
class FilterMember(Record):
    """`it` inside a filter: a typed variable; `kinds` are the possible kinds of a card.

    `named`: it has its own name. `outer` is the member of the enclosing filter. `leads`: a bare word refers to the
    member before it refers to the acting player, as in `players with most coins`.
    """

    variable: int
    type: Type
    kinds: tuple[str, ...]
    named: bool = False
    outer: FilterMember | None = None
    leads: bool = False


@frozen(repr=False)
class TextPart(Record):
    """The string being checked, or the part of it that begins at `offset`."""

    scalar: ScalarNode
    offset: int = 0
    said: NamesSaid = field(default=NamesSaid(()), eq=False)
    """The names that occur in its effect."""

    def span(self, start: int, end: int) -> Span:
        return self.scalar.span_of(start + self.offset, end + self.offset)

    def says(self, start: int, end: int) -> str:
        """Return the text of a range as the author wrote it."""
        return self.scalar.text[start + self.offset : end + self.offset]

    def before(self, start: int) -> str:
        """Return the text before a position."""
        return self.scalar.text[: start + self.offset]


@define(eq=False, repr=False)
class UnitDraft(Record):
    """A unit under construction: its variables and the choice ids that it has used."""

    key: str
    variables: list[p.Variable] = field(factory=list, init=False)
    choices: dict[str, int] = field(factory=dict, init=False)
    labels: int = field(default=0, init=False)
    left: Inside[int] = field(factory=lambda: Inside(labels_left), init=False, on_setattr=frozen_attribute)
    """The labels of the blocks that this unit's code leaves."""
    announced: Inside[int] = field(
        factory=lambda: Inside(sources_announced), init=False, on_setattr=frozen_attribute
    )
    """The sources of the messages that this unit's code announces."""
    speaking: dict[t.Expr, Inside[bool]] = field(factory=dict, init=False, on_setattr=frozen_attribute)
    """Caches of which code refers to a seat, by the expression of the seat."""

    def variable(self, name: str, type_: Type, many: bool = False) -> int:
        """Add a variable and return its number."""
        self.variables.append(p.Variable(name, type_.one, many))
        return len(self.variables) - 1

    def label(self) -> int:
        """Return a new label for a block."""
        self.labels += 1
        return self.labels

    def speaks(self, code: Sequence[t.Stmt], seat: t.Expr) -> bool:
        """Whether a piece of code refers to a seat."""
        if seat not in self.speaking:
            self.speaking[seat] = Inside(lambda node: (True,) if node == seat else ())
        return bool(self.speaking[seat].among(code))

    def choice(self, name: str, prefix: str = "") -> str:
        """Return a choice id that is unique in this unit."""
        key = f"{prefix or self.key}.{name}"
        seen = self.choices[key] = self.choices.get(key, 0) + 1
        return key if seen == 1 else f"{key}-{seen}"


@frozen(repr=False)
class Scope(Record):
    """The names known at a point. Immutable: an inner scope is a copy with additions.

    `you` is the acting seat. `subject` is set while the arguments of a sentence about another player are read.
    `exits` maps words of constructs that `end` can leave to their labels.
    """

    unit: UnitDraft
    names: dict[str, Bound] = field(factory=dict)
    you: t.Expr | None = None
    member: FilterMember | None = None
    own: FilterMember | None = None
    """In an expression of a definition: that definition, whose fields need no owner.

    If it `leads` (in a derived field), a word with another meaning is reported; else the other meaning counts.
    """
    subject: str = ""
    prefix: str = ""
    exits: dict[str, int] = field(factory=dict)
    reading: bool = True
    """Whether effects are forbidden here."""
    lost: frozenset[str] = frozenset()
    """Names from earlier sentences that could not be understood; uses of them are not reported."""
    original: tuple[Span, Original] | None = None
    """In sentences around others: their place, and the builder of the code that `proceed` runs."""
    inside: frozenset[str] = frozenset()
    """In code before, after, or around sentences: all names that those sentences give."""
    lent: frozenset[str] = frozenset()
    """Members of `inside` that are known here, because the sentences have run and always give them."""
    result: tuple[str, Bound] | None = None
    """In a verb with a result: its name, and the variable that holds it."""
    remembered: dict[str, CheckedExpression] = field(factory=dict)
    """In an effect of a definition: the values that its effects share, as targets of `=`."""
    lacking: dict[str, str] = field(factory=dict)
    """In a hook with several places: names that not all of them have, each with a known place that lacks it."""
    setting_up: bool = False
    """In the steps of a set-up, where hooks on movement do not apply."""
    proceeds: Callable[[], CheckedExpression | None] | None = None
    """In an expression around another: reads the other one, which `proceed` stands for."""

    def bind(self, name: str, bound: Bound) -> Scope:
        """Return the scope with one more local name."""
        return evolve(self, names={**self.names, name: bound}, lent=self.lent - {name})

    def to_read(self, reading: bool = True) -> Scope:
        """Return the scope with effects forbidden or allowed."""
        return self if self.reading == reading else evolve(self, reading=reading)

    def lend(self, given: Scope) -> Scope:
        """Add the names that finished sentences give. Names already known here keep their meaning."""
        new = {name: bound for name, bound in given.names.items() if name not in self.names}
        lost = (self.lost | given.lost) - self.names.keys()
        return evolve(self, names={**self.names, **new}, lent=self.lent | new.keys(), lost=lost)

    def losing(self, *names: str) -> Scope:
        """Add names that a sentence would have given if it had been understood."""
        return evolve(self, lost=self.lost | frozenset(names)) if names else self


@frozen(repr=False)
class Unread(Record):
    """A part of a body without code: its place, and the prefix of the choices in it."""

    span: Span
    place: str


@frozen(repr=False)
class Contribution(Record):
    """The code of a hook at an anchor, or of a modifier; `word` is the side of the anchor.

    For a hook on movement, `zones` are those in which the cards are when it happens, and `drawn` says whether they
    are the next cards of a pile.
    """

    category: Literal["hook", "modifier"]
    place: str
    word: str
    span: Span
    code: tuple[t.Stmt, ...]
    zones: frozenset[str] = frozenset()
    drawn: bool = False
