"""Properties, `x's y`: what players, cards, and definitions have."""

from __future__ import annotations

import re

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.scope import AssignTarget, CheckedExpression, Scope, TextPart
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import KIND, NUMBER, PLAYER, ZONE, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

# ---- Check properties of cards, definitions, and players: tracks, lists, and fields

class Belongings:
    """Finds the owners of zones, tracks, and lists in the declarations."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context

    def kinds_of(self, base: CheckedExpression) -> tuple[str, ...]:
        """Return the possible kinds of the cards of a list."""
        if base.type.name == "definition":
            return tuple(base.type.of.split("|")) if base.type.of else tuple(self.context.declared.kinds)
        if base.type.name != "card":
            return ()
        if base.type.of:
            return (base.type.of,)
        zone = self.context.declared.zones.get(base.zone_key)
        if zone is not None and zone[1].accepts:
            return tuple(k for k in zone[1].accepts if k in self.context.declared.kinds)
        return tuple(k for k, kind in self.context.declared.kinds.items() if not kind.abstract)

    def scope_type(self, name: str) -> Type:
        """Return the type of an index."""
        if name == "player":
            return PLAYER
        if name in self.context.declared.enumerations:
            return Type("enumeration", name)
        return Type("card" if name.endswith(p.EACH_CARD) else "definition", p.scope_kind(name))

    def properties(self, category: str, kinds: tuple[str, ...]) -> list[str]:
        """Return the names of the properties that a card or definition (`category`) of these kinds has."""
        d = self.context.declared
        names = [name for kind in kinds for name in (*d.kinds[kind].fields, *d.kinds[kind].expressions)]
        names += [key for key in (*d.lists, *d.tracks) if self.kept_by(key, category, kinds)]
        return [*dict.fromkeys(names), "definition", "home"]

    def kept_by_kind(self, word: str) -> bool:
        """Whether a word names a list that each card or definition of a kind has."""
        declared = self.context.declared.lists.get(word)
        return declared is not None and p.scope_kind(declared[1].scope) in self.context.declared.kinds

    def kept_by(self, word: str, category: str, kinds: tuple[str, ...]) -> str:
        """Return the scope by which each card, or each definition, of these kinds has this track or list; else "".

        Cards may also be of other kinds, since a track has a value for every card. Definitions may not. A card also
        has those of its definition.
        """
        d = self.context.declared
        if word not in d.tracks and word not in d.lists:
            return ""
        scopes = d.tracks[word][1].scope if word in d.tracks else (d.lists[word][1].scope,)
        own = (f"{kind}{p.EACH_CARD}" for kind in kinds) if category == "card" else ()
        alone = kinds[0] if len(kinds) == 1 else ""
        return next((scope for scope in own if scope in scopes), alone if alone in scopes else "")

    def of_others(self, word: str, owner: Type, kinds: tuple[str, ...], span: Span) -> bool:
        """Report a property of the copies of a definition, or of definitions of only one of several kinds."""
        d = self.context.declared
        if word not in d.tracks and word not in d.lists:
            return False
        scopes = d.tracks[word][1].scope if word in d.tracks else (d.lists[word][1].scope,)
        of = next((scope for scope in scopes if p.scope_kind(scope) in kinds), "")
        if of:
            self.copies_apart(word, of, owner, span)
        return bool(of)

    def copies_apart(self, word: str, of: str, found: Type, span: Span) -> None:
        """Report a value that is not of the kind whose cards or definitions have this track or list."""
        if of.endswith(p.EACH_CARD):
            kind = p.scope_kind(of)
            message = f"each copy of a `{kind}` has its own `{word}`, and this is a definition, not a copy"
            hint = f"name a copy: `c's {word}`, where `c` is a card"
            hint += f"; for one value per definition, declare it with `scope: {kind}`"
        else:
            message = f"only a `{of}` has a `{word}`, and this {found.name} may be of another kind"
            hint = f"use a {found.name} of kind `{of}`"
        self.context.report("RW445", span, message, hint)

    def whose(self, word: str, scope: Scope, span: Span) -> None:
        """Report a list without an owner, if there is one list for each card or definition."""
        of = p.scope_kind(self.context.declared.lists[word][1].scope)
        this = scope.names.get("this")
        mine = this is not None and of in self.kinds_of(CheckedExpression(p.Var(this.variable), this.type))
        hint = f"write `this's {word}`" if mine else f"say whose: `x's {word}`, where `x` is a `{of}`"
        self.context.report("RW436", span, f"each `{of}` has its own list `{word}`", hint)

    # -------------------------------------------------------------- as values

    def is_owned(self, word: str) -> bool:
        """Whether each player has one of this zone, track, or list."""
        d = self.context.declared
        if word in d.zones:
            return d.zones[word][1].scope == "player"
        if word in d.tracks:
            return "player" in d.tracks[word][1].scope
        if word in d.lists:
            return d.lists[word][1].scope == "player"
        return word == "score"

    def owned(self, word: str, seat: t.Expr) -> CheckedExpression:
        """Return a player's zone, track, or list."""
        d = self.context.declared
        if word in d.zones:
            return self.zone(word, seat)
        if word in d.lists:
            declared = d.lists[word][1]
            return CheckedExpression(
                p.ListAt(word, seat), declared.of.list, target=AssignTarget("list", word, (seat,))
            )
        if word == "score":
            return CheckedExpression(
                p.TrackAt("score", (seat,)), NUMBER, target=AssignTarget("track", "score", (seat,))
            )
        return self.track(word, {d.tracks[word][1].scope.index("player"): seat})

    def zone(self, word: str, index: t.Expr | None) -> CheckedExpression:
        """Return a zone: that of the player or definition with this number, or the one of the game."""
        at = p.ZoneAt(word, index)
        return CheckedExpression(at, ZONE, zone=at, zone_key=word)

    def track(self, word: str, indices_given: dict[int, t.Expr]) -> CheckedExpression:
        """Return a track with some of its indices, by the positions of their scopes."""
        track = self.context.declared.tracks[word][1]
        holes = tuple(number for number in range(len(track.scope)) if number not in indices_given)
        missing = tuple(track.scope[number] for number in holes)
        indices = tuple(indices_given.get(number, t.Const(-1)) for number in range(len(track.scope)))
        target = AssignTarget("track", word, indices, missing, holes)
        return CheckedExpression(p.TrackAt(word, indices), track.of, track.can_be_none, target=target)

    def indexed(self, base: CheckedExpression, index: t.Expr, span: Span) -> CheckedExpression | None:
        """Add an index to a track or field, or select the zone of a definition."""
        target = base.target
        assert target is not None
        if isinstance(base.node, p.FieldAt):
            return evolve(base, node=evolve(base.node, index=index), target=None)
        if base.type.name == "zone":
            return self.zone(target.key, index)
        if target.category == "list":
            return evolve(base, node=p.ListAt(target.key, index), target=AssignTarget("list", target.key, (index,)))
        indices = {number: one for number, one in enumerate(target.indices) if number not in target.holes}
        return self.track(target.key, {**indices, target.holes[0]: index})


