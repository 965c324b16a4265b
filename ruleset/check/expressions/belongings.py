"""Check properties of cards, definitions, and players: tracks, lists, and fields."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Scope, Target, Value
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language.types import NUMBER, PLAYER, ZONE, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


class Belongings:
    """Finds the owners of zones, tracks, and lists in the declarations."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def kinds_of(self, base: Value) -> tuple[str, ...]:
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
        mine = this is not None and of in self.kinds_of(Value(p.Var(this.variable), this.type))
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

    def owned(self, word: str, seat: t.Expr) -> Value:
        """Return a player's zone, track, or list."""
        d = self.context.declared
        if word in d.zones:
            return self.zone(word, seat)
        if word in d.lists:
            declared = d.lists[word][1]
            return Value(p.ListAt(word, seat), declared.of.list, target=Target("list", word, (seat,)))
        if word == "score":
            return Value(p.TrackAt("score", (seat,)), NUMBER, target=Target("track", "score", (seat,)))
        return self.track(word, {d.tracks[word][1].scope.index("player"): seat})

    def zone(self, word: str, index: t.Expr | None) -> Value:
        """Return a zone: that of the player or definition with this number, or the one of the game."""
        at = p.ZoneAt(word, index)
        return Value(at, ZONE, zone=at, zone_key=word)

    def track(self, word: str, indices_given: dict[int, t.Expr]) -> Value:
        """Return a track with some of its indices, by the positions of their scopes."""
        track = self.context.declared.tracks[word][1]
        holes = tuple(number for number in range(len(track.scope)) if number not in indices_given)
        missing = tuple(track.scope[number] for number in holes)
        indices = tuple(indices_given.get(number, t.Const(-1)) for number in range(len(track.scope)))
        target = Target("track", word, indices, missing, holes)
        return Value(p.TrackAt(word, indices), track.of, track.can_be_none, target=target)

    def indexed(self, base: Value, index: t.Expr, span: Span) -> Value | None:
        """Add an index to a track or field, or select the zone of a definition."""
        target = base.target
        assert target is not None
        if isinstance(base.node, p.FieldAt):
            return evolve(base, node=evolve(base.node, index=index), target=None)
        if base.type.name == "zone":
            return self.zone(target.key, index)
        if target.category == "list":
            return evolve(base, node=p.ListAt(target.key, index), target=Target("list", target.key, (index,)))
        indices = {number: one for number, one in enumerate(target.indices) if number not in target.holes}
        return self.track(target.key, {**indices, target.holes[0]: index})
