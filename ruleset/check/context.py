"""What all parts of a check share: declarations, findings, sources, and what units write beside their code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from attrs import Factory, define, field, frozen
from attrs.setters import frozen as frozen_attribute

from ruleset.check.scope import Bound, Contribution, Introduced, Scope, Unit, Unread, Value
from ruleset.check.trial import restored
from ruleset.common.diagnostic import Diagnostic, Label
from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.declare.declarations import Declared
from ruleset.language.types import Type
from ruleset.program import nodes as p
from ruleset.table import nodes as t

MOST_SOUGHT = 100
"""Findings after which the checker looks for no near names."""


def _insert_places(context: Context) -> frozenset[Span]:
    inserts = [(one.node, *getattr(one.node, "items", ())) for one in context.declared.inserts]
    return frozenset(node.span for nodes in inserts for node in nodes)


@define(eq=False, repr=False)
class Context(Record):
    """What all checks share: declarations, findings, the sources of rules.

    The checker writes here and into the unit under construction, nowhere else; so a trial can undo all of it.
    """

    declared: Declared = field(on_setattr=frozen_attribute)
    poisoned: frozenset[str] = field(default=frozenset(), on_setattr=frozen_attribute)
    """Names whose declarations had findings: whoever uses them is not reported for it."""
    covering: bool = field(default=False, on_setattr=frozen_attribute)
    """Whether code tells which of its branches are taken."""
    maybe_none: frozenset[tuple[str, str]] = frozenset()
    """Parameters that are nothing in some call, each by what takes it and its name."""
    insert_places: frozenset[Span] = field(
        init=False, default=Factory(_insert_places, takes_self=True), on_setattr=frozen_attribute
    )
    """Where packs put something before, behind or around another's."""
    changed: dict[str, tuple[str, ...]] = field(
        init=False,
        default=Factory(lambda self: self.declared.changed_fields(), takes_self=True),
        on_setattr=frozen_attribute,
    )
    """Fields that modifiers change, each with the kinds whose field it is."""

    card_kinds: frozenset[str] = field(
        init=False,
        default=Factory(lambda self: self.declared.card_kinds(), takes_self=True),
        on_setattr=frozen_attribute,
    )

    found: list[Diagnostic] = field(factory=list, init=False)
    unread: list[Unread] = field(factory=list, init=False)
    """What has no code: each of it has a finding, or follows from something else that has one."""
    inserted_code: dict[Span, tuple[t.Stmt, ...]] = field(factory=dict, init=False)
    """The code of what packs put before, behind and around others', by its place."""
    proceeded_code: dict[Span, tuple[t.Stmt, ...]] = field(factory=dict, init=False)
    """The code of what packs put something around, by the place of that."""
    contributed: list[Contribution] = field(factory=list, init=False)
    """Hooks and modifiers, with the places where they act."""
    proceed_count: dict[Span, int] = field(factory=dict, init=False)
    """How often `proceed` was met, by the place of what stands around others."""
    points: dict[int, str] = field(factory=dict, init=False)
    """What is told: the number of its source, and what it is."""
    texts: dict[str, p.Texts] = field(
        init=False, default=Factory(lambda self: dict(self.declared.texts), takes_self=True)
    )
    """What players read, by id: the declared texts, and those of steps and of options."""
    sources: list[t.Source] = field(factory=list, init=False)
    used: set[str] = field(factory=set, init=False)
    references: list[p.Reference] = field(factory=list, init=False)
    conditions: list[p.Condition] = field(factory=list, init=False)
    parts: dict[int, Value] | None = field(default=None, init=False)
    """While a condition is noted (`ruleset.check.condition_trace`): the values of its parts, by their syntax
    nodes."""
    clashing: set[str] = field(factory=set, init=False)
    """Verbs whose sentences were reported as another's too."""
    takes: dict[str, tuple[tuple[str, Type], ...]] = field(factory=dict, init=False)
    """What each window and claim takes."""
    maybe_none_seen: set[tuple[str, str]] = field(factory=set, init=False)
    """Those of `maybe_none` that were met so far."""
    readers: set[tuple[str, tuple[str, ...], bool]] = field(factory=set, init=False)
    """Those of `changed` that are read: each field, the kinds for which it is changed, whether of definitions."""
    options: dict[str, p.Option] = field(
        init=False,
        default=Factory(lambda self: {k: one[1] for k, one in self.declared.options.items()}, takes_self=True),
    )
    """The options; once `where` was read (`check.options`), those that have one know what can be chosen."""
    introduced: list[Introduced] = field(factory=list, init=False)
    """The names that `let` and `as` give."""
    doubts: list[Diagnostic] = field(factory=list, init=False)
    """Warnings about what is hardly meant (`ruleset.check.lints`)."""
    trying: bool = field(default=False, init=False)
    """Whether findings are only counted and then dropped: then no near names are looked for."""
    settling: bool = field(default=False, init=False)
    """Whether what is read has to be known before a game begins."""
    silent: bool = field(default=False, init=False)
    """Whether what is read belongs to no rule: then no source of it is noted."""

    def report(self, code: str, span: Span, message: str, hint: str | None = None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def seeking(self) -> bool:
        """Whether near names are still looked for: each search looks at all names, so many would take long."""
        return len(self.found) < MOST_SOUGHT

    def introduce(self, unit: str, bound: Bound | None, word: str, span: Span, needed: bool) -> None:
        """Note a name that a sentence gives."""
        if bound is not None:
            self.introduced.append(Introduced(unit, bound.variable, word, span, needed))

    def leave_out(self, span: Span, scope: Scope) -> None:
        """Note that something has no code, since it could not be understood."""
        self.unread.append(Unread(span, scope.prefix or scope.unit.key))

    def present(self, value: Value, span: Span) -> t.Expr:
        """One thing, where only something will do. Rule error `absent` if it is none."""
        assert isinstance(value.node, t.Expr)
        return t.Present(value.node, self.source("", span)) if value.maybe else value.node

    def record_maybe_none(self, taker: str, name: str, value: Value) -> None:
        """Record that a parameter is nothing where this value is."""
        if (value.maybe or value.type.name == "none") and not value.type.many:
            self.maybe_none_seen.add((taker, name))

    @contextmanager
    def trial(self, *units: Unit) -> Iterator[Trial]:
        """Undo everything that is done inside the block, here and to units under construction."""
        with restored(self, *units):
            yield Trial(self, len(self.found), len(self.unread))

    def incomplete(self, choice: str) -> bool:
        """Whether part of the body that would ask a choice could not be understood."""
        return any(f"{choice}.".startswith(f"{one.place}.") for one in self.unread)

    def refer(self, what: str, span: Span) -> None:
        """Notes that something is named here (`ruleset.program.nodes.Reference`)."""
        self.references.append(p.Reference(what, span))

    def prompt(self, key: str, options: Iterable[p.Branching] = ()) -> p.Prompt:
        """The choice of this id, with what the pack says that is asked there, and what it calls the options."""
        self.used.add(f"prompt/{key}")
        for option in options:
            name = f"{key}.{option.key}"
            self.used.add(f"prompt-option/{name}")
            if name in self.declared.prompts:
                self.texts[f"choice/{name}"] = self.declared.prompts[name][1]
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


@frozen(repr=False)
class Trial(Record):
    """An attempt under way: how much was found and left out before it began."""

    context: Context
    found: int
    unread: int

    @property
    def clean(self) -> bool:
        """Whether the attempt has no finding."""
        return len(self.context.found) == self.found

    @property
    def whole(self) -> bool:
        """Whether the attempt has code for all that it read."""
        return len(self.context.unread) == self.unread
