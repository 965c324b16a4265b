"""Estimates with intervals from paired differences, and what stands among many comparisons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from math import lcm
from statistics import median
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from attrs import define, field, frozen
from scipy import stats

from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.ruleset.program.scenario import FEWEST_WEIGHED
from rulewright.tools.balance.subjects import NO_GROUPS, StudyGrouping, Subject
from rulewright.tools.simulation.columns import Columns, Failed
from rulewright.tools.simulation.statistics import Moments, mean_difference, t_95, t_tail

# ---- The ends of games as whole numbers for one seat, so that sums of them do not depend on their order

Numbers = npt.NDArray[np.int64]
MEASURES = ("lead", "score", "win", "rank")
"""What is compared. `lead` is the score less the mean of the other seats' scores, `win` the share of a win, and
`rank` is 1 for the best; winners are before all others, then the score decides."""


@frozen
class Ends:
    """The ends of games: `scores` and `winners` (1 or 0) by seat and game, and the decisions of each game."""

    scores: Numbers
    winners: Numbers
    decisions: Numbers
    failed: npt.NDArray[np.bool_]
    why: tuple[Failed | None, ...] = ()
    """Why each game failed; empty if none did."""

    @property
    def seats(self) -> int:
        return len(self.scores)

    def head(self, games: int) -> Ends:
        """Return the ends of the first `games` games."""
        return self.among(slice(games))

    def among(self, games: slice | list[int]) -> Ends:
        """Return the ends of some of the games."""
        numbers = range(len(self.failed))[games] if isinstance(games, slice) else games
        why = tuple(self.why[number] for number in numbers) if self.why else ()
        return Ends(self.scores[:, games], self.winners[:, games], self.decisions[games], self.failed[games], why)


def joined(parts: Sequence[Ends]) -> Ends:
    """Return the ends of several series of games, one after the other; there is at least one."""
    return Ends(
        np.concatenate([part.scores for part in parts], axis=1),
        np.concatenate([part.winners for part in parts], axis=1),
        np.concatenate([part.decisions for part in parts]),
        np.concatenate([part.failed for part in parts]),
        tuple(one for part in parts for one in part.why or (None,) * len(part.failed)),
    )


def ends(columns: Columns, results: GameResults) -> Ends:
    """Return the ends of games from the columns of `columns.addresses`."""
    ended, failed = columns.all(results), dict(columns.failed(results))
    games = range(results.first, results.first + results.count)
    return Ends(
        np.array(ended.scores, dtype=np.int64),
        np.array(ended.winners, dtype=np.int64),
        np.array(ended.decisions, dtype=np.int64),
        np.array(results.faults, dtype=np.int64) != 0,
        tuple(failed.get(game) for game in games) if failed else (),
    )


def units(seats: int) -> dict[str, int]:
    """Return by what the numbers of `measured` must be divided."""
    return {"lead": max(1, seats - 1), "score": 1, "win": lcm(*range(1, seats + 1)), "rank": 1}


def bounds(seats: int) -> dict[str, int]:
    """Return the largest differences of those numbers of `measured` that have one, times their unit."""
    return {"win": units(seats)["win"], "rank": seats - 1}


def measured(found: Ends, seat: int) -> dict[str, Numbers]:
    """Return each measure of a seat, times its unit, for all games."""
    own, won = found.scores[seat], found.winners[seat]
    winners = found.winners.sum(axis=0)
    before = (found.winners > won) | ((found.winners == won) & (found.scores > own))
    return {
        "lead": found.seats * own - found.scores.sum(axis=0) if found.seats > 1 else own,
        "score": own,
        "win": won * (units(found.seats)["win"] // np.maximum(winners, 1)),
        "rank": 1 + before.sum(axis=0),
    }


def differ(one: Ends, other: Ends) -> npt.NDArray[np.bool_]:
    """Return in which games anything that is measured differs between two ways of playing them."""
    scores = (one.scores != other.scores).any(axis=0) | (one.winners != other.winners).any(axis=0)
    return np.asarray(scores | (one.decisions != other.decisions))


# ---- Sums of paired differences; those of parts can be merged in any order

Comparison: TypeAlias = Literal["taken", "as is", "nobody"]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)
"""What is compared with a seat that avoids the definition, in the same worlds: a seat that takes it, and one that
plays as all others do. `nobody` compares the game as it is with one in which all seats avoid it."""


@define
class PairedDifferences:
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

    def merge(self, other: PairedDifferences) -> None:
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
    found: dict[tuple[int, str], PairedDifferences] = field(factory=dict)
    """By the number of a trial, and what is compared: a `Comparison` or the number of a use."""

    @property
    def failed(self) -> int:
        """The number of games that did not end or failed."""
        return self.faults.total()

    def note(self, trial: int, how: str, played: Ends) -> None:
        """Count the games that failed, and why."""
        self.faults.update((trial, how, why) for why in played.why if why is not None)

    def of(self, trial: int, what: str) -> PairedDifferences:
        return self.found.setdefault((trial, what), PairedDifferences())

    def merge(self, other: Evidence) -> None:
        self.games += other.games
        self.faults.update(other.faults)
        self.backend = other.backend or self.backend
        for (trial, what), differences in other.found.items():
            self.of(trial, what).merge(differences)


def moments_of(values: Numbers) -> Moments:
    """Return the sums of paired differences."""
    return Moments(len(values), int(values.sum()), int((values * values).sum()), int(np.count_nonzero(values)))


# ---- Estimates

LEVEL = 0.05
FEWEST = 30
"""Games that differ, for an estimate to be given: with fewer, the normal approximation is poor."""
MANY = 1_000_000
"""Games with which Student's t distribution is a normal one."""


