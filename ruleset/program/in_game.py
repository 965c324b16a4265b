"""Seats that are in the game: lists that have no others, and the player with whom a round begins."""

from __future__ import annotations

from typing import TypeGuard

from rulewright.ruleset.language.types import PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


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
