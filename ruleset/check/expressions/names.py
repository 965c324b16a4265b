"""Names in expressions: what a word can mean, and what belongs to whom (`p's hand`, `card's cost`)."""

from __future__ import annotations

import re

from attrs import evolve

from ruleset.check.expressions.keeping import Keeping
from ruleset.check.scope import Bound, Member, Scope, Target, Text, Value
from ruleset.common.diagnostic import Label
from ruleset.common.nearest import nearest
from ruleset.common.span import Span
from ruleset.language import ast as s
from ruleset.language.types import BOOLEAN, CARD, KIND, NONE, NUMBER, PLAYER, ZONE, Type
from ruleset.program import nodes as p
from ruleset.table import nodes as t


class Names(Keeping):
    """The part of `Expressions` that knows declarations."""

    # implemented by Expressions
    def check(self, node: s.Expression, scope: Scope, text: Text, expected: Type | None = None) -> Value | None:
        raise NotImplementedError

    def listed(self, node: s.Expression, scope: Scope, text: Text) -> Value | None:
        raise NotImplementedError

    # -------------------------------------------------------------- a bare name

    def name(self, node: s.Name, scope: Scope, text: Text, expected: Type | None) -> Value | None:
        """What a word means: a variable, a property of `it`, or a declaration of the pack or the kernel."""
        found = self._name(node, scope, text, expected)
        if found is not None and node.text not in scope.names:
            kinds = scope.member.kinds if scope.member is not None else ()
            self._referred(node.text, found, kinds, text.span(node.start, node.end))
        return found

    def _referred(self, word: str, found: Value, kinds: tuple[str, ...], span: Span) -> None:
        """Notes what a word turned out to name; `kinds` are those whose fields it may be."""
        node, d = found.node, self.context.declared
        if found.zone_key == word:
            self.context.refer(f"zone/{word}", span)
        elif found.type.name == "enumeration" and isinstance(node, t.Const):
            self.context.refer(f"{found.type.of}/{word}", span)
        elif found.type.name == "definition" and isinstance(node, t.Const):
            self.context.refer(f"definition/{d.plurals.get(word, word)}", span)
        elif found.type == KIND:
            self.context.refer(f"kind/{d.plurals.get(word, word)}", span)
        elif isinstance(node, p.FieldOf | p.FieldListOf | p.Worth) or _reads_field(node):
            for kind in kinds:
                if word in d.kinds[kind].fields or word in d.kinds[kind].expressions:
                    self.context.refer(f"field/{kind}.{word}", span)
        elif type(node) in _REFERRED:
            self.context.refer(f"{_REFERRED[type(node)]}/{word}", span)

    def _name(self, node: s.Name, scope: Scope, text: Text, expected: Type | None) -> Value | None:
        word = node.text
        span = text.span(node.start, node.end)
        if word == "it" and scope.member is not None and scope.member.outer is not None:
            return self._it(scope.member, span)
        local = scope.names.get(word)
        if local is None and word in scope.lost:  # not what else has this name, such as the kind of a lost card
            return None
        declared = self._bound(local) if local else self._declared(word, scope, expected, span)
        member = self._member(word, scope, span)
        leads = scope.member is not None and scope.member.leads
        if member is not None and local is None and leads and self._owned(word):
            return member
        if declared is not None and declared.type == KIND != expected and word in self.context.poisoned:
            return None  # a broken zone may have the name of a kind
        apart = declared is not None and declared.node != (member.node if member else None)
        if declared is not None and declared.target is not None and declared.target.missing:
            apart = False  # without its index it means nothing
        if member is not None and declared is not None and apart and not isinstance(declared.node, p.MembersOf):
            assert scope.member is not None
            hint = f"write `it's {word}` for that of the {scope.member.type}, or rename one of them"
            if declared.type.name != "none" and self._owned(word) and scope.you is not None:
                hint = f"say whose: `it's {word}` or `your {word}`"
            message = (
                f"`{word}` could mean two things here: that of the {scope.member.type} in question, "
                f"or `{word}` outside of the filter"
            )
            self.context.report("RW421", span, message, hint, *self._both(word, scope.member, local is None))
            return None
        if member is not None:
            return member
        if local is not None:
            return declared
        if self._owned(word) and expected != KIND:
            return self._yours(word, scope, span)
        if declared is not None:
            return declared
        if word in self.context.poisoned:
            return None
        if self.kept_by_kind(word):
            self.whose(word, scope, span)
            return None
        if word in scope.inside:
            self.without_value(word, span)
            return None
        self.unknown(word, scope, span)
        return None

    def _it(self, member: Member, span: Span) -> Value | None:
        """`it` in a filter inside of another: the nearest member without a name, unless it could be two."""
        if member.named:
            while member.named and member.outer is not None:
                member = member.outer
        elif member.outer is not None and _category(member.type) == _category(member.outer.type):
            hint = "name the inner one: `any other in … where other's cost > it's cost`; `it` is then the outer one"
            message = f"`it` could be either of two {_category(member.type)}s: one filter stands inside of another"
            self.context.report("RW421", span, message, hint)
            return None
        return Value(p.Var(member.variable), member.type, zone_key="")

    def _both(self, word: str, member: Member, global_: bool) -> tuple[Label, ...]:
        """Where the two meanings of a word are declared."""
        d = self.context.declared
        kinds = [d.kinds[kind] for kind in member.kinds if word in d.kinds[kind].fields]
        labels = [Label(kind.span, f"each `{kind.key}` has a `{word}`") for kind in kinds]
        groups = (d.zones, d.tracks, d.lists, d.values, d.options)
        spans = [group[word][0] for group in groups if word in group] if global_ else []
        return (*labels[:1], *(Label(span, f"`{word}` is declared here") for span in spans[:1]))

    def _bound(self, bound: Bound) -> Value:
        many = bound.type.many
        node: t.Expr | t.List = p.ListVar(bound.variable) if many else p.Var(bound.variable)
        if bound.type.name == "zone":
            return Value(node, ZONE, zone=p.Var(bound.variable))
        place = p.Var(bound.place) if bound.place is not None else None
        return Value(node, bound.type, bound.maybe, place, bound.variable)

    def bind_member(self, scope: Scope, name: str, variable: int, type_: Type) -> Scope:
        return scope.bind(name, Bound(variable, type_))

    def _member(self, word: str, scope: Scope, span: Span) -> Value | None:
        """A property of `it`, read by its bare name."""
        member = scope.member
        if member is None:
            return None
        item = Value(p.Var(member.variable), member.type, zone_key="")
        if word == "it":
            return item
        if member.type.name in ("card", "definition"):
            if word in self.properties(member.type.name, member.kinds) and self._knows(word, member.kinds, span):
                return self._card_property(item, word, member.kinds, scope.you, span)
            return None
        if member.type.name == "player" and self._owned(word):
            return self.owned(word, p.Var(member.variable))
        return None

    def _knows(self, word: str, kinds: tuple[str, ...], span: Span) -> bool:
        """Whether the pack of a text knows what it could name by a bare word: packs may add fields to a kind."""
        d = self.context.declared
        places = [d.kinds[kind].places[word] for kind in kinds if word in d.kinds[kind].places]
        return not places or any(d.visible(span, place) for place in places)

    def _owned(self, word: str) -> bool:
        """Whether each player has one of these: a zone, a track, a list."""
        d = self.context.declared
        if word in d.zones:
            return d.zones[word][1].scope == "player"
        if word in d.tracks:
            return "player" in d.tracks[word][1].scope
        if word in d.lists:
            return d.lists[word][1].scope == "player"
        return word == "score"

    def _yours(self, word: str, scope: Scope, span: Span) -> Value | None:
        if scope.subject:
            hint = f"say whose: `your {word}` or `{scope.subject}'s {word}`"
            self.context.report("RW441", span, f"whose `{word}`? This sentence is about `{scope.subject}`", hint)
            return None
        if scope.you is None:
            hint = f"say whose: `p's {word}`, where p is a player"
            self.context.report("RW422", span, f"whose `{word}`? Nobody acts or has the turn here", hint)
            return None
        return self.owned(word, scope.you)

    def owned(self, word: str, seat: t.Expr) -> Value:
        """A player's zone, track or list."""
        d = self.context.declared
        if word in d.zones:
            return self._zone(word, seat)
        if word in d.lists:
            declared = d.lists[word][1]
            return Value(p.ListAt(word, seat), declared.of.list, target=Target("list", word, (seat,)))
        if word == "score":
            return Value(p.TrackAt("score", (seat,)), NUMBER, target=Target("track", "score", (seat,)))
        return self._track(word, {d.tracks[word][1].scope.index("player"): seat})

    def _zone(self, word: str, index: t.Expr | None) -> Value:
        at = p.ZoneAt(word, index)
        return Value(at, ZONE, zone=at, zone_key=word)

    def _track(self, word: str, given: dict[int, t.Expr]) -> Value:
        """A track with some of its indices, by the numbers of their scopes."""
        track = self.context.declared.tracks[word][1]
        holes = tuple(number for number in range(len(track.scope)) if number not in given)
        missing = tuple(track.scope[number] for number in holes)
        indices = tuple(given.get(number, t.Const(-1)) for number in range(len(track.scope)))
        target = Target("track", word, indices, missing, holes)
        return Value(p.TrackAt(word, indices), track.of, track.of.can_be_none, target=target)

    def indexed(self, base: Value, index: t.Expr, span: Span) -> Value | None:
        """One more index of a track, or the zone of a definition."""
        target = base.target
        assert target is not None
        if base.type.name == "zone":
            return self._zone(target.key, index)
        indices = {number: one for number, one in enumerate(target.indices) if number not in target.holes}
        return self._track(target.key, {**indices, target.holes[0]: index})

    def _declared(self, word: str, scope: Scope, expected: Type | None, span: Span) -> Value | None:
        d = self.context.declared
        kernel = self._kernel(word, scope)
        if kernel is not None:
            return kernel
        if expected is not None and expected.name == "enumeration" and expected.of in d.enumerations:
            members = d.enumerations[expected.of][1]
            if word in members:
                return Value(t.Const(members.index(word)), Type("enumeration", expected.of))
        if self._owned(word):
            return self.owned(word, scope.you) if scope.you is not None and not scope.subject else None
        if word in d.zones:
            zone = d.zones[word][1]
            if zone.scope == "definition":
                target = Target("track", word, (), (zone.of,))
                return Value(t.Const(-1), ZONE, zone_key=word, target=target)
            return self._zone(word, None)
        if word in d.tracks:
            return self._track(word, {})
        if word in d.lists:
            declared = d.lists[word][1]
            if declared.scope == "game":
                return Value(p.ListAt(word, None), declared.of.list, target=Target("list", word, ()))
            return None
        if word in d.values:
            return Value(p.ValueOf(word), NUMBER)
        if word in d.options:
            option = d.options[word][1]
            if option.members == ("false", "true"):
                return Value(p.OptionOf(word), BOOLEAN)
            if option.some:
                return Value(p.OptionList(word), Type("definition", option.of, True))
            return Value(p.OptionOf(word), Type("enumeration", option.of) if option.members else NUMBER)
        if word in d.functions and not d.functions[word].takes:
            return self._invoke(word, (), span)
        found = d.member(word)
        if found is not None:
            return Value(t.Const(found[1]), Type("enumeration", found[0]))
        if word in d.enumerations:
            return Value(p.MembersOf(word), Type("enumeration", word, True))
        word = d.plurals.get(word, word)
        if word in d.definitions and expected != KIND:
            kinds = d.definitions[word].kind
            return Value(self.definition(word), Type("definition", kinds))
        if word in d.kinds:
            return Value(t.Const(list(d.kinds).index(word)), KIND)
        return None

    def definition(self, key: str) -> t.Expr:
        """Definitions are numbered in the order of their declaration."""
        return t.Const(list(self.context.declared.definitions).index(key))

    def _kernel(self, word: str, scope: Scope) -> Value | None:
        if word == "you":
            return Value(scope.you, PLAYER) if scope.you is not None else None
        if word == "players":
            return Value(p.Living(), PLAYER.list)
        if word == "all-players":
            return Value(p.Everyone(), PLAYER.list)
        if word == "others" and scope.you is not None:
            variable = scope.unit.variable("other", PLAYER)
            everyone = t.Rotated(p.Living(), scope.you)
            keep = t.Binary("!=", p.Var(variable), scope.you)
            return Value(t.Filter(everyone, variable, keep), PLAYER.list)
        if word == "none":
            return Value(t.Const(-1), NONE, True)
        if word in ("true", "false"):
            return Value(t.Const(int(word == "true")), BOOLEAN)
        return None

    # -------------------------------------------------------------- x's y

    def property(self, owner: Value, name: s.Name, scope: Scope, text: Text, node: s.Of) -> Value | None:
        """What belongs to a player, a card or a definition."""
        found = self._property(owner, name, scope.you, text, node)
        if found is not None:
            kinds = self.kinds_of(Value(owner.node, owner.type, zone_key=owner.zone_key))
            self._referred(name.text, found, kinds, text.span(name.start, name.end))
        return found

    def _property(self, owner: Value, name: s.Name, you: t.Expr | None, text: Text, node: s.Of) -> Value | None:
        word, span = name.text, text.span(name.start, name.end)
        if owner.type.many or owner.type.name not in ("player", "card", "definition"):
            of = text.span(node.owner.start, node.owner.end)
            hint = "pick one first: `(first of …)'s …`, or use `total … over …`" if owner.type.many else None
            end = _END.search(text.before(node.owner.start))
            if end is not None:
                whole = f"{end[0].strip()} {text.says(node.owner.start, node.owner.end)}"
                hint = f"write `({whole})'s {word}`"
            self.context.report("RW423", of, f"a {owner.type} has nothing of its own", hint)
            return None
        assert isinstance(owner.node, t.Expr)
        item = owner.node
        if owner.maybe:
            item = self.context.present(owner, text.span(node.start, node.end))
        if owner.type.name == "player":
            if self._owned(word):
                return self.owned(word, item)
            if word not in self.context.poisoned:
                d = self.context.declared
                names = [n for n in (*d.zones, *d.tracks, *d.lists) if self._owned(n)]
                near = nearest(word, names if self.context.seeking() else ())
                owned = "players own: " + ", ".join(names) if names else None
                hint = f"did you mean `{near}`?" if near else owned
                self.context.report("RW423", span, f"a player has no `{word}`", hint)
            return None
        kinds = self.kinds_of(Value(owner.node, owner.type, zone_key=owner.zone_key))
        names = self.properties(owner.type.name, kinds)
        if word in names:
            return self._card_property(evolve(owner, node=item), word, kinds, you, span)
        if word not in self.context.poisoned:
            if self.of_others(word, owner.type, kinds, span):
                return None
            near = nearest(word, names if self.context.seeking() else ())
            hint = f"did you mean `{near}`?" if near else ("it has: " + ", ".join(names) if names else None)
            self.context.report("RW423", span, f"a {owner.type} has no `{word}`", hint)
        return None

    def _card_property(
        self, owner: Value, word: str, kinds: tuple[str, ...], you: t.Expr | None, span: Span
    ) -> Value | None:
        d = self.context.declared
        assert isinstance(owner.node, t.Expr)
        item, definition = owner.node, owner.type.name == "definition"
        if word == "definition":
            of = owner.type.of or (kinds[0] if len(kinds) == 1 else "")
            return Value(item if definition else p.DefinitionOf(item), Type("definition", of))
        if word == "home":
            home = p.HomeOf(item, definition, self.context.source("", span))
            return Value(home, ZONE, zone=home)
        of = self.kept_by(word, owner.type.name, kinds)
        if of and word in d.lists:
            declared = d.lists[word][1]
            return Value(p.ListAt(word, item), declared.of.list, target=Target("list", word, (item,)))
        if of:
            return self._track(word, {d.tracks[word][1].scope.index(of): item})
        for kind in kinds:
            field = d.kinds[kind].fields.get(word)
            if field is not None:
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
        """The effect field of a card's or definition's kind (of any kind when it is not known)."""
        d = self.context.declared
        kinds = type_.of.split("|") if type_.of else list(d.kinds)
        for kind in kinds:
            if kind in d.kinds and word in d.kinds[kind].effects:
                return d.kinds[kind].effects[word]
        return None

    def effect_referred(self, type_: Type, word: str, span: Span) -> None:
        """Notes that an effect is named, of each kind that it may be of."""
        kinds = self.context.declared.kinds
        for kind in type_.of.split("|") if type_.of else kinds:
            if kind in kinds and word in kinds[kind].effects:
                self.context.refer(f"field/{kind}.{word}", span)

    # -------------------------------------------------------------- nouns, calls

    def noun_word(self, word: str) -> str | None:
        """The kind or definition that a noun names, `""` for `card` and `cards`."""
        d = self.context.declared
        if word in ("card", "cards"):
            return ""
        if word in d.plurals:
            return d.plurals[word]
        return word if word in d.kinds or word in d.definitions else None

    def of_noun(self, base: Value, noun: str, scope: Scope, node: s.Expression, text: Text) -> Value | None:
        """The members of a list of cards that a noun names."""
        if not noun:
            return base
        d = self.context.declared
        category = "definition" if noun in d.definitions and noun not in d.kinds else "kind"
        self.context.refer(f"{category}/{noun}", text.span(node.start, node.end))
        kinds = self.kinds_of(base)
        if (noun if category == "kind" else d.definitions[noun].kind) not in kinds:
            self.never_there(noun, kinds, node, text)
            return None
        assert isinstance(base.node, t.List)
        variable = scope.unit.variable("it", CARD)
        if noun in d.definitions and not any(x.kind == noun for x in d.definitions.values()):
            key = t.Binary("==", p.DefinitionOf(p.Var(variable)), self.definition(noun))
            type_ = Type("card", d.definitions[noun].kind, True)
        else:
            key = t.Binary("==", p.KindOf(p.Var(variable), False), t.Const(list(d.kinds).index(noun)))
            type_ = Type("card", noun, True)
            if base.type.of == noun or self.kinds_of(base) == (noun,):
                return evolve(base, type=type_)
        return evolve(base, node=t.Filter(base.node, variable, key), type=type_)

    def never_there(self, noun: str, kinds: tuple[str, ...], node: s.Expression, text: Text) -> None:
        """Reports a noun that means no member of a list, whatever happens: `kinds` are those that can be in it."""
        message = f"no `{noun}` can be among these"
        those = ", ".join(f"`{kind}`" for kind in kinds)
        hint = f"only these kinds can be there: {those}" if len(kinds) > 1 else f"they are all of the kind {those}"
        self.context.report("RW450", text.span(node.start, node.end), message, hint)

    def every(self, node: s.Every, text: Text) -> Value | None:
        d = self.context.declared
        word = d.plurals.get(node.kind.text, node.kind.text)
        span = text.span(node.kind.start, node.kind.end)
        if word in d.kinds:
            self.context.refer(f"kind/{word}", span)
            return Value(p.DefinitionsOf(word), Type("definition", word, True))
        if word not in self.context.poisoned:
            near = nearest(word, d.kinds if self.context.seeking() else ())
            hint = f"did you mean `{near}`?" if near else None
            self.context.report("RW420", span, f"there is no kind `{word}`", hint)
        return None

    def _invoke(self, word: str, arguments: tuple[t.Expr | t.List, ...], span: Span) -> Value:
        function = self.context.declared.functions[word]
        gives = function.gives or BOOLEAN
        at = self.context.source(f"function/{word}", span)
        if gives.many:
            return Value(p.InvocationList(word, arguments, at), gives)
        return Value(p.Invocation(word, arguments, at), gives, gives.can_be_none)


_REFERRED: dict[type, str] = {
    p.TrackAt: "track",
    p.ListAt: "list",
    p.ValueOf: "value",
    p.OptionOf: "option",
    p.OptionList: "option",
    p.Invocation: "function",
    p.InvocationList: "function",
    p.MembersOf: "enumeration",
}
"""What a word names, by the node that it becomes."""

_END = re.compile(r"(?<![\w-])(top|bottom|first|last)[ ]+of[ ]+\Z")
"""What stands before a zone or list of which one end is meant."""


def _reads_field(node: t.Expr | t.List) -> bool:
    return isinstance(node, p.Invocation) and p.is_field_reader(node.function)


def _category(type_: Type) -> str:
    return "card" if type_.name == "definition" else type_.name
