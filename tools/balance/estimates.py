"""Estimates with intervals from paired differences, and what stands among many comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence

from attrs import frozen
from scipy import stats

from tools.balance.evidence import Differences, Evidence, Moments
from tools.balance.outcomes import Numbers, units

LEVEL = 0.05
FEWEST = 30
"""Games that differ, for an estimate to be given: with fewer, the normal approximation is poor."""


@frozen
class Estimate:
    """A mean paired difference with its 95 % interval and two-sided p-value (paired t test).

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
    by_unit = {**units(seats), "decisions": 1}
    found = {}
    for measure, moments in differences.moments.items():
        if moments.count >= FEWEST:
            found[measure] = _estimate(moments.count, moments.total, moments.squares, by_unit[measure])
    count = max((moments.count for moments in differences.moments.values()), default=0)
    return Estimates(differences.worlds, count / differences.worlds if differences.worlds else 0.0, found)


def estimate_of(moments: Moments, measure: str, seats: int) -> Estimate | None:
    """Return the mean of a measure with its interval; None if there are too few games."""
    if moments.count < FEWEST:
        return None
    return _estimate(moments.count, moments.total, moments.squares, units(seats)[measure])


def beyond(estimate: Estimate, usual: float, count: int) -> Estimate:
    """Return by how much a mean over `count` games is beyond what is usual."""
    half, mean = (estimate.high - estimate.low) / 2, estimate.mean - usual
    if half == 0:
        return Estimate(mean, mean, mean, 0.0 if mean else 1.0)
    error = half / float(stats.t.ppf(1 - LEVEL / 2, count - 1))
    return Estimate(mean, mean - half, mean + half, float(2 * stats.t.sf(abs(mean) / error, count - 1)))


def mean_of(values: Numbers) -> Estimate | None:
    """Return the mean of paired differences in whole numbers; None if there are too few."""
    if len(values) < FEWEST:
        return None
    return _estimate(len(values), int(values.sum()), int((values * values).sum()), 1)


def _estimate(count: int, total: int, squares: int, unit: int) -> Estimate:
    mean = total / count / unit
    spread = count * squares - total * total
    if spread == 0:
        return Estimate(mean, mean, mean, 0.0 if total else 1.0)
    error = math.sqrt(spread / (count - 1)) / count / unit
    half = float(stats.t.ppf(1 - LEVEL / 2, count - 1)) * error
    return Estimate(mean, mean - half, mean + half, float(2 * stats.t.sf(abs(mean) / error, count - 1)))


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
