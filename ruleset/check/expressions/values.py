"""Helpers for values of checked expressions."""

from __future__ import annotations

from rulewright.ruleset.check.scope import Value
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import CARD, NONE, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


def number_of(value: Value) -> t.Expr:
    """Return the number that a value holds; its type excludes lists."""
    assert isinstance(value.node, t.Expr)
    return value.node


def definition_of(card: Value) -> t.Expr:
    """Return the definition of a card; none of none."""
    return unless_none(card, p.DefinitionOf(number_of(card)))


def unless_none(value: Value, node: t.Expr) -> t.Expr:
    """Guard a node that reads a constant of a card or definition: none if the value is none."""
    if not value.maybe:
        return node
    return t.IfElse(t.Binary("<", number_of(value), t.Const(0)), t.Const(-1), node)


def type_beside(value: Value, node: s.Expression) -> Type | None:
    """Return the type that an expression compared with a value, or assigned to it, must have.

    None for the word `none`, if the value may be none: then there is no type to convert to.
    """
    none = isinstance(node, s.Name) and node.text == "none"
    return None if none and value.maybe else value.type


def cards_of(value: Value) -> Value:
    """Convert a zone to the list of its cards."""
    assert value.zone is not None
    return Value(t.Cards(value.zone), CARD.list, place=value.zone, zone_key=value.zone_key)


def definition_number(declared: Declared, key: str) -> t.Expr:
    """Return the number of a definition, in the order of declaration."""
    return t.Const(list(declared.definitions).index(key))


def with_article(type_: Type) -> str:
    """Format a type for a message: `a card`, `a list of players`."""
    return "`none`" if type_ == NONE else f"a {type_}"
