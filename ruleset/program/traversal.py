"""Traverse the code of a program, and substitute expressions for its variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard, TypeVar

import attrs
from attrs import evolve

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


# ---- The series of a pack: games one after the other at one table, of which some values last

class NoSeries(ValueError):  # noqa: N818 - it may be all right that there is none
    """The pack has no series of games."""


def whole_series(program: p.Program) -> p.Program:
    """Return the program that plays the series of the pack. Raises NoSeries."""
    if program.series is None:
        raise NoSeries(f"{program.pack} has no series of games")
    return evolve(program, in_series=True)


def played(program: p.Program) -> p.Program:
    """Return a program without its series, if only a single game is played."""
    if program.series is None or program.in_series:
        return program
    units = tuple(unit for unit in program.units if unit.key != p.BETWEEN)
    return evolve(program, series=None, units=units)


def begun_elsewhere(program: p.Program, main: p.Unit) -> p.Program:
    """Return a program with another beginning. The later games of a series begin as they did."""
    if program.series is None or not program.in_series:
        return evolve(program, main=main)
    game = evolve(program.main, key=_GAME)
    series = evolve(program.series, game=_GAME)
    return evolve(program, main=main, units=(*program.units, game), series=series)


_GAME = "series/game"


def shown_layout(program: p.Program) -> p.TableLayout | None:
    """Return the layout of the table, which in a single game omits what means something only in a series."""
    layout, series = program.table_layout, program.series
    if series is None or program.in_series or not series.own:
        return layout
    layout = layout or p.TableLayout((), ())
    groups = (
        evolve(group, placed=tuple(one for one in group.placed if one.key not in series.own))
        for group in layout.groups
    )
    return evolve(
        layout, groups=tuple(group for group in groups if group.placed), hidden=(*layout.hidden, *series.own)
    )


def own_places(lasting: Iterable[str], code: Iterable[Any]) -> tuple[str, ...]:
    """Return those of the tracks and lists that last the series which no code outside of it refers to."""
    named: set[str] = set()
    for node in everything(tuple(code)):
        for name in ("track", "list"):
            key = getattr(node, name, None)
            if isinstance(key, str):
                named.add(key)
    return tuple(key for key in lasting if key not in named)
