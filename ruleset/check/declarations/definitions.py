"""Check kinds and definitions: their fields, effects, and expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import Any, TypeVar

from attrs import define, evolve, field

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.expressions.checker import settled
from rulewright.ruleset.check.expressions.fitting import sure
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.scope import Bound, CheckedExpression, FilterMember, Scope, UnitDraft
from rulewright.ruleset.check.statements.durations import remembered_names
from rulewright.ruleset.check.units import with_parameters
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.limits import HIGHEST, LOWEST, number_hint
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import DefinitionDeclared, KindDeclared, grouped
from rulewright.ruleset.documents.rules import Body
from rulewright.ruleset.documents.sections import DefinitionDocument
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import substitute
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.table import nodes as t

# ---- Read the values that definitions write for their fields

Values = tuple[int | tuple[int, ...], ...]
"""Values of a field: one, or one per copy. The value of a list, or for members, is a tuple."""


class FieldValues:
    """Reads values of fields, and reports those that their types do not allow."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context

    def read(self, node: Node, field: p.Field, kind: KindDeclared) -> Values:
        """Return the values of a field: one, or one per copy. The value of a list is a tuple."""
        if field.per_copy and isinstance(node, SequenceNode):
            return tuple(v for item in node.items for v in self.read(item, evolve(field, per_copy=False), kind))
        if field.per:
            values = self._per_member(node, field, kind)
            return (values,) if values is not None else ()
        if field.many:
            items = node.items if isinstance(node, SequenceNode) else (node,)
            numbers = [self._value(item, field, kind) for item in items if isinstance(item, ScalarNode)]
            return (tuple(n for n in numbers if n is not None),)
        if not isinstance(node, ScalarNode):
            self.context.report("RW315", node.span, f"`{field.key}` takes one {field.type}, not a list")
            return ()
        number = self._value(node, field, kind)
        return () if number is None else (number,)

    def _per_member(self, node: Node, field: p.Field, kind: KindDeclared) -> tuple[int, ...] | None:
        """Return the values of a field for the members of its enumeration; missing ones have the default."""
        members, default = self.context.declared.enumerations[field.per][1], kind.defaults.get(field.key)
        if isinstance(node, MappingNode):
            self._no_members(node, members, field)
        if isinstance(node, SequenceNode):
            hint = f"write `{field.key}: {{{members[0]}: …}}`"
            message = f"`{field.key}` takes one {field.type} for each `{field.per}`, not a list"
            self.context.report("RW315", node.span, message, hint)
            return None
        values = []
        for one in members:
            given = _of_member(node, one)
            if given is None and node is default:
                message = f"the default of `{field.key}` has no value for `{one}`"
                self.context.report("RW315", node.span, message, f"add `{one}: …`")
                return None
            given = _of_member(default, one) if given is None else given
            none = given is not None and given.text == "none" and field.type.name == "definition"
            number = -1 if none else self._value(given, field, kind) if given is not None else None
            if number is None:
                return None
            values.append(number)
        return tuple(values)

    def _no_members(self, node: MappingNode, members: tuple[str, ...], field: p.Field) -> None:
        """Report keys that are no members. Definitions lose theirs before, with a finding of their schema."""
        for entry in node.entries:
            if entry.key.text not in members and entry.key.text not in self.context.poisoned:
                near = nearest(entry.key.text, members)
                hint = f"did you mean `{near}`?" if near else f"expected {listed(members, 'or')}"
                self.context.report("RW315", entry.key.span, f"`{entry.key.text}` is not a {field.per}", hint)

    def _value(self, node: ScalarNode, field: p.Field, kind: KindDeclared) -> int | None:
        type_, d = field.type, self.context.declared
        if type_ == NUMBER:
            low, high = kind.ranges.get(field.key, (LOWEST, HIGHEST))
            if isinstance(node.value, bool) or not isinstance(node.value, int):
                message = f"`{field.key}` must be a whole number, not `{node.text}`"
                self.context.report("RW315", node.span, message, number_hint(node.text))
                return None
            if not low <= node.value <= high:
                self.context.report("RW315", node.span, f"`{field.key}` must be {low} to {high}, not {node.value}")
                return None
            return node.value
        if type_ == BOOLEAN:
            if not isinstance(node.value, bool):
                message = f"`{field.key}` must be `true` or `false`, not `{node.text}`"
                self.context.report("RW315", node.span, message)
                return None
            return int(node.value)
        names: list[str] = []
        if type_.name == "enumeration":
            names = list(d.enumerations[type_.of][1])
            if node.text in names:
                return names.index(node.text)
        elif type_.name == "definition":
            names = [key for key, other in d.definitions.items() if other.kind in type_.of.split("|")]
            if node.text in names:
                return list(d.definitions).index(node.text)
        if node.text in self.context.poisoned:
            return None
        near = nearest(node.text, names)
        hint = f"did you mean `{near}`?" if near else (f"expected {listed(names, 'or')}" if names else None)
        self.context.report("RW315", node.span, f"`{node.text}` is not a {type_}", hint)
        return None


