"""Expressions: names and types. The one public class checks a tree of `language.ast` within a scope.

A method gives None after it has reported; whoever asked says nothing more.
"""

from __future__ import annotations

from attrs import evolve

from ruleset.check.condition_trace import record_condition
from ruleset.check.expressions.calls import Calls
from ruleset.check.scope import Member, Scope, Target, Text, Value
from ruleset.common.diagnostic import Label
from ruleset.common.nearest import nearest
from ruleset.common.span import Span
from ruleset.language import ast as s
from ruleset.language.parser import parse_expression
from ruleset.language.syntax_errors import LOCAL_NOT_NAMES, Mistake, reserved
from ruleset.language.types import BOOLEAN, CARD, NONE, NUMBER, PLAYER, Type, accepts
from ruleset.program import nodes as p
from ruleset.source.reader import Scalar
from ruleset.table import nodes as t

_OPERATORS: dict[str, t.Operator] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


class Expressions(Calls):
    """Checks expressions; `Names` resolves single names."""

    def read(self, scalar: Scalar, scope: Scope, expected: Type | None = None) -> Value | None:
        """A whole string that is one expression."""
        return self.part(scalar, 0, scope, expected)

    def part(self, scalar: Scalar, offset: int, scope: Scope, expected: Type | None = None) -> Value | None:
        """The part of a string from an offset on, which is one expression."""
        text = Text(scalar, offset)
        tree = parse_expression(scalar.text[offset:])
        if isinstance(tree, Mistake):
            self.context.report(tree.code, text.span(tree.start, tree.end), tree.message, tree.hint)
            self.context.leave_out(scalar.span, scope)
            return None
        tree = self.context.declared.tree(tree, scalar.span)
        if expected == BOOLEAN:
            return record_condition(self.context, text, tree, lambda: self.check(tree, scope, text, expected))
        return self.check(tree, scope, text, expected)

    def check(self, node: s.Expression, scope: Scope, text: Text, expected: Type | None = None) -> Value | None:
        """The value of an expression; with `expected`, of that type."""
        found = self._checked(node, scope, text, expected)
        if found is None:
            self.context.leave_out(text.span(node.start, node.end), scope)
        elif self.context.parts is not None:
            self.context.parts[id(node)] = found
        return found

    def _checked(self, node: s.Expression, scope: Scope, text: Text, expected: Type | None) -> Value | None:
        found = self._check(node, scope, text, expected)
        if found is None:
            return None
        if found.target is not None and found.target.missing:
            self.which(found.target, text.span(node.start, node.end))
            return None
        if scope.reading and found.effectful:
            hint = "move, draw or reveal it in an effect first; conditions and amounts only read"
            end = node.word if isinstance(node, s.EndOf) else "end"
            message = f"reading the {end} of `{found.effectful}` could shuffle: it refills itself"
            self.context.report("RW501", text.span(node.start, node.end), message, hint)
            return None
        return self.fit(found, expected, node, text) if expected is not None else found

    def which(self, target: Target, span: Span) -> None:
        """Reports that something there is one of for each seat, member or definition is not told apart."""
        if target.key in self.context.poisoned:
            return
        message = f"say which: `{target.key}[…]`, one for each {target.missing[0]}"
        self.context.report("RW436", span, message)

    def fit(self, value: Value, expected: Type, node: s.Expression, text: Text) -> Value | None:
        """The value as one of the expected type: a zone as its cards, a card's own definition."""
        if value.type.name == "zone" and expected.name == "card" and expected.many:
            return self.cards_of(value)
        if accepts(expected, value.type):
            if value.type.name == "none" and expected.many:
                return Value(t.Items(()), expected)
            if value.maybe and expected in (NUMBER, BOOLEAN):
                return self.sure(value, text.span(node.start, node.end))
            return value
        if expected.name == "definition" and value.type.name == "card" and not (expected.many or value.type.many):
            return evolve(value, node=_definition(value), type=Type("definition", value.type.of))
        message = f"expected {_a(expected)}, but this is {_a(value.type)}"
        self.context.report(
            "RW424", text.span(node.start, node.end), message, self._fit_hint(expected, value, node, text)
        )
        return None

    def sure(self, value: Value, span: Span) -> Value:
        """A value that is kept or computed with. If its type has no none, none is the rule error `absent` here."""
        if not value.maybe or value.type.many or value.type.can_be_none or value.type == NONE:
            return value
        return evolve(value, node=self.context.present(value, span), maybe=False)

    def _fit_hint(self, expected: Type, value: Value, node: s.Expression, text: Text) -> str | None:
        if value.type.name == "kind":
            return "this word is a whole kind; inside of `where` the one in question is `it`"
        if expected == BOOLEAN and isinstance(node, s.Comparison) and node.op == "in" and node.right is not None:
            part, whole = (text.says(one.start, one.end) for one in (node.left, node.right))
            return f"to ask whether one is there, write `{whole} has {part}`"
        if expected == BOOLEAN and value.type.many:
            return "write `… is not empty`, or `any x in … where …`"
        if expected == NUMBER and (value.type.many or value.type.name == "zone"):
            return "write `count(…)` for how many there are"
        if expected.many and not value.type.many and expected.name == value.type.name:
            such = "players where it is …" if expected.name == "player" else "cards in hand"
            return f"a list is expected here, such as `{such}`"
        if expected == PLAYER and value.type == PLAYER.list:
            return "for each of them write `each p in …: p …`; for a single one, `first of …`"
        if not expected.many and value.type.many:
            return "pick one: `first of …`, or `choose 1 … from …`"
        if expected == BOOLEAN and value.type == NUMBER:
            return "compare it: `… > 0`"
        if expected == NUMBER and value.type == BOOLEAN:
            return "a boolean is only true or false; a number is such as `3`, `count(hand)` or a track"
        return None

    def cards_of(self, value: Value) -> Value:
        """A zone as the list of its cards."""
        assert value.zone is not None
        return Value(t.Cards(value.zone), CARD.list, place=value.zone, zone_key=value.zone_key)

    # -------------------------------------------------------------- by node

    def _check(self, node: s.Expression, scope: Scope, text: Text, expected: Type | None) -> Value | None:
        if isinstance(node, s.Number):
            return Value(t.Const(node.value), NUMBER)
        if isinstance(node, s.Name):
            return self.name(node, scope, text, expected)
        if isinstance(node, s.Of):
            return self._of(node, scope, text)
        if isinstance(node, s.At):
            return self._at(node, scope, text)
        if isinstance(node, s.CallOf):
            return self.call(node, scope, text)
        if isinstance(node, s.Arithmetic):
            return self._arithmetic(node, scope, text)
        if isinstance(node, s.Logic):
            left = self.check(node.left, scope, text, BOOLEAN)
            right = self.check(node.right, scope, text, BOOLEAN)
            if left is None or right is None:
                return None
            build = t.And if node.op == "and" else t.Or
            return Value(build(_one(left), _one(right)), BOOLEAN)
        if isinstance(node, s.Negation):
            operand = self.check(node.operand, scope, text, BOOLEAN)
            return Value(t.Not(_one(operand)), BOOLEAN) if operand else None
        if isinstance(node, s.Comparison):
            return self._comparison(node, scope, text)
        if isinstance(node, s.Where):
            return self._where(node, scope, text)
        if isinstance(node, s.WithExtreme):
            return self._extreme(node, scope, text)
        if isinstance(node, s.Quantified):
            return self._quantified(node, scope, text)
        if isinstance(node, s.TotalOver | s.HighestOver):
            return self._over(node, scope, text)
        if isinstance(node, s.EndOf):
            return self._end_of(node, scope, text)
        if isinstance(node, s.Every):
            return self.every(node, text)
        hint = "write `choose any number of cards from … as …`"
        self.context.report(
            "RW425", text.span(node.start, node.end), "`any number of` stands only after `choose`", hint
        )
        return None

    def _of(self, node: s.Of, scope: Scope, text: Text) -> Value | None:
        owner = self.check(node.owner, scope, text)
        return self.property(owner, node.name, scope, text, node) if owner else None

    def _at(self, node: s.At, scope: Scope, text: Text) -> Value | None:
        word = node.base.text if isinstance(node.base, s.Name) else ""
        if word not in scope.names and self.kept_by_kind(word):
            name, of = (text.says(one.start, one.end) for one in (node.base, node.index))
            of = of if isinstance(node.index, s.Name | s.Of) else f"({of})"
            span = text.span(node.start, node.end)
            self.context.report("RW436", span, f"`{name}` is a list, which has no index", f"write `{of}'s {name}`")
            return None
        of_all = word in self.context.declared.tracks and not self._owned(word)  # and not that of `it`
        base = self._check(node.base, evolve(scope, member=None) if of_all else scope, text, None)
        if base is None:
            return None
        if base.target is None or not base.target.missing:
            owned = isinstance(node.base, s.Name) and self._owned(node.base.text)
            hint = "remove the `[…]`"
            if owned:
                hint += f"; whose it is stands before: `p's {text.says(node.base.start, node.base.end)}`"
            self.context.report("RW436", text.span(node.start, node.end), "this has no index", hint)
            return None
        wanted = base.target.missing[0]
        type_ = self.scope_type(wanted) if base.type.name != "zone" else Type("definition", wanted)
        index = self.check(node.index, scope, text, type_ if type_.name != "card" else None)
        if index is not None and type_.name == "card":
            if index.type.name == "definition" and not index.type.many:
                place = text.span(node.index.start, node.index.end)
                self.copies_apart(base.target.key, wanted, index.type, place)
                return None
            index = self.fit(index, type_, node.index, text)
        if index is None:
            return None
        span = text.span(node.index.start, node.index.end)
        return self.indexed(base, self.context.present(index, span), span)

    def _arithmetic(self, node: s.Arithmetic, scope: Scope, text: Text) -> Value | None:
        left = self.check(node.left, scope, text)
        right = self.check(node.right, scope, text)
        if left is None or right is None:
            return None
        if node.op == "+" and (left.type.many or left.type.name == "zone"):
            a = self.cards_of(left) if left.type.name == "zone" else left
            b = self.fit(right, a.type, node.right, text)
            if b is None or not isinstance(a.node, t.List) or not isinstance(b.node, t.List):
                return None
            return Value(t.Concat(a.node, b.node), a.type)
        fitted = self.fit(left, NUMBER, node.left, text), self.fit(right, NUMBER, node.right, text)
        if fitted[0] is None or fitted[1] is None:
            return None
        at = self.context.source("", text.span(node.start, node.end))
        return Value(t.Checked(_OPERATORS[node.op], _one(fitted[0]), _one(fitted[1]), at), NUMBER)

    def _comparison(self, node: s.Comparison, scope: Scope, text: Text) -> Value | None:
        if node.op == "in":
            noun = self.noun(node.left, scope)
            if noun is not None and not node.negated:
                assert node.right is not None
                base = self.check(node.right, scope, text)
                if base is not None and base.type.many and base.type.name == "definition":
                    left = self.check(node.left, scope, text)
                    return self._membership(node, left, scope, text) if left is not None else None
                base = self.fit(base, CARD.list, node.right, text) if base is not None else None
                return self.of_noun(base, noun, scope, node.left, text) if base else None
        left = self.check(node.left, scope, text)
        if left is None:
            return None
        if node.op == "empty":
            items = self._list(left, node.left, text)
            if items is None:
                return None
            empty = t.Binary("==", t.Count(items), t.Const(0))
            return Value(t.Not(empty) if node.negated else empty, BOOLEAN)
        assert node.right is not None
        if node.op in ("in", "has"):
            return self._membership(node, left, scope, text)
        right = self.check(node.right, scope, text, left.type if left.type.name == "enumeration" else None)
        if right is None:
            return None
        if node.op == "is":
            same = self._same(left, right, node, text)
            return Value(t.Not(same) if node.negated else same, BOOLEAN) if same else None
        a, b = self.fit(left, NUMBER, node.left, text), self.fit(right, NUMBER, node.right, text)
        if a is None or b is None:
            return None
        return Value(t.Binary(node.op, _one(a), _one(b)), BOOLEAN)  # type: ignore[arg-type]  # no other op is left

    def _same(self, left: Value, right: Value, node: s.Comparison, text: Text) -> t.Expr | None:
        one, other = left.type, right.type
        if one.many or other.many or one.name == "zone" or other.name == "zone":
            hint = "`is` compares one thing with one thing; for lists write `is empty`, `count(…)`, `in`"
            self.context.report(
                "RW428", text.span(node.start, node.end), "lists cannot be compared with `is`", hint
            )
            return None
        if other.name == "kind" and one.name in ("card", "definition"):
            kind = p.KindOf(_one(left), one.name == "definition")
            return t.Binary("==", _unless_none(left, kind), _one(right))
        if one.name == "card" and other.name == "definition":
            return t.Binary("==", _definition(left), _one(right))
        if one.name == "definition" and other.name == "card":
            return t.Binary("==", _one(left), _definition(right))
        if accepts(one, other) or accepts(other, one):
            return t.Binary("==", _one(left), _one(right))
        message = f"{_a(one)} can never be {_a(other)}"
        assert node.right is not None
        label = Label(text.span(node.right.start, node.right.end), f"this is {_a(other)}")
        self.context.report("RW428", text.span(node.left.start, node.left.end), message, None, label)
        return None

    def _membership(self, node: s.Comparison, left: Value, scope: Scope, text: Text) -> Value | None:
        assert node.right is not None
        owns = left.type.name in ("card", "definition") and not left.type.many
        if node.op == "has" and isinstance(node.right, s.Name) and owns:
            effect = self.effect_of(left.type, node.right.text)
            if effect:
                self.effect_referred(left.type, node.right.text, text.span(node.right.start, node.right.end))
                has: t.Expr = p.HasEffect(node.right.text, _one(left), left.type.name == "definition")
                if left.maybe:
                    has = t.And(t.Binary(">=", _one(left), t.Const(0)), has)
                return Value(t.Not(has) if node.negated else has, BOOLEAN)
        whole, part = (node.left, node.right) if node.op == "has" else (node.right, node.left)
        if node.op == "has":
            container: Value | None = left
            expected = left.type.one if left.type.many else None
            member = self.check(
                part, scope, text, expected if expected and expected.name == "enumeration" else None
            )
        else:
            member = left
            container = self.check(whole, scope, text)
        if container is None or member is None:
            return None
        items = self._list(container, whole, text)
        if items is None:
            return None
        kind = CARD if container.type.name == "zone" else container.type.one
        if kind.name == "card" and member.type.name in ("definition", "kind") and not member.type.many:
            variable = scope.unit.variable("it", CARD)
            key: t.Expr = p.DefinitionOf(p.Var(variable))
            if member.type.name == "kind":
                key = p.KindOf(p.Var(variable), False)
            found: t.Expr = t.Exists(items, variable, t.Binary("==", key, _one(member)))
        else:
            if kind.name == "definition" and member.type.name == "card" and not member.type.many:
                member = evolve(member, node=_definition(member), type=Type("definition", member.type.of))
            if not accepts(kind, member.type):
                message = f"this is {_a(member.type)}, but the list holds {_a(kind)} each"
                self.context.report("RW428", text.span(part.start, part.end), message)
                return None
            found = t.Contains(items, _one(member))
        return Value(t.Not(found) if node.negated else found, BOOLEAN)

    def _list(self, value: Value, node: s.Expression, text: Text) -> t.List | None:
        """A value's members: of a list, or of a zone."""
        if value.type.name == "zone" and value.zone is not None:
            return t.Cards(value.zone)
        if value.type.many and isinstance(value.node, t.List):
            return value.node
        hint = "a list is a zone, `cards in …`, `players`, or a name that a choice gave to several"
        self.context.report("RW427", text.span(node.start, node.end), f"{_a(value.type)} is not a list", hint)
        return None

    def listed(self, node: s.Expression, scope: Scope, text: Text) -> Value | None:
        """An expression that must be a list; a zone gives its cards, an enumeration its members."""
        value = self.check(node, scope, text)
        if value is None:
            return None
        if value.type.name == "zone":
            return self.cards_of(value)
        return value if self._list(value, node, text) is not None else None

    def inside(self, base: Value, scope: Scope, name: str = "", leads: bool = False) -> tuple[Scope, int]:
        """The scope of a filter over a list, in which its member is `it`, and has a name if one is given."""
        variable = scope.unit.variable(name or "it", base.type.one)
        named = bool(name) and (base.type.name != "card" or self.noun_word(name) is None)
        member = Member(variable, base.type.one, self.kinds_of(base), named, scope.member, leads)
        inner = evolve(scope, member=member, subject="", reading=True)
        return inner, variable

    def _where(self, node: s.Where, scope: Scope, text: Text, name: str = "") -> Value | None:
        base = self.listed(node.base, scope, text)
        if base is None:
            return None
        inner, variable = self.inside(base, scope, name)
        if name:
            inner = self.bind_member(inner, name, variable, base.type.one)
        condition = record_condition(
            self.context, text, node.condition, lambda: self.check(node.condition, inner, text, BOOLEAN)
        )
        if condition is None or not isinstance(base.node, t.List):
            return None
        return evolve(base, node=t.Filter(base.node, variable, _one(condition)), effectful="")

    def filtered(self, node: s.Expression, scope: Scope, text: Text, name: str) -> Value | None:
        """A list over which a name runs: the name also stands in its own `where`."""
        if isinstance(node, s.Where):
            return self._where(node, scope, text, name)
        return self.listed(node, scope, text)

    def _extreme(self, node: s.WithExtreme, scope: Scope, text: Text) -> Value | None:
        base = self.listed(node.base, scope, text)
        if base is None:
            return None
        inner, variable = self.inside(base, scope, leads=True)
        key = self.check(node.key, inner, text, NUMBER)
        if key is None or not isinstance(base.node, t.List):
            return None
        return evolve(base, node=t.Extremes(base.node, variable, _one(key), node.lowest))

    def _quantified(self, node: s.Quantified, scope: Scope, text: Text) -> Value | None:
        base = self.listed(node.base, scope, text)
        if base is None:
            return None
        condition: t.Expr = t.Const(1)
        noun = self.noun_word(node.name.text)
        if noun is not None and base.type.name == "card" and node.name.text not in scope.names:
            narrowed = self.of_noun(base, noun, scope, node.name, text)
            if narrowed is None:
                return None
            base = narrowed
        inner, variable = self.inside(base, scope, node.name.text)
        if noun is None and node.name.text in LOCAL_NOT_NAMES:
            self.context.report("RW302", text.span(node.name.start, node.name.end), *reserved(node.name.text))
            return None
        if noun is None:
            inner = self.bind_member(inner, node.name.text, variable, base.type.one)
        if node.condition is not None:
            checked = self.check(node.condition, inner, text, BOOLEAN)
            if checked is None:
                return None
            condition = _one(checked)
        assert isinstance(base.node, t.List)
        exists = t.Exists(base.node, variable, condition)
        return Value(t.Not(exists) if node.word == "no" else exists, BOOLEAN)

    def _over(self, node: s.TotalOver | s.HighestOver, scope: Scope, text: Text) -> Value | None:
        if isinstance(node.base, s.Arithmetic) and (node.base.op != "+" or isinstance(node.base.right, s.Number)):
            until = text.says(node.start, node.base.left.end)
            rest = text.says(node.base.left.end, node.end)
            hint = f"write `({until}){rest}`"
            message = "`over` takes all that follows, and this is no list"
            self.context.report("RW424", text.span(node.base.start, node.base.end), message, hint)
            return None
        base = self.listed(node.base, scope, text)
        if base is None:
            return None
        inner, variable = self.inside(base, scope, leads=True)
        body = self.check(node.body, inner, text, NUMBER)
        if body is None or not isinstance(base.node, t.List):
            return None
        if isinstance(node, s.TotalOver):
            at = self.context.source("", text.span(node.start, node.end))
            return Value(t.Total(base.node, variable, _one(body), at), NUMBER)
        return Value(t.Highest(base.node, variable, _one(body), 0, node.lowest), NUMBER)

    def _end_of(self, node: s.EndOf, scope: Scope, text: Text) -> Value | None:
        zone = self.check(node.base, evolve(scope, reading=False), text)
        if zone is None:
            return None
        refilled = ""
        if zone.type.name == "zone":
            declared = self.context.declared.zones.get(zone.zone_key)
            if declared is not None and declared[1].refill:
                refilled = zone.zone_key
            zone = self.cards_of(zone)
        elif node.word in ("top", "bottom"):
            hint = f"write `{'first' if node.word == 'bottom' else 'last'} of …` for a list"
            self.context.report("RW427", text.span(node.base.start, node.base.end), "only a zone has a top", hint)
            return None
        if not zone.type.many or not isinstance(zone.node, t.List):
            self._list(zone, node.base, text)
            return None
        first = node.word in ("bottom", "first")
        if node.count is None:
            single = t.First(zone.node) if first else t.Last(zone.node)
            # One of several: it is not what the name stands for, so the name stays with the others.
            return evolve(zone, node=single, type=zone.type.one, maybe=True, effectful=refilled, variable=None)
        count = self.check(node.count, scope, text, NUMBER)
        if count is None:
            return None
        return evolve(zone, node=t.Take(zone.node, _one(count), first), effectful=refilled)

    def noun(self, node: s.Expression, scope: Scope) -> str | None:
        """The definition or kind that a bare word stands for as a noun (`gems`), `` for `cards`; else None."""
        if not isinstance(node, s.Name) or node.text in scope.names:
            return None
        return self.noun_word(node.text)


def _one(value: Value) -> t.Expr:
    """The number that a value is; lists are excluded by its type."""
    assert isinstance(value.node, t.Expr)
    return value.node


def _definition(card: Value) -> t.Expr:
    """The definition of a card; none of none."""
    return _unless_none(card, p.DefinitionOf(_one(card)))


def _unless_none(value: Value, node: t.Expr) -> t.Expr:
    """A node that reads a constant of a card or definition; none where the value may be none and is."""
    if not value.maybe:
        return node
    return t.IfElse(t.Binary("<", _one(value), t.Const(0)), t.Const(-1), node)


def _a(type_: Type) -> str:
    if type_ == NONE:
        return "nothing"
    text = str(type_)
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


__all__ = ["Expressions", "nearest"]