@frozen
class Estimate:
    """A mean paired difference with its 95 % interval and two-sided p-value: see `statistics.mean_difference`.

    It is the mean over the games that ended differently.
    """

    mean: float
    low: float
    high: float
    p: float


@frozen
class Estimates:
    """The estimates of one comparison: by measure, over the games that ended differently, a share of all."""

    worlds: int
    share: float
    by_measure: dict[str, Estimate]


def estimates(differences: PairedDifferences, seats: int) -> Estimates:
    """Return the estimates of a comparison; without any if too few games differ."""
    by_unit, by_bound = {**units(seats), "decisions": 1}, bounds(seats)
    found = {}
    for measure, moments in differences.moments.items():
        if moments.count >= FEWEST:
            found[measure] = _estimate(moments, by_unit[measure], by_bound.get(measure))
    count = max((moments.count for moments in differences.moments.values()), default=0)
    return Estimates(differences.worlds, count / differences.worlds if differences.worlds else 0.0, found)


def estimate_of(moments: Moments, measure: str, seats: int) -> Estimate | None:
    """Return the mean of the synergies in a measure, which are differences of two differences.

    None if there are too few games.
    """
    if moments.count < FEWEST:
        return None
    bound = bounds(seats).get(measure)
    return _estimate(moments, units(seats)[measure], None if bound is None else 2 * bound)


def beyond(estimate: Estimate, usual: float, count: int) -> Estimate:
    """Return by how much a mean over `count` games is beyond what is usual."""
    return _judged(estimate.mean - usual, estimate.low - usual, estimate.high - usual, count)


def difference_of(before: Estimate, after: Estimate) -> Estimate:
    """Return the difference of two independent estimates, by the method of variance estimates recovery.

    Zou and Donner, "Construction of confidence intervals about effect measures" (2008).
    """
    mean = after.mean - before.mean
    low = mean - math.hypot(after.mean - after.low, before.high - before.mean)
    return _judged(mean, low, mean + math.hypot(after.high - after.mean, before.mean - before.low), MANY)


def _judged(mean: float, low: float, high: float, count: int) -> Estimate:
    """Return an estimate over `count` games whose p-value is 5 % where its interval ends at 0."""
    half = mean - low if mean > 0 else high - mean
    return Estimate(mean, low, high, t_tail(mean / half * t_95(count - 1), count - 1))


def mean_of(values: Numbers, bound: int | None = None) -> Estimate | None:
    """Return the mean of paired differences in whole numbers, of at most `bound`; None if there are too few."""
    return _estimate(moments_of(values), 1, bound) if len(values) >= FEWEST else None


