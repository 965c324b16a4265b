"""Means, their distances, and the largest distance of many."""

from __future__ import annotations

from statistics import NormalDist

import pytest

from tests.yardsticks.summary import Mean, bound, standard_errors, summarise


def test_means_and_their_errors() -> None:
    found = summarise([{"rats": 1.0, "rounds": 9.0}, {"rats": 3.0, "rounds": 9.0}, {"rats": 5.0, "rounds": 9.0}])
    assert found["rats"] == Mean(3.0, pytest.approx((4 / 3) ** 0.5), 3)  # a variance of 4
    assert found["rounds"] == Mean(9.0, 0.0, 3)


def test_bound_is_kept_by_all_together() -> None:
    assert bound(1) == pytest.approx(2.5758, abs=0.0001)  # the normal distribution's 99 %
    for statistics in (10, 1000):
        inside = 2 * NormalDist().cdf(bound(statistics)) - 1
        assert inside**statistics == pytest.approx(0.99)


def test_standard_errors_pool_the_variances() -> None:
    # 100 games with variance 4 and 400 with variance 9: pooled (99 * 4 + 399 * 9) / 498.
    error = ((99 * 4 + 399 * 9) / 498 * (1 / 100 + 1 / 400)) ** 0.5
    assert standard_errors(Mean(2.3, 0.2, 100), Mean(3.0, 0.15, 400)) == pytest.approx(-0.7 / error)
    assert standard_errors(Mean(1.5, 0.3, 50), Mean(1, 0.4, 50)) == pytest.approx(1.0)  # of equal numbers
    assert standard_errors(Mean(9, 0, 100), Mean(9, 0, 400)) == 0
    assert standard_errors(Mean(9.1, 0, 100), Mean(9, 0, 400)) == float("inf")
