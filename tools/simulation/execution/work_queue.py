"""A queue of intervals of games: waiting, in progress, or done; each is counted once.

Numbers go out in intervals. One comes back done, or as far as it was done, or it is lost with the process that had
it; then its numbers go out again in pieces, so that a game which kills whoever plays it is found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from attrs import frozen

from tools.common.errors import OURS, Failure

PIECES = 16
"""An interval that was lost goes out again in at most so many pieces."""
TRIES = 3
"""A game that was lost so often, alone each time, is not played again."""


@frozen
class Interval:
    """Games `first` to `end` - 1. A game alone knows how many processes it was lost with."""

    first: int
    end: int
    losses: int = 0

    def __str__(self) -> str:
        last = self.end - 1
        return f"game {self.first}" if self.first == last else f"games {self.first}–{last}"


class WorkQueue:
    """Games 0 to `games` - 1. `reach(first, most)` says where the next interval ends; `most_losses` is how many
    processes may be lost in a row, with no interval done between them.
    """

    def __init__(self, games: int, reach: Callable[[int, int], int], most_losses: int) -> None:
        self._games = games
        self._reach = reach
        self._most_losses = most_losses
        self._following = 0
        self._again: deque[Interval] = deque()
        self._out: set[Interval] = set()
        self._in_a_row = 0
        self.played = 0
        """How many games are done."""

    @property
    def left(self) -> int:
        """How many numbers never went out."""
        return self._games - self._following

    @property
    def over(self) -> bool:
        """Whether all games are done."""
        return self.played == self._games

    def take(self, most: int, ahead: bool = True) -> Interval | None:
        """The next numbers, about so many; None when all are out or done. Without `ahead`, only lost ones."""
        if self._again:
            interval = self._again.popleft()
        elif ahead and self._following < self._games:
            interval = Interval(self._following, self._reach(self._following, most))
            self._following = interval.end
        else:
            return None
        self._out.add(interval)
        return interval

    def done(self, interval: Interval, end: int) -> None:
        """An interval comes back, done up to `end`. Raises KeyError for one that is not out."""
        self._out.remove(interval)
        if end > interval.first:
            self._in_a_row = 0
            self.played += end - interval.first
        if end < interval.end:
            self._again.appendleft(Interval(end, interval.end, interval.losses))

    def lost(self, interval: Interval | None, how: str) -> None:
        """Who had an interval, or none, has died: `how` ends a sentence about it. Raises Failure where a game was
        lost again and again, or nothing else happens any more than that games are lost.
        """
        self._in_a_row += 1
        tries = 0
        if interval is not None:
            self._out.remove(interval)
            self._again.extendleft(reversed(pieces(interval)))
            tries = interval.losses + 1
        if tries >= TRIES or self._in_a_row > self._most_losses:
            raise Failure(
                f"worker processes keep crashing{f' on {interval}' if interval else ''}; the last one {how}. If "
                "memory is short, try fewer --jobs; otherwise please report this as a bug, with the command and "
                "the pack",
                OURS,
            )


def pieces(interval: Interval) -> list[Interval]:
    """What an interval that was lost goes out again as."""
    size = interval.end - interval.first
    if size == 1:
        return [Interval(interval.first, interval.end, interval.losses + 1)]
    count = min(PIECES, size)
    ends = [interval.first + size * (place + 1) // count for place in range(count)]
    firsts = (interval.first, *ends[:-1])
    return [Interval(first, end) for first, end in zip(firsts, ends, strict=True)]