def _estimate(moments: Moments, unit: int, bound: int | None) -> Estimate:
    found = mean_difference(moments, bound)
    assert found.low is not None and found.high is not None and found.p is not None  # `FEWEST` is enough for it
    return Estimate(found.mean / unit, found.low / unit, found.high / unit, found.p)


def standing(values: Sequence[float]) -> list[bool]:
    """Return which p-values are significant with a false discovery rate of 5 % (Benjamini and Hochberg, 1995)."""
    if not values:
        return []
    return [bool(p <= LEVEL) for p in stats.false_discovery_control(values, method="bh")]


def main_measure(evidence: Evidence) -> str:
    """Return the measure that ranks definitions: the lead or, in games without scores, the share of a win."""
    leads = any(
        differences.moments["lead"].squares for differences in evidence.found.values() if differences.moments
    )
    return "lead" if leads else "win"


# ---- What the estimates say about each definition: its rank among its kind, and whether it stands out

OUTLYING = 3.5
"""Robust distances from the median of a kind from which a definition stands out (Iglewicz and Hoaglin, 1993)."""
WORTH = 0.4
"""A definition can stand out, too, if taking it matters by so much of an even share of wins: 20 percentage points
of two seats."""
APART, BEHIND = 0.2, 0.04
"""By how much more of an even share than each other one the strongest must win, and the weakest must lose: one of
them must be the strongest, but none has to cost so many wins. These are indifference zones (Bechhofer, Annals of
Mathematical Statistics 25, 1954)."""
HARDLY = 0.01
"""A bot that chooses less than this share of what it is offered does not show what that is worth."""
MATTER_OF_COURSE = 0.95
"""Share of what is offered that is taken as a matter of course."""
_SPREAD = 1.4826
"""Turns a median absolute deviation into the standard deviation of a normal distribution."""


@frozen
class Weighed:
    """A definition at the choice that matters most to its group, or to its kind.

    `rank` is 1 for the strongest of its group, of `of`. `stands_out` is `strong`, `weak`, or empty; `unplayed` for
    what would be weak, if the bot did not hardly ever choose it among others of its group that it does choose: that
    says more of the bot. `group` is empty for definitions in no group.
    """

    subject: Subject
    choice: str
    taken: Estimates
    as_is: Estimates
    nobody: Estimates
    rank: int
    of: int
    significant: bool
    stands_out: str
    group: str = ""


@frozen
class ComparedDefinition:
    """The estimates of a definition at a choice."""

    subject: Subject
    choice: str
    offered: int
    chosen: int
    taken: Estimates
    as_is: Estimates
    nobody: Estimates

    def effect_on(self, measure: str) -> Estimate | None:
        return self.taken.by_measure.get(measure)


def gateways(
    compared: Sequence[ComparedDefinition], measure: str, grouping: StudyGrouping = NO_GROUPS
) -> dict[tuple[str, str], str]:
    """Return, for each kind and group, the choice at which its definitions matter most: by their mean effect on it.

    The effect counts for as many games as it changes, so that a choice that hardly ever comes up does not win. A
    choice at which nearly everything is taken is no question to players: it wins only over others like it.
    """
    found: dict[tuple[tuple[str, str], str], list[ComparedDefinition]] = {}
    for one in compared:
        if one.effect_on(measure) is not None:
            found.setdefault(((one.subject.kind, grouping.of(one.subject)), one.choice), []).append(one)
    best: dict[tuple[str, str], tuple[tuple[bool, float], str]] = {}
    for (group, choice), own in found.items():
        open_ = sum(one.chosen for one in own) < MATTER_OF_COURSE * sum(one.offered for one in own)
        effects = ((one.effect_on(measure), one.taken.share) for one in own)
        total = sum(abs(estimate.mean) * share for estimate, share in effects if estimate is not None)
        if group not in best or (open_, total) > best[group][0]:
            best[group] = (open_, total), choice
    return {group: choice for group, (_, choice) in best.items()}


