"""Sums of series of whole numbers, and confidence intervals of shares.

The classes are written by hand, since importing attrs takes longer than a short simulation.
"""

from __future__ import annotations

import math
from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
