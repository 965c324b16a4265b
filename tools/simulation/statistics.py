"""Statistics: paired differences, and corrections for multiple comparisons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from operator import sub

from attrs import define, frozen

# ---- Sums of series of whole numbers, and confidence intervals of shares
#
# The classes are written by hand, since importing attrs takes longer than a short simulation.

Z_95 = 1.959963984540054
"""The two-sided 95% quantile of the normal distribution."""
ENDLESS = "endless"
"""The code of the rule error of games between bots that do not end."""


class Numbers:
    """A series of whole numbers as sums, which can be merged in any order."""

    __slots__ = ("count", "high", "low", "squares", "total")

    def __init__(self, count: int = 0, total: int = 0, squares: int = 0, low: int = 0, high: int = 0) -> None:
        self.count = count
        self.total = total
        self.squares = squares
        self.low = low
        self.high = high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and self._all() == other._all()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return f"Numbers{self._all()}"

    def _all(self) -> tuple[int, ...]:
        return self.count, self.total, self.squares, self.low, self.high

    def add(self, value: int) -> None:
        self.low = value if self.count == 0 else min(self.low, value)
        self.high = value if self.count == 0 else max(self.high, value)
        self.count += 1
        self.total += value
        self.squares += value * value

    def add_all(self, values: Iterable[int]) -> None:
        """Add many numbers at once; fast if few of them are different."""
        times = Counter(values)
        if times:
            total = sum(value * count for value, count in times.items())
            squares = sum(value * value * count for value, count in times.items())
            self.merge(Numbers(times.total(), total, squares, min(times), max(times)))

    def merge(self, other: Numbers) -> None:
        if other.count:
            self.low = other.low if self.count == 0 else min(self.low, other.low)
            self.high = other.high if self.count == 0 else max(self.high, other.high)
            self.count += other.count
            self.total += other.total
            self.squares += other.squares

    @property
    def mean(self) -> float | None:
        """The mean; None for an empty series."""
        return self.total / self.count if self.count else None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean; None for fewer than two numbers."""
        if self.count < 2:
            return None
        spread = self.count * self.squares - self.total * self.total
        return math.sqrt(spread / (self.count - 1)) / self.count


def wilson(successes: float, tries: float, z: float = Z_95) -> tuple[float, float]:
    """Return the Wilson score interval of a share; 0 to 1 for no tries."""
    if tries == 0:
        return 0.0, 1.0
    share, weight = successes / tries, z * z / tries
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / tries + weight / (4 * tries))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == tries else min(1.0, middle + half)
    return low, high


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

FEWEST = 6
"""Pairs that differ, below which nothing is claimed. If neither side is better, all of five pairs favour the same
one in 1 of 16 cases, and all of six in 1 of 32: less than 5 % (sign test; Conover, *Practical Nonparametric
Statistics*, 1999, section 3.4)."""


@define
class Moments:
    """Sums over paired differences in whole numbers. `changed` of them are not 0."""

    count: int = 0
    total: int = 0
    squares: int = 0
    changed: int = 0

    def merge(self, other: Moments) -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        self.changed += other.changed


@define
class PairSums:
    """Sums over pairs of numbers. Pairs of zeros need not be added."""

    first: int = 0
    second: int = 0
    squares: int = 0
    """Sum of the squared differences."""
    changed: int = 0
    """Pairs whose numbers differ."""

    def add(self, first: int, second: int) -> None:
        self.add_all([first], [second])

    def add_all(self, first: Iterable[int], second: Iterable[int]) -> None:
        """Add many pairs at once."""
        numbers, (ones, others) = Numbers(), (list(first), list(second))
        differences = list(map(sub, others, ones))
        numbers.add_all(differences)
        self.merge(PairSums(sum(ones), sum(others), numbers.squares, len(differences) - differences.count(0)))

    def merge(self, other: PairSums) -> None:
        self.first += other.first
        self.second += other.second
        self.squares += other.squares
        self.changed += other.changed


@frozen
class MeanDifference:
    """The mean difference (second minus first) with its 95% interval and two-sided p-value; see `mean_difference`.

    The interval and p are None for fewer than `FEWEST` pairs.
    """

    mean: float
    low: float | None
    high: float | None
    p: float | None


def paired(pairs: PairSums, count: int, bound: int | None = None) -> MeanDifference:
    """Return the difference over `count` pairs, at least one; `bound` is that of `mean_difference`."""
    return mean_difference(Moments(count, pairs.second - pairs.first, pairs.squares, pairs.changed), bound)


def mean_difference(moments: Moments, bound: int | None = None) -> MeanDifference:
    """Return the mean of at least one paired difference, with its interval and p-value.

    `bound` is the largest possible difference: 1 for numbers that are 0 or 1 in each game, whose mean is a share.
    Two pairs are then added that differ by the bound, one in each direction, so that no interval has a width
    of 0 (Bonett and Price, "Adjusted Wald confidence interval for a difference of binomial proportions
    based on paired data", 2012, with t in place of the normal distribution); it ends at the bound. The same is done
    without a bound if fewer than `FEWEST` pairs differ, with the size of those differences.

    Otherwise the interval is that of the paired t test, and equal differences are taken as if two of them were
    a step of 1 off the mean. No p-value is below 2 / 2 ** changed, as in a randomisation test, which assumes only
    that each pair could as well be the other way round (Fisher, *The Design of Experiments*, 1935, section 21).
    """
    count, total, squares, changed = moments.count, moments.total, moments.squares, moments.changed
    mean = total / count
    if count < FEWEST:
        return MeanDifference(mean, None, None, None)
    if bound is not None or changed < FEWEST:
        square, size = (bound**2 if bound is not None else squares / changed if changed else 1), count + 2
        middle = total / size
        error = math.sqrt(((squares + 2 * square) / size - middle**2) / size)
    else:
        middle = mean
        error = math.sqrt(max(2.0, (count * squares - total * total) / count) / (count - 1) / count)
    half, end = t_95(count - 1) * error, math.inf if bound is None else bound
    p = max(t_tail(middle / error, count - 1), 2.0 / 2.0 ** min(changed, 1000))
    return MeanDifference(mean, max(-end, middle - half), min(end, middle + half), min(1.0, p))


def holm(values: Sequence[float | None], level: float = 0.05) -> list[bool]:
    """Return which p-values are significant after Holm's correction (1979). None is no test."""
    order = sorted((p, place) for place, p in enumerate(values) if p is not None)
    stands = [False] * len(values)
    for rank, (p, place) in enumerate(order):
        if p > level / (len(order) - rank):
            break
        stands[place] = True
    return stands
