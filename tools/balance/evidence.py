"""Sums of paired differences; those of parts can be merged in any order."""

from __future__ import annotations

from collections import Counter
from typing import Literal, TypeAlias, get_args

import numpy as np
from attrs import define, field

from rulewright.tools.balance.outcomes import Ends, Numbers, differ, measured
from rulewright.tools.simulation.columns import Failed
from rulewright.tools.simulation.statistics import Moments

Comparison: TypeAlias = Literal["taken", "as is", "nobody"]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)
"""What is compared with a seat that avoids the definition, in the same worlds: a seat that takes it, and one that
plays as all others do. `nobody` compares the game as it is with one in which all seats avoid it."""


@define
class Differences:
    """Paired differences in the games in which anything differed (`count` of each measure), of `worlds` in all.

    The sums are in the units of `outcomes.units`.
    """

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
            self.of(name).merge(moments_of(values))

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
    faults: Counter[tuple[int, str, Failed]] = field(factory=Counter)
    """Games that did not end or failed, by the number of a trial, how its definition was played, and the reason."""
    backend: str = ""
    found: dict[tuple[int, str], Differences] = field(factory=dict)
    """By the number of a trial, and what is compared: a `Comparison` or the number of a use."""

    @property
    def failed(self) -> int:
        """The number of games that did not end or failed."""
        return self.faults.total()

    def note(self, trial: int, how: str, played: Ends) -> None:
        """Count the games that failed, and why."""
        self.faults.update((trial, how, why) for why in played.why if why is not None)

    def of(self, trial: int, what: str) -> Differences:
        return self.found.setdefault((trial, what), Differences())

    def merge(self, other: Evidence) -> None:
        self.games += other.games
        self.faults.update(other.faults)
        self.backend = other.backend or self.backend
        for (trial, what), differences in other.found.items():
            self.of(trial, what).merge(differences)


def moments_of(values: Numbers) -> Moments:
    """Return the sums of paired differences."""
    return Moments(len(values), int(values.sum()), int((values * values).sum()), int(np.count_nonzero(values)))
