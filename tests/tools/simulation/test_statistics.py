"""Means, standard errors and intervals against figures known from elsewhere."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from rulewright.tools.simulation.statistics import (
    MeanDifference,
    Moments,
    Numbers,
    PairSums,
    holm,
    mean_difference,
    paired,
    t_95,
    t_tail,
    wilson,
)


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


def pairs_of(*numbers: tuple[int, int]) -> PairSums:
    pairs = PairSums()
    for first, second in numbers:
        pairs.add(first, second)
    return pairs


def test_a_paired_difference_by_hand() -> None:
    """Differences 1, 2, 3 and 1, 2, 3: mean 2, squared deviations 4, error sqrt(4 / 5 / 6), t of 5 degrees."""
    found = paired(pairs_of((1, 2), (2, 4), (3, 6), (0, 1), (5, 7), (1, 4)), 6)
    error = math.sqrt(4 / 5 / 6)
    assert found.mean == 2
    assert (found.low, found.high) == pytest.approx((2 - 2.570582 * error, 2 + 2.570582 * error), abs=1e-5)
    assert found.p == 1 / 32, "t = 5.5 would give 0.003, which six pairs cannot show"


def test_pairs_of_zeros_need_not_be_added() -> None:
    some = [(1, 3), (2, 1)] * 4
    assert paired(pairs_of(*some, (0, 0), (0, 0)), 10) == paired(pairs_of(*some), 10)


@pytest.mark.parametrize("bound", [None, 1])
def test_of_fewer_than_six_pairs_nothing_is_claimed(bound: int | None) -> None:
    """If all of five go one way, it is by chance in 1 of 16 cases; of six, in 1 of 32."""
    assert paired(pairs_of(*[(0, 1)] * 5), 5, bound) == MeanDifference(1, None, None, None)
    six = paired(pairs_of(*[(0, 1)] * 6), 6, bound)
    assert six.low is not None and six.low > 0
    assert six.p is not None and 1 / 32 <= six.p < 0.05


@pytest.mark.parametrize("bound", [None, 1])
@pytest.mark.parametrize("count", [6, 7, 9, 20, 100, 5000])
def test_five_differing_pairs_prove_nothing_however_many_are_equal(count: int, bound: int | None) -> None:
    size = 1 if bound else 70
    five = mean_difference(Moments(count, 5 * size, 5 * size**2, 5), bound)
    assert five.low is not None and five.low <= 0
    assert five.p is not None and five.p > 0.05


def test_a_share_by_hand() -> None:
    """Bonett and Price: 18 of 100 one way and 8 the other give (19 - 9) / 102 and (19 + 9) / 102 - 0.098²."""
    found = mean_difference(Moments(100, 10, 26, 26), 1)
    middle, error = 10 / 102, math.sqrt((28 / 102 - (10 / 102) ** 2) / 102)
    half = 1.984217 * error  # t of 99 degrees
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=1e-6)


@pytest.mark.parametrize("count", [6, 10, 30])
def test_shares_stay_within_their_bounds(count: int) -> None:
    """Every possible number of pairs one way and the other."""
    for ups in range(count + 1):
        for downs in range(count + 1 - ups):
            found = mean_difference(Moments(count, ups - downs, ups + downs, ups + downs), 1)
            assert found.low is not None and found.high is not None
            assert -1 <= found.low <= found.mean <= found.high <= 1
            assert found.high - found.low > 0


@pytest.mark.parametrize("count", [6, 10, 20])
@pytest.mark.parametrize("shares", [(0, 0), (0.02, 0.02), (0.1, 0), (0.3, 0.3), (0.5, 0.1), (0.9, 0.05), (1, 0)])
def test_the_interval_of_a_share_contains_it_as_often_as_it_says(count: int, shares: tuple[float, float]) -> None:
    """The sum of the probabilities of all outcomes whose interval contains the true difference."""
    up, down = shares
    covered = 0.0
    for ups in range(count + 1):
        for downs in range(count + 1 - ups):
            found = mean_difference(Moments(count, ups - downs, ups + downs, ups + downs), 1)
            assert found.low is not None and found.high is not None
            if found.low <= up - down <= found.high:
                ways = math.comb(count, ups) * math.comb(count - ups, downs)
                covered += ways * up**ups * down**downs * max(0.0, 1 - up - down) ** (count - ups - downs)
    assert covered >= 0.95


def test_equal_differences_have_an_interval() -> None:
    """Of 500 differences of 3, two might be a step off: error sqrt(2 / 499 / 500), t of 499 degrees."""
    found = mean_difference(Moments(500, 1500, 4500, 500))
    half = 1.964729 * math.sqrt(2 / 499 / 500)
    assert (found.mean, found.low, found.high) == pytest.approx((3, 3 - half, 3 + half), abs=1e-6)
    same = mean_difference(Moments(500))
    assert (same.mean, same.p) == (0, 1)
    assert same.low is not None and same.high is not None and same.low < 0 < same.high


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
