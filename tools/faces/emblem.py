"""Emblems: ornaments of petals around a mark, in place of a picture.

The numbers come from the CRC of a definition's key, so that a card looks the same in every process and release.
"""

from __future__ import annotations

from zlib import crc32

from attrs import frozen

SHAPES = 6
"""The number of petal shapes (`petal-1` to `petal-6` of the sprite)."""
COUNTS = (4, 5, 6, 8, 7, 3)


@frozen
class Emblem:
    """Petals of one shape over those of another, in a full circle each, and possibly a ring around them.

    The petals below are turned by half of the angle between two petals. `turns` are in degrees.
    """

    over: int
    under: int
    count: int
    ring: bool

    @property
    def name(self) -> str:
        """A name that only equal emblems have."""
        return f"{self.over}{self.under}{self.count}{'r' if self.ring else ''}"

    @property
    def turns(self) -> tuple[str, ...]:
        """The angles of the petals above."""
        return tuple(f"{360 * number / self.count:.4g}" for number in range(self.count))

    @property
    def turns_under(self) -> tuple[str, ...]:
        """The angles of the petals below."""
        return tuple(f"{360 * (number + 0.5) / self.count:.4g}" for number in range(self.count))


def emblem_of(key: str) -> Emblem:
    """Return the emblem of a definition."""
    number = crc32(key.encode())
    over, under = 1 + number % SHAPES, 1 + number // SHAPES % SHAPES
    if over == under:
        under = 1 + under % SHAPES
    return Emblem(over, under, COUNTS[number // 36 % len(COUNTS)], bool(number // 216 % 2))
