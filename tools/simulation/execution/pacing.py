"""How many games somebody is given at a time: enough to play for a while, and fewer towards the end."""

from __future__ import annotations

_MOST_TAKEN = 65_536
_GROWTH = 8
"""So many times as many numbers are taken as the last time, at most."""
_CRUMB = 16
"""Towards the end so many times as few numbers are given, at most."""


def following(most: int, played: int, seconds: float, wanted: float) -> int:
    """How many numbers to take next, after so many took so long."""
    fitting = int(wanted * played / seconds) if seconds > 0 else _MOST_TAKEN
    return max(1, min(_MOST_TAKEN, most * _GROWTH, fitting))


def portion(most: int, left: int, players: int) -> int:
    """How many of the numbers that are left one of so many players is given, who could take so many at a time:
    towards the end fewer, so that all are done at about the same time, but not so few that giving takes longer.
    """
    return max(1, most // _CRUMB, min(most, -(-left // (2 * max(1, players)))))
