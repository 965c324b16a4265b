"""Protocols of work that can be distributed: games by number, and mergeable results."""

from __future__ import annotations

from typing import Generic, Protocol, Self, TypeVar

from attrs import frozen

from rulewright.interpreter.batch.batch import Stop
from rulewright.tools.simulation.output.rows import RowField, RowSchema


class MergeableCounts(Protocol):
    """Counts of games. The counts of parts can be merged in any order."""

    @property
    def games(self) -> int:
        """The number of games that were started and ended."""
        ...

    def merge(self, other: Self) -> None: ...


C = TypeVar("C", bound=MergeableCounts)


@frozen
class BatchResult(Generic[C]):
    """The result of games `first` to `end` - 1.

    `backend` is the last backend that played some of them. `pages` are the rows about them, in order, if the work
    has a sheet.
    """

    first: int
    end: int
    counts: C
    backend: str
    pages: tuple[object, ...] = ()


class WorkPlayer(Protocol[C]):
    """Plays the games of one work in one process."""

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[C]:
        """Play and count games `first` to `end` - 1, or fewer after a request to stop. Rule errors are results."""
        ...

    def prepare(self) -> bool:
        """Prepare for many games: see `interpreter.batch.batch.ManyGames.prepare`."""
        ...


class Work(Protocol[C]):
    """Games 0 to `games` - 1, and how they are played and counted. It is sent to other processes unchanged.

    `slow` means that one game takes so long that worker processes should start before its duration is known.
    """

    @property
    def games(self) -> int: ...

    @property
    def slow(self) -> bool: ...

    def empty(self) -> C:
        """Return empty counts."""
        ...

    def player(self) -> WorkPlayer[C]:
        """Return the player of a process; called once in each."""
        ...

    def reach(self, first: int, most: int, jobs: int) -> int:
        """Return the end of an interval from `first` for one of `jobs` workers that asks for `most` games."""
        ...


class Reported(Work[C], Protocol[C]):
    """Work that can make rows about its games."""

    def fields(self) -> tuple[RowField, ...]:
        """Return the fields of a row about a game."""
        ...

    def on(self, sheet: RowSchema) -> Self:
        """Return the same work with pages for a sheet."""
        ...
