"""The ends of games as whole numbers for one seat, so that sums of them do not depend on their order."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

import numpy as np
import numpy.typing as npt
from attrs import frozen

from rulewright.interpreter.batch.batch import Results
from rulewright.tools.simulation.columns import Columns, Failed

Numbers = npt.NDArray[np.int64]
MEASURES = ("lead", "score", "win", "rank")
"""What is compared. `lead` is the score less the mean of the other seats' scores, `win` the share of a win, and
`rank` is 1 for the best; winners are before all others, then the score decides."""


@frozen
class Ends:
    """The ends of games: `scores` and `winners` (1 or 0) by seat and game, and the decisions of each game."""

    scores: Numbers
    winners: Numbers
    decisions: Numbers
    failed: npt.NDArray[np.bool_]
    why: tuple[Failed | None, ...] = ()
    """Why each game failed; empty if none did."""

    @property
    def seats(self) -> int:
        return len(self.scores)

    def head(self, games: int) -> Ends:
        """Return the ends of the first `games` games."""
        return self.among(slice(games))

    def among(self, games: slice | list[int]) -> Ends:
        """Return the ends of some of the games."""
        numbers = range(len(self.failed))[games] if isinstance(games, slice) else games
        why = tuple(self.why[number] for number in numbers) if self.why else ()
        return Ends(self.scores[:, games], self.winners[:, games], self.decisions[games], self.failed[games], why)


def joined(parts: Sequence[Ends]) -> Ends:
    """Return the ends of several series of games, one after the other; there is at least one."""
    return Ends(
        np.concatenate([part.scores for part in parts], axis=1),
        np.concatenate([part.winners for part in parts], axis=1),
        np.concatenate([part.decisions for part in parts]),
        np.concatenate([part.failed for part in parts]),
        tuple(one for part in parts for one in part.why or (None,) * len(part.failed)),
    )


def ends(columns: Columns, results: Results) -> Ends:
    """Return the ends of games from the columns of `columns.addresses`."""
    ended, failed = columns.all(results), dict(columns.failed(results))
    games = range(results.first, results.first + results.count)
    return Ends(
        np.array(ended.scores, dtype=np.int64),
        np.array(ended.winners, dtype=np.int64),
        np.array(ended.decisions, dtype=np.int64),
        np.array(results.faults, dtype=np.int64) != 0,
        tuple(failed.get(game) for game in games) if failed else (),
    )


def units(seats: int) -> dict[str, int]:
    """Return by what the numbers of `measured` must be divided."""
    return {"lead": max(1, seats - 1), "score": 1, "win": lcm(*range(1, seats + 1)), "rank": 1}


def bounds(seats: int) -> dict[str, int]:
    """Return the largest differences of those numbers of `measured` that have one, times their unit."""
    return {"win": units(seats)["win"], "rank": seats - 1}


def measured(found: Ends, seat: int) -> dict[str, Numbers]:
    """Return each measure of a seat, times its unit, for all games."""
    own, won = found.scores[seat], found.winners[seat]
    winners = found.winners.sum(axis=0)
    before = (found.winners > won) | ((found.winners == won) & (found.scores > own))
    return {
        "lead": found.seats * own - found.scores.sum(axis=0) if found.seats > 1 else own,
        "score": own,
        "win": won * (units(found.seats)["win"] // np.maximum(winners, 1)),
        "rank": 1 + before.sum(axis=0),
    }


def differ(one: Ends, other: Ends) -> npt.NDArray[np.bool_]:
    """Return in which games anything that is measured differs between two ways of playing them."""
    scores = (one.scores != other.scores).any(axis=0) | (one.winners != other.winners).any(axis=0)
    return np.asarray(scores | (one.decisions != other.decisions))
