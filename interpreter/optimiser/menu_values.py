"""The numbers of a menu's options in the analysis of cards: to which branch each belongs."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.analysis.metered import Metered
from interpreter.optimiser.flow_values import FlowValues
from interpreter.optimiser.references import NUMBER, Coded, State, Value
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List

Remainders = frozenset[int] | None
"""None: any."""


def narrow(condition: Expr, outcome: bool, state: State) -> None:
    """Take note of what a condition tells of the numbers of options: to which branch of a menu they belong."""
    match condition:
        case t.And(left, right) if outcome:
            narrow(left, True, state)
            narrow(right, True, state)
        case t.Or(left, right) if not outcome:
            narrow(left, False, state)
            narrow(right, False, state)
        case t.Not(operand):
            narrow(operand, not outcome, state)
        case t.Binary("==", t.Binary("%", t.Local(slot), Const(by)), Const(left)):
            value = state.get(slot)
            if isinstance(value, Coded) and value.by == by:
                state[slot] = value.narrowed(left, outcome)


def options(values: FlowValues, node: List, state: State) -> Value:
    """Return the values of options; of a menu, with the remainders of the options that are not cards."""
    whole = values.members(node, state)
    if not isinstance(whole, Coded) or not whole.by:
        return whole
    numbers: Remainders = frozenset()
    for part in _parts(node):
        value = values.members(part, state)
        found: Remainders = None
        if isinstance(value, Coded):
            found = value.numbers
        elif value is NUMBER:
            found = _remainders(part, whole.by, values.facts.program.lists)
        if value is not None:
            numbers = None if numbers is None or found is None else numbers | found
    return Coded(whole.by, whole.cards, numbers)


def _parts(node: List) -> list[List]:
    """Return the lists that a concatenation or a choice is made of."""
    match node:
        case t.Concat(left, right) | t.Choice(_, left, right):
            return [*_parts(left), *_parts(right)]
    return [node]


def _remainders(node: List, by: int, tables: Sequence[Sequence[Sequence[int]]]) -> Remainders:
    """Return the remainders of the numbers in a list; None if its form does not tell."""
    match node:
        case t.Items(values) if all(isinstance(value, Const) for value in values):
            return frozenset(value.value % by for value in values if isinstance(value, Const))
        case t.Map(_, _, t.Binary("*", _, Const(factor))) if factor % by == 0:
            return frozenset({0})
        case t.Map(_, _, t.Binary("+", t.Binary("*", _, Const(factor)), Const(left))) if factor % by == 0:
            return frozenset({left % by})
        case t.FlatMap(_, _, inner) | t.Filter(inner) | t.Distinct(inner) | Metered(inner):
            return _remainders(inner, by, tables)
        case t.TableList(number):
            return frozenset(value % by for members in tables[number] for value in members)
    return None
