"""Numbers about numbers: sums that merge exactly, means with their standard errors, shares with their intervals."""

from __future__ import annotations

import math

from attrs import define

Z_95 = 1.959963984540054
"""Two-sided 95% of a normal distribution."""


@define
class Numbers:
    """A series of whole numbers by its sums: equal whatever the order in which parts were merged."""

    count: int = 0
    total: int = 0
    squares: int = 0
    low: int = 0
    high: int = 0

    def add(self, value: int) -> None:
        self.low = value if self.count == 0 else min(self.low, value)
        self.high = value if self.count == 0 else max(self.high, value)
        self.count += 1
        self.total += value
        self.squares += value * value

    def merge(self, other: Numbers) -> None:
        if other.count:
            self.low = other.low if self.count == 0 else min(self.low, other.low)
            self.high = other.high if self.count == 0 else max(self.high, other.high)
            self.count += other.count
            self.total += other.total
            self.squares += other.squares

    @property
    def mean(self) -> float | None:
        """None of nothing."""
        return self.total / self.count if self.count else None

    @property
    def standard_error(self) -> float | None:
        """Of the mean; None for fewer than two numbers."""
        if self.count < 2:
            return None
        spread = self.count * self.squares - self.total * self.total
        return math.sqrt(spread / (self.count - 1)) / self.count


def wilson(successes: int, tries: int, z: float = Z_95) -> tuple[float, float]:
    """The Wilson score interval of a share; of no tries, everything."""
    if tries == 0:
        return 0.0, 1.0
    share, weight = successes / tries, z * z / tries
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / tries + weight / (4 * tries))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == tries else min(1.0, middle + half)
    return low, high