def _of_member(node: Node | None, member: str) -> ScalarNode | None:
    """Return what is written for a member: a value of its own, or one for all members."""
    given = node.get(member) if isinstance(node, MappingNode) else node
    return given if isinstance(given, ScalarNode) else None


# ---- Check units again when it becomes known that a parameter can be nothing
#
# That is known only when every call has been read. Few parameters can be nothing, so only the units that take
# them are checked again, at their original position among all units: all numbers stay the same.

Made = TypeVar("Made", p.Unit, p.DeclaredFunction)

_LISTS = ("sources", "references", "conditions", "introduced", "doubts")
_NEW = (
    "used", "readers", "maybe_none_seen", "needs_seen", "needs_asked", "inserted_code", "proceed_count", "points",
    "texts",
)  # fmt: skip
"""Collections that units write and do not read; each unit gets its own while it is checked."""
_NEW_SLOTS: tuple[Any, ...] = tuple(vars(CheckContext)[name] for name in _NEW)
"""Slot descriptors of `_NEW`. Setting them directly is faster: `CheckContext` checks each."""
_SAME = ("used", "readers", "proceed_count", "texts")
"""Members of `_NEW` that must be equal after a second check; otherwise everything is checked again."""


@define(repr=False)
class _Job(Record):
    """A unit, its check function, and what that wrote: start and length in each list, and additions to `_NEW`."""

    check: Callable[[], Any]
    first: Any
    made: Any
    starts: tuple[int, ...]
    counts: tuple[int, ...]
    written: dict[str, Any]


