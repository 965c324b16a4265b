"""Means, standard errors and intervals against figures known from elsewhere."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from tools.simulation.statistics import Difference, Numbers, Pairs, holm, paired, t_95, t_tail, wilson


@pytest.mark.parametrize(
    ("successes", "tries", "low", "high"),
    [
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (15, 148, 0.062389, 0.160503),
        (81, 263, 0.255327, 0.366196),
        (1, 29, 0.006113, 0.171755),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson(successes: int, tries: int, low: float, high: float) -> None:
    """The middle ones are of Newcombe (1998), table I, method 3, with one more digit and more."""
    assert wilson(successes, tries) == pytest.approx((low, high), abs=2e-3)


def test_numbers_agree_with_the_standard_library() -> None:
    values = [random.Random(1).randint(-50, 900) for _ in range(500)]
    numbers = Numbers()
    for value in values:
        numbers.add(value)
    assert numbers.mean == pytest.approx(statistics.fmean(values))
    assert numbers.standard_error == pytest.approx(statistics.stdev(values) / len(values) ** 0.5)
    assert (numbers.low, numbers.high) == (min(values), max(values))


def test_numbers_merge_to_the_same_in_any_order() -> None:
    chance = random.Random(2)
    values = [chance.randint(-9, 9) for _ in range(100)]
    collector = Numbers()
    for value in values:
        collector.add(value)
    parts = []
    for start in range(0, 100, 7):
        part = Numbers()
        for value in values[start : start + 7]:
            part.add(value)
        parts.append(part)
    chance.shuffle(parts)
    merged = Numbers()
    for part in [Numbers(), *parts, Numbers()]:
        merged.merge(part)
    assert merged == collector


def test_nothing_has_no_mean() -> None:
    one = Numbers()
    assert (one.mean, one.standard_error) == (None, None)
    one.add(3)
    assert (one.mean, one.standard_error) == (3, None)


@pytest.mark.parametrize(
    ("degrees", "t"), [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980), (10**6, 1.960)]
)
def test_t_against_the_printed_table(degrees: int, t: float) -> None:
    """Column 0.05 (two-sided) of any printed table of Student's t."""
    assert t_95(degrees) == pytest.approx(t, abs=5e-4)
    assert t_tail(t, degrees) == pytest.approx(0.05, abs=2e-4)
    assert t_tail(-t, degrees) == t_tail(t, degrees)


def test_t_where_it_has_a_simple_form() -> None:
    """With 1 degree it is Cauchy's distribution; with 2, the tail is 1 - t / sqrt(t * t + 2)."""
    for t in (0.1, 0.5, 1.0, 3.0, 40.0):
        assert t_tail(t, 1) == pytest.approx(1 - 2 * math.atan(t) / math.pi, rel=1e-9)
        assert t_tail(t, 2) == pytest.approx(1 - t / math.sqrt(t * t + 2), rel=1e-9)
    assert t_tail(0.0, 7) == 1.0


def pairs_of(*numbers: tuple[int, int]) -> Pairs:
    pairs = Pairs()
    for first, second in numbers:
        pairs.add(first, second)
    return pairs


def test_a_paired_difference_by_hand() -> None:
    """Differences 1, 2, 0: mean 1, deviation 1, error 1 / sqrt 3, t = sqrt 3 of 2 degrees."""
    found = paired(pairs_of((1, 2), (2, 4), (3, 3)), 3)
    assert found.mean == 1
    half = 4.302653 / math.sqrt(3)
    assert (found.low, found.high) == pytest.approx((1 - half, 1 + half), abs=1e-5)
    assert found.p == pytest.approx(1 - math.sqrt(3 / 5))


def test_pairs_of_zeros_need_not_be_added() -> None:
    assert paired(pairs_of((1, 3), (0, 0), (0, 0), (2, 1)), 4) == paired(pairs_of((1, 3), (2, 1)), 4)


def test_pairs_that_say_nothing_and_pairs_that_say_all() -> None:
    assert paired(pairs_of((1, 5)), 1) == Difference(4, None, None, None)
    assert paired(pairs_of((1, 1), (7, 7)), 2) == Difference(0, 0, 0, 1)
    assert paired(pairs_of((1, 3), (7, 9)), 2) == Difference(2, 2, 2, 0)


def test_merged_pairs_are_those_of_the_whole() -> None:
    collector, one, other = pairs_of((1, 2), (5, 3), (4, 4)), pairs_of((1, 2)), pairs_of((5, 3), (4, 4))
    one.merge(other)
    assert one == collector


def test_holm_by_hand() -> None:
    """0.005 <= 0.05 / 4 and 0.013 <= 0.05 / 3 stand, though 0.013 > 0.05 / 4; 0.03 > 0.05 / 2 ends it."""
    assert holm([0.013, 0.04, 0.03, 0.005]) == [True, False, False, True]
    assert holm([0.013, None, 0.04, 0.03, 0.005]) == [True, False, False, False, True]
    assert holm([0.03, 0.03]) == [False, False]
    assert holm([]) == []
