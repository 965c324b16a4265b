"""The games as they are: who wins from which seat, how long they take, and how close they are."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
import numpy.typing as npt
from attrs import frozen

from rulewright.interpreter.batch.batch import Stop, never
from rulewright.tools.balance.estimates import Ends, Numbers
from rulewright.tools.balance.interventions import LeaningPlayer
from rulewright.tools.simulation.columns import Failed
from rulewright.tools.simulation.statistics import wilson

MOST = 5000
"""Games that are summed up."""


@frozen
class Seat:
    """A seat's wins, shared ones included, its share of the games with the 95 % interval, and its mean score.

    A shared win counts by its part in the share. Wilson's interval is that of whole wins, which is not narrower.
    """

    wins: int
    share: float
    low: float
    high: float
    score: float


@frozen
class Summary:
    """What happened in `games` games that ended.

    `lengths` are the 5th, 50th, and 95th percentile of the decisions of a game; `margin` is by how much the best
    score is ahead of the second on average.
    """

    games: int
    failed: int
    seats: tuple[Seat, ...]
    no_winner: int
    shared: int
    lengths: tuple[int, int, int]
    mean_length: float
    margin: float | None
    reasons: tuple[tuple[Failed, int], ...] = ()
    """Why games failed, with the number of games."""


def summed_up(player: LeaningPlayer | None, games: int, seconds: float, stop: Stop = never) -> Summary:
    """Play `games` games in which no seat leans, or as many as fit into the time, and sum them up.

    Without a player there are none.
    """
    return _summary(as_they_are(player, games, seconds, stop) if player is not None else [])


def as_they_are(player: LeaningPlayer, games: int, seconds: float, stop: Stop = never) -> list[Ends]:
    """Play `games` games in which no seat leans, or as many as fit into the time, and return their ends."""
    began, parts, played, size = time.monotonic(), list[Ends](), 0, 1
    while played < games and not stop() and (not played or time.monotonic() - began < seconds):
        end = min(games, played + size)
        found = player.as_is(played, end, stop)
        if found is None:
            break
        parts.append(found)
        played, size = end, 2 * size
    return parts


def _summary(found: list[Ends]) -> Summary:
    if not found:
        return Summary(0, 0, (), 0, 0, (0, 0, 0), 0.0, None)
    kept = [~part.failed for part in found]
    scores, winners = (
        np.concatenate([values[:, one] for values, one in zip(many, kept, strict=True)], axis=1)
        for many in ([part.scores for part in found], [part.winners for part in found])
    )
    lengths = np.concatenate([part.decisions[one] for part, one in zip(found, kept, strict=True)])
    games, failed = len(lengths), sum(int(part.failed.sum()) for part in found)
    reasons = tuple(Counter(why for part in found for why in part.why if why is not None).items())
    if not games:
        return Summary(0, failed, (), 0, 0, (0, 0, 0), 0.0, None, reasons)
    won = winners.sum(axis=0)
    parts = winners / np.maximum(1, won)
    seats = tuple(_seat(*one, games) for one in zip(winners, parts, scores, strict=True))
    low, middle, high = (int(value) for value in np.percentile(lengths, (5, 50, 95)))
    return Summary(
        games, failed, seats, int((won == 0).sum()), int((won > 1).sum()), (low, middle, high),
        float(lengths.mean()), _margin(scores), reasons,
    )  # fmt: skip


def _seat(won: Numbers, parts: npt.NDArray[np.float64], scores: Numbers, games: int) -> Seat:
    part = float(parts.sum())
    return Seat(int(won.sum()), part / games, *wilson(part, games), float(scores.mean()))


def _margin(scores: Numbers) -> float | None:
    """Return the mean lead of the best score; None if there are no scores, or only one seat."""
    if len(scores) < 2 or not scores.any():
        return None
    ordered = np.sort(scores, axis=0)
    return float((ordered[-1] - ordered[-2]).mean())
