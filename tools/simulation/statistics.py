"""Statistics: paired differences, and corrections for multiple comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from operator import sub

from attrs import define, frozen

from tools.simulation.sums import Z_95
from tools.simulation.sums import Numbers as Numbers
from tools.simulation.sums import wilson as wilson

# ------------------------------------------------------------------ Student's t


def t_tail(t: float, degrees: int) -> float:
    """Return the two-sided tail probability of Student's t distribution beyond `t`."""
    if math.isinf(t):
        return 0.0
    return _beta(degrees / (degrees + t * t), degrees / 2, 0.5)


@cache
def t_95(degrees: int) -> float:
    """Return the t that is exceeded, on either side, with probability 0.05."""
    low, high = Z_95, 13.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, degrees) > 0.05 else (low, middle)
    return high


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x <= 0.0 or x >= 1.0:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _beta(1.0 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    ) / a  # fmt: skip
    # From the innermost term outwards; so many terms leave an error far below what is printed.
    value = 1.0
    for m in range(200, 0, -1):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        value = 1.0 + odd / (1.0 + even / value)
    return front / value


# ------------------------------------------------------------------ pairs and many comparisons


@define
class Pairs:
    """Sums over pairs of numbers. Pairs of zeros need not be added."""

    first: int = 0
    second: int = 0
    squares: int = 0
    """Sum of the squared differences."""

    def add(self, first: int, second: int) -> None:
        self.first += first
        self.second += second
        self.squares += (second - first) ** 2

    def add_all(self, first: Iterable[int], second: Iterable[int]) -> None:
        """Add many pairs at once."""
        differences, (ones, others) = Numbers(), (list(first), list(second))
        differences.add_all(map(sub, others, ones))
        self.merge(Pairs(sum(ones), sum(others), differences.squares))

    def merge(self, other: Pairs) -> None:
        self.first += other.first
        self.second += other.second
        self.squares += other.squares


@frozen
class Difference:
    """The mean difference (second minus first) with its 95% interval and two-sided p-value (paired t test).

    The interval and p are None for fewer than two pairs.
    """

    mean: float
    low: float | None
    high: float | None
    p: float | None


def paired(pairs: Pairs, count: int) -> Difference:
    """Return the difference over `count` pairs, at least one."""
    total = pairs.second - pairs.first
    mean = total / count
    if count < 2:
        return Difference(mean, None, None, None)
    spread = count * pairs.squares - total * total
    if spread == 0:
        return Difference(mean, mean, mean, 0.0 if total else 1.0)
    error = math.sqrt(spread / (count - 1)) / count
    half = t_95(count - 1) * error
    return Difference(mean, mean - half, mean + half, t_tail(mean / error, count - 1))


def holm(values: Sequence[float | None], level: float = 0.05) -> list[bool]:
    """Return which p-values are significant after Holm's correction (1979). None is no test."""
    order = sorted((p, place) for place, p in enumerate(values) if p is not None)
    stands = [False] * len(values)
    for rank, (p, place) in enumerate(order):
        if p > level / (len(order) - rank):
            break
        stands[place] = True
    return stands
