"""Protocols of work that can be distributed: games by number, and mergeable results."""

from __future__ import annotations

from typing import Generic, Protocol, Self, TypeVar

from attrs import frozen

from interpreter.batch.batch import Stop
from tools.simulation.output.rows import Field, Sheet


class Counts(Protocol):
    """What is counted. Counts of parts merge to those of the whole, in any order."""

    @property
    def games(self) -> int:
        """How many games were begun and ended."""
        ...

    def merge(self, other: Self) -> None: ...


C = TypeVar("C", bound=Counts)


@frozen
class BatchResult(Generic[C]):
    """Games `first` to `end` - 1, played and counted: with the name of the backend that played them, or the last
    of them, and the rows about them, in order, as the sheet of the work made them, if it has one.
    """

    first: int
    end: int
    counts: C
    backend: str
    pages: tuple[object, ...] = ()


class Player(Protocol[C]):
    """Plays the games of some work in one process, and no other games."""

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[C]:
        """Plays and counts games `first` to `end` - 1, fewer when asked to stop. A rule that fails is a result."""
        ...

    def prepare(self) -> bool:
        """Many games are to come: see `interpreter.batch.batch.ManyGames.prepare`."""
        ...

    def close(self) -> None:
        """No more games are to come."""
        ...


class Work(Protocol[C]):
    """Games 0 to `games` - 1, how they are played and counted. It goes to other processes as it is.

    `slow` says that one game takes so long that others should not wait until it shows how long.
    """

    @property
    def games(self) -> int: ...

    @property
    def slow(self) -> bool: ...

    def empty(self) -> C:
        """Counts of nothing."""
        ...

    def player(self) -> Player[C]:
        """Made once in each process."""
        ...

    def reach(self, first: int, most: int, jobs: int) -> int:
        """Where the next numbers that one of so many takes end, if it wants so many."""
        ...


class Reported(Work[C], Protocol[C]):
    """Work of which there can be rows."""

    def fields(self) -> tuple[Field, ...]:
        """What there is to say of each game."""
        ...

    def on(self, sheet: Sheet) -> Self:
        """The same work, with pages of such a sheet in its parts."""
        ...
