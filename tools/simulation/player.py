"""The player of a table's games in a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.batch.batch import ManyGames, Stop, never
from interpreter.batch.factory import AUTO
from ruleset.table.nodes import TableProgram
from tools.simulation.columns import Games

if TYPE_CHECKING:
    from tools.simulation.usage import GameUse


@frozen
class Table:
    """A table at which many games are played: its seats, the backend, and whether use is counted."""

    program: TableProgram
    seats: tuple[str, ...]
    seed: int
    backend: str = AUTO
    usage: bool = False


class Player:
    """Plays the games of a table with `many`, which puts the use in each game into `uses` by number."""

    def __init__(self, many: ManyGames, seed: int, uses: dict[int, GameUse] | None = None) -> None:
        self.many = many
        self._seed = seed
        self._uses = uses

    def play(self, first: int, count: int, stop: Stop = never) -> Games:
        """Play up to `count` games, starting with game `first`."""
        results = self.many.play(self._seed, first, count, stop)
        if self._uses is None:
            return Games(results)
        numbers = range(first, first + results.count)
        used = tuple(self._uses[game] for game, fault in zip(numbers, results.faults, strict=True) if not fault)
        self._uses.clear()
        return Games(results, used)
