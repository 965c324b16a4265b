"""Comparisons: `is`, `<`, `has`, `in`, `is empty`."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.fitting import fit, list_of
from rulewright.ruleset.check.expressions.protocol import Expressions
from rulewright.ruleset.check.expressions.values import (
    definition_of,
    number_of,
    type_beside,
    unless_none,
    with_article,
)
from rulewright.ruleset.check.expressions.whole_lists import compares_lists, same_lists
from rulewright.ruleset.check.scope import Scope, Text, Value
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BOOLEAN, CARD, NONE, NUMBER, Type, accepts
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


def comparison(expressions: Expressions, node: s.Comparison, scope: Scope, text: Text) -> Value | None:
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
        return Value(t.Not(empty) if node.negated else empty, BOOLEAN)
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
        return Value(t.Not(same) if node.negated else same, BOOLEAN) if same else None
    a, b = (
        fit(expressions.context, left, NUMBER, node.left, text),
        fit(expressions.context, right, NUMBER, node.right, text),
    )
    if a is None or b is None:
        return None
    return Value(t.Binary(node.op, number_of(a), number_of(b)), BOOLEAN)  # type: ignore[arg-type]  # no other op is left


def _same(expressions: Expressions, left: Value, right: Value, node: s.Comparison, text: Text) -> t.Expr | None:
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
    expressions: Expressions, node: s.Comparison, left: Value, scope: Scope, text: Text
) -> Value | None:
    assert node.right is not None
    owns = left.type.name in ("card", "definition") and not left.type.many
    if node.op == "has" and isinstance(node.right, s.Name) and owns:
        effect = expressions.names.properties.effect_of(left.type, node.right.text)
        if effect:
            expressions.names.properties.refer_to_effect(
                left.type, node.right.text, text.span(node.right.start, node.right.end)
            )
            has: t.Expr = p.HasEffect(node.right.text, number_of(left), left.type.name == "definition")
            if left.maybe:
                has = t.And(t.Binary(">=", number_of(left), t.Const(0)), has)
            return Value(t.Not(has) if node.negated else has, BOOLEAN)
    whole, part = (node.left, node.right) if node.op == "has" else (node.right, node.left)
    if node.op == "has":
        container: Value | None = left
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
    return Value(t.Not(found) if node.negated else found, BOOLEAN)
