"""What plays the games of a simulation, and what it gives."""

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
    """A table at which many games are played: who sits there, by what, and whether use is counted."""

    program: TableProgram
    seats: tuple[str, ...]
    seed: int
    backend: str = AUTO
    usage: bool = False


class Player:
    """Plays the games of a table. `many` does it, and notes in `uses`, by the game's number, what was used."""

    def __init__(self, many: ManyGames, seed: int, uses: dict[int, GameUse] | None = None) -> None:
        self.many = many
        self._seed = seed
        self._uses = uses

    def play(self, first: int, count: int, stop: Stop = never) -> Games:
        """Plays games from `first` on, at most so many."""
        results = self.many.play(self._seed, first, count, stop)
        if self._uses is None:
            return Games(results)
        numbers = range(first, first + results.count)
        used = tuple(self._uses[game] for game, fault in zip(numbers, results.faults, strict=True) if not fault)
        self._uses.clear()
        return Games(results, used)
