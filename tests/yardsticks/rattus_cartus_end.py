"""The end of a game of Rattus Cartus: points, majorities, winners.

Sections (§) are those of the rules reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .rattus_cartus_cards import AWARDS, GOLD


class Result(NamedTuple):
    """What one game came to; tuples have one entry per seat, save `winners`, which lists seats.

    `influence` is over all classes, `hand` the number of cards. `points` are the scores without the VP tokens, by
    award; `happenings` has a count for each of `HAPPENINGS`.
    """

    scores: tuple[int, ...]
    rats: tuple[int, ...]
    nuns: int
    eliminated: tuple[bool, ...]
    winners: tuple[int, ...]
    rounds: int
    decisions: int
    reshuffles: int
    tokens: tuple[int, ...]
    influence: tuple[int, ...]
    hand: tuple[int, ...]
    points: dict[str, list[int]]
    happenings: dict[str, int]


def points_of(classes: list[int], hands: list[list[int]], specials: Sequence[int]) -> dict[str, list[int]]:
    """Return each seat's points by award: those for classes, and what the hands are worth (§8.1).

    `specials` are the special cards that are in the game; there is no award for others (A38).
    """
    others = list(map(len, hands))
    points = {"classes": classes, "population": others}
    for card in specials:
        held = [hand.count(card) for hand in hands]
        others = [some - count for some, count in zip(others, held, strict=True)]
        points[AWARDS[card]] = gold_prizes(held) if card == GOLD else majority(held)
    points["population"] = majority(others)
    return points


def add(scores: list[int], prizes: Sequence[int]) -> None:
    """Add each seat's prize to its score."""
    for seat, prize in enumerate(prizes):
        scores[seat] += prize


def class_prizes(influence: list[int], arrival: list[int]) -> list[int]:
    """Return each seat's points for one class: 10, 5 and 2, as far as there are claimants (§8.1, §9)."""
    prizes = [0] * len(influence)
    ranking = sorted((-points, arrival[seat], seat) for seat, points in enumerate(influence) if points)
    for (_, _, seat), prize in zip(ranking, (10, 5, 2), strict=False):
        prizes[seat] = prize
    return prizes


def majority(counts: list[int]) -> list[int]:
    """Return each seat's points for holding most cards of a kind: 2, or 1 if tied (§8.1, A26)."""
    most = max(counts)
    if not most:
        return [0] * len(counts)
    points = 2 if counts.count(most) == 1 else 1
    return [points if count == most else 0 for count in counts]


def gold_prizes(counts: list[int]) -> list[int]:
    """Return each seat's points for Gold: 6 and 3, shared by those who tie, rounded down (§8.1, A26, A27)."""
    most = max(counts)
    if not most:
        return [0] * len(counts)
    first = counts.count(most)
    prizes = [(6 if first == 1 else 9 // first) if count == most else 0 for count in counts]
    second = max((count for count in counts if count < most), default=0)
    if first == 1 and second and len(counts) > 2:
        share = 3 // counts.count(second)
        prizes = [share if count == second else prize for count, prize in zip(counts, prizes, strict=True)]
    return prizes


def find_winners(
    scores: list[int], rats: list[int], eliminated: list[bool], fewest_rats: bool = False
) -> tuple[int, ...]:
    """Return the survivors with most points and, of these, fewest rats; nobody may be left (§8.3).

    With `fewest_rats`, of a table that is eliminated as a whole those with fewest rats, then most points (A29).
    """
    if fewest_rats and all(eliminated):
        eliminated = [count > min(rats) for count in rats]
    ranks = [(-scores[seat], rats[seat], seat) for seat, out in enumerate(eliminated) if not out]
    if not ranks:
        return ()
    best = min(ranks)[:2]
    return tuple(seat for points, count, seat in ranks if (points, count) == best)
