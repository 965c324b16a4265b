"""Moves that only reorder cards on their way to a zone without an observed order."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from interpreter.analysis.nodes import can_fail, fallible_functions
from interpreter.optimiser.zone_sets import Unit, ZoneSets
from ruleset.table import nodes as t
from ruleset.table.nodes import Expr, List, TableProgram
from ruleset.table.traversal import transform


def without_permutations(program: TableProgram, zones: ZoneSets, ordered: int) -> TableProgram:
    """Return the program with `cards where not test, then cards where test` as the cards, where order is lost."""
    fallible = fallible_functions(program)
    if any(zone.eager for zone in program.zones):
        return program  # these zones refill themselves in the order in which they are left

    def change(unit: Unit, node: object) -> object:
        if not isinstance(node, t.Move) or zones.of(node.to, unit) & ordered:
            return node
        whole = _permuted(node.cards)
        return node if whole is None or can_fail(node.cards, fallible) else evolve(node, cards=whole)

    functions = tuple(
        transform(function, partial(change, ("function", number)))
        for number, function in enumerate(program.functions)
    )
    segments = tuple(
        transform(segment, partial(change, ("procedure", segment.procedure))) for segment in program.segments
    )
    pairs = (*zip(functions, program.functions, strict=True), *zip(segments, program.segments, strict=True))
    if all(new is old for new, old in pairs):
        return program
    return evolve(program, functions=functions, segments=segments)


def _permuted(cards: List) -> List | None:
    """Return the list of which a concatenation of two filters is a permutation."""
    match cards:
        case t.Concat(t.Filter(items, slot, t.Not(test)), t.Filter(same, other, opposite)) if items == same:
            pass
        case t.Concat(t.Filter(items, slot, opposite), t.Filter(same, other, t.Not(test))) if items == same:
            slot, other = other, slot
        case _:
            return None

    def renamed(node: object) -> object:
        return t.Local(slot) if node == t.Local(other) else node

    same_test: Expr = transform(opposite, renamed)
    return items if same_test == test else None
