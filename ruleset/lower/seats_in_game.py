"""Tests of whether seats are in the game, where loops and queues give seats a turn."""

from __future__ import annotations

from rulewright.ruleset.language.types import PLAYER, Type
from rulewright.ruleset.lower.context import Context
from rulewright.ruleset.lower.expressions import Values
from rulewright.ruleset.lower.state_layout import Layout
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.in_game import all_in
from rulewright.ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]


class SeatsInGame:
    """The part of lowering that leaves out tests that no table needs."""

    lowering: Context
    layout: Layout
    unit: p.Unit
    values: Values
    bounds: dict[int, int]

    def variable(self, name: str, type_: Type, many: bool = False) -> int:
        """Add a variable to the unit, and return its number."""
        raise NotImplementedError

    def in_game(self, seat: int) -> t.Expr:
        """Return whether the seat of a variable is in the game."""
        return t.Contains(self.values.items(p.Living()), t.Local(seat))

    def asked_in_secret(self, seats: t.List) -> t.List:
        """Return the seats of a list that are in the game: no others are asked."""
        asked = self.values.items(seats)
        if not self.can_be_out(all_in(seats)):
            return asked
        seat = self.variable("seat", PLAYER)
        return t.Filter(asked, seat, self.in_game(seat))

    def still_there(self, node: p.Loop) -> tuple[Code, t.Expr | None]:
        """Return code for before a loop, and the condition for each seat; None if no seat is skipped."""
        began_in, stays = all_in(node.items), self.lowering.stays(node.body)
        there = self.in_game(node.variable)
        if node.still == "acting":
            return (), there if self.can_be_out(began_in and stays) else None
        if node.still != "seats" or stays:
            return (), None
        if began_in:
            return (), there
        began = self.variable("began", PLAYER, True)
        self.bounds[began] = self.layout.seats
        was_out = t.Not(t.Contains(t.LocalList(began), t.Local(node.variable)))
        return (t.SetList(began, self.values.items(p.Living())),), t.Or(there, was_out)

    def can_be_out(self, stays: bool) -> bool:
        """Whether a player can be out here, unless all who are asked were in the game and stay."""
        return not stays and self.lowering.effects.somebody_out(self.unit.key)

    def still_in(self, node: p.IfIn) -> Code:
        """Return the body of the node, with a test only if the player can be out when it runs."""
        if not self.can_be_out(node.began_in and self.lowering.stays(node.body)):
            return node.body
        return (t.If(t.Contains(p.Living(), node.seat), node.body, ()),)
