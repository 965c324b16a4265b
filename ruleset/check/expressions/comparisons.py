"""Comparisons: `is`, `<`, `has`, `in`, `is empty`."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.fitting import (
    cards_of,
    definition_of,
    fit,
    list_of,
    number_of,
    type_beside,
    unless_none,
    with_article,
)
from rulewright.ruleset.check.expressions.names import Expressions
from rulewright.ruleset.check.scope import CheckedExpression, Scope, TextPart
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BOOLEAN, CARD, NONE, NUMBER, Type, accepts
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

# ---- Check sums of lists (`ann + ben`, `others + starter`) and comparisons of lists (`LIST is LIST`)

_ONE = ("player", "card", "definition", "enumeration")
"""The types of single things that `+` joins to a list."""


def makes_list(left: CheckedExpression, right: CheckedExpression) -> bool:
    """Whether a sum is a list. Numbers are added, unless the left one is a list."""
    if left.type.many or left.type.name == "zone":
        return True
    if left.type.name in _ONE:
        return right.type.many or right.type.name in (*_ONE, "zone", "none")
    return left.type.name == "none" and (right.type.many or right.type.name in (*_ONE, "zone"))


def summed(
    expressions: Expressions,
    left: CheckedExpression,
    right: CheckedExpression,
    node: s.Arithmetic,
    scope: Scope,
    text: TextPart,
) -> CheckedExpression | None:
    """Return the members of both sides, in order; none adds nothing."""
    a, b = _listed(left, right, scope), _listed(right, left, scope)
    if a.type.one == NUMBER or not isinstance(a.node, t.List):
        wanted: Type | None = a.type
    else:
        wanted = _joined(a.type, b.type)
    if wanted is None or (not b.type.many and a.type.one != NUMBER):
        message = f"expected {with_article(a.type.one)} or a {a.type}, found {with_article(right.type)}"
        hint = "a sum of lists has members of one type"
        expressions.context.report("RW424", text.span(node.right.start, node.right.end), message, hint)
        return None
    fitted = fit(expressions.context, b, wanted, node.right, text)
    if fitted is None or not isinstance(a.node, t.List) or not isinstance(fitted.node, t.List):
        return None
    if isinstance(a.node, t.Items) and isinstance(fitted.node, t.Items):
        return CheckedExpression(t.Items((*a.node.values, *fitted.node.values)), wanted)
    return CheckedExpression(t.Concat(a.node, fitted.node), wanted)


def _listed(value: CheckedExpression, other: CheckedExpression, scope: Scope) -> CheckedExpression:
    """Return a value as a list: a zone's cards, or one thing, which is no member if it is none."""
    if value.type.name == "zone":
        return cards_of(value)
    if value.type.name == "none":
        return CheckedExpression(t.Items(()), CARD.list if other.type.name == "zone" else other.type.list)
    if value.type.many or value.type.name not in _ONE:
        return value
    one = t.Items((number_of(value),))
    if not value.maybe:
        return CheckedExpression(one, value.type.list)
    variable = scope.unit.variable("one", value.type)
    return CheckedExpression(t.Filter(one, variable, t.Binary(">=", p.Var(variable), t.Const(0))), value.type.list)


def _joined(left: Type, right: Type) -> Type | None:
    """Return the type of a list of the members of both lists, or None if there is none."""
    for wide, narrow in ((left, right), (right, left)):
        if accepts(wide, narrow):
            return wide
    if left.name == right.name and left.name in ("card", "definition") and left.many and right.many:
        return Type(left.name, "|".join(sorted({*left.of.split("|"), *right.of.split("|")})), True)
    return None


def compares_lists(left: CheckedExpression, right: CheckedExpression) -> bool:
    """Whether `is` compares lists: a zone stands for its cards, but two single zones are compared otherwise."""
    return any(one.type.many or one.type.name == "zone" for one in (left, right))


