"""Remove needless checks of the player with whom a round of turns begins.

`turns-from` may give nobody: a track that was never set, or the first of players who have all left the game.
Beginning a round with nobody is a rule error (`table.Present`). Most games set the track during set-up, or say
`first of players`. For these games the set-up proves that there is a player, so their tables need no check.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, evolve, field

from ruleset.common.record import Record
from ruleset.language.types import PLAYER
from ruleset.program import nodes as p
from ruleset.program.call_effects import Effects
from ruleset.program.traversal import everything
from ruleset.table import nodes as t


def without_needless_checks(main: p.Unit, effects: Effects) -> p.Unit:
    """Return the course of the game without checks of first players that cannot fail."""
    known, code, done = _Known(effects), list(main.body), 0
    for number, statement in enumerate(code):
        if not isinstance(statement, p.SetVar) or not isinstance(statement.value, t.Present):
            continue
        variable = main.variables[statement.variable]
        if variable.name != "you" or variable.type != PLAYER:
            continue
        for earlier in code[done:number]:
            known.after(earlier)
        done = number
        if known.something(statement.value.operand):
            code[number] = evolve(statement, value=statement.value.operand)
    body = tuple(code)
    return evolve(main, body=body) if body != main.body else main


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
    """Whether at least one player is certainly still in the game."""

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
