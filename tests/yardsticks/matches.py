"""Matches: one table of a game, played by the engine and by hand."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import Protocol, TypeAlias

from attrs import frozen

from rulewright.ruleset.table.nodes import TableProgram
from tests.yardsticks.engine import Seen

Figures: TypeAlias = dict[str, float]
"""The statistics of one game, by name."""


class Match(Protocol):
    """One table of a game, with so many players."""

    @property
    def program(self) -> TableProgram:
        """The pack lowered for this table."""
        ...

    @property
    def unseen(self) -> Collection[str]:
        """Statistics that the state of a finished game does not tell; who has seen the game knows them."""
        ...

    def play(self, chance: Random) -> object:
        """Plays a game by hand, as fast as it goes."""
        ...

    def by_hand(self, chance: Random) -> Figures:
        """The statistics of a game played by hand, `unseen` among them."""
        ...

    def read(self, state: array[int], decisions: int, seen: Seen | None) -> Figures:
        """The same statistics of a game of the engine; if it was not seen, the unseen ones mean nothing."""
        ...

    def faults(self, state: array[int]) -> list[str]:
        """What is wrong with a finished game of the engine, as the hand-written rules see it."""
        ...


@frozen
class Contest:
    """A game that both sides know: its tables by name, the numbers of players, and what makes a match."""

    tables: Mapping[str, Callable[[int], Match]]
    players: tuple[int, ...]
