"""A queue of intervals of games: waiting, in progress, or done; each game is counted once.

An interval comes back done, or partly done, or it is lost with its process. A lost interval is handed out again in
pieces, so that a game that crashes its process is found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from attrs import frozen

from rulewright.tools.common.errors import OURS, Failure

PIECES = 16
"""Maximum number of pieces of a lost interval."""
TRIES = 3
"""Number of losses, alone each time, after which a game is not played again."""


@frozen
class Interval:
    """Games `first` to `end` - 1. `losses` counts, for a single game, the processes that it was lost with."""

    first: int
    end: int
    losses: int = 0

    def __str__(self) -> str:
        last = self.end - 1
        return f"game {self.first}" if self.first == last else f"games {self.first}–{last}"


class WorkQueue:
    """The queue of games 0 to `games` - 1.

    `reach(first, most)` returns the end of the next interval. `most_losses` limits how many processes may be lost
    in a row without a finished interval between them.
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
        """The number of finished games."""

    @property
    def left(self) -> int:
        """The number of games that have not been handed out yet."""
        return self._games - self._following

    @property
    def over(self) -> bool:
        """Whether all games are done."""
        return self.played == self._games

    def take(self, most: int, ahead: bool = True) -> Interval | None:
        """Hand out the next interval, about `most` games, or None. Without `ahead`, only lost games."""
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
        """Take back an interval that is done up to `end`. Raises KeyError if it was not handed out."""
        self._out.remove(interval)
        if end > interval.first:
            self._in_a_row = 0
            self.played += end - interval.first
        if end < interval.end:
            self._again.appendleft(Interval(end, interval.end, interval.losses))

    def lost(self, interval: Interval | None, how: str) -> None:
        """Note that a process has died, and which interval it played, if any.

        `how` completes a sentence about the process. Raises Failure if a game was lost repeatedly, or if too many
        processes died in a row.
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
    """Split a lost interval into the pieces that are handed out again."""
    size = interval.end - interval.first
    if size == 1:
        return [Interval(interval.first, interval.end, interval.losses + 1)]
    count = min(PIECES, size)
    ends = [interval.first + size * (place + 1) // count for place in range(count)]
    firsts = (interval.first, *ends[:-1])
    return [Interval(first, end) for first, end in zip(firsts, ends, strict=True)]