def weighed(
    compared: Sequence[ComparedDefinition], measure: str, grouping: StudyGrouping = NO_GROUPS, seats: int = 2
) -> tuple[Weighed, ...]:
    """Return the definitions by kind and group, the strongest first."""
    at = gateways(compared, measure, grouping)
    found: list[Weighed] = []
    kinds = list(dict.fromkeys(kind for kind, _ in at))
    for (kind, group), choice in sorted(at.items(), key=lambda e: (kinds.index(e[0][0]), grouping.place(e[0][1]))):
        own = [(e.mean, one, e) for one in compared
               if (one.subject.kind, grouping.of(one.subject), one.choice) == (kind, group, choice)
               and (e := one.effect_on(measure)) is not None]  # fmt: skip
        own.sort(key=lambda each: -each[0])
        stands = standing([estimate.p for _, _, estimate in own])
        out = _standing_out([one for _, one, _ in own], [estimate for _, _, estimate in own], seats)
        for rank, ((_, one, _), significant, outlier) in enumerate(zip(own, stands, out, strict=True), 1):
            found.append(
                Weighed(
                    one.subject,
                    choice,
                    one.taken,
                    one.as_is,
                    one.nobody,
                    rank,
                    len(own),
                    significant,
                    outlier,
                    group,
                )
            )
    return tuple(found)


def _standing_out(own: Sequence[ComparedDefinition], estimates: Sequence[Estimate], seats: int) -> list[str]:
    """Return what `Weighed.stands_out` says of each definition of a group."""
    wins = apart([one.effect_on("win") for one in own], seats)
    known = not unplayed(own)
    return [
        "unplayed" if (by or also) == "weak" and known and unplayed([one]) else by or also
        for one, by, also in zip(own, outliers(estimates), wins, strict=True)
    ]


def unplayed(own: Sequence[ComparedDefinition]) -> bool:
    """Return whether the bot hardly ever chose definitions that it was offered."""
    return sum(one.chosen for one in own) < HARDLY * sum(one.offered for one in own)


def usual(estimates: Sequence[Estimate]) -> tuple[float, float] | None:
    """Return the bounds outside of which an estimate stands out; None for fewer than `FEWEST_WEIGHED`."""
    if len(estimates) < FEWEST_WEIGHED:
        return None
    middle = median(one.mean for one in estimates)
    spread = _SPREAD * median(abs(one.mean - middle) for one in estimates)
    return middle - OUTLYING * spread, middle + OUTLYING * spread


def outliers(estimates: Sequence[Estimate]) -> list[str]:
    """Return for each estimate whether it stands out among them: `strong`, `weak`, or empty.

    It must be significantly further from the median than the spread of the kind explains, as one of so many.
    """
    bounds = usual(estimates)
    if bounds is None:
        return [""] * len(estimates)
    low, high = bounds
    sides = ["strong" if one.mean > high else "weak" if one.mean < low else "" for one in estimates]
    ends = {"strong": high, "weak": low}
    values = [beyond(one, ends[side], MANY).p if side else 1.0 for one, side in zip(estimates, sides, strict=True)]
    return [side if stands else "" for side, stands in zip(sides, standing(values), strict=True)]


def usual_wins(wins: Sequence[Estimate], seats: int) -> tuple[float, float]:
    """Return the bounds outside of which the weakest or the strongest of at least two is apart from the others."""
    own = sorted(one.mean for one in wins)
    return min(-WORTH / seats, own[1] - BEHIND / seats), max(WORTH / seats, own[-2] + APART / seats)


def apart(wins: Sequence[Estimate | None], seats: int) -> list[str]:
    """Return for each effect on wins whether it is apart from all others: `strong`, `weak`, or empty.

    This finds one that a wide spread of the others hides from `outliers`. Whole intervals must be beyond `WORTH`,
    and the difference to the next one beyond `APART` or `BEHIND`.
    """
    found, known = [""] * len(wins), [(one, place) for place, one in enumerate(wins) if one is not None]
    if len(known) < FEWEST_WEIGHED:
        return found
    known.sort(key=lambda each: each[0].mean)
    (worst, last), (before, _), *_, (second, _), (best, first) = known
    ahead, behind = difference_of(second, best).low * seats, difference_of(worst, before).low * seats
    if best.low * seats > WORTH and ahead > APART:
        found[first] = "strong"
    if worst.high * seats < -WORTH and behind > BEHIND:
        found[last] = "weak"
    return found
