"""Reject programs of journals whose lists could double repeatedly and exhaust memory.

Slots and arguments have room for a fixed number of list members, and programs of `ruleset.lower.lowering` never
exceed it. Generated C notices an excess; the other backends do not. A static bound cannot prove this for a list
that gains members one by one in a loop. But such a list contains the members of one other list once. So if a list
contains the members of several lists of slots, or of one several times, its static bound must fit its room. All
other lists gain a bounded number of members with each statement, so the bound of time is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve

from interpreter.analysis.list_bounds import Bounds
from interpreter.game.code_check import ProgramError, need, nodes_of
from ruleset.table import nodes as t
from ruleset.table.nodes import Function, List, Procedure, Slot, TableProgram

_MANY = 2


def check_growth(program: TableProgram) -> None:
    """Check a program that has passed all other checks. Raises ProgramError."""
    if (bots := program.bots) is not None:
        program = evolve(
            program,
            functions=(*program.functions, *bots.functions),
            tables=(*program.tables, *bots.tables),
            lists=(*program.lists, *bots.lists),
        )
    bounds = Bounds(program)
    code: list[tuple[Any, Sequence[Slot]]] = [(one.body, one.slots) for one in program.functions]
    code += [(one.tree, program.procedures[one.procedure].slots) for one in program.segments]
    try:
        for part, slots in code:
            for node in nodes_of(part):
                for items, room in _held(program, node, slots):
                    fits = _times(items) < _MANY or bounds.most(items, slots) <= room
                    need(fits, f"a list may exceed its room of {room} members")
    except RecursionError:
        raise ProgramError("its functions call each other too deeply") from None


def _held(program: TableProgram, node: Any, slots: Sequence[Slot]) -> Iterator[tuple[List, int]]:
    """Iterate over the lists that a node puts into slots, its own or those of its callees, with capacities."""
    if isinstance(node, t.SetList):
        yield node.items, slots[node.slot].capacity
    for called in _called(program, node):
        for given, slot in zip(node.arguments, called.slots, strict=False):
            if isinstance(given, List):
                yield given, slot.capacity


def _called(program: TableProgram, node: Any) -> Iterator[Function | Procedure]:
    match node:
        case t.Call() | t.CallList() | t.Do():
            yield program.functions[node.function]
        case t.Invoke():
            yield program.procedures[node.procedure]
        case t.DoTable():
            yield from (program.functions[number] for number in {*program.tables[node.table]} if number >= 0)
        case t.InvokeTable():
            yield from (program.procedures[number] for number in {*program.tables[node.table]} if number >= 0)


def _times(items: List) -> int:
    """Return how many times the members of lists of slots may occur in a list; more than once is `_MANY`."""
    match items:
        case t.LocalList():
            return 1
        case t.Concat(left, right):
            return min(_times(left) + _times(right), _MANY)
        case t.Choice(_, then, otherwise):
            return max(_times(then), _times(otherwise))
        case t.FlatMap(inner, _, body):
            return _MANY if _times(inner) or _times(body) else 0
        case t.CallList():
            lists = (one for one in items.arguments if isinstance(one, List))
            return _MANY if any(map(_times, lists)) else 0
    made_of = getattr(items, "items", None)
    return _times(made_of) if isinstance(made_of, List) else 0
