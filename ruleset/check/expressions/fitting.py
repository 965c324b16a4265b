"""Check values against expected types, and explain mismatches."""

from __future__ import annotations

import re

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.scope import CheckedExpression, TextPart
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BOOLEAN, CARD, NONE, NUMBER, PLAYER, Type, accepts
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

# ------------------------------------------------------------------ Helpers for values of checked expressions

def number_of(value: CheckedExpression) -> t.Expr:
    """Return the number that a value holds; its type excludes lists."""
    assert isinstance(value.node, t.Expr)
    return value.node


def definition_of(card: CheckedExpression) -> t.Expr:
    """Return the definition of a card; none of none."""
    return unless_none(card, p.DefinitionOf(number_of(card)))


def unless_none(value: CheckedExpression, node: t.Expr) -> t.Expr:
    """Guard a node that reads a constant of a card or definition: none if the value is none."""
    if not value.maybe:
        return node
    return t.IfElse(t.Binary("<", number_of(value), t.Const(0)), t.Const(-1), node)


def type_beside(value: CheckedExpression, node: s.Expression) -> Type | None:
    """Return the type that an expression compared with a value, or assigned to it, must have.

    None for the word `none`, if the value may be none: then there is no type to convert to.
    """
    none = isinstance(node, s.NameNode) and node.text == "none"
    return None if none and value.maybe else value.type


def cards_of(value: CheckedExpression) -> CheckedExpression:
    """Convert a zone to the list of its cards."""
    assert value.zone is not None
    return CheckedExpression(t.Cards(value.zone), CARD.list, place=value.zone, zone_key=value.zone_key)


def definition_number(declared: Declared, key: str) -> t.Expr:
    """Return the number of a definition, in the order of declaration."""
    return t.Const(list(declared.definitions).index(key))


def with_article(type_: Type) -> str:
    """Format a type for a message: `a card`, `a list of players`."""
    return "`none`" if type_ == NONE else f"a {type_}"


# ---- Fitting

def fit(
    context: CheckContext, value: CheckedExpression, expected: Type, node: s.Expression, text: TextPart
) -> CheckedExpression | None:
    """Return the value as the expected type: a zone as its cards, a card as its definition, a player as a list."""
    if value.type.name == "zone" and expected.name == "card" and expected.many:
        return cards_of(value)
    if expected == PLAYER.list and value.type == PLAYER and isinstance(value.node, t.Expr):
        return _alone(value.node, value.maybe)
    if accepts(expected, value.type):
        if value.type.name == "none" and expected.many:
            return CheckedExpression(t.Items(()), expected)
        if value.maybe and expected in (NUMBER, BOOLEAN):
            return sure(context, value, text.span(node.start, node.end))
        return value
    if expected.name == "definition" and value.type.name == "card" and not (expected.many or value.type.many):
        return evolve(value, node=definition_of(value), type=Type("definition", value.type.of))
    message = f"expected {with_article(expected)}, found {with_article(value.type)}"
    context.report("RW424", text.span(node.start, node.end), message, _hint(expected, value, node, text))
    return None


def _alone(player: t.Expr, maybe: bool) -> CheckedExpression:
    """Return a player as a list of one; of nobody, as the empty list."""
    one = t.Items((player,))
    there = t.Binary(">=", player, t.Const(0))
    return CheckedExpression(t.Choice(there, one, t.Items(())) if maybe else one, PLAYER.list)


def sure(context: CheckContext, value: CheckedExpression, span: Span) -> CheckedExpression:
    """Check a value that is stored or computed with: if its type has no none, none is the rule error `absent`."""
    if not value.maybe or value.type.many or value.type.can_be_none or value.type == NONE:
        return value
    return evolve(value, node=context.present(value, span), maybe=False)


def list_of(context: CheckContext, value: CheckedExpression, node: s.Expression, text: TextPart) -> t.List | None:
    """Return the members of a list or zone."""
    if value.type.name == "zone" and value.zone is not None:
        return t.Cards(value.zone)
    if value.type.many and isinstance(value.node, t.List):
        return value.node
    not_a_list(context, value, node, text)
    return None


def not_a_list(context: CheckContext, value: CheckedExpression, node: s.Expression, text: TextPart) -> None:
    """Report a value where a list is expected."""
    message = f"expected a list, found {with_article(value.type)}"
    hint: str | None = "a list is a zone, `cards in ZONE`, `players`, or a name given to several things"
    word = text.says(node.start, node.end) if isinstance(node, s.NameNode) else ""
    if value.type.name == "card" and word and value.variable is not None:
        message = f"`{word}` names one card, not a list"
        given = re.search(rf"(?<![\w-])(top|bottom)([ ]+of[^\n]*[ ]as[ ]+{word})(?![\w-])", text.scalar.text)
        hint = "to name several cards, give a number"
        hint += f": `move {given[1]} 2{given[2]}`" if given is not None else ", such as in `choose 2 cards from …`"
    context.report("RW427", text.span(node.start, node.end), message, hint)


def quoted(node: s.Expression, text: TextPart) -> str:
    """Return the text of an expression as it can stand inside another: in parentheses if it has several words."""
    says = text.says(node.start, node.end)
    return says if isinstance(node, s.NameNode | s.Of | s.At | s.CallOf) else f"({says})"


def _hint(expected: Type, value: CheckedExpression, node: s.Expression, text: TextPart) -> str | None:
    says = quoted(node, text)
    if value.type == NONE and expected.name == "enumeration":
        return "only a track that says `starts: none` can be none"
    if value.type.name == "kind":
        return f"`{says}` is the name of a kind; inside `where`, the member is `it`"
    if expected == BOOLEAN and isinstance(node, s.Comparison) and node.op == "in" and node.right is not None:
        part, whole = (text.says(one.start, one.end) for one in (node.left, node.right))
        return f"to ask whether it is there, write `{whole} has {part}`"
    if expected == BOOLEAN and value.type.many:
        return f"write `{says} is not empty`, or `any x in {says} where …`"
    if expected == NUMBER and (value.type.many or value.type.name == "zone"):
        return f"for the number of members, write `count({text.says(node.start, node.end)})`"
    if expected.many and not value.type.many and expected.name == value.type.name:
        return "write a list, such as `players` or `cards in hand`"
    if expected == PLAYER and value.type == PLAYER.list:
        return f"for each of them, write `each p in {says}: p …`; for one of them, write `first of {says}`"
    if not expected.many and value.type.many:
        return f"for one of them, write `first of {says}`, or let a player choose: `choose 1 … from {says} as …`"
    if expected == BOOLEAN and value.type == NUMBER:
        return f"compare it, as in `{says} > 0`"
    if expected == NUMBER and value.type == BOOLEAN:
        return "a boolean is `true` or `false`; a number is, for example, `3`, `count(hand)`, or a track"
    return None
