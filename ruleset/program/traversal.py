"""Traverse the code of a program, and substitute expressions for its variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard, TypeVar

import attrs

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.types import PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import children, everything, rebuild

__all__ = ["Walk", "Walks", "children", "everything", "rebuild", "substitute"]

Node = TypeVar("Node")
_VARIABLES = (p.Var, p.ListVar)
_BINDING = (p.SetVar, p.SetListVar, p.Loop)


@attrs.frozen(eq=False, repr=False)
class Walk(Record):
    """All nodes of some code, in the order of `everything`."""

    nodes: list[Any]
    arounds: list[int]
    """For each node, the number of its parent; -1 if there is none."""

    def end(self, number: int) -> int:
        """Return the number after the last node in the subtree of a node."""
        end = number + 1
        while end < len(self.arounds) and self.arounds[end] >= number:
            end += 1
        return end


class Walks:
    """Cached walks of units, since many passes visit all nodes of a pack."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[p.Unit, Walk]] = {}

    def of(self, unit: p.Unit) -> Walk:
        known = self._known.get(id(unit))
        if known is None:
            known = self._known[id(unit)] = (unit, _walk(unit.body))  # keeps the unit, so that its id stays unique
        return known[1]

    def these(self, unit: p.Unit, kinds: Iterable[type]) -> list[Any]:
        """Return the nodes of these classes, which must have no subclasses."""
        kinds = frozenset(kinds)
        return [node for node in self.of(unit).nodes if type(node) in kinds]


def _walk(code: Sequence[Any]) -> Walk:
    nodes: list[Any] = []
    arounds: list[int] = []
    rest = list(reversed(code))
    outer = [-1] * len(rest)
    while rest:
        node = rest.pop()
        arounds.append(outer.pop())
        inside = children(node)
        if inside:
            inside.reverse()
            rest.extend(inside)
            outer.extend([len(nodes)] * len(inside))
        nodes.append(node)
    return Walk(nodes, arounds)


def substitute(node: Node, values: dict[int, Any], slots: dict[int, int]) -> Node:
    """Return a copy with variables replaced by expressions, and bound variables by others."""
    if isinstance(node, _VARIABLES):
        if node.variable in values:
            return values[node.variable]  # type: ignore[no-any-return]  # an expression for an expression
        return attrs.evolve(node, variable=slots.get(node.variable, node.variable))
    changed = rebuild(node, lambda child: substitute(child, values, slots))
    if isinstance(changed, _BINDING):
        return attrs.evolve(changed, variable=slots.get(changed.variable, changed.variable))
    slot = getattr(changed, "slot", None)
    return attrs.evolve(changed, slot=slots[slot]) if slot in slots else changed  # type: ignore[misc]  # as above


# ---- Seats that are in the game: lists that have no others, and the player with whom a round begins

def all_in(seats: t.List) -> bool:
    """Whether a list certainly has only seats that are in the game."""
    while isinstance(seats, t.Rotated | t.Filter):
        seats = seats.items
    return isinstance(seats, p.Living)


def first_in(seat: int, other: int) -> t.Expr:
    """Return the seat of a variable, or the next one in the game if it is out; `other` is a free variable."""
    living = t.Filter(t.Rotated(p.Everyone(), p.Var(seat)), other, t.Contains(p.Living(), p.Var(other)))
    return t.First(t.Concat(living, t.Items((p.Var(seat),))))


def is_beginning(statement: t.Stmt, main: p.Unit) -> TypeGuard[p.SetVar]:
    """Whether a statement of `main` sets the player with whom a round of turns begins."""
    if not isinstance(statement, p.SetVar):
        return False
    variable = main.variables[statement.variable]
    return variable.name == "you" and variable.type == PLAYER
