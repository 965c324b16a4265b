"""Sums of paired differences; those of parts can be merged in any order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from attrs import define, field

from tools.balance.outcomes import Ends, differ, measured

Comparison: TypeAlias = Literal["taken", "as is", "nobody"]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)
"""What is compared with a seat that avoids the definition, in the same worlds: a seat that takes it, and one that
plays as all others do. `nobody` compares the game as it is with one in which all seats avoid it."""


@define
class Moments:
    """Paired differences, times the unit of their measure: their number, sum, and sum of squares."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def merge(self, other: Moments) -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares


@define
class Differences:
    """Paired differences in the games in which anything differed (`count` of each measure), of `worlds` in all."""

    worlds: int = 0
    moments: dict[str, Moments] = field(factory=dict)

    def add(self, one: Ends, other: Ends, seat: int) -> None:
        """Add the differences of a seat: its numbers in `one` less those in `other`, in the same worlds."""
        kept = ~(one.failed | other.failed)
        self.worlds += int(kept.sum())
        kept &= differ(one, other)
        first, second = measured(one, seat), measured(other, seat)
        found = {name: (first[name] - second[name])[kept] for name in first}
        found["decisions"] = (one.decisions - other.decisions)[kept]
        for name, values in found.items():
            more = Moments(len(values), int(values.sum()), int((values * values).sum()))
            self.of(name).merge(more)

    def of(self, measure: str) -> Moments:
        """Return the sums of a measure."""
        return self.moments.setdefault(measure, Moments())

    def merge(self, other: Differences) -> None:
        self.worlds += other.worlds
        for name, moments in other.moments.items():
            self.of(name).merge(moments)


@define
class Evidence:
    """Differences by key. `games` counts worlds of a trial, each played in all the ways that are compared."""

    games: int = 0
    failed: int = 0
    """Games that a rule error ended."""
    backend: str = ""
    found: dict[tuple[int, str], Differences] = field(factory=dict)
    """By the number of a trial, and what is compared: a `Comparison` or the number of a use."""

    def of(self, trial: int, what: str) -> Differences:
        return self.found.setdefault((trial, what), Differences())

    def merge(self, other: Evidence) -> None:
        self.games += other.games
        self.failed += other.failed
        self.backend = other.backend or self.backend
        for (trial, what), differences in other.found.items():
            self.of(trial, what).merge(differences)


def failures(played: Iterable[Ends]) -> int:
    """Return how many games were ended by a rule error."""
    return sum(int(found.failed.sum()) for found in played)
