"""Which two definitions belong together, and which get in each other's way.

In the same world, a seat takes both, takes one and avoids the other, or avoids both. What the first is worth to a
seat that takes the second, less what it is worth to one that avoids the second, is their synergy. Worlds in
which one of the two makes no difference by itself say nothing about the pair, and are left out.

Two definitions at a choice are always taken instead of each other, and a seat that avoids both has fewer options
left. So each pair is compared with the median pair of its choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import median

import numpy as np
from attrs import define, evolve, field, frozen

from rulewright.interpreter.batch.batch import Stop
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.estimates import (
    Ends,
    Estimate,
    beyond,
    differ,
    estimate_of,
    measured,
    moments_of,
    standing,
)
from rulewright.tools.balance.interventions import Blocks, DefinitionUse, LeaningPlayer, WorldBlock, leaning
from rulewright.tools.balance.subjects import DefinitionTrial, Subject
from rulewright.tools.simulation.columns import Failed
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import Moments


@define
class Both:
    """Sums of the synergies of a pair, and of what both are worth more than one, the other, and neither."""

    synergy: Moments = field(factory=Moments)
    more: tuple[Moments, Moments, Moments] = field(factory=lambda: (Moments(), Moments(), Moments()))

    def merge(self, other: Both) -> None:
        self.synergy.merge(other.synergy)
        for own, another in zip(self.more, other.more, strict=True):
            own.merge(another)


@define
class Together:
    """Sums by the numbers of two trials. `games` counts worlds, and `faults` games that did not end or failed."""

    games: int = 0
    faults: Counter[Failed] = field(factory=Counter)
    found: dict[tuple[int, int], Both] = field(factory=dict)

    def of(self, pair: tuple[int, int]) -> Both:
        return self.found.setdefault(pair, Both())

    def merge(self, other: Together) -> None:
        self.games += other.games
        self.faults.update(other.faults)
        for pair, both in other.found.items():
            self.of(pair).merge(both)


@frozen
class SynergyPairs:
    """Worlds in which all pairs of trials at the same site and of the same group are played.

    Each trial has its best use, and the group in which it is weighed.
    """

    program: TableProgram
    bot: str
    trials: tuple[DefinitionTrial, ...]
    uses: tuple[DefinitionUse, ...]
    groups: tuple[str, ...]
    measure: str
    blocks: Blocks
    seed: int
    slow: bool = False

    @property
    def games(self) -> int:
        return self.blocks.items

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The numbers of the trials of each pair; the first is the one that is preferred."""
        pairs = combinations(range(len(self.trials)), 2)
        return tuple((a, b) for a, b in pairs if self.class_of(a) == self.class_of(b))

    def class_of(self, number: int) -> tuple[int, str, str]:
        """Return in which choice and group a trial is: pairs are compared within these."""
        trial = self.trials[number]
        return trial.site, trial.subject.kind, self.groups[number]

    @property
    def cost(self) -> int:
        """The most games that are played for each world."""
        return 2 * len(self.trials) + 4 * len(self.pairs)

    def empty(self) -> Together:
        return Together()

    def player(self) -> PairPlayer:
        return PairPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.blocks.reach(first, most)


