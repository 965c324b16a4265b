"""The games of a tournament, numbered so that an interrupted one has about as many of each pairing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

from attrs import frozen

from rulewright.tools.tournament.pairing import arrangements

BLOCK = 200
"""Worlds of a block if no bot searches; a call of native code plays at most so many games."""


@frozen
class Part:
    """Worlds `first` to `end` - 1 of a pairing (two numbers of bots) in one arrangement of the seats.

    `seats` are those of the first of the two.
    """

    pairing: tuple[int, int]
    seats: tuple[bool, ...]
    first: int
    end: int

    def at(self) -> tuple[int, ...]:
        """Return the bot in each seat."""
        one, other = self.pairing
        return tuple(one if own else other for own in self.seats)


@frozen(slots=False)
class Schedule:
    """All pairings of `bots` bots, in all arrangements of `players` seats, in worlds 0 to `worlds` - 1.

    Items are numbered by block of worlds, then by pairing, arrangement, and world.
    """

    bots: int
    players: int
    worlds: int
    block: int = BLOCK

    @cached_property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        return tuple(combinations(range(self.bots), 2))

    @cached_property
    def arrangements(self) -> tuple[tuple[bool, ...], ...]:
        return tuple(arrangements(self.players))

    @property
    def items(self) -> int:
        return len(self.pairings) * len(self.arrangements) * self.worlds

    def parts(self, first: int, end: int) -> Iterator[Part]:
        """Iterate over the parts of items `first` to `end` - 1."""
        each = len(self.arrangements)
        while first < end:
            block, rest = divmod(first, len(self.pairings) * each * self.block)
            size = min(self.block, self.worlds - block * self.block)
            place, world = divmod(rest, size)
            count = min(size - world, end - first)
            start = block * self.block + world
            yield Part(self.pairings[place // each], self.arrangements[place % each], start, start + count)
            first += count
