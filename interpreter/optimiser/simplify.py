"""Simpler forms of sentences, with the same results."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, List, TableProgram
from rulewright.ruleset.table.traversal import rebuild

_BINDERS = (t.Total, t.Exists, t.Highest, t.Filter, t.Map, t.FlatMap, t.Extremes, t.Ranked, t.Distinct)


def simplified(program: TableProgram) -> TableProgram:
    """Return the program in simpler forms: moves skip none anyway, and no member of a list in the state is none."""
    return evolve(
        program,
        functions=tuple(map(_simpler, program.functions)),
        segments=tuple(map(_simpler, program.segments)),
    )


def _simpler(node: Any, known: frozenset[int] = frozenset()) -> Any:
    """Return a node, or a tuple, simplified. Locals with the slots of `known` are members of lists of the state."""
    if isinstance(node, tuple):
        return tuple([_simpler(part, known) for part in node])
    inside = known
    if isinstance(node, _BINDERS) and _in_state(node.items):
        inside = known | {node.slot}
    items = getattr(node, "items", None)
    node = rebuild(node, lambda part: _simpler(part, known if part is items else inside))
    match node:
        case t.Present(t.Local(slot)) if slot in known:
            return node.operand
        case t.Move() | t.SendHome():
            match node.cards:
                case t.Choice(t.Binary("<", card, Const(0)), t.Items(()), t.Items((same,)) as one) if card == same:
                    return evolve(node, cards=one)
    return node


def _in_state(items: List) -> bool:
    while isinstance(items, t.Filter | t.Take):
        items = items.items
    return isinstance(items, t.CellList | t.Cards)
