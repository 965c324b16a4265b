"""Resolve bare words in expressions."""

from __future__ import annotations

from typing import Protocol

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.expressions.fitting import definition_number
from rulewright.ruleset.check.expressions.properties import Belongings, Properties, refer_to
from rulewright.ruleset.check.hints import NameHints
from rulewright.ruleset.check.scope import AssignTarget, Bound, CheckedExpression, FilterMember, Scope, TextPart
from rulewright.ruleset.common.diagnostic import Label, Span
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.syntax_errors import LOCAL_NOT_NAMES, reserved
from rulewright.ruleset.language.types import BOOLEAN, CARD, KIND, NONE, NUMBER, PLAYER, ZONE, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

# ---- Check nouns, such as `cards` in `choose 2 cards from hand`

_PLAIN = {
    "player": ("player", "players"),
    "number": ("number", "numbers"),
    "boolean": ("boolean", "booleans"),
    "zone": ("zone", "zones"),
}


class Nouns:
    """Checks nouns against the lists that they narrow down."""

    def __init__(self, context: CheckContext, belongings: Belongings) -> None:
        self.context = context
        self.belongings = belongings

    def word(self, word: str) -> str | None:
        """Return the kind or definition that a noun names, `""` for `card` and `cards`, or None."""
        d = self.context.declared
        if word in ("card", "cards"):
            return ""
        if word in d.plurals:
            return d.plurals[word]
        return word if word in d.kinds or word in d.definitions else None

    def bare(self, node: s.Expression, scope: Scope) -> str | None:
        """Return the kind or definition that a bare word names (`gems`); `""` for `cards`; else None."""
        if not isinstance(node, s.NameNode) or node.text in scope.names:
            return None
        return self.word(node.text)

    def narrowed(
        self, base: CheckedExpression, noun: str, scope: Scope, node: s.Expression, text: TextPart
    ) -> CheckedExpression | None:
        """Return the members of a list of cards that a noun names."""
        if not noun:
            return base
        d = self.context.declared
        category = "definition" if noun in d.definitions and noun not in d.kinds else "kind"
        self.context.refer(f"{category}/{noun}", text.span(node.start, node.end))
        kinds = self.belongings.kinds_of(base)
        if (noun if category == "kind" else d.definitions[noun].kind) not in kinds:
            self._never_there(noun, kinds, node, text)
            return None
        assert isinstance(base.node, t.List)
        variable = scope.unit.variable("it", CARD)
        if noun in d.definitions and not any(x.kind == noun for x in d.definitions.values()):
            key = t.Binary("==", p.DefinitionOf(p.Var(variable)), definition_number(d, noun))
            type_ = Type("card", d.definitions[noun].kind, True)
        else:
            key = t.Binary("==", p.KindOf(p.Var(variable), False), t.Const(list(d.kinds).index(noun)))
            type_ = Type("card", noun, True)
            if base.type.of == noun or self.belongings.kinds_of(base) == (noun,):
                return evolve(base, type=type_)
        return evolve(base, node=t.Filter(base.node, variable, key), type=type_)

    def _never_there(self, noun: str, kinds: tuple[str, ...], node: s.Expression, text: TextPart) -> None:
        """Report a noun that can match no member of a list, whose members have these `kinds`."""
        message = f"this list never holds a `{noun}`"
        hint = f"its members are of kind {listed(kinds, 'or')}"
        self.context.report("RW450", text.span(node.start, node.end), message, hint)

    def every(self, node: s.Every, text: TextPart) -> CheckedExpression | None:
        """Check `every KIND`: all definitions of a kind."""
        d = self.context.declared
        word = d.plurals.get(node.kind.text, node.kind.text)
        span = text.span(node.kind.start, node.kind.end)
        if word in d.kinds:
            self.context.refer(f"kind/{word}", span)
            return CheckedExpression(p.DefinitionsOf(word), Type("definition", word, True))
        if word not in self.context.poisoned:
            near = nearest(word, d.kinds if self.context.seeking() else ())
            hint = f"did you mean `{near}`?" if near else None
            self.context.report("RW420", span, f"there is no kind `{word}`", hint)
        return None

    def called(
        self, base: CheckedExpression, noun: s.Expression, scope: Scope, text: TextPart
    ) -> CheckedExpression | None:
        """Return the members of a list that a noun matches: all, or those of a named kind or definition."""
        span = text.span(noun.start, noun.end)
        word = noun.text if isinstance(noun, s.NameNode) else ""
        if not word:
            shown = text.says(noun.start, noun.end)
            self.context.report("RW425", span, f"expected a noun, such as `card`, found `{shown}`")
            return None
        named = self.word(word)
        if base.type.name in ("card", "definition") and named is not None:
            if base.type.name == "card":
                return self.narrowed(base, named, scope, noun, text)
            return self._of_definitions(base, named, scope, noun, text)
        nouns = self._nouns(base.type)
        if word in nouns or not nouns:
            return base
        if word in self.context.poisoned or word in scope.lost:
            return None
        near = nearest(word, nouns if self.context.seeking() else ())
        shown = listed(nouns[:2], "or")
        if base.type.name in ("card", "definition"):
            message, hint = f"no card is called `{word}`", "write `card`, `cards`, or a kind"
        else:
            message, hint = f"expected {shown}, found `{word}`", f"the list holds {base.type.plural}"
        self.context.report("RW420", span, message, f"did you mean `{near}`?" if near else hint)
        return None

    def _nouns(self, type_: Type) -> tuple[str, ...]:
        """Return the nouns for members of a list; none if nothing is known of them."""
        d = self.context.declared
        if type_.name in ("card", "definition"):
            return ("card", "cards", *d.plurals, *d.kinds)
        if type_.name == "enumeration":
            return (type_.of, *plurals(type_.of))
        return _PLAIN.get(type_.name, ())

    def _of_definitions(
        self, base: CheckedExpression, noun: str, scope: Scope, node: s.Expression, text: TextPart
    ) -> CheckedExpression | None:
        """Return the definitions of a list that are of a kind, or the one that is named."""
        d = self.context.declared
        kinds = self.belongings.kinds_of(base)
        if not noun or kinds == (noun,):
            return base
        one = noun not in d.kinds or (noun in d.definitions and noun not in kinds)
        kind = d.definitions[noun].kind if one else noun
        self.context.refer(f"{'definition' if one else 'kind'}/{noun}", text.span(node.start, node.end))
        if kind not in kinds:
            self._never_there(noun, kinds, node, text)
            return None
        assert isinstance(base.node, t.List)
        variable = scope.unit.variable("it", base.type.one)
        it = p.Var(variable)
        key = t.Binary("==", p.KindOf(it, True), t.Const(list(d.kinds).index(noun))) if not one else None
        key = key or t.Binary("==", it, definition_number(d, noun))
        return evolve(base, node=t.Filter(base.node, variable, key), type=Type("definition", kind, True))


