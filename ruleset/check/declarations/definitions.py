"""Check kinds and definitions: their fields, effects, and expressions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

from attrs import evolve

from rulewright.ruleset.check.declarations.field_values import FieldValues, Values
from rulewright.ruleset.check.expressions.fitting import sure
from rulewright.ruleset.check.expressions.settled import settled
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.recheck import Rechecker
from rulewright.ruleset.check.scope import Bound, Member, Scope, Unit, Value
from rulewright.ruleset.check.statements.durations.lasting import remembered_names
from rulewright.ruleset.check.units.parameters import with_parameters
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.declare.declarations import DefinitionDeclared, KindDeclared, grouped
from rulewright.ruleset.documents.sections import DefinitionDocument
from rulewright.ruleset.documents.steps import Body
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import substitute
from rulewright.ruleset.source.nodes import Node, Scalar
from rulewright.ruleset.table import nodes as t

FORMS_OF_DEFINITION = ("name", "text", "plural", "when", "copies", "source", "starts", "home", "remembers")


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
        when = settled(self.expressions, said, BOOLEAN, Scope(Unit("components")))
        when = self._by_kind(kind, d.key) if when is None else when
        return p.Definition(d.key, d.kind, when, fields, effects, expressions, texts, d.span), units

    def _fields(self, d: DefinitionDeclared, kind: KindDeclared) -> Iterator[tuple[str, Values]]:
        made = dict(d.made)
        for name, field in kind.fields.items():
            if field.derived:
                self._written(d, name)
                continue
            if name in made:
                yield name, (made[name],)
                continue
            node = d.body.get(name)
            node = kind.defaults.get(name) if node is None else node
            if isinstance(node, Scalar) and node.text == "none" and field.type.name == "definition":
                continue
            values = self.values.read(node, field, kind) if node is not None else ()
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
            if name in known or name in FORMS_OF_DEFINITION or name in self.context.poisoned:
                continue
            near = nearest(name, [*known, *FORMS_OF_DEFINITION])
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
            if isinstance(node, Scalar):
                key = f"{d.key}.{name}"
                units.append(self._worth(key, node, type_, kind))
                yield name, key
            elif isinstance(default, Scalar):
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
            scope = Scope(Unit("components"))
            every = Value(p.DefinitionsOf(kind.key), Type("definition", kind.key, True))
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
                    if isinstance(default, Scalar) and key not in context.used:
                        self._worth(key, default, type_, kind)
                if kind.when is not None:
                    self._kinds_own(kind)
            self.again.discarding = False
            found, used, references = context.found[before:], context.used, context.references[referred:]
        context.found.extend(found)
        context.used = used
        context.references.extend(references)

    def _default_value(self, node: Node, field: p.Field, kind: KindDeclared) -> None:
        if not (isinstance(node, Scalar) and node.text == "none" and field.type.name == "definition"):
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
        unit = Unit(key)
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

    def _worth(self, key: str, node: Scalar, type_: Type, kind: KindDeclared) -> p.Unit:
        unit = Unit(key)
        at = self.context.source(f"expression/{key}", node.span)
        you = unit.variable("you", PLAYER)
        this = unit.variable("this", Type("definition" if kind.abstract else "card", kind.key))
        own = Member(this, unit.variables[this].type, (kind.key,))
        scope = Scope(unit, you=p.Var(you), own=own).bind("this", Bound(this, own.type))
        value = self.expressions.read(node, scope, type_)
        give = (t.Give(sure(self.context, value, node.span).node),) if value is not None else ()
        return p.Unit(key, 2, tuple(unit.variables), give, at)
