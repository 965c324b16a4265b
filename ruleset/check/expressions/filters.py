"""Filters and other expressions that run over the members of a list."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.condition_trace import record_condition
from rulewright.ruleset.check.expressions.fitting import list_of
from rulewright.ruleset.check.expressions.new_names import new_name
from rulewright.ruleset.check.expressions.places import member_at
from rulewright.ruleset.check.expressions.protocol import Expressions
from rulewright.ruleset.check.expressions.values import cards_of, number_of, with_article
from rulewright.ruleset.check.scope import Bound, Scope, Text, Value
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.ast_rename import NamesSaid
from rulewright.ruleset.language.syntax_errors import LOCAL_NOT_NAMES, reserved
from rulewright.ruleset.language.types import BOOLEAN, NUMBER
from rulewright.ruleset.table import nodes as t


def where(expressions: Expressions, node: s.Where, scope: Scope, text: Text, name: str = "") -> Value | None:
    """Check `LIST where CONDITION`; in the condition, the member is `it` and has `name`, if given."""
    base = expressions.listed(node.base, scope, text)
    if base is None:
        return None
    inner, variable = expressions.names.inside(base, scope, name)
    if name:
        inner = inner.bind(name, Bound(variable, base.type.one))
    condition = record_condition(
        expressions.context, text, node.condition, lambda: expressions.check(node.condition, inner, text, BOOLEAN)
    )
    if condition is None or not isinstance(base.node, t.List):
        return None
    return evolve(base, node=t.Filter(base.node, variable, number_of(condition)), effectful="")


def extreme(expressions: Expressions, node: s.WithExtreme, scope: Scope, text: Text) -> Value | None:
    """Check `LIST with most KEY`: all members with the greatest or least value."""
    base = expressions.listed(node.base, scope, text)
    if base is None:
        return None
    inner, variable = expressions.names.inside(base, scope, leads=True)
    key = expressions.check(node.key, inner, text, NUMBER)
    if key is None or not isinstance(base.node, t.List):
        return None
    return evolve(base, node=t.Extremes(base.node, variable, number_of(key), node.lowest))


def quantified(expressions: Expressions, node: s.Quantified, scope: Scope, text: Text) -> Value | None:
    """Check `any NAME in LIST where CONDITION`, or `no NAME …`."""
    base = expressions.listed(node.base, scope, text)
    if base is None:
        return None
    condition: t.Expr = t.Const(1)
    noun = expressions.names.nouns.word(node.name.text)
    if noun is not None and base.type.name == "card" and node.name.text not in scope.names:
        narrowed = expressions.names.nouns.narrowed(base, noun, scope, node.name, text)
        if narrowed is None:
            return None
        base = narrowed
    inner, variable = expressions.names.inside(base, scope, node.name.text)
    if noun is None and node.name.text in LOCAL_NOT_NAMES:
        expressions.context.report("RW302", text.span(node.name.start, node.name.end), *reserved(node.name.text))
        return None
    if noun is None:
        inner = inner.bind(node.name.text, Bound(variable, base.type.one))
    if node.condition is not None:
        checked = expressions.check(node.condition, inner, text, BOOLEAN)
        if checked is None:
            return None
        condition = number_of(checked)
    assert isinstance(base.node, t.List)
    exists = t.Exists(base.node, variable, condition)
    return Value(t.Not(exists) if node.word == "no" else exists, BOOLEAN)


def over(expressions: Expressions, node: s.TotalOver | s.HighestOver, scope: Scope, text: Text) -> Value | None:
    """Check `total NUMBER over LIST` or `over NAME in LIST`, or `highest` and `lowest`."""
    among = _followed(node.base)
    if among is not None:
        until, rest = text.says(node.start, among.end), text.says(among.end, node.end)
        hint = f"use parentheses: `({until}){rest}`"
        message = "`over` takes everything after it, and this is not a list"
        expressions.context.report("RW424", text.span(node.base.start, node.base.end), message, hint)
        return None
    name, members = _named_member(expressions, node, scope)
    if name is not None and not new_name(expressions.context, name.text, text.span(name.start, name.end), scope):
        return None
    word = name.text if name is not None else ""
    base = expressions.filtered(members, scope, text, word)
    if base is None:
        return None
    inner, variable = expressions.names.inside(base, scope, word, leads=True)
    if word:
        inner = inner.bind(word, Bound(variable, base.type.one))
    body = expressions.check(node.body, inner, text, NUMBER)
    if body is None or not isinstance(base.node, t.List):
        return None
    if isinstance(node, s.TotalOver):
        at = expressions.context.source("", text.span(node.start, node.end))
        return Value(t.Total(base.node, variable, number_of(body), at), NUMBER)
    return Value(t.Highest(base.node, variable, number_of(body), 0, node.lowest), NUMBER)


def _named_member(
    expressions: Expressions, node: s.TotalOver | s.HighestOver, scope: Scope
) -> tuple[s.Name | None, s.Expression]:
    """Return the name of the members and the list, in `total p's coins over p in players where …`; None: no name.

    A word after `over` is a name only if the number or the condition uses it; `lanterns in hand` is a list.
    """
    base, condition = (node.base.base, node.base.condition) if isinstance(node.base, s.Where) else (node.base, None)
    match base:
        case s.Comparison(op="in", left=s.Name() as name, right=members, negated=False) if members is not None:
            used = NamesSaid((node.body, condition) if condition is not None else (node.body,))
            noun = name.text not in scope.names and expressions.names.nouns.word(name.text) is not None
            if noun or not used.between(name.text, node.start, node.end):
                return None, node.base
            whole = members if condition is None else s.Where(members.start, node.end, members, condition)
            return name, whole
    return None, node.base


def _followed(base: s.Expression) -> s.Expression | None:
    """Return the list after `over` if arithmetic or a comparison follows it; None if all of it is a list."""
    match base:
        case s.Arithmetic(op="+", right=right) if not isinstance(right, s.Number):
            return None
        case s.Logic(left=left):
            return _followed(left) or left
        case s.Arithmetic(left=left):
            return _followed(left) or left
        case s.Comparison(op=op, left=left) if op != "in":
            return _followed(left) or left
    return None


def end_of(expressions: Expressions, node: s.EndOf, scope: Scope, text: Text) -> Value | None:
    """Check `top of ZONE`, `first of LIST`, and the like; with a count, several members."""
    zone = expressions.check(node.base, evolve(scope, reading=False), text)
    if zone is None:
        return None
    refilled = ""
    if zone.type.name == "zone":
        declared = expressions.context.declared.zones.get(zone.zone_key)
        if declared is not None and declared[1].refill:
            refilled = zone.zone_key
        zone = cards_of(zone)
    elif node.word in ("top", "bottom"):
        rest = text.says(node.start, node.end).removeprefix(node.word)
        hint = f"for a list, write `{'first' if node.word == 'bottom' else 'last'}{rest}`"
        message = f"only a zone has a {node.word}, found {with_article(zone.type)}"
        expressions.context.report("RW427", text.span(node.base.start, node.base.end), message, hint)
        return None
    if not zone.type.many or not isinstance(zone.node, t.List):
        list_of(expressions.context, zone, node.base, text)
        return None
    first = node.word in ("bottom", "first")
    if node.count is None:
        single = t.First(zone.node) if first else t.Last(zone.node)
        if zone.type.one in (NUMBER, BOOLEAN):
            number = t.Const(1) if first else t.Count(zone.node)
            return member_at(expressions.context, zone, number, text.span(node.start, node.end))
        # One member of a list: moving it does not update the variable that holds the list.
        return evolve(zone, node=single, type=zone.type.one, maybe=True, effectful=refilled, variable=None)
    count = expressions.check(node.count, scope, text, NUMBER)
    if count is None:
        return None
    return evolve(zone, node=t.Take(zone.node, number_of(count), first), effectful=refilled)