@define(repr=False)
class Rechecker(Record):
    """The units of a pack during checking, by the taker of their parameters (`verb/draw`, `effect/play`)."""

    context: CheckContext
    discarding: bool = False
    """Whether the units being checked are not part of the program and are dropped."""
    _jobs: dict[str, list[_Job]] = field(factory=dict, init=False)
    _discarded: set[str] = field(factory=set, init=False)

    def check(self, taker: str, check: Callable[[], Made]) -> Made:
        """Check a unit. `check` may be called again."""
        if self.discarding:
            self._discarded.add(taker)
            return check()
        starts = self._lengths()
        made, written = self._apart(check)
        for name, new in written.items():
            if new:
                getattr(self.context, name).update(new)
        counts = tuple(map(int.__sub__, self._lengths(), starts))
        self._jobs.setdefault(taker, []).append(_Job(check, made, made, starts, counts, written))
        return made

    def settled(self) -> bool:
        """Check units again until `maybe_none` no longer grows; for packs without findings so far.

        Return False if everything must be checked again with the context's new `maybe_none`: a unit has findings,
        or writes something other than before, so that later units would have other numbers.
        """
        context, fitting = self.context, True
        while new := context.maybe_none_seen - context.maybe_none:
            context.maybe_none |= new
            takers = dict.fromkeys(sorted(taker for taker, _ in new))
            fitting &= self._discarded.isdisjoint(takers)
            jobs = [job for taker in takers for job in self._jobs.get(taker, ())]
            fitting &= self._all_again(sorted(jobs, key=lambda job: job.starts, reverse=True))
            if context.found or context.unread:
                return False
        return fitting

    def latest(self, made: Iterable[Made]) -> list[Made]:
        """Return these units as they were last checked."""
        new = {id(job.first): job.made for jobs in self._jobs.values() for job in jobs if job.made is not job.first}
        return [new.get(id(one), one) for one in made]

    def _all_again(self, jobs: list[_Job]) -> bool:
        """Check units again, last one first, so that each list is cut and reassembled only once.

        Return False if one of the new results cannot replace the old one.
        """
        context, fitting = self.context, True
        tails: list[tuple[list[Any], ...]] = []
        for job in jobs:
            before = self._cut(job.starts)
            tails.append(before)
            made, written = self._apart(job.check)
            new = self._cut(job.starts)
            context.maybe_none_seen |= written["maybe_none_seen"]
            fits = tuple(map(len, new)) == job.counts and all(written[one] == job.written[one] for one in _SAME)
            fitting &= fits
            if fits:
                job.made = made
                context.inserted_code.update(written["inserted_code"])
                context.points.update(written["points"])
                for old, count, own in zip(before, job.counts, new, strict=True):
                    old[:count] = own
        for tail in reversed(tails):
            for name, end in zip(_LISTS, tail, strict=True):
                getattr(context, name).extend(end)
        return fitting

    def _apart(self, check: Callable[[], Made]) -> tuple[Made, dict[str, Any]]:
        """Check a unit; return it and everything that it added to sets and dictionaries."""
        context = self.context
        outer = [slot.__get__(context) for slot in _NEW_SLOTS]
        for slot, value in zip(_NEW_SLOTS, outer, strict=True):
            slot.__set__(context, type(value)())
        made = check()
        written = {name: getattr(context, name) for name in _NEW}
        for slot, value in zip(_NEW_SLOTS, outer, strict=True):
            slot.__set__(context, value)
        return made, written

    def _cut(self, starts: tuple[int, ...]) -> tuple[list[Any], ...]:
        """Truncate the lists to these lengths and return the tails."""
        ends = []
        for name, start in zip(_LISTS, starts, strict=True):
            of = getattr(self.context, name)
            ends.append(of[start:])
            del of[start:]
        return tuple(ends)

    def _lengths(self) -> tuple[int, ...]:
        context = self.context
        return tuple([len(getattr(context, name)) for name in _LISTS])


# ---- Definitions

