"""Check with which player a round of turns begins, and remove needless checks.

`turns-from` may give nobody: a track that was never set, or the first of players who have all left the game.
Beginning a round with nobody is a rule error (`table.Present`). Most games set the track during set-up, or say
`first of players`. For these games the set-up proves that there is a player, so their tables need no check.

If the player has left the game before the round begins, the next player who is in the game begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, evolve, field

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.types import PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.in_game import all_in, first_in, is_beginning
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t


def with_beginnings(main: p.Unit, effects: Effects) -> p.Unit:
    """Return the course of the game with the checks of first players that it needs."""
    known, done = _Known(effects), 0
    code: list[t.Stmt] = []
    variables = list(main.variables)
    for number, statement in enumerate(main.body):
        code.append(statement)
        if not is_beginning(statement, main):
            continue
        for earlier in main.body[done:number]:
            known.after(earlier)
        done = number
        first = statement.value
        if isinstance(first, t.Present) and known.something(first.operand):
            code[-1] = evolve(statement, value=first.operand)
        if not known.players and not (isinstance(first, t.First) and all_in(first.items)):
            code.append(p.SetVar(statement.variable, first_in(statement.variable, len(variables))))
            variables.append(p.Variable("other", PLAYER, False))
    body = tuple(code)
    return evolve(main, body=body, variables=tuple(variables)) if body != main.body else main


@define(repr=False)
class _Known(Record):
    """Facts that are certain at a point of the set-up.

    Lists of players, cards, or definitions never hold `none`.
    """

    effects: Effects
    variables: set[int] = field(factory=set)
    """Variables that hold a value (0 or more), and lists that are not empty."""
    tracks: set[str] = field(factory=set)
    """Tracks without a scope that hold a value."""
    players: bool = True
    """Whether all players are certainly still in the game."""

    def something(self, node: t.Expr) -> bool:
        """Whether an expression always gives a value."""
        match node:
            case t.Const(value):
                return value >= 0
            case p.Var(variable):
                return variable in self.variables
            case p.TrackAt(track, ()):
                return track in self.tracks
            case t.First(items) | t.Last(items):
                return self.filled(items)
        return isinstance(node, t.Present)

    def filled(self, node: t.List) -> bool:
        """Whether a list is never empty."""
        match node:
            case p.Everyone():
                return True
            case p.Living():
                return self.players
            case p.ListVar(variable):
                return variable in self.variables
            case t.Rotated(items, _):
                return self.filled(items)
            case t.Items(values):
                return bool(values) and all(map(self.something, values))
            case t.Take(items, t.Binary("+", p.Var(number), t.Const(more)), _):
                return more > 0 and number in self.variables and self.filled(items)
            case t.Concat(left, right):
                return self.filled(left) or self.filled(right)
        return False

    def after(self, statement: t.Stmt) -> None:
        """Update the facts with the effect of a statement."""
        match statement:
            case p.SetVar(variable, value):
                self._note(self.variables, variable, self.something(value))
            case p.SetListVar(variable, items):
                self._note(self.variables, variable, self.filled(items))
            case p.AssignTrack(track, (), value):
                self._note(self.tracks, track, self.something(value))
            case t.Random(slot, _, _):
                self.variables.add(slot)
            case p.Block(_, body) if not self.effects.left(body):
                self._all(body)
            case t.If(t.Binary(">", t.Count(items), t.Const(0)), then, _) if self.filled(items):
                self._all(then)
            case _:
                self._forget(statement)

    def _all(self, body: Sequence[t.Stmt]) -> None:
        for statement in body:
            self.after(statement)

    @staticmethod
    def _note(known: set[Any], one: Any, certain: bool) -> None:
        (known.add if certain else known.discard)(one)

    def _forget(self, statement: t.Stmt) -> None:
        """Drop the facts that a statement may change, itself or through its calls."""
        self.players = self.players and not self.effects.eliminates(statement)
        self.variables.clear()
        if not self.tracks:
            return
        effects, called = self.effects, set[str]()
        rest = [list(everything(statement))]
        while rest:
            for node in rest.pop():
                if isinstance(node, p.AssignTrack):
                    self.tracks.discard(node.track)
                elif effects.matters(type(node)):
                    new = set(effects.calls(node)) - called
                    called |= new
                    rest.extend(effects.walks.of(effects.units[key]).nodes for key in new)
