"""The result of a tournament: who won how often against whom, and the ratings."""

from __future__ import annotations

from attrs import frozen

from rulewright.tools.tournament.games import Endings, Tournament
from rulewright.tools.tournament.pairing import Score
from rulewright.tools.tournament.ratings import Estimate, rated


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