class DefinitionChecker:
    """Checks definitions, and the defaults that kinds give them."""

    def __init__(self, steps: StepChecker, again: Rechecker) -> None:
        self.context = steps.context
        self.declared = steps.context.declared
        self.expressions = steps.expressions
        self.steps = steps
        self.again = again
        self.values = FieldValues(steps.context)
        self.by_kind: dict[str, tuple[t.Expr | None, int]] = {}
        """By kind: the condition for its definitions to be in the game, and the definition's variable in it."""

    def kind(self, kind: KindDeclared) -> p.Kind:
        """Return a kind, with the lists that each of its definitions or cards has."""
        declared = (one for _, one in self.declared.lists.values())
        lists = tuple(one.key for one in declared if p.scope_kind(one.scope) == kind.key)
        return p.Kind(
            kind.key, tuple(kind.fields.values()), tuple(kind.effects.values()), tuple(kind.expressions), lists,
            tuple(one for (of, _), one in self.context.derived.items() if of == kind.key),
        )  # fmt: skip

    def definition(self, d: DefinitionDeclared) -> tuple[p.Definition, list[p.Unit]]:
        """Return a definition, and the units of its effects and expressions."""
        kind = self.declared.kinds[d.kind]
        units: list[p.Unit] = []
        fields = tuple(self._fields(d, kind))
        self._unknown_fields(d, kind)
        effects = tuple(self._effects(d, kind, units))
        expressions = tuple(self._expressions(d, kind, units))
        own = f"{d.kind}/{d.key}"
        texts = tuple(
            (word, self.declared.texts[key])
            for word, key in (("name", own), ("text", f"{own}.text"))
            if key in self.declared.texts
        )
        said = d.says.when if isinstance(d.says, DefinitionDocument) else None
        when = settled(self.expressions, said, BOOLEAN, Scope(UnitDraft("components")))
        when = self._by_kind(kind, d.key) if when is None else when
        return p.Definition(d.key, d.kind, when, fields, effects, expressions, texts, d.span), units

    def _fields(self, d: DefinitionDeclared, kind: KindDeclared) -> Iterator[tuple[str, Values]]:
        made = dict(d.made)
        for name, declared in kind.fields.items():
            if declared.derived:
                self._written(d, name)
                continue
            if name in made:
                yield name, (made[name],)
                continue
            node = d.body.get(name)
            node = kind.defaults.get(name) if node is None else node
            if isinstance(node, ScalarNode) and node.text == "none" and declared.type.name == "definition":
                continue
            values = self.values.read(node, declared, kind) if node is not None else ()
            if values:
                yield name, values

    def _written(self, d: DefinitionDeclared, name: str) -> None:
        """Report a written value of a derived field."""
        node = next((one for one in d.body.entries if one.key.text == name), None) if not d.made else None
        if node is not None and d.body.key(d.kind) is not None:
            message = f"`{name}` is worked out from other fields, so no definition writes it"
            label = Label(self.declared.kinds[d.kind].places[name], "declared here")
            self.context.report("RW338", node.key.span, message, "remove it", label)

    def _unknown_fields(self, d: DefinitionDeclared, kind: KindDeclared) -> None:
        """Report fields of a definition that its kind does not have."""
        known = {*kind.fields, *kind.effects, *kind.expressions}
        if d.made or d.body.key(d.kind) is None:
            return
        for entry in d.body.entries[1:]:
            name = entry.key.text
            if name in known or name in DefinitionDocument.meanings or name in self.context.poisoned:
                continue
            near = nearest(name, [*known, *DefinitionDocument.meanings])
            hint = f"did you mean `{near}`?" if near else f"it has {listed(sorted(known))}"
            label = Label(kind.span, "the kind is declared here")
            self.context.report("RW311", entry.key.span, f"a `{kind.key}` has no field `{name}`", hint, label)

    def _effects(
        self, d: DefinitionDeclared, kind: KindDeclared, units: list[p.Unit]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        for name, effect in kind.effects.items():
            bodies = d.effects.get(name)
            if bodies is None:
                if name in kind.bodies:
                    yield name, self._default_effect(kind, effect, units)
                continue
            keys = []
            for index, body in enumerate(bodies):
                key = f"{d.key}.{name}" + (f"-{index + 1}" if len(bodies) > 1 else "")
                units.append(self._effect(key, f"{d.key}.{name}", body, effect, kind, d.key))
                keys.append(key)
            yield name, tuple(keys)

    def _expressions(
        self, d: DefinitionDeclared, kind: KindDeclared, units: list[p.Unit]
    ) -> Iterator[tuple[str, str]]:
        for name, type_ in kind.expressions.items():
            node = d.body.get(name) if not d.made else None
            default = kind.defaults.get(name)
            if isinstance(node, ScalarNode):
                key = f"{d.key}.{name}"
                units.append(self._worth(key, node, type_, kind))
                yield name, key
            elif isinstance(default, ScalarNode):
                key = f"kind/{kind.key}.{name}"
                if key not in self.context.used:
                    self.context.used.add(key)
                    units.append(self._worth(key, default, type_, kind))
                yield name, key

    def _by_kind(self, kind: KindDeclared, key: str) -> t.Expr | None:
        """Return the kind's condition for a definition to be in the game, or None."""
        if kind.when is None:
            return None
        test, variable = self._kinds_own(kind)
        number = t.Const(list(self.declared.definitions).index(key))
        return substitute(test, {variable: number}, {}) if test is not None else None

    def _kinds_own(self, kind: KindDeclared) -> tuple[t.Expr | None, int]:
        """Return a kind's condition for its definitions to be in the game, and the definition's variable in it."""
        if kind.key not in self.by_kind:
            scope = Scope(UnitDraft("components"))
            every = CheckedExpression(p.DefinitionsOf(kind.key), Type("definition", kind.key, True))
            inner, variable = self.expressions.names.inside(every, scope, leads=True)
            self.by_kind[kind.key] = settled(self.expressions, kind.when, BOOLEAN, inner), variable
        return self.by_kind[kind.key]

    @cached_property
    def definitions_of(self) -> dict[str, list[DefinitionDeclared]]:
        """Definitions by kind."""
        return grouped(self.declared.definitions.values())

    def defaults(self) -> None:
        """Check defaults of kinds that no definition uses."""
        context, d = self.context, self.declared
        before, referred = len(context.found), len(context.references)
        self.again.discarding = True
        with context.trial():
            for kind in d.kinds.values():
                of_kind = self.definitions_of.get(kind.key, [])
                for name, field in kind.fields.items():
                    taken = any(one.body.get(name) is None and name not in dict(one.made) for one in of_kind)
                    if name in kind.defaults and not taken:
                        self._default_value(kind.defaults[name], field, kind)
                for name, effect in kind.effects.items():
                    if name in kind.bodies:
                        self._default_effect(kind, effect, [])
                for name, type_ in kind.expressions.items():
                    default, key = kind.defaults.get(name), f"kind/{kind.key}.{name}"
                    if isinstance(default, ScalarNode) and key not in context.used:
                        self._worth(key, default, type_, kind)
                if kind.when is not None:
                    self._kinds_own(kind)
            self.again.discarding = False
            found, used, references = context.found[before:], context.used, context.references[referred:]
        context.found.extend(found)
        context.used = used
        context.references.extend(references)

    def _default_value(self, node: Node, field: p.Field, kind: KindDeclared) -> None:
        if not (isinstance(node, ScalarNode) and node.text == "none" and field.type.name == "definition"):
            self.values.read(node, field, kind)

    def _default_effect(self, kind: KindDeclared, effect: p.EffectField, units: list[p.Unit]) -> tuple[str, ...]:
        """Return the units of a kind's default effect, which are checked once."""
        bodies = kind.bodies[effect.key]
        keys = [
            f"kind/{kind.key}.{effect.key}" + (f"-{index + 1}" if len(bodies) > 1 else "")
            for index in range(len(bodies))
        ]
        if keys[0] not in self.context.used:
            self.context.used.update(keys)
            for key, body in zip(keys, bodies, strict=True):
                units.append(self._effect(key, f"{kind.key}.{effect.key}", body, effect, kind))
        return tuple(keys)

    def _effect(
        self, key: str, prefix: str, body: Body, effect: p.EffectField, kind: KindDeclared, of: str = ""
    ) -> p.Unit:
        now = partial(self._effect_now, key, prefix, body, effect, kind, of)
        return self.again.check(f"effect/{effect.key}", now)

    def _effect_now(
        self, key: str, prefix: str, body: Body, effect: p.EffectField, kind: KindDeclared, of: str
    ) -> p.Unit:
        unit = UnitDraft(key)
        at = self.context.source(f"effect/{key}", body.span)
        you = unit.variable("you", PLAYER)
        type_ = Type("definition" if kind.abstract else "card", kind.key)
        this = unit.variable("this", type_)
        place = unit.variable("this place", NUMBER)
        alone = not kind.abstract and (f"effect/{effect.key}", "this") in self.context.maybe_none
        bound = Bound(this, type_, alone, None if kind.abstract else place)
        scope = Scope(unit, you=p.Var(you), prefix=prefix, reading=False).bind("this", bound)
        scope = evolve(scope, remembered=remembered_names(self.context, of))
        scope = with_parameters(self.context, scope, f"effect/{effect.key}", effect.parameters)
        parameters = len(unit.variables)
        code = self.steps.body(body, scope)
        card, none = p.Var(this), t.Const(-1)
        cards = None
        if not kind.abstract:
            cards = t.Choice(t.Binary("<", card, t.Const(0)), t.Items(()), t.Items((card,)))
        event = t.Emit("performed", (p.Var(you),), cards, none, none, at)
        told = self.context.covered(f"effect {key}", at)
        return p.Unit(key, parameters, tuple(unit.variables), (event, *told, *code), at)

    def _worth(self, key: str, node: ScalarNode, type_: Type, kind: KindDeclared) -> p.Unit:
        unit = UnitDraft(key)
        at = self.context.source(f"expression/{key}", node.span)
        you = unit.variable("you", PLAYER)
        this = unit.variable("this", Type("definition" if kind.abstract else "card", kind.key))
        own = FilterMember(this, unit.variables[this].type, (kind.key,))
        scope = Scope(unit, you=p.Var(you), own=own).bind("this", Bound(this, own.type))
        value = self.expressions.read(node, scope, type_)
        give = (t.Give(sure(self.context, value, node.span).node),) if value is not None else ()
        return p.Unit(key, 2, tuple(unit.variables), give, at)
