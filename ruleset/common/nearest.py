"""Find the candidate that a misspelt word most likely means."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 80
"""Longest word, in characters, that is compared; the cost of a pair grows with the square of its length."""
_MOST_ALIKE = 5
_LEAST_ALIKE = 0.5
"""Least share of the characters of two alike words, from 0 to 1, that are in both in the same order."""


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate with the fewest typing slips, or None if even that has too many for its length.

    A slip is one missing, added, or wrong character, or two swapped neighbours; case is ignored. Words of one or
    two letters have no near candidates; words of three or four letters allow one slip, and each three letters more
    allow another. Ties go to the nearest length, then the longest common prefix, then alphabetical order.
    """
    if len(word) > LONGEST:
        return None
    folded = word.casefold()
    letters = set(folded)
    best: tuple[int, int, int, str] | None = None
    for candidate in set(candidates):
        other = candidate.casefold()
        longest = max(len(folded), len(other))
        limit = (longest + 1) // 3 if longest > 2 else 0
        if best is not None:
            limit = min(limit, best[0])
        if candidate == word or abs(len(folded) - len(other)) > limit or len(letters.difference(other)) > limit:
            continue  # each letter missing from `other` costs at least one slip
        distance = slips(folded, other, limit)
        if distance <= limit:
            rank = (distance, abs(len(folded) - len(other)), -_same_prefix(folded, other), candidate)
            best = rank if best is None else min(best, rank)
    return best[3] if best else None


def alike(word: str, candidates: Iterable[str]) -> list[str]:
    """Return some candidates that share much with a word, the likest first, however many slips apart they are."""
    if len(word) > LONGEST:
        return []
    return get_close_matches(word, [one for one in candidates if len(one) <= LONGEST], _MOST_ALIKE, _LEAST_ALIKE)


def slips(left: str, right: str, limit: int) -> int:
    """Return the Damerau-Levenshtein distance (no substring edited twice), or a number above `limit` if larger."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, 1):
        line = [i]
        for j, two in enumerate(right, 1):
            cost = min(row[j] + 1, line[j - 1] + 1, row[j - 1] + (one != two))
            if i > 1 and j > 1 and one == right[j - 2] and left[i - 2] == two:
                cost = min(cost, before[j - 2] + 1)
            line.append(cost)
        if min(line) > limit and min(row) > limit:
            return limit + 1
        before, row = row, line
    return row[-1]


def _same_prefix(left: str, right: str) -> int:
    count = 0
    for one, two in zip(left, right, strict=False):
        if one != two:
            break
        count += 1
    return count


# ---- Lists of names, and numbers of players, in messages

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
