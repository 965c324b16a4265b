"""Check values against expected types, and explain mismatches."""

from __future__ import annotations

from attrs import evolve

from ruleset.check.context import Context
from ruleset.check.expressions.values import cards_of, definition_of, with_article
from ruleset.check.scope import Text, Value
from ruleset.common.span import Span
from ruleset.language import ast as s
from ruleset.language.types import BOOLEAN, NONE, NUMBER, PLAYER, Type, accepts
from ruleset.table import nodes as t


def fit(context: Context, value: Value, expected: Type, node: s.Expression, text: Text) -> Value | None:
    """Return the value converted to the expected type: a zone to its cards, a card to its definition."""
    if value.type.name == "zone" and expected.name == "card" and expected.many:
        return cards_of(value)
    if accepts(expected, value.type):
        if value.type.name == "none" and expected.many:
            return Value(t.Items(()), expected)
        if value.maybe and expected in (NUMBER, BOOLEAN):
            return sure(context, value, text.span(node.start, node.end))
        return value
    if expected.name == "definition" and value.type.name == "card" and not (expected.many or value.type.many):
        return evolve(value, node=definition_of(value), type=Type("definition", value.type.of))
    message = f"expected {with_article(expected)}, but this is {with_article(value.type)}"
    context.report("RW424", text.span(node.start, node.end), message, _hint(expected, value, node, text))
    return None


def sure(context: Context, value: Value, span: Span) -> Value:
    """Check a value that is stored or computed with: if its type has no none, none is the rule error `absent`."""
    if not value.maybe or value.type.many or value.type.can_be_none or value.type == NONE:
        return value
    return evolve(value, node=context.present(value, span), maybe=False)


def list_of(context: Context, value: Value, node: s.Expression, text: Text) -> t.List | None:
    """Return the members of a list or zone."""
    if value.type.name == "zone" and value.zone is not None:
        return t.Cards(value.zone)
    if value.type.many and isinstance(value.node, t.List):
        return value.node
    hint = "a list is a zone, `cards in …`, `players`, or a name that a choice gave to several"
    context.report("RW427", text.span(node.start, node.end), f"{with_article(value.type)} is not a list", hint)
    return None


def _hint(expected: Type, value: Value, node: s.Expression, text: Text) -> str | None:
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