def plurals(word: str) -> tuple[str, ...]:
    """Return possible English plurals of a word."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return (f"{word}es",)
    return (f"{word}s", f"{word[:-1]}ies") if word.endswith("y") else (f"{word}s",)


class NameResolver:
    """Resolves names by their scope and the declarations of the pack."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.hints = NameHints(context)
        self.belongings = Belongings(context)
        self.nouns = Nouns(context, self.belongings)
        self.properties = Properties(context, self.belongings)

    def check(
        self, node: s.NameNode, scope: Scope, text: TextPart, expected: Type | None
    ) -> CheckedExpression | None:
        """Resolve a word: a variable, a property of `it`, or a declaration of the pack or the kernel."""
        found = self._name(node, scope, text, expected)
        if found is not None and node.text not in scope.names:
            kinds = tuple(kind for one in (scope.member, scope.own) if one is not None for kind in one.kinds)
            refer_to(self.context, node.text, found, kinds, text.span(node.start, node.end))
        return found

    def inside(
        self, base: CheckedExpression, scope: Scope, name: str = "", leads: bool = False
    ) -> tuple[Scope, int]:
        """Return the scope of a filter, whose member is `it` and has `name`, and the member's variable."""
        variable = scope.unit.variable(name or "it", base.type.one)
        named = bool(name) and (base.type.name != "card" or self.nouns.word(name) is None)
        member = FilterMember(variable, base.type.one, self.belongings.kinds_of(base), named, scope.member, leads)
        inner = evolve(scope, member=member, subject="", reading=True)
        return inner, variable

    def _name(
        self, node: s.NameNode, scope: Scope, text: TextPart, expected: Type | None
    ) -> CheckedExpression | None:
        word = node.text
        span = text.span(node.start, node.end)
        if word == "it" and scope.member is not None and scope.member.outer is not None:
            return self._it(scope.member, span)
        local = scope.names.get(word)
        if local is None and word in scope.lost:  # try no other meaning, such as the kind of a lost card
            return None
        shared = scope.remembered.get(word)
        declared = self._bound(local) if local else shared or self._declared(word, scope, expected, span)
        holder, member = self._holder(word, scope, span)
        if holder is None and member is not None:
            return None  # reported
        if holder is scope.own and holder is not None and not holder.leads:
            elsewhere = local is not None or declared is not None or self.belongings.is_owned(word)
            member = None if elsewhere else member
        leads = scope.member is not None and scope.member.leads
        if member is not None and local is None and leads and self.belongings.is_owned(word):
            return member
        if declared is not None and declared.type == KIND != expected and word in self.context.poisoned:
            return None  # a broken zone may have the name of a kind
        of_enumeration = declared is not None and isinstance(declared.node, p.MembersOf)
        if of_enumeration and member is None and scope.member is not None and word in self.context.poisoned:
            return None  # a broken kind may have a field with the name of its enumeration
        apart = declared is not None and declared.node != (member.node if member else None)
        if declared is not None and declared.target is not None and declared.target.missing:
            apart = False  # without its index it has no value
        if member is not None and declared is not None and apart and not isinstance(declared.node, p.MembersOf):
            assert holder is not None
            noun = holder.type.name
            its = "it" if holder is scope.member else scope.unit.variables[holder.variable].name
            hint = f"for that of the {noun}, write `{its}'s {word}`; otherwise rename one of them"
            if declared.type.name != "none" and self.belongings.is_owned(word) and scope.you is not None:
                hint = f"say whose: `it's {word}` or `your {word}`"
            where = "outside the filter" if holder is scope.member else "of the pack"
            message = f"`{word}` has two meanings here: the `{word}` of the {noun}, and `{word}` {where}"
            self.context.report("RW421", span, message, hint, *self._both(word, holder, local is None))
            return None
        if member is not None:
            return member
        if local is not None or shared is not None:
            return declared
        if self.belongings.is_owned(word) and expected != KIND:
            return self._yours(word, scope, span)
        if declared is None:
            self._no_meaning(word, scope, span, expected)
        return declared

    def _no_meaning(self, word: str, scope: Scope, span: Span, expected: Type | None) -> None:
        """Report why a word means nothing here, unless what it names is broken."""
        if word in self.context.poisoned:
            return
        if self.belongings.kept_by_kind(word):
            self.belongings.whose(word, scope, span)
        elif word in scope.inside:
            self.hints.without_value(word, span)
        elif word in scope.lacking:
            if scope.lacking[word]:  # else a place of the hook does not exist
                self.hints.not_at_every_place(word, scope.lacking[word], span)
        else:
            self.hints.unknown(word, scope, span, expected)

    def _holder(self, word: str, scope: Scope, span: Span) -> tuple[FilterMember | None, CheckedExpression | None]:
        """Return the member of the filter, or the definition of an expression, that has a word, and its value.

        If both have it, it is reported, and there is a value without a holder.
        """
        member, own = self._member(word, scope, span), None
        if scope.own is not None and word not in ("it", "definition", "home"):
            own = self._member(word, evolve(scope, member=scope.own), span)
        if own is None:
            return scope.member, member
        assert scope.own is not None
        if member is None:
            return scope.own, own
        assert scope.member is not None
        if scope.member.leads or not scope.own.leads:
            return scope.member, member
        name = scope.unit.variables[scope.own.variable].name
        message = f"`{word}` has two meanings here: that of `it`, and that of `{name}`"
        hint = f"write `it's {word}` or `{name}'s {word}`"
        self.context.report("RW421", span, message, hint, *self._both(word, scope.member, False))
        return None, own

    def _it(self, member: FilterMember, span: Span) -> CheckedExpression | None:
        """Resolve `it` in a nested filter: the nearest member without a name; ambiguous members are reported."""
        if member.named:
            while member.named and member.outer is not None:
                member = member.outer
        elif member.outer is not None and _category(member.type) == _category(member.outer.type):
            hint = "name the inner one: `any other in … where other's cost > it's cost`; then `it` is the outer one"
            message = f"`it` could be either of two {_category(member.type)}s, since one filter is inside another"
            self.context.report("RW421", span, message, hint)
            return None
        return CheckedExpression(p.Var(member.variable), member.type, zone_key="")

    def _both(self, word: str, member: FilterMember, global_: bool) -> tuple[Label, ...]:
        """Label the declarations of the two meanings of a word."""
        d = self.context.declared
        kinds = [d.kinds[kind] for kind in member.kinds if word in d.kinds[kind].fields]
        labels = [Label(kind.span, f"each `{kind.key}` has a `{word}`") for kind in kinds]
        groups = (d.zones, d.tracks, d.lists, d.values, d.options)
        spans = [group[word][0] for group in groups if word in group] if global_ else []
        return (*labels[:1], *(Label(span, f"`{word}` is declared here") for span in spans[:1]))

    def _bound(self, bound: Bound) -> CheckedExpression:
        many = bound.type.many
        node: t.Expr | t.List = p.ListVar(bound.variable) if many else p.Var(bound.variable)
        if bound.type.name == "zone":
            return CheckedExpression(node, ZONE, zone=p.Var(bound.variable))
        place = p.Var(bound.place) if bound.place is not None else None
        return CheckedExpression(node, bound.type, bound.maybe, place, bound.variable)

    def _member(self, word: str, scope: Scope, span: Span) -> CheckedExpression | None:
        """Resolve a bare name as a property of `it`."""
        member = scope.member
        if member is None:
            return None
        item = CheckedExpression(p.Var(member.variable), member.type, zone_key="")
        if word == "it":
            return item
        if member.type.name in ("card", "definition"):
            if word in self.belongings.properties(member.type.name, member.kinds) and self._knows(
                word, member.kinds, span
            ):
                return self.properties.of_card(item, word, member.kinds, scope.you, span)
            return None
        if member.type.name == "player" and self.belongings.is_owned(word):
            return self.belongings.owned(word, p.Var(member.variable))
        return None

    def _knows(self, word: str, kinds: tuple[str, ...], span: Span) -> bool:
        """Whether the pack of a text may use a field by its bare name: packs may add fields to a kind."""
        d = self.context.declared
        places = [d.kinds[kind].places[word] for kind in kinds if word in d.kinds[kind].places]
        return not places or any(d.visible(span, place) for place in places)

    def _yours(self, word: str, scope: Scope, span: Span) -> CheckedExpression | None:
        if scope.subject:
            hint = f"say whose: `your {word}` or `{scope.subject}'s {word}`"
            self.context.report("RW441", span, f"whose `{word}`? This sentence is about `{scope.subject}`", hint)
            return None
        if scope.you is None:
            hint = f"say whose: `p's {word}`, where `p` is a player"
            self.context.report("RW422", span, f"whose `{word}`? No player acts or has the turn here", hint)
            return None
        return self.belongings.owned(word, scope.you)

    def _declared(self, word: str, scope: Scope, expected: Type | None, span: Span) -> CheckedExpression | None:
        d = self.context.declared
        kernel = self._kernel(word, scope, span)
        if kernel is not None:
            return kernel
        if expected is not None and expected.name == "enumeration" and expected.of in d.enumerations:
            members = d.enumerations[expected.of][1]
            if word in members:
                return CheckedExpression(t.Const(members.index(word)), Type("enumeration", expected.of))
        if self.belongings.is_owned(word):
            return self.belongings.owned(word, scope.you) if scope.you is not None and not scope.subject else None
        if word in d.zones:
            zone = d.zones[word][1]
            if zone.scope == "definition":
                target = AssignTarget("track", word, (), (zone.of,))
                return CheckedExpression(t.Const(-1), ZONE, zone_key=word, target=target)
            return self.belongings.zone(word, None)
        if word in d.tracks:
            return self.belongings.track(word, {})
        if word in d.lists:
            declared = d.lists[word][1]
            if declared.scope == "game":
                return CheckedExpression(
                    p.ListAt(word, None), declared.of.list, target=AssignTarget("list", word, ())
                )
            if declared.scope in d.enumerations:
                target = AssignTarget("list", word, (), (declared.scope,), (0,))
                return CheckedExpression(p.ListAt(word, t.Const(-1)), declared.of.list, target=target)
            return None
        if word in d.values:
            if d.values[word][1].several:
                return CheckedExpression(p.ValueList(word), NUMBER.list)
            if word in self.context.changed_values and not self.context.settling:
                return CheckedExpression(p.Invocation(word, (), self.context.source(f"value/{word}", span)), NUMBER)
            return CheckedExpression(p.ValueOf(word), NUMBER)
        if word in d.options:
            option = d.options[word][1]
            if option.members == ("false", "true"):
                return CheckedExpression(p.OptionOf(word), BOOLEAN)
            if option.some:
                return CheckedExpression(p.OptionList(word), Type("definition", option.of, True))
            return CheckedExpression(p.OptionOf(word), Type("enumeration", option.of) if option.members else NUMBER)
        if word in d.functions and not d.functions[word].takes:
            return self.invoke(word, (), span)
        found = d.member(word)
        if found is not None:
            return CheckedExpression(t.Const(found[1]), Type("enumeration", found[0]))
        if word in d.enumerations:
            return CheckedExpression(p.MembersOf(word), Type("enumeration", word, True))
        word = d.plurals.get(word, word)
        if word in d.definitions and expected != KIND:
            kinds = d.definitions[word].kind
            return CheckedExpression(definition_number(d, word), Type("definition", kinds))
        if word in d.kinds:
            return CheckedExpression(t.Const(list(d.kinds).index(word)), KIND)
        return None

    def _kernel(self, word: str, scope: Scope, span: Span) -> CheckedExpression | None:
        if word == "you":
            return CheckedExpression(scope.you, PLAYER) if scope.you is not None else None
        if word == "players":
            return CheckedExpression(p.Living(), PLAYER.list)
        if word == "all-players":
            return CheckedExpression(p.Everyone(), PLAYER.list)
        if word == "extra-turn":
            self.context.need(p.EXTRA_TURNS, span)
            return CheckedExpression(p.TrackAt(p.EXTRA_TURN, ()), BOOLEAN)
        if word == "others" and scope.you is not None:
            variable = scope.unit.variable("other", PLAYER)
            everyone = t.Rotated(p.Living(), scope.you)
            keep = t.Binary("!=", p.Var(variable), scope.you)
            return CheckedExpression(t.Filter(everyone, variable, keep), PLAYER.list)
        if word == "none":
            return CheckedExpression(t.Const(-1), NONE, True)
        if word in ("true", "false"):
            return CheckedExpression(t.Const(int(word == "true")), BOOLEAN)
        return None

    def invoke(self, word: str, arguments: tuple[t.Expr | t.List, ...], span: Span) -> CheckedExpression:
        """Return a call of a function of the pack."""
        function = self.context.declared.functions[word]
        gives = function.gives or BOOLEAN
        at = self.context.source(f"function/{word}", span)
        if gives.many:
            return CheckedExpression(p.InvocationList(word, arguments, at), gives)
        return CheckedExpression(p.Invocation(word, arguments, at), gives, gives.can_be_none)


