"""Properties, `x's y`: what players, cards, and definitions have."""

from __future__ import annotations

import re

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.belongings import Belongings
from rulewright.ruleset.check.expressions.references import refer_to
from rulewright.ruleset.check.scope import Scope, Target, Text, Value
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import ZONE, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

_END = re.compile(r"(?<![\w-])(top|bottom|first|last)[ ]+of[ ]+\Z")
"""Matches the start of an expression for one end of a zone or list, before its base."""


class Properties:
    """Checks the property after `'s`."""

    def __init__(self, context: Context, belongings: Belongings) -> None:
        self.context = context
        self.belongings = belongings

    def check(self, owner: Value, name: s.Name, scope: Scope, text: Text, node: s.Of) -> Value | None:
        """Check a property of a player, card, or definition."""
        found = self._found(owner, name, scope.you, text, node)
        if found is not None:
            kinds = self.belongings.kinds_of(Value(owner.node, owner.type, zone_key=owner.zone_key))
            refer_to(self.context, name.text, found, kinds, text.span(name.start, name.end))
        return found

    def _found(self, owner: Value, name: s.Name, you: t.Expr | None, text: Text, node: s.Of) -> Value | None:
        word, span = name.text, text.span(name.start, name.end)
        if owner.type.many or owner.type.name not in ("player", "card", "definition"):
            of = text.span(node.owner.start, node.owner.end)
            says = text.says(node.owner.start, node.owner.end)
            both = f"take one of them, `(first of {says})'s {word}`, or their sum, `(total {word} over {says})`"
            hint = both if owner.type.many else None
            end = _END.search(text.before(node.owner.start))
            if owner.type.name == "zone":
                hint = f"name a card of the zone: `(top of {says})'s {word}`"
            if end is not None:
                hint = f"write `({end[0].strip()} {says})'s {word}`"
            self.context.report("RW423", of, f"a {owner.type} has no properties", hint)
            return None
        assert isinstance(owner.node, t.Expr)
        item = owner.node
        if owner.maybe:
            item = self.context.present(owner, text.span(node.start, node.end))
        if owner.type.name == "player":
            if self.belongings.is_owned(word):
                return self.belongings.owned(word, item)
            if word not in self.context.poisoned:
                d = self.context.declared
                names = [n for n in (*d.zones, *d.tracks, *d.lists) if self.belongings.is_owned(n)]
                near = nearest(word, names if self.context.seeking() else ())
                owned = f"a player has {listed(names)}" if names else None
                hint = f"did you mean `{near}`?" if near else owned
                self.context.report("RW423", span, f"a player has no `{word}`", hint)
            return None
        kinds = self.belongings.kinds_of(Value(owner.node, owner.type, zone_key=owner.zone_key))
        names = self.belongings.properties(owner.type.name, kinds)
        if word in names:
            return self.of_card(evolve(owner, node=item), word, kinds, you, span)
        if word not in self.context.poisoned:
            if self.belongings.of_others(word, owner.type, kinds, span):
                return None
            near = nearest(word, names if self.context.seeking() else ())
            hint = f"did you mean `{near}`?" if near else (f"it has {listed(names)}" if names else None)
            self.context.report("RW423", span, f"a {owner.type} has no `{word}`", hint)
        return None

    def of_card(
        self, owner: Value, word: str, kinds: tuple[str, ...], you: t.Expr | None, span: Span
    ) -> Value | None:
        """Return a property of a card or definition of one of these kinds."""
        d = self.context.declared
        assert isinstance(owner.node, t.Expr)
        item, definition = owner.node, owner.type.name == "definition"
        if word == "definition":
            of = owner.type.of or (kinds[0] if len(kinds) == 1 else "")
            return Value(item if definition else p.DefinitionOf(item), Type("definition", of))
        if word == "home":
            home = p.HomeOf(item, definition, self.context.source("", span))
            return Value(home, ZONE, zone=home)
        of = self.belongings.kept_by(word, owner.type.name, kinds)
        if of and not definition and not of.endswith(p.EACH_CARD):
            item = p.DefinitionOf(item)  # a card has what its definition has
        if of and word in d.lists:
            declared = d.lists[word][1]
            return Value(p.ListAt(word, item), declared.of.list, target=Target("list", word, (item,)))
        if of:
            return self.belongings.track(word, {d.tracks[word][1].scope.index(of): item})
        for kind in kinds:
            field = d.kinds[kind].fields.get(word)
            if field is not None:
                if field.per:
                    at = p.FieldAt(word, item, definition, field.per, t.Const(-1))
                    target = Target("field", word, (), (field.per,))
                    return Value(at, field.type, field.type.can_be_none, target=target)
                if field.many:
                    return Value(p.FieldListOf(word, item, definition), field.type.list)
                changed = tuple(k for k in self.context.changed.get(word, ()) if k in kinds)
                if changed and not self.context.settling:
                    self.context.readers.add((word, changed, definition))
                    reader = p.field_reader(word, changed, definition)
                    return Value(p.Invocation(reader, (item,)), field.type, field.type.can_be_none)
                return Value(p.FieldOf(word, item, definition), field.type, field.type.can_be_none)
            if word in d.kinds[kind].expressions:
                who = you if you is not None else t.Const(-1)
                return Value(p.Worth(word, item, who, definition, span), d.kinds[kind].expressions[word])
        return None

    def effect_of(self, type_: Type, word: str) -> p.EffectField | None:
        """Return an effect field of the kind of a card or definition, or of any kind if that is unknown."""
        d = self.context.declared
        kinds = type_.of.split("|") if type_.of else list(d.kinds)
        for kind in kinds:
            if kind in d.kinds and word in d.kinds[kind].effects:
                return d.kinds[kind].effects[word]
        return None

    def refer_to_effect(self, type_: Type, word: str, span: Span) -> None:
        """Record the use of an effect, for each kind that it may belong to."""
        kinds = self.context.declared.kinds
        for kind in type_.of.split("|") if type_.of else kinds:
            if kind in kinds and word in kinds[kind].effects:
                self.context.refer(f"field/{kind}.{word}", span)
