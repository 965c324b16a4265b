"""Means of many games, their standard errors, and distances between means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple


class Mean(NamedTuple):
    """A mean over so many games, and its standard error."""

    mean: float
    error: float
    games: int


def summarise(rows: Sequence[Mapping[str, float]]) -> dict[str, Mean]:
    """Return the mean of every statistic over at least two games."""
    games = len(rows)
    summary: dict[str, Mean] = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        mean = sum(values) / games
        variance = sum((value - mean) ** 2 for value in values) / (games - 1)
        summary[name] = Mean(mean, sqrt(variance / games), games)
    return summary


def standard_errors(one: Mean, other: Mean) -> float:
    """The difference of two means in standard errors.

    The variances are pooled: were the games the same, so would these be, and of something rare the smaller sample
    alone tells too little.
    """
    squares = sum(mean.error**2 * mean.games * (mean.games - 1) for mean in (one, other))
    error = sqrt(squares / (one.games + other.games - 2) * (1 / one.games + 1 / other.games))
    apart = one.mean - other.mean
    return apart / error if error else 0.0 if abs(apart) < 1e-9 else float("inf")


def bound(statistics: int, level: float = 0.01) -> float:
    """How far apart, in standard errors, the furthest of so many equal statistics is at this level (Šidák)."""
    each = 1 - (1 - level) ** (1 / max(1, statistics))
    return NormalDist().inv_cdf(1 - each / 2)
