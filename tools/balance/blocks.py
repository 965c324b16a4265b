"""Worlds in blocks, so that a call of native code plays many games.

Items of work are numbered by block, then by trial, then by the world within the block. All trials play the same
worlds, and an interrupted run has about as many worlds of each trial. The seat that leans changes with the block.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import Factory, frozen

BLOCK = 500
"""Worlds of a block at most."""
FEW = 5
"""In one of so many worlds, the first of a block, all seats avoid the definition."""


@frozen
class Part:
    """Worlds `first` to `end` - 1 of a block, for one trial and one seat that leans."""

    trial: int
    seat: int
    first: int
    end: int

    few: int
    """The number of the first worlds in which nobody takes a definition, too: such games can be very long."""


def even(worlds: int, seats: int) -> int:
    """Return the size of blocks with which each seat leans in as many worlds, even if there are only a few."""
    rounds = max(1, -(-worlds // (BLOCK * seats)))
    return max(1, -(-worlds // (rounds * seats)))


@frozen
class Blocks:
    """`worlds` worlds of each of `trials` trials, at a table of `seats`. World 0 is game `start` of the seed."""

    trials: int
    worlds: int
    seats: int
    start: int = 0
    size: int = Factory(lambda self: even(self.worlds, self.seats), takes_self=True)

    @property
    def items(self) -> int:
        return self.trials * self.worlds

    def reach(self, first: int, most: int) -> int:
        """Return the end of an interval of about `most` items that begins with `first`: the end of a block."""
        part = next(self.parts(first, self.items))
        end = first + part.end - part.first
        while end < self.items and end - first < most:
            part = next(self.parts(end, self.items))
            end += part.end - part.first
        return end

    def parts(self, first: int, end: int) -> Iterator[Part]:
        """Iterate over the parts of blocks in items `first` to `end` - 1."""
        while first < end:
            block, rest = divmod(first, self.trials * self.size)
            size = min(self.size, self.worlds - block * self.size)
            trial, world = divmod(rest, size)
            number = min(size - world, end - first)
            at = self.start + block * self.size + world
            few = max(0, min(number, -(-size // FEW) - world))
            yield Part(trial, block % self.seats, at, at + number, few)
            first += number
