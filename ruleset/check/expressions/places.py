"""Check ranges of numbers (`1 to 6`) and places of lists (`LIST[n]`)."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.fitting import quoted
from rulewright.ruleset.check.expressions.protocol import Expressions
from rulewright.ruleset.check.expressions.values import cards_of, number_of
from rulewright.ruleset.check.scope import Scope, Text, Value
from rulewright.ruleset.common.limits import MOST_IN_RANGE
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.common.whole_numbers import empty_range
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BOOLEAN, NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


def number_range(expressions: Expressions, node: s.Range, scope: Scope, text: Text) -> Value | None:
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
    return Value(p.Range(first, last, scope.unit.variable("number", NUMBER), at), NUMBER.list)


def place_of(expressions: Expressions, node: s.At, base: Value, scope: Scope, text: Text) -> Value | None:
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


def member_at(context: Context, members: Value, number: t.Expr, span: Span) -> Value:
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


def _order(expressions: Expressions, zone: Value) -> str:
    declared = expressions.context.declared.zones.get(zone.zone_key)
    return declared[1].order if declared is not None else ""


def _no_place(expressions: Expressions, node: s.At, base: Value, text: Text) -> None:
    """Report an index of something that takes none."""
    context = expressions.context
    says, span = quoted(node.base, text), text.span(node.start, node.end)
    order = _order(expressions, base)
    belongings = expressions.names.belongings
    owned = isinstance(node.base, s.Name) and belongings.is_owned(node.base.text)
    if base.type.name == "zone" and order and not owned:
        pile = f"write `top of {says}`, or `top 2 of {says}`"
        hint = pile if order == "pile" else f"write `cards in {says} where …`"
        context.report("RW436", span, f"`{says}` is a {order}, and only the cards of a row have places", hint)
        return
    hint = f"write `{says}`"
    if owned:
        hint += f", or `p's {says}` for that of a player `p`"
    context.report("RW436", span, f"`{says}` takes no index", hint)