def _category(type_: Type) -> str:
    return "card" if type_.name == "definition" else type_.name


# ---- Names that effects and expressions give: they are not reserved, and hide nothing

def new_name(context: CheckContext, word: str, span: Span, scope: Scope) -> bool:
    """Whether a new name is not reserved and hides nothing; otherwise report it."""
    if word in LOCAL_NOT_NAMES:
        context.report("RW302", span, *reserved(word))
        return False
    if (word in scope.names and word not in scope.lent) or word in scope.remembered:
        context.report("RW432", span, f"`{word}` is already a name in this effect", "choose another name")
        return False
    d = context.declared
    for group in (d.zones, d.tracks, d.lists, d.values, d.options):
        if word in group:
            message = f"`{word}` is already declared by the pack"
            label = Label(group[word][0], "declared here")
            context.report("RW432", span, message, "choose another name", label)
            return False
    return True


# ---- The interface of `ExpressionChecker` that its parts use

class Expressions(Protocol):
    """Checks nested expressions."""

    @property
    def context(self) -> CheckContext: ...

    @property
    def names(self) -> NameResolver: ...

    def check(
        self, node: s.Expression, scope: Scope, text: TextPart, expected: Type | None = None
    ) -> CheckedExpression | None: ...

    def operand(
        self, node: s.Expression, scope: Scope, text: TextPart, number: bool
    ) -> CheckedExpression | None: ...

    def listed(self, node: s.Expression, scope: Scope, text: TextPart) -> CheckedExpression | None: ...

    def filtered(self, node: s.Expression, scope: Scope, text: TextPart, name: str) -> CheckedExpression | None: ...
