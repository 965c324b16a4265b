"""Try a sample of all mistakes and report the recall."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from attrs import frozen

import tests.recall.deletions
import tests.recall.meaning
import tests.recall.traps
import tests.recall.writing  # noqa: F401  (importing them makes their planters known)
from tests.recall.judge import Outcome, judge
from tests.recall.mistakes import PLANTERS, Mistake, mistakes
from tests.recall.subjects import subject

SAMPLE = 12
"""Mistakes of one sort in the rules of one pack; of its bots and scenarios a third of that."""


def sample(classes: Iterable[str], packs: Iterable[str], size: int = SAMPLE, seed: int = 0) -> Iterator[Mistake]:
    """Some mistakes of each sort, in the rules of a pack and in what is beside them."""
    for name in packs:
        for klass in classes:
            for what, everything in mistakes(subject(name), klass):
                chance = random.Random(f"{seed}/{name}/{klass}/{what}")
                rules = [one for one in everything if not one.apart]
                apart = [one for one in everything if one.apart]
                yield from chance.sample(rules, min(size, len(rules)))
                yield from chance.sample(apart, min((size + 2) // 3, len(apart)))


@frozen
class Tally:
    """The outcomes of one class."""

    klass: str
    outcomes: tuple[Outcome, ...]

    @property
    def counted(self) -> tuple[Outcome, ...]:
        """Those that can be found at all: where the game is as before, there is no mistake."""
        return tuple(one for one in self.outcomes if not one.harmless)

    @property
    def harmless(self) -> tuple[Outcome, ...]:
        return tuple(one for one in self.outcomes if one.harmless)

    @property
    def missed(self) -> tuple[Outcome, ...]:
        return tuple(one for one in self.counted if not one.found)

    @property
    def recall(self) -> float:
        """The share that is found."""
        return 1 - len(self.missed) / max(1, len(self.counted))

    @property
    def mean(self) -> float:
        """The mean number of findings of those that are found."""
        found = [len(one.shown) for one in self.counted if one.shown]
        return sum(found) / max(1, len(found))

    @property
    def most(self) -> int:
        """The most findings of one mistake."""
        return max((len(one.shown) for one in self.counted), default=0)

    @property
    def on_line(self) -> float:
        """The share of those that are found whose first finding is on the right line."""
        found = [one.first_right for one in self.counted if one.shown]
        return sum(found) / max(1, len(found))


def tallies(planted: Iterable[Mistake]) -> dict[str, Tally]:
    """What came of the mistakes, by class."""
    outcomes: dict[str, list[Outcome]] = {}
    for mistake in planted:
        outcomes.setdefault(mistake.klass, []).append(judge(mistake))
    return {klass: Tally(klass, tuple(outcomes[klass])) for klass in PLANTERS if klass in outcomes}


HEAD = f"{'CLASS':<12}{'PLANTED':>8}{'HARMLESS':>9}{'FOUND':>8}{'FINDINGS':>10}{'MOST':>6}{'LINE':>8}"


def row(name: str, tally: Tally) -> str:
    """One line of the table."""
    return (
        f"{name:<12}{len(tally.outcomes):>8}{len(tally.harmless):>9}{tally.recall:>8.1%}{tally.mean:>10.2f}"
        f"{tally.most:>6}{tally.on_line:>8.1%}"
    )
