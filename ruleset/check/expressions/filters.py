"""Filters and other expressions that run over the members of a list."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext, record_condition
from rulewright.ruleset.check.expressions.fitting import cards_of, list_of, number_of, quoted, with_article
from rulewright.ruleset.check.expressions.names import Expressions, new_name
from rulewright.ruleset.check.scope import Bound, CheckedExpression, Scope, TextPart
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.limits import MOST_IN_RANGE, empty_range
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.ast import NamesSaid
from rulewright.ruleset.language.syntax_errors import LOCAL_NOT_NAMES, reserved
from rulewright.ruleset.language.types import BOOLEAN, NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

# ---- Check ranges of numbers (`1 to 6`) and places of lists (`LIST[n]`)

def number_range(
    expressions: Expressions, node: s.RangeNode, scope: Scope, text: TextPart
) -> CheckedExpression | None:
    """Check `low to high`: a list of numbers, empty if `high` is less than `low`."""
    low, high = (expressions.check(end, scope, text, NUMBER) for end in (node.low, node.high))
    if low is None or high is None:
        return None
    first, last = number_of(low), number_of(high)
    span = text.span(node.start, node.end)
    if isinstance(first, t.Const) and isinstance(last, t.Const):
        size = last.value - first.value + 1
        if size > MOST_IN_RANGE:
            message = f"a range has at most {MOST_IN_RANGE} numbers, and this one has {size:,}"
            expressions.context.report("RW454", span, message, "count in a track instead: `repeat … times: …`")
            return None
        if size <= 0:
            ends = [text.says(end.start, end.end) for end in (node.low, node.high)]
            expressions.context.report("RW454", span, *empty_range(*ends))
            return None
    at = expressions.context.source("", span)
    return CheckedExpression(p.Range(first, last, scope.unit.variable("number", NUMBER), at), NUMBER.list)


def place_of(
    expressions: Expressions, node: s.At, base: CheckedExpression, scope: Scope, text: TextPart
) -> CheckedExpression | None:
    """Check `LIST[n]`: member n of a list or row, from 1. Elsewhere it is none; a number must be there."""
    row = base.type.name == "zone" and _order(expressions, base) == "row"
    if not base.type.many and not row:
        _no_place(expressions, node, base, text)
        return None
    index = expressions.check(node.index, scope, text, NUMBER)
    if index is None:
        return None
    span = text.span(node.index.start, node.index.end)
    number = number_of(index)
    if isinstance(number, t.Const) and number.value < 1:
        message = f"there is no place {number.value}: places begin at 1"
        expressions.context.report("RW436", span, message, "write 1 for the first place")
        return None
    return member_at(expressions.context, cards_of(base) if row else base, number, span)


def member_at(context: CheckContext, members: CheckedExpression, number: t.Expr, span: Span) -> CheckedExpression:
    """Return the member at a place, from 1. If there is no such place, the value is none, or a rule error."""
    assert isinstance(members.node, t.List)
    inside = t.And(t.Binary(">=", number, t.Const(1)), t.Binary("<=", number, t.Count(members.node)))
    found: t.Expr = t.IfElse(inside, number, t.Const(-1))
    type_ = members.type.one
    needed = type_ in (NUMBER, BOOLEAN)  # -1 is none for all other types
    if needed:
        found = t.Present(found, context.source("", span))
    one = t.Last(t.Take(members.node, found, True))
    return evolve(members, node=one, type=type_, maybe=not needed, variable=None)


def _order(expressions: Expressions, zone: CheckedExpression) -> str:
    declared = expressions.context.declared.zones.get(zone.zone_key)
    return declared[1].order if declared is not None else ""


def _no_place(expressions: Expressions, node: s.At, base: CheckedExpression, text: TextPart) -> None:
    """Report an index of something that takes none."""
    context = expressions.context
    says, span = quoted(node.base, text), text.span(node.start, node.end)
    order = _order(expressions, base)
    belongings = expressions.names.belongings
    owned = isinstance(node.base, s.NameNode) and belongings.is_owned(node.base.text)
    if base.type.name == "zone" and order and not owned:
        pile = f"write `top of {says}`, or `top 2 of {says}`"
        hint = pile if order == "pile" else f"write `cards in {says} where …`"
        context.report("RW436", span, f"`{says}` is a {order}, and only the cards of a row have places", hint)
        return
    hint = f"write `{says}`"
    if owned:
        hint += f", or `p's {says}` for that of a player `p`"
    context.report("RW436", span, f"`{says}` takes no index", hint)


# ---- Filters

def where(
    expressions: Expressions, node: s.Where, scope: Scope, text: TextPart, name: str = ""
) -> CheckedExpression | None:
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


def extreme(
    expressions: Expressions, node: s.WithExtreme, scope: Scope, text: TextPart
) -> CheckedExpression | None:
    """Check `LIST with most KEY`: all members with the greatest or least value."""
    base = expressions.listed(node.base, scope, text)
    if base is None:
        return None
    inner, variable = expressions.names.inside(base, scope, leads=True)
    key = expressions.check(node.key, inner, text, NUMBER)
    if key is None or not isinstance(base.node, t.List):
        return None
    return evolve(base, node=t.Extremes(base.node, variable, number_of(key), node.lowest))


def quantified(
    expressions: Expressions, node: s.Quantified, scope: Scope, text: TextPart
) -> CheckedExpression | None:
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
    return CheckedExpression(t.Not(exists) if node.word == "no" else exists, BOOLEAN)


def over(
    expressions: Expressions, node: s.TotalOver | s.HighestOver, scope: Scope, text: TextPart
) -> CheckedExpression | None:
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
        return CheckedExpression(t.Total(base.node, variable, number_of(body), at), NUMBER)
    return CheckedExpression(t.Highest(base.node, variable, number_of(body), 0, node.lowest), NUMBER)


def _named_member(
    expressions: Expressions, node: s.TotalOver | s.HighestOver, scope: Scope
) -> tuple[s.NameNode | None, s.Expression]:
    """Return the name of the members and the list, in `total p's coins over p in players where …`; None: no name.

    A word after `over` is a name only if the number or the condition uses it; `lanterns in hand` is a list.
    """
    base, condition = (node.base.base, node.base.condition) if isinstance(node.base, s.Where) else (node.base, None)
    match base:
        case s.Comparison(op="in", left=s.NameNode() as name, right=members, negated=False) if members is not None:
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
        case s.Arithmetic(op="+", right=right) if not isinstance(right, s.NumberNode):
            return None
        case s.Logic(left=left):
            return _followed(left) or left
        case s.Arithmetic(left=left):
            return _followed(left) or left
        case s.Comparison(op=op, left=left) if op != "in":
            return _followed(left) or left
    return None


def end_of(expressions: Expressions, node: s.EndOf, scope: Scope, text: TextPart) -> CheckedExpression | None:
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