def same_lists(
    expressions: Expressions,
    left: CheckedExpression,
    right: CheckedExpression,
    node: s.Comparison,
    scope: Scope,
    text: TextPart,
) -> t.Expr | None:
    """Check `LIST is LIST`: the same members in the same order. With a bag, the order does not matter."""
    assert node.right is not None
    bag = any(_is_bag(expressions, one) for one in (left, right))
    a, b = (cards_of(one) if one.type.name == "zone" else one for one in (left, right))
    if a.type.name == "none" or b.type.name == "none":
        whole = b if a.type.name == "none" else a
        assert isinstance(whole.node, t.List)
        return t.Binary("==", t.Count(whole.node), t.Const(0))
    if not a.type.many or not b.type.many:
        _one_and_many(expressions, left, right, node, text)
        return None
    kinds = {a.type.name, b.type.name}
    if kinds == {"card", "definition"}:
        a, b = (_definitions(one, scope) for one in (a, b))
    if not accepts(a.type, b.type) and not accepts(b.type, a.type):
        message = f"{with_article(a.type)} is never equal to {with_article(b.type)}"
        label = Label(text.span(node.right.start, node.right.end), f"this is {with_article(b.type)}")
        expressions.context.report("RW428", text.span(node.left.start, node.left.end), message, None, label)
        return None
    lists = [_in_order(one, scope) if bag else one.node for one in (a, b)]
    assert isinstance(lists[0], t.List) and isinstance(lists[1], t.List)
    return t.Same(lists[0], lists[1])


def _is_bag(expressions: Expressions, value: CheckedExpression) -> bool:
    """Whether a value is all cards of a bag."""
    declared = expressions.context.declared.zones.get(value.zone_key)
    whole = value.type.name == "zone" or isinstance(value.node, t.Cards)
    return whole and declared is not None and declared[1].order == "bag"


def _definitions(cards: CheckedExpression, scope: Scope) -> CheckedExpression:
    """Return the definitions of a list of cards; any other list is unchanged."""
    if cards.type.name != "card":
        return cards
    assert isinstance(cards.node, t.List)
    variable = scope.unit.variable("one", CARD)
    return CheckedExpression(
        t.Map(cards.node, variable, p.DefinitionOf(p.Var(variable))), Type("definition", cards.type.of, True)
    )


def _in_order(value: CheckedExpression, scope: Scope) -> t.List:
    assert isinstance(value.node, t.List)
    variable = scope.unit.variable("one", value.type.one)
    return t.Ranked(value.node, variable, p.Var(variable), False)


def _one_and_many(
    expressions: Expressions, left: CheckedExpression, right: CheckedExpression, node: s.Comparison, text: TextPart
) -> None:
    """Report the comparison of a list with one thing."""
    assert node.right is not None
    many, one = (node.left, node.right) if left.type.many or left.type.name == "zone" else (node.right, node.left)
    says, single = text.says(many.start, many.end), text.says(one.start, one.end)
    message = f"`{says}` is a list, and `{single}` is not"
    hint = f"write `{says} has {single}`, or compare one member: `first of {says} is {single}`"
    if (right if many is node.left else left).type == NUMBER:
        hint = f"for the number of members, write `count({says}) is {single}`"
    expressions.context.report("RW428", text.span(node.start, node.end), message, hint)


# ---- Comparisons

def comparison(
    expressions: Expressions, node: s.Comparison, scope: Scope, text: TextPart
) -> CheckedExpression | None:
    """Check a comparison. A noun before `in` selects cards of a list instead of giving a truth value."""
    if node.op == "in":
        noun = expressions.names.nouns.bare(node.left, scope)
        if noun is not None and not node.negated:
            assert node.right is not None
            base = expressions.check(node.right, scope, text)
            if base is not None and base.type.many and base.type.name == "definition":
                left = expressions.check(node.left, scope, text)
                return _membership(expressions, node, left, scope, text) if left is not None else None
            base = fit(expressions.context, base, CARD.list, node.right, text) if base is not None else None
            return expressions.names.nouns.narrowed(base, noun, scope, node.left, text) if base else None
    ordered = node.op not in ("empty", "in", "has", "is")
    left = expressions.operand(node.left, scope, text, ordered)
    if left is None:
        return None
    if node.op == "empty":
        items = list_of(expressions.context, left, node.left, text)
        if items is None:
            return None
        empty = t.Binary("==", t.Count(items), t.Const(0))
        return CheckedExpression(t.Not(empty) if node.negated else empty, BOOLEAN)
    assert node.right is not None
    if node.op in ("in", "has"):
        return _membership(expressions, node, left, scope, text)
    if left.type.name == "enumeration":
        beside = None if left.type.many else type_beside(left, node.right)
        right = expressions.check(node.right, scope, text, beside)
    else:
        right = expressions.operand(node.right, scope, text, ordered)
    if right is None:
        return None
    if node.op == "is":
        if compares_lists(left, right):
            same = same_lists(expressions, left, right, node, scope, text)
        else:
            same = _same(expressions, left, right, node, text)
        return CheckedExpression(t.Not(same) if node.negated else same, BOOLEAN) if same else None
    a, b = (
        fit(expressions.context, left, NUMBER, node.left, text),
        fit(expressions.context, right, NUMBER, node.right, text),
    )
    if a is None or b is None:
        return None
    return CheckedExpression(t.Binary(node.op, number_of(a), number_of(b)), BOOLEAN)  # type: ignore[arg-type]  # no other op is left


