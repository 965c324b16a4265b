"""Ratings, beside what the model of Bradley and Terry gives in closed form."""

from __future__ import annotations

import math
from itertools import permutations

import pytest

from rulewright.tools.tournament import MEAN, rated


def points(odds: float) -> float:
    return 400 * math.log10(odds)


@pytest.mark.parametrize(("won", "lost"), [(10, 1), (75, 25), (50, 50), (1, 999)])
def test_two_players_are_apart_by_the_odds(won: int, lost: int) -> None:
    """Without extra games by the odds of what was played, and with half a game for each by those of all."""
    table = [[0, won], [lost, 0]]
    assert rated(table, 0.0).difference(0, 1).mean == pytest.approx(points(won / lost), abs=1e-4)
    assert rated(table).difference(0, 1).mean == pytest.approx(points((won + 0.5) / (lost + 0.5)), abs=1e-4)
    assert rated(table).of(0).mean + rated(table).of(1).mean == pytest.approx(2 * MEAN)


def test_the_interval_of_two_players_is_that_of_the_log_odds() -> None:
    """The variance of log odds is 1 / won + 1 / lost; each of the two is half of the difference from the mean."""
    ratings = rated([[0, 30], [60, 0]], 0.0)
    half = points(math.e) * 1.959964 * math.sqrt(1 / 30 + 1 / 60)
    gap = ratings.difference(1, 0)
    assert gap.high - gap.mean == pytest.approx(half, rel=1e-5)
    assert gap.mean - gap.low == pytest.approx(half, rel=1e-5)
    assert ratings.of(0).high - ratings.of(0).mean == pytest.approx(half / 2, rel=1e-5)


def test_odds_multiply_along_a_chain() -> None:
    """Odds of 2 and of 3 make 6, if the table says so everywhere."""
    ratings = rated([[0, 200, 600], [100, 0, 300], [100, 100, 0]], 0.0)
    gaps = [ratings.difference(0, 1).mean, ratings.difference(1, 2).mean, ratings.difference(0, 2).mean]
    assert gaps == pytest.approx([points(2), points(3), points(6)], abs=1e-3)


def test_a_player_that_loses_everything_has_a_rating() -> None:
    """By symmetry the middle of three is at the mean, and the others as far above it as below."""
    first, middle, last = (rated([[0, 100, 100], [0, 0, 100], [0, 0, 0]]).of(player) for player in range(3))
    assert middle.mean == pytest.approx(MEAN, abs=1e-3)
    assert first.mean - MEAN == pytest.approx(MEAN - last.mean, abs=1e-3)
    assert 400 < first.mean - MEAN < points(100.5 / 0.5)
    assert all(math.isfinite(one.low) and one.low < one.mean < one.high for one in (first, middle, last))


def test_intervals_of_bots_without_decided_games_are_finite() -> None:
    """Two bots that beat the third 93 times and never each other: their gap is known by half a game each, and less
    badly through the third, where 93.5 to 0.5 has the variance 1 / 93.5 + 1 / 0.5 each.
    """
    ratings = rated([[0, 0, 93], [0, 0, 93], [0, 0, 0]])
    direct, around = 1 / 0.5 + 1 / 0.5, 2 * (1 / 93.5 + 1 / 0.5)
    half = points(math.e) * 1.959964 / math.sqrt(1 / direct + 1 / around)
    assert ratings.difference(0, 1).high == pytest.approx(half, rel=1e-6)
    assert 0 < ratings.of(0).high - ratings.of(0).mean < half


def test_a_long_ladder_has_ratings() -> None:
    """Twelve players, of which each won all of 100,000 games against all below it."""
    ratings = rated([[100_000 * (one < other) for other in range(12)] for one in range(12)])
    means = [ratings.of(player).mean for player in range(12)]
    assert means == sorted(means, reverse=True) and all(map(math.isfinite, means))
    assert all(0 < ratings.of(player).high - means[player] < 1000 for player in range(12))


def test_without_games_all_are_equal() -> None:
    ratings = rated([[0] * 3] * 3)
    assert [ratings.of(player).mean for player in range(3)] == pytest.approx([MEAN] * 3)
    assert ratings.of(0).high - MEAN > 200


def test_the_order_of_players_changes_nothing() -> None:
    table = [[0, 8, 5], [2, 0, 7], [5, 3, 0]]
    known = [rated(table).of(player).mean for player in range(3)]
    for order in permutations(range(3)):
        ratings = rated([[table[one][other] for other in order] for one in order])
        assert [ratings.of(order.index(player)).mean for player in range(3)] == pytest.approx(known, abs=1e-4)
