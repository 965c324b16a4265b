"""Shared state of a check: declarations, findings, and sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import Factory, define, evolve, field, fields, frozen
from attrs.setters import frozen as frozen_attribute

from rulewright.ruleset.check.scope import (
    Bound,
    CheckedExpression,
    Contribution,
    Introduced,
    Scope,
    TextPart,
    UnitDraft,
    Unread,
)
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BECAUSE, BOOLEAN, LOG, TEXT, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Node
from rulewright.ruleset.table import nodes as t

# ---- Save the state of objects before a trial and restore it afterwards
#
# Every attribute belongs to the state, except those that can never be set again (`field(on_setattr=frozen)`).
# The classes have slots, so every attribute is declared, and new ones are restored, too. Lists only grow
# during a trial; dictionaries and sets may change in any way.

_PLAIN = (int, str, tuple, frozenset, type(None))


@frozen(repr=False)
class _Length(Record):
    """The length of a list. Lists only grow during a trial, so their contents need no copy."""

    of: list[Any]
    count: int


@contextmanager
def restored(*tried: Any) -> Iterator[None]:
    """Undo every change made to these objects inside the block.

    Raises TypeError before the block if an attribute cannot be copied.
    """
    before = [_state(one) for one in tried]
    try:
        yield
    finally:
        for one, state in zip(tried, before, strict=True):
            _restore(one, state)


def state_names(kind: type[Any]) -> tuple[str, ...]:
    """Return the names of the attributes that make up the state of a class."""
    return tuple(one.name for one in fields(kind) if one.on_setattr is not frozen_attribute)


def _state(one: Any) -> list[Any]:
    return [_copied(getattr(one, name)) for name in state_names(type(one))]


def _restore(one: Any, state: list[Any]) -> None:
    for name, value in zip(state_names(type(one)), state, strict=True):
        if isinstance(value, _Length):
            del value.of[value.count :]
            value = value.of
        setattr(one, name, value)


def _copied(value: Any) -> Any:
    """Return a shallow copy, or the length of a list: members are immutable values."""
    if isinstance(value, _PLAIN):
        return value
    if type(value) is list:
        return _Length(value, len(value))
    if type(value) in (dict, set):
        return value.copy()
    raise TypeError(f"{type(value).__name__} cannot be part of a state that is restored")


# ---- Context

MOST_SOUGHT = 100
"""Number of findings after which the checker stops searching for near names."""


def _insert_places(context: CheckContext) -> frozenset[Span]:
    inserts = [(one.node, *getattr(one.node, "items", ())) for one in context.declared.inserts]
    return frozenset(node.span for nodes in inserts for node in nodes)


@frozen(repr=False)
class Wrapped(Record):
    """An expression that a pack has put around another: its node, and the nodes inside for `proceed`."""

    node: t.Expr | t.List
    proceeds: tuple[t.Expr | t.List, ...]


@define(eq=False, repr=False)
class CheckContext(Record):
    """The state that all checks share: declarations, findings, and the sources of rules.

    The checker writes only here and into the unit under construction, so a trial can undo everything.
    """

    declared: Declared = field(on_setattr=frozen_attribute)
    poisoned: frozenset[str] = field(default=frozenset(), on_setattr=frozen_attribute)
    """Names whose declarations had findings; uses of them are not reported."""
    covering: bool = field(default=False, on_setattr=frozen_attribute)
    """Whether code emits events for the branches that it takes."""
    maybe_none: frozenset[tuple[str, str]] = frozenset()
    """Parameters that are nothing in some call, as pairs of taker and parameter name."""
    needs: frozenset[str] = field(default=frozenset(), on_setattr=frozen_attribute)
    """What sentences need from the flow around them, as far as it is known (`needed`)."""
    insert_places: frozenset[Span] = field(
        init=False, default=Factory(_insert_places, takes_self=True), on_setattr=frozen_attribute
    )
    """Places where packs put code before, after, or around another pack's."""
    changed: dict[str, tuple[str, ...]] = field(
        init=False,
        default=Factory(lambda self: self.declared.changed_fields(), takes_self=True),
        on_setattr=frozen_attribute,
    )
    """Fields that modifiers change, each with the kinds that have it."""

    changed_values: frozenset[str] = field(
        init=False,
        default=Factory(lambda self: self.declared.changed_values(), takes_self=True),
        on_setattr=frozen_attribute,
    )
    """Values that modifiers change. A function with the name of the value reads each of them."""

    moving: bool = field(
        init=False,
        default=Factory(
            lambda self: any(one.on_movement for one in self.declared.all_of(Hook).values()), takes_self=True
        ),
        on_setattr=frozen_attribute,
    )
    """Whether there are hooks on movement."""

    found: list[Diagnostic] = field(factory=list, init=False)
    unread: list[Unread] = field(factory=list, init=False)
    """Parts without code: each has a finding, or follows from another part that has one."""
    inserted_code: dict[Span, tuple[t.Stmt, ...]] = field(factory=dict, init=False)
    """The code that packs put before, after, or around others', by its place."""
    proceeded_code: dict[Span, tuple[t.Stmt, ...]] = field(factory=dict, init=False)
    """The code that packs put other code around, by the place of the surrounding code."""
    wrapped: dict[Span, Wrapped] = field(factory=dict, init=False)
    """The expressions that packs have put around others, by their place."""
    contributed: list[Contribution] = field(factory=list, init=False)
    """Hooks and modifiers, with the places that they affect."""
    proceed_count: dict[Span, int] = field(factory=dict, init=False)
    """The number of `proceed` sentences, by the place of the surrounding code."""
    points: dict[int, str] = field(factory=dict, init=False)
    """Coverage points: the number of a source -> its name."""
    texts: dict[str, p.Texts] = field(
        init=False, default=Factory(lambda self: dict(self.declared.texts), takes_self=True)
    )
    """Texts for players, by id: the declared texts, and those of steps and options."""
    sources: list[t.Source] = field(factory=list, init=False)
    used: set[str] = field(factory=set, init=False)
    references: list[p.Reference] = field(factory=list, init=False)
    conditions: list[p.Condition] = field(factory=list, init=False)
    parts: dict[int, CheckedExpression] | None = field(default=None, init=False)
    """Values of the parts of the condition being recorded (`check.context`), by the id of their node."""
    clashing: set[str] = field(factory=set, init=False)
    """Verbs already reported because their sentences clash with another verb's."""
    takes: dict[str, tuple[tuple[str, Type], ...]] = field(factory=dict, init=False)
    """The parameters of each window and claim."""
    maybe_none_seen: set[tuple[str, str]] = field(factory=set, init=False)
    """Members of `maybe_none` that this pass has met."""
    needs_seen: dict[str, Span] = field(factory=dict, init=False)
    """What the sentences read in this pass need, each with the place of a sentence."""
    needs_asked: set[str] = field(factory=set, init=False)
    """What the flow read in this pass would provide if a sentence needed it."""
    readers: set[tuple[str, tuple[str, ...], bool]] = field(factory=set, init=False)
    """Members of `changed` that are read: the field, the kinds for which it changes, and whether of definitions."""
    derived: dict[tuple[str, str], p.Derived] = field(factory=dict, init=False)
    """The derived fields that have been read, by kind and name."""
    options: dict[str, p.DeclaredOption] = field(
        init=False,
        default=Factory(lambda self: {k: one[1] for k, one in self.declared.options.items()}, takes_self=True),
    )
    """The options; reading `where` (`check.options`) adds the possible choices to an option."""
    introduced: list[Introduced] = field(factory=list, init=False)
    """Names that `let` and `as` give."""
    doubts: list[Diagnostic] = field(factory=list, init=False)
    """Warnings about code that is probably not meant (`ruleset.check.lints`)."""
    trying: bool = field(default=False, init=False)
    """Whether findings are only counted and then dropped; near names are not searched for then."""
    settling: bool = field(default=False, init=False)
    """Whether the value being read must be known before a game begins."""
    silent: bool = field(default=False, init=False)
    """Whether the text being read belongs to no rule; its sources are not recorded then."""

    def report(self, code: str, span: Span, message: str, hint: str | None = None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def seeking(self) -> bool:
        """Whether to search for near names. Each search covers all names, so many searches would be slow."""
        return len(self.found) < MOST_SOUGHT

    def introduce(self, unit: str, bound: Bound | None, word: str, span: Span, needed: bool) -> None:
        """Record a name that a sentence gives."""
        if bound is not None:
            self.introduced.append(Introduced(unit, bound.variable, word, span, needed))

    def leave_out(self, span: Span, scope: Scope) -> None:
        """Record a part that could not be understood and has no code."""
        self.unread.append(Unread(span, scope.prefix or scope.unit.key))

    def present(self, value: CheckedExpression, span: Span) -> t.Expr:
        """Return an expression that must not be none; rule error `absent` if it is."""
        assert isinstance(value.node, t.Expr)
        return t.Present(value.node, self.source("", span)) if value.maybe else value.node

    def record_maybe_none(self, taker: str, name: str, value: CheckedExpression) -> None:
        """Record that a parameter can be nothing if `value` can be."""
        if (value.maybe or value.type.name == "none") and not value.type.many:
            self.maybe_none_seen.add((taker, name))

    def needed(self, what: str) -> bool:
        """Return whether the flow must provide something, since some sentence of the pack needs it.

        Sentences are read before and after the flow: if one that is read later needs it, there is another pass.
        """
        self.needs_asked.add(what)
        return what in self.needs

    def need(self, what: str, span: Span) -> None:
        """Record that a sentence needs something from the flow."""
        self.needs_seen.setdefault(what, span)

    def missing(self) -> frozenset[str]:
        """Return what sentences need, and the flow did not provide in this pass."""
        return frozenset(self.needs_seen.keys() & self.needs_asked) - self.needs

    @contextmanager
    def trial(self, *units: UnitDraft) -> Iterator[CheckTrial]:
        """Undo every change made inside the block to this context and to units under construction."""
        with restored(self, *units):
            yield CheckTrial(self, len(self.found), len(self.unread))

    def incomplete(self, choice: str) -> bool:
        """Whether part of the body that would ask a choice could not be understood."""
        return any(f"{choice}.".startswith(f"{one.place}.") for one in self.unread)

    def refer(self, what: str, span: Span) -> None:
        """Record that something is named here (`ruleset.program.nodes.Reference`)."""
        self.references.append(p.Reference(what, span))

    def prompt(self, key: str, options: Iterable[p.Branching] = ()) -> p.Prompt:
        """Return the prompt of a choice, and add the pack's texts for its options."""
        self.used.add(f"prompt/{key}")
        named = [f"{key}.{option.key}" for option in options]
        found = [(f"{thing}/{name}", name + end) for name in named for thing, end in (("choice", ""), ("log", LOG))]
        for thing, end in (("option-text", TEXT), ("because", BECAUSE)):
            found += [(f"{thing}/{name}", name + end) for name in named or (key,)]
        for place, text in found:
            self.used.add(f"prompt-option/{text}")
            if text in self.declared.prompts:
                self.texts[place] = self.declared.prompts[text][1]
        declared = self.declared.prompts.get(key)
        return p.Prompt(key, declared[1] if declared is not None else ())

    def give_values(self, source: int, values: tuple[tuple[str, str], ...]) -> None:
        """Record the values that the event of a source gives to its text."""
        if source >= 0 and values:
            self.sources[source] = evolve(self.sources[source], values=values)

    def text_node(self, key: str) -> Node | None:
        """Return the text `message/NAME` or `prompt/CHOICE` as written."""
        return self.declared.text_nodes.get(key)

    def covered(self, name: str, span: Span | int) -> tuple[t.Stmt, ...]:
        """Return code that records that it was reached, if `covering`. `span` may be the number of a source."""
        if not self.covering:
            return ()
        at = span if isinstance(span, int) else self.source("", span)
        self.points[at] = name
        nobody = t.Const(0)
        return (t.Emit("covered", (), None, nobody, nobody, at),)

    def source(self, name: str, span: Span) -> int:
        """Record a source and return its number; -1 if `silent`."""
        if self.silent:
            return -1
        self.sources.append(t.Source(name, span, self.declared.owners.get(span.path, "")))
        return len(self.sources) - 1


@frozen(repr=False)
class CheckTrial(Record):
    """A trial in progress, with the counts of findings and unread parts at its start."""

    context: CheckContext
    found: int
    unread: int

    @property
    def clean(self) -> bool:
        """Whether the trial has added no findings."""
        return len(self.context.found) == self.found

    @property
    def whole(self) -> bool:
        """Whether everything read in the trial has code."""
        return len(self.context.unread) == self.unread


# ---- Record the conditions that decide which options a decision has, with their places and clauses
#
# The checker records them separately from the code. Code does not hold the places of its parts and is the
# same with and without records. Lowering finds the record of a condition by the identity of its expression.

_OPPOSITES = {
    "<": ">=", "<=": ">", "is": "is not", "has": "has no", "in": "not in", "empty": "not empty", "yes": "no",
}  # fmt: skip
OPPOSITES = {**_OPPOSITES, **{opposite: op for op, opposite in _OPPOSITES.items()}}
"""The comparison that holds exactly if another one does not."""


def record_condition(
    context: CheckContext, text: TextPart, node: s.Expression, check: Callable[[], CheckedExpression | None]
) -> CheckedExpression | None:
    """Return the value of a condition from `check`, and record it with its place and clauses."""
    outer, context.parts = context.parts, {}
    value = check()
    parts, context.parts = context.parts, outer
    if value is not None and isinstance(value.node, t.Expr):
        clauses = tuple(_clauses(node, True, parts))
        context.conditions.append(p.Condition(value.node, text.span(node.start, node.end), clauses))
    return value


def opposite(condition: p.Condition) -> tuple[p.Clause, ...]:
    """Return the clauses of the condition that holds exactly if another one does not."""
    if len(condition.clauses) != 1:
        return ()
    (clause,) = condition.clauses
    return (p.Clause(t.Not(clause.node), OPPOSITES.get(clause.op, ""), clause.operands),)


def _clauses(node: s.Expression, holds: bool, parts: Mapping[int, CheckedExpression]) -> Iterator[p.Clause]:
    """Yield the parts of a condition that must all hold or, without `holds`, those of its opposite."""
    if isinstance(node, s.Logic) and (node.op == "and") == holds:
        yield from _clauses(node.left, holds, parts)
        yield from _clauses(node.right, holds, parts)
        return
    if isinstance(node, s.Negation):
        yield from _clauses(node.operand, not holds, parts)
        return
    value = parts.get(id(node))
    if value is not None and isinstance(value.node, t.Expr):
        op, operands = _compared(node, value, parts)
        if not holds:
            op = OPPOSITES.get(op, "")
        yield p.Clause(value.node if holds else t.Not(value.node), op, operands)


def _compared(
    node: s.Expression, value: CheckedExpression, parts: Mapping[int, CheckedExpression]
) -> tuple[str, tuple[p.Operand, ...]]:
    """Return what an expression compares, and with which values; nothing if that cannot be told."""
    if not isinstance(node, s.Comparison):
        plain = isinstance(node, s.NameNode | s.Of | s.At) and isinstance(value.node, t.Expr)
        return ("yes", (p.Operand(value.node, BOOLEAN),)) if plain else ("", ())
    sides = [parts.get(id(side)) for side in (node.left, node.right) if side is not None]
    if None in sides:
        return "", ()
    operands = tuple(p.Operand(*_read(side)) for side in sides if side is not None)
    return OPPOSITES[node.op] if node.negated else node.op, operands


def _read(side: CheckedExpression) -> tuple[t.Expr | t.List, Type]:
    return (side.zone if side.zone is not None else side.node), side.type
