"""Lists of names, and numbers of players, in messages."""

from __future__ import annotations

from collections.abc import Iterable

MOST_LISTED = 8
"""Words that a list shows."""


def listed(words: Iterable[str], last: str = "and", *, quoted: bool = True) -> str:
    """Join words without duplicates, as in `a`, `b` or `c`; long lists are shortened."""
    shown = list(dict.fromkeys(f"`{word}`" if quoted else word for word in words))
    if len(shown) > MOST_LISTED:
        return ", ".join(shown[:MOST_LISTED]) + f" {last} {len(shown) - MOST_LISTED} more"
    if len(shown) < 2:
        return "".join(shown)
    return ", ".join(shown[:-1]) + f" {last} {shown[-1]}"


def players_between(least: int, most: int) -> str:
    """Return a number of players, or a range: `1 player`, `2 to 4 players`."""
    if least < most:
        return f"{least} to {most} players"
    return f"{least} player{'s' * (least != 1)}"
