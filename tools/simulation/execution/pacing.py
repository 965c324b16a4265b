"""How many games somebody is given at a time: enough to play for a while, and fewer towards the end."""

from __future__ import annotations

import time

from interpreter.batch.batch import Stop
from tools.simulation.protocol import BatchResult, C, Player

_MOST_TAKEN = 65_536
_GROWTH = 8
"""So many times as many games are given as the last time, at most."""
_CRUMB = 16
"""Towards the end so many times as few games are given, at most."""


class Pace:
    """How many games, `most`, take who plays them about `seconds`, as far as it is known."""

    def __init__(self, seconds: float, most: int = 1) -> None:
        self._seconds = seconds
        self.most = most

    def played(self, games: int, seconds: float) -> None:
        """So many took so long."""
        if games:
            fitting = int(self._seconds * games / seconds) if seconds > 0 else _MOST_TAKEN
            self.most = max(1, min(_MOST_TAKEN, self.most * _GROWTH, fitting))

    def portion(self, left: int, players: int) -> int:
        """How many of the games that are left one of so many players is given: towards the end fewer, so that all
        are done at about the same time, but not so few that giving takes longer.
        """
        return max(1, self.most // _CRUMB, min(self.most, -(-left // (2 * max(1, players)))))


def timed(player: Player[C], first: int, end: int, stop: Stop) -> tuple[BatchResult[C], float]:
    """Plays games; with the seconds that it took."""
    began = time.perf_counter()
    part = player.play(first, end, stop)
    return part, time.perf_counter() - began