# ---- Record the declarations that words of expressions name, for finding all uses of a declaration

_REFERRED: dict[type, str] = {
    p.TrackAt: "track",
    p.ListAt: "list",
    p.ValueOf: "value",
    p.ValueList: "value",
    p.OptionOf: "option",
    p.OptionList: "option",
    p.Invocation: "function",
    p.InvocationList: "function",
    p.MembersOf: "enumeration",
}
"""Category of the declaration that a word names, by the class of its node."""


def refer_to(
    context: CheckContext, word: str, found: CheckedExpression, kinds: tuple[str, ...], span: Span
) -> None:
    """Record what a word names; `kinds` are those whose field it may be."""
    node, d = found.node, context.declared
    if found.zone_key == word:
        context.refer(f"zone/{word}", span)
    elif found.type.name == "enumeration" and isinstance(node, t.Const):
        context.refer(f"{found.type.of}/{word}", span)
    elif found.type.name == "definition" and isinstance(node, t.Const):
        context.refer(f"definition/{d.plurals.get(word, word)}", span)
    elif found.type == KIND:
        context.refer(f"kind/{d.plurals.get(word, word)}", span)
    elif isinstance(node, p.FieldOf | p.FieldAt | p.FieldListOf | p.Worth) or _reads_field(node):
        for kind in kinds:
            if word in d.kinds[kind].fields or word in d.kinds[kind].expressions:
                context.refer(f"field/{kind}.{word}", span)
    elif type(node) in _REFERRED:
        category = "value" if word in d.values else _REFERRED[type(node)]  # a function reads a changed value
        context.refer(f"{category}/{word}", span)