class PairPlayer:
    """Plays pairs."""

    def __init__(self, work: SynergyPairs) -> None:
        self._work = work
        taken = list(zip(work.trials, work.uses, strict=True))
        bots = [
            leaning(
                work.program, work.bot, _key(some, others),
                [taken[number] for number in some], [work.trials[number] for number in others],
            )
            for some, others in (
                *(((number,), ()) for number in range(len(taken))),
                *(((), (number,)) for number in range(len(taken))),
                *(arm for pair in work.pairs for arm in _arms(pair)),
            )
        ]  # fmt: skip
        self._player = LeaningPlayer(work.program, work.bot, bots, work.seed)

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Together]:
        """See `Player.play`."""
        found, done = Together(), first
        for part in self._work.blocks.parts(first, end):
            more = self._played(part, stop)
            if more is None:
                break
            found.merge(more)
            done += part.end - part.first
        return BatchResult(first, done, evolve(found, games=done - first), self._player.backend)

    def _played(self, part: WorldBlock, stop: Stop) -> Together | None:
        """Play all pairs in some worlds; None if it was stopped."""
        found, where = Together(), (part.seat, part.first, part.end, stop)
        matters = []
        for number in range(len(self._work.trials)):
            taken = self._player.one_leaning(_key((number,), ()), *where)
            away = self._player.one_leaning(_key((), (number,)), *where)
            if taken is None or away is None:
                return None
            matters.append(differ(taken, away))
        for pair in self._work.pairs:
            games = [part.first + int(place) for place in np.flatnonzero(matters[pair[0]] & matters[pair[1]])]
            four = self._arms(pair, part.seat, games, stop)
            if four is None:
                return None
            if four:
                found.of(pair).merge(both_of(four, part.seat, self._work.measure))
                found.faults.update(why for arm in four for why in arm.why if why is not None)
        return found

    def _arms(self, pair: tuple[int, int], seat: int, games: Sequence[int], stop: Stop) -> list[Ends] | None:
        """Play the four arms of a pair in some games; without games, there are none."""
        found = []
        for arm in _arms(pair) if games else ():
            one = self._player.leaning_in(_key(*arm), seat, games, stop)
            if one is None:
                return None
            found.append(one)
        return found

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False


def both_of(four: Sequence[Ends], seat: int, measure: str) -> Both:
    """Return the sums over the same games, in which a seat takes both, one, the other, or neither."""
    kept = ~np.logical_or.reduce([one.failed for one in four])
    both, one, other, neither = (measured(each, seat)[measure][kept] for each in four)
    more = moments_of(both - one), moments_of(both - other), moments_of(both - neither)
    return Both(moments_of(both - one - other + neither), more)


def _arms(pair: tuple[int, int]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return what is taken and what is avoided: both taken, only the first, only the second, none."""
    a, b = pair
    return ((a, b), ()), ((a,), (b,)), ((b,), (a,)), ((), (a, b))


def _key(taken: Sequence[int], avoided: Sequence[int]) -> str:
    """Return the key of the bot that takes and avoids the definitions of some trials."""
    return f"{' '.join(map(str, taken))} / {' '.join(map(str, avoided))}"


@frozen
class Pair:
    """Two definitions at a choice. `worlds` are those in which both made a difference.

    `beyond` is by how much their synergy exceeds that of the median pair. `says` is `together` or `apart` if
    that is significant; else empty. Two belong together only if both are worth more than either of them, and than
    neither: of a harmful one, the other may only leave less to lose.
    """

    subjects: tuple[Subject, Subject]
    choice: str
    worlds: int
    beyond: Estimate
    says: str


def paired(work: SynergyPairs, found: Together) -> tuple[Pair, ...]:
    """Return the pairs with an estimate: the highest synergy first."""
    estimates = {
        pair: one
        for pair, both in sorted(found.found.items())
        if (one := estimate_of(both.synergy, work.measure, work.program.seats)) is not None
    }
    means: dict[tuple[int, str, str], list[float]] = {}
    for (a, _), one in estimates.items():
        means.setdefault(work.class_of(a), []).append(one.mean)
    pairs, better = [], []
    for (a, b), one in estimates.items():
        first, second = work.trials[a], work.trials[b]
        both = found.found[a, b]
        count = both.synergy.count
        more = beyond(one, median(means[work.class_of(a)]), count)
        better.append(all(_positive(each, work) for each in both.more))
        pairs.append(Pair((first.subject, second.subject), work.program.sites[first.site].key, count, more, ""))
    stands = standing([one.beyond.p for one in pairs])
    judged = [
        evolve(one, says="" if not stand else "apart" if one.beyond.mean < 0 else "together" if more else "")
        for one, stand, more in zip(pairs, stands, better, strict=True)
    ]
    return tuple(sorted(judged, key=lambda one: -one.beyond.mean))


def _positive(moments: Moments, work: SynergyPairs) -> bool:
    found = estimate_of(moments, work.measure, work.program.seats)
    return found is not None and found.low > 0