def _same(
    expressions: Expressions, left: CheckedExpression, right: CheckedExpression, node: s.Comparison, text: TextPart
) -> t.Expr | None:
    this, that = left.type, right.type
    if that.name == "kind" and this.name in ("card", "definition"):
        kind = p.KindOf(number_of(left), this.name == "definition")
        return t.Binary("==", unless_none(left, kind), number_of(right))
    if this.name == "card" and that.name == "definition":
        return t.Binary("==", definition_of(left), number_of(right))
    if this.name == "definition" and that.name == "card":
        return t.Binary("==", number_of(left), definition_of(right))
    if accepts(this, that) or accepts(that, this) or (left.maybe and that == NONE):
        return t.Binary("==", number_of(left), number_of(right))
    message = f"{with_article(this)} is never equal to {with_article(that)}"
    assert node.right is not None
    label = Label(text.span(node.right.start, node.right.end), f"this is {with_article(that)}")
    expressions.context.report("RW428", text.span(node.left.start, node.left.end), message, None, label)
    return None


def _membership(
    expressions: Expressions, node: s.Comparison, left: CheckedExpression, scope: Scope, text: TextPart
) -> CheckedExpression | None:
    assert node.right is not None
    owns = left.type.name in ("card", "definition") and not left.type.many
    if node.op == "has" and isinstance(node.right, s.NameNode) and owns:
        effect = expressions.names.properties.effect_of(left.type, node.right.text)
        if effect:
            expressions.names.properties.refer_to_effect(
                left.type, node.right.text, text.span(node.right.start, node.right.end)
            )
            has: t.Expr = p.HasEffect(node.right.text, number_of(left), left.type.name == "definition")
            if left.maybe:
                has = t.And(t.Binary(">=", number_of(left), t.Const(0)), has)
            return CheckedExpression(t.Not(has) if node.negated else has, BOOLEAN)
    whole, part = (node.left, node.right) if node.op == "has" else (node.right, node.left)
    if node.op == "has":
        container: CheckedExpression | None = left
        expected = left.type.one if left.type.many else None
        member = expressions.check(
            part, scope, text, expected if expected and expected.name == "enumeration" else None
        )
    else:
        member = left
        container = expressions.check(whole, scope, text)
    if container is None or member is None:
        return None
    items = list_of(expressions.context, container, whole, text)
    if items is None:
        return None
    kind = CARD if container.type.name == "zone" else container.type.one
    if kind.name == "card" and member.type.name in ("definition", "kind") and not member.type.many:
        variable = scope.unit.variable("it", CARD)
        key: t.Expr = p.DefinitionOf(p.Var(variable))
        if member.type.name == "kind":
            key = p.KindOf(p.Var(variable), False)
        found: t.Expr = t.Exists(items, variable, t.Binary("==", key, number_of(member)))
    else:
        if kind.name == "definition" and member.type.name == "card" and not member.type.many:
            member = evolve(member, node=definition_of(member), type=Type("definition", member.type.of))
        if not accepts(kind, member.type):
            message = f"this is {with_article(member.type)}, but the list holds {kind.plural}"
            expressions.context.report("RW428", text.span(part.start, part.end), message)
            return None
        found = t.Contains(items, number_of(member))
    return CheckedExpression(t.Not(found) if node.negated else found, BOOLEAN)