def _reads_field(node: t.Expr | t.List) -> bool:
    return isinstance(node, p.Invocation) and p.is_field_reader(node.function)


# ---- Properties

_END = re.compile(r"(?<![\w-])(top|bottom|first|last)[ ]+of[ ]+\Z")
"""Matches the start of an expression for one end of a zone or list, before its base."""


class Properties:
    """Checks the property after `'s`."""

    def __init__(self, context: CheckContext, belongings: Belongings) -> None:
        self.context = context
        self.belongings = belongings

    def check(
        self, owner: CheckedExpression, name: s.NameNode, scope: Scope, text: TextPart, node: s.Of
    ) -> CheckedExpression | None:
        """Check a property of a player, card, or definition."""
        found = self._found(owner, name, scope.you, text, node)
        if found is not None:
            kinds = self.belongings.kinds_of(CheckedExpression(owner.node, owner.type, zone_key=owner.zone_key))
            refer_to(self.context, name.text, found, kinds, text.span(name.start, name.end))
        return found

    def _found(
        self, owner: CheckedExpression, name: s.NameNode, you: t.Expr | None, text: TextPart, node: s.Of
    ) -> CheckedExpression | None:
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
        kinds = self.belongings.kinds_of(CheckedExpression(owner.node, owner.type, zone_key=owner.zone_key))
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
        self, owner: CheckedExpression, word: str, kinds: tuple[str, ...], you: t.Expr | None, span: Span
    ) -> CheckedExpression | None:
        """Return a property of a card or definition of one of these kinds."""
        d = self.context.declared
        assert isinstance(owner.node, t.Expr)
        item, definition = owner.node, owner.type.name == "definition"
        if word == "definition":
            of = owner.type.of or (kinds[0] if len(kinds) == 1 else "")
            return CheckedExpression(item if definition else p.DefinitionOf(item), Type("definition", of))
        if word == "home":
            home = p.HomeOf(item, definition, self.context.source("", span))
            return CheckedExpression(home, ZONE, zone=home)
        of = self.belongings.kept_by(word, owner.type.name, kinds)
        if of and not definition and not of.endswith(p.EACH_CARD):
            item = p.DefinitionOf(item)  # a card has what its definition has
        if of and word in d.lists:
            declared = d.lists[word][1]
            return CheckedExpression(
                p.ListAt(word, item), declared.of.list, target=AssignTarget("list", word, (item,))
            )
        if of:
            return self.belongings.track(word, {d.tracks[word][1].scope.index(of): item})
        for kind in kinds:
            field = d.kinds[kind].fields.get(word)
            if field is not None:
                if field.per:
                    at = p.FieldAt(word, item, definition, field.per, t.Const(-1))
                    target = AssignTarget("field", word, (), (field.per,))
                    return CheckedExpression(at, field.type, field.type.can_be_none, target=target)
                if field.many:
                    return CheckedExpression(p.FieldListOf(word, item, definition), field.type.list)
                changed = tuple(k for k in self.context.changed.get(word, ()) if k in kinds)
                if changed and not self.context.settling:
                    self.context.readers.add((word, changed, definition))
                    reader = p.field_reader(word, changed, definition)
                    return CheckedExpression(p.Invocation(reader, (item,)), field.type, field.type.can_be_none)
                return CheckedExpression(p.FieldOf(word, item, definition), field.type, field.type.can_be_none)
            if word in d.kinds[kind].expressions:
                who = you if you is not None else t.Const(-1)
                return CheckedExpression(
                    p.Worth(word, item, who, definition, span), d.kinds[kind].expressions[word]
                )
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
