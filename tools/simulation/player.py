"""The player of a table's games in a simulation."""

from __future__ import annotations

from attrs import frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.batch.batch import ManyGames, Results, Stop, never
from rulewright.interpreter.counting.counts import Grouping
from rulewright.ruleset.table.nodes import TableProgram


@frozen
class Table:
    """A table at which many games are played, its seats and the backend. With `grouping`, decisions are counted."""

    program: TableProgram
    seats: tuple[str, ...]
    seed: int
    backend: str = AUTO
    grouping: Grouping | None = None


class Player:
    """Plays the games of a table with `many`."""

    def __init__(self, many: ManyGames, seed: int) -> None:
        self.many = many
        self._seed = seed

    def play(self, first: int, count: int, stop: Stop = never) -> Results:
        """Play up to `count` games, starting with game `first`."""
        return self.many.play(self._seed, first, count, stop)
