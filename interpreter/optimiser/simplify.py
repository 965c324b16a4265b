"""Simpler forms of sentences that move cards."""

from __future__ import annotations

from attrs import evolve

from ruleset.table import nodes as t
from ruleset.table.nodes import Const, TableProgram
from ruleset.table.traversal import transform


def simplified(program: TableProgram) -> TableProgram:
    """Return the program with `no card if there is none, else the card` as the card: moves skip none."""
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
    return node
