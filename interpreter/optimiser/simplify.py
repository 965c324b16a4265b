"""Simpler forms of sentences, with the same results."""

from __future__ import annotations

from attrs import evolve

from ruleset.table import nodes as t
from ruleset.table.nodes import Const, List, TableProgram
from ruleset.table.traversal import transform

_BINDERS = (t.Total, t.Exists, t.Highest, t.Filter, t.Map, t.FlatMap, t.Extremes, t.Ranked, t.Distinct)


def simplified(program: TableProgram) -> TableProgram:
    """Return the program in simpler forms: moves skip none anyway, and no member of a list in the state is none."""
    return evolve(
        program,
        functions=tuple(transform(function, _simpler) for function in program.functions),
        segments=tuple(transform(segment, _simpler) for segment in program.segments),
    )


def _simpler(node: object) -> object:
    if isinstance(node, t.Move | t.SendHome):
        match node.cards:
            case t.Choice(t.Binary("<", card, Const(0)), t.Items(()), t.Items((same,)) as one) if card == same:
                return evolve(node, cards=one)
    if isinstance(node, _BINDERS) and _in_state(node.items):
        member = t.Local(node.slot)

        def known(part: object) -> object:
            return member if isinstance(part, t.Present) and part.operand == member else part

        return evolve(transform(node, known), items=node.items)
    return node


def _in_state(items: List) -> bool:
    while isinstance(items, t.Filter | t.Take):
        items = items.items
    return isinstance(items, t.CellList | t.Cards)
