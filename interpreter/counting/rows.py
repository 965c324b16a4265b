"""Rows of sums of what a seat was offered and chose in some games, and of how these games ended."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import add

FEW = 8
STRATA = (*range(1, FEW + 1), 12, 16, 24, 32, 48, 64, 96, 128)
"""The most offers of each stratum but the last, which has all others. Up to `FEW`, each number is one."""
WIN = 27_720
"""The unit of shares of a win: it can be divided by every number of winners up to 12."""
MEASURES = ("win", "score", "rank")
"""`win` is the share of a win, times `WIN`; `rank` is 1 for the best: winners are before all others,
then the score decides."""
MOMENTS = ("games", "chosen", "chosen²", "offered", "offered²", "offered chosen")
"""The first sums of a row. Three follow for each measure: its own, and its products with chosen and offered."""
WIDTH = len(MOMENTS) + 3 * len(MEASURES)


def added(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the sums of two rows."""
    return list(map(add, one, other))


def moments(games: int, offered: int, chosen: int, measured: Sequence[int]) -> list[int]:
    """Return the row of games with the same numbers of offers and choices, from the sums of their measures."""
    row = [games, games * chosen, games * chosen * chosen]
    row += (games * offered, games * offered * offered, games * offered * chosen)
    for total in measured:
        row += (total, total * chosen, total * offered)
    return row


def row_number(place: int, offered: int) -> int:
    """Return the number of the row for a game in which a place was offered `offered` times, at least once.

    A place is a seat and a use: the seat, times the number of uses, plus the use.
    """
    return place * (len(STRATA) + 1) + bisect_left(STRATA, offered)
