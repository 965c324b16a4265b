"""Estimates with intervals from paired differences, and what stands among many comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence

from attrs import frozen
from scipy import stats

from rulewright.tools.balance.evidence import Differences, Evidence, moments_of
from rulewright.tools.balance.outcomes import Numbers, bounds, units
from rulewright.tools.simulation.statistics import Moments, mean_difference, t_95, t_tail

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


def estimates(differences: Differences, seats: int) -> Estimates:
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
