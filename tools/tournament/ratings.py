"""Ratings on the Elo scale, by the model of Bradley and Terry (1952).

The model gives each player a number; a player that is 400 above another wins 10 of 11 decided games against it. The
mean of all players is 1500.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import choix
import numpy as np
import numpy.typing as npt
from attrs import frozen

from rulewright.tools.simulation.statistics import Z_95
from rulewright.tools.tournament.games import Endings, Score, Tournament

POINTS = 400 / math.log(10)
"""Points of rating for a unit of the model, the natural logarithm of the odds."""
MEAN = 1500.0
EXTRA = 0.5
"""Games that each of two players is taken to have won against the other, besides those played.

Without them, a player that wins or loses every game would have no finite rating.
"""
_ROUNDS = 10_000
"""Maximum number of iterations; tables in which each player wins every game against the next take a few dozen."""


@frozen
class Estimate:
    """A number with its 95 % interval, in points of rating."""

    mean: float
    low: float
    high: float


@frozen(eq=False)
class Ratings:
    """The ratings of players by their numbers, with the covariance of their errors."""

    _points: npt.NDArray[np.float64]
    _covariance: npt.NDArray[np.float64]

    def of(self, player: int) -> Estimate:
        """Return the rating of a player."""
        return _estimate(float(self._points[player]), float(self._covariance[player, player]))

    def difference(self, one: int, other: int) -> Estimate:
        """Return by how much the rating of one player is above that of another.

        Its interval is that of the difference: the errors of two ratings depend on each other.
        """
        c = self._covariance
        variance = c[one, one] + c[other, other] - 2 * c[one, other]
        return _estimate(float(self._points[one] - self._points[other]), float(variance))


def rated(won: Sequence[Sequence[int]], extra: float = EXTRA) -> Ratings:
    """Return the ratings of players; `won[i][j]` is the number of games that player i won against player j.

    The errors are those of the maximum likelihood, from its second derivatives, and take all games as independent.
    """
    games = np.array(won, dtype=np.float64)
    games += extra * (1.0 - np.eye(len(won)))
    found = choix.ilsr_pairwise_dense(games, max_iter=_ROUNDS)
    share = 1.0 / (1.0 + np.exp(found[None, :] - found[:, None]))
    weights = (games + games.T) * share * (1.0 - share)
    information = np.diag(weights.sum(axis=1)) - weights
    # The sum of ratings is fixed, so any information about it serves: it is taken off again.
    free = np.full(information.shape, 1.0 / len(won))
    covariance = np.linalg.inv(information + free) - free
    return Ratings(MEAN + POINTS * (found - found.mean()), POINTS**2 * covariance)


def _estimate(mean: float, variance: float) -> Estimate:
    half = Z_95 * math.sqrt(max(0.0, variance))
    return Estimate(mean, mean - half, mean + half)


# ---- The result of a tournament: who won how often against whom, and the ratings

@frozen
class Standing:
    """A bot with its rating, and its score against all others.

    `ahead` is by how much its rating is above that of the next bot; None for the last.
    """

    bot: str
    rating: Estimate
    ahead: Estimate | None
    score: Score


@frozen
class Standings:
    """The bots, the best first. `table[i][j]` is the score of bot i against bot j; None against itself."""

    ranked: tuple[Standing, ...]
    table: tuple[tuple[Score | None, ...], ...]


def standings(work: Tournament, found: Endings) -> Standings:
    """Return the standings after the games that were played."""
    bots = range(len(work.bots))
    scores = work.scores(found)
    table = [[_from(scores, one, other) for other in bots] for one in bots]
    ratings = rated([[score.won if score else 0 for score in row] for row in table])
    order = sorted(bots, key=lambda bot: (-round(ratings.of(bot).mean, 6), bot))
    following = (*order[1:], None)
    ranked = tuple(
        Standing(
            work.bots[bot],
            ratings.of(bot),
            None if below is None else ratings.difference(bot, below),
            sum((score for score in table[bot] if score), Score(0, 0, 0)),
        )
        for bot, below in zip(order, following, strict=True)
    )
    return Standings(ranked, tuple(tuple(table[one][other] for other in order) for one in order))


def _from(scores: dict[tuple[int, int], Score], one: int, other: int) -> Score | None:
    """Return a score as the first bot sees it."""
    if one == other:
        return None
    if one < other:
        return scores[one, other]
    seen = scores[other, one]
    return Score(seen.lost, seen.won, seen.undecided)
