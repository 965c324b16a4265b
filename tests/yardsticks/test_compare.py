"""The engine's game is the hand-written one, as far as a few hundred random games can tell.

`python -m tests.yardsticks.compare` takes 20,000 at all tables. The seeds are fixed, so the test gives the same
answer every time; five standard errors leave chance out.
"""

from __future__ import annotations

from collections import Counter
from statistics import NormalDist

import pytest

from tests.yardsticks.compare import TABLES, Comparison, Row, bound, compare, standard_errors, verdict

GAMES, WATCHED = 400, 80


@pytest.mark.parametrize(
    ("table", "players", "watched"),
    [
        ("first-game", 2, 0),
        ("first-game", 5, 0),
        ("listed", 3, WATCHED),
        ("second-set", 2, 0),
        ("second-set", 4, WATCHED),
        ("agreed", 3, 0),
        ("types-drawn", 5, 0),
        ("cards-drawn", 4, 0),
    ],
)
def test_statistics_agree(table: str, players: int, watched: int) -> None:
    comparison = compare(TABLES[table], players, GAMES, 1, watched)
    assert not [row for row in comparison.rows if abs(row.distance) > 5]
    assert not comparison.faults


def test_bound_is_kept_by_all_together() -> None:
    assert bound(1) == pytest.approx(2.5758, abs=0.0001)  # the normal distribution's 99 %
    for statistics in (10, 1000):
        inside = 2 * NormalDist().cdf(bound(statistics)) - 1
        assert inside**statistics == pytest.approx(0.99)


def test_standard_errors_pool_the_variances() -> None:
    # 100 games with variance 4 and 400 with variance 9: pooled (99 * 4 + 399 * 9) / 498.
    error = ((99 * 4 + 399 * 9) / 498 * (1 / 100 + 1 / 400)) ** 0.5
    assert standard_errors(-0.7, 0.2, 100, 0.15, 400) == pytest.approx(-0.7 / error)
    assert standard_errors(0.5, 0.3, 50, 0.4, 50) == pytest.approx(1.0)  # of equal numbers, as without pooling
    assert standard_errors(0.0, 0.0, 100, 0.0, 400) == 0
    assert standard_errors(0.1, 0.0, 100, 0.0, 400) == float("inf")


def test_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    near, same, far = Row("rats", 10.0, 10.1, -2.5), Row("rounds", 9.0, 9.0, 0.0), Row("score", 20.0, 30.0, -9.0)
    assert verdict([Comparison((near, same), Counter())])
    assert (
        "1 statistics: the furthest 2.50 standard errors apart (bound 2.58), 0 beyond 3" in capsys.readouterr().out
    )
    assert not verdict([Comparison((near, same), Counter()), Comparison((far,), Counter())])
    assert not verdict([Comparison((near,), Counter({"winners": 1}))])
