"""What names mean at a place of a body: variables, `you`, the member under discussion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from attrs import evolve, field, frozen

from ruleset import program as p
from ruleset import table as t
from ruleset.declared import Declared
from ruleset.diagnostic import Diagnostic, Label
from ruleset.document import Scalar
from ruleset.span import Span
from ruleset.types import Type

Original = Callable[[], tuple[t.Stmt, ...]]
"""Makes the code of sentences that others stand around."""


@frozen
class Value:
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


@frozen
class Target:
    sort: Literal["track", "list"]
    key: str
    indices: tuple[t.Expr, ...]
    missing: tuple[str, ...] = ()
    """Scopes that still want an index."""


@frozen
class Bound:
    """A local name. `place` is the variable that remembers where a card was."""

    variable: int
    type: Type
    maybe: bool = False
    place: int | None = None
    still: t.Expr | None = None


@frozen
class Member:
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


@frozen
class Text:
    """A string being checked, or the part of it that begins at `offset`."""

    scalar: Scalar
    offset: int = 0

    def span(self, start: int, end: int) -> Span:
        return self.scalar.span_of(start + self.offset, end + self.offset)

    def says(self, start: int, end: int) -> str:
        """The author's own words."""
        return self.scalar.text[start + self.offset : end + self.offset]

    def before(self, start: int) -> str:
        """The text up to a place."""
        return self.scalar.text[: start + self.offset]


class Unit:
    """A unit under construction: its variables and the choice ids it has given out."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.variables: list[p.Variable] = []
        self.choices: dict[str, int] = {}
        self.labels = 0

    def variable(self, name: str, type_: Type, many: bool = False) -> int:
        self.variables.append(p.Variable(name, type_.one, many))
        return len(self.variables) - 1

    def label(self) -> int:
        self.labels += 1
        return self.labels

    def choice(self, name: str, prefix: str = "") -> str:
        """A choice id that no other choice of this unit has."""
        key = f"{prefix or self.key}.{name}"
        seen = self.choices[key] = self.choices.get(key, 0) + 1
        return key if seen == 1 else f"{key}-{seen}"


@frozen
class Scope:
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
    original: tuple[Span, Original] | None = None
    """What `proceed` does, in sentences that a pack put around others: their place, and the code of the others."""

    def bind(self, name: str, bound: Bound) -> Scope:
        return evolve(self, names={**self.names, name: bound})


class Context:
    """What all checks share: declarations, findings, the sources of rules."""

    def __init__(
        self, declared: Declared, covering: bool = False, absent: frozenset[tuple[str, str]] = frozenset()
    ) -> None:
        self.declared = declared
        inserts = [(one.node, *getattr(one.node, "items", ())) for one in declared.inserts]
        self.watched = {node.span for nodes in inserts for node in nodes}
        """Where packs put something before, behind or around another's."""
        self.inserted: dict[Span, tuple[t.Stmt, ...]] = {}
        """The code of what packs put before, behind and around others', by its place."""
        self.carried: dict[Span, int] = {}
        """How often `proceed` was met, by the place of what stands around others."""
        self.covering = covering
        """Whether code tells which of its branches are taken."""
        self.points: dict[int, str] = {}
        """What is told: the number of its source, and what it is."""
        self.found: list[Diagnostic] = []
        self.sources: list[t.Source] = []
        self.used: set[str] = set()
        self.references: list[p.Reference] = []
        self.conditions: list[p.Condition] = []
        self.parts: dict[int, Value] | None = None
        """While a condition is noted (`ruleset.conditions`): the values of its parts, by their syntax nodes."""
        self.clashing: set[str] = set()
        """Verbs whose sentences were reported as another's too."""
        self.takes: dict[str, tuple[tuple[str, Type], ...]] = {}
        """What each window and claim takes."""
        self.absent = absent
        """Parameters that are nothing in some call, each by what takes it and its name."""
        self.given: set[tuple[str, str]] = set()
        """Those of them that were met so far."""
        self.changed = declared.changed_fields()
        """Fields that modifiers change, each with the kinds whose field it is."""
        self.readers: set[tuple[str, tuple[str, ...], bool]] = set()
        """Those of them that are read: each field, the kinds for which it is changed, whether of definitions."""
        self.settling = False
        """Whether what is read has to be known before a game begins."""
        self.silent = False
        """Whether what is read belongs to no rule: then no source of it is noted."""

    def report(self, code: str, span: Span, message: str, hint: str | None = None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def refer(self, what: str, span: Span) -> None:
        """Notes that something is named here (`ruleset.program.Reference`)."""
        self.references.append(p.Reference(what, span))

    def prompt(self, key: str, options: Iterable[p.Branching] = ()) -> p.Prompt:
        """The choice of this id, with what the pack says that is asked there, and what it calls the options."""
        self.used.add(f"prompt/{key}")
        for option in options:
            name = f"{key}.{option.key}"
            self.used.add(f"prompt-option/{name}")
            if name in self.declared.prompts:
                self.declared.texts[f"choice/{name}"] = self.declared.prompts[name][1]
        declared = self.declared.prompts.get(key)
        return p.Prompt(key, declared[1] if declared is not None else ())

    def covered(self, name: str, span: Span | int) -> tuple[t.Stmt, ...]:
        """Code that tells that it was reached, where that is wanted. `span` may be the number of a source."""
        if not self.covering:
            return ()
        at = span if isinstance(span, int) else self.source("", span)
        self.points[at] = name
        nobody = t.Const(0)
        return (t.Emit("covered", (), None, nobody, nobody, at),)

    def source(self, name: str, span: Span) -> int:
        if self.silent:
            return -1
        self.sources.append(t.Source(name, span, self.declared.owners.get(span.path, "")))
        return len(self.sources) - 1
