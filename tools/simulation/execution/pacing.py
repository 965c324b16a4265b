"""Choose how many games a worker gets at a time; chunks shrink near the end."""

from __future__ import annotations

import time

from rulewright.interpreter.batch.batch import Stop
from rulewright.tools.simulation.protocol import BatchResult, C, Player

_MOST_TAKEN = 65_536
_GROWTH = 8
"""Maximum growth factor of a chunk from one to the next."""
_CRUMB = 16
"""Chunks shrink near the end, to no less than this fraction of the usual size."""


class Pace:
    """The number of games, `most`, that take a worker about `seconds`, as far as its pace is known."""

    def __init__(self, seconds: float, most: int = 1) -> None:
        self._seconds = seconds
        self.most = most

    def played(self, games: int, seconds: float) -> None:
        """Update the pace: `games` games took `seconds` seconds."""
        if games:
            fitting = int(self._seconds * games / seconds) if seconds > 0 else _MOST_TAKEN
            self.most = max(1, min(_MOST_TAKEN, self.most * _GROWTH, fitting))

    def portion(self, left: int, players: int) -> int:
        """Return the number of games for one of `players` workers when `left` games are left.

        Chunks shrink near the end so that all workers finish at about the same time, but not so far that handing
        them out takes longer than playing.
        """
        return max(1, self.most // _CRUMB, min(self.most, -(-left // (2 * max(1, players)))))


def timed(player: Player[C], first: int, end: int, stop: Stop) -> tuple[BatchResult[C], float]:
    """Play an interval; return its result and the seconds that it took."""
    began = time.perf_counter()
    part = player.play(first, end, stop)
    return part, time.perf_counter() - began
