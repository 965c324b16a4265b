"""Means, standard errors and intervals against figures known from elsewhere."""

from __future__ import annotations

import random
import statistics

import pytest

from tools.statistics import Numbers, wilson


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
    whole = Numbers()
    for value in values:
        whole.add(value)
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
    assert merged == whole


def test_nothing_has_no_mean() -> None:
    one = Numbers()
    assert (one.mean, one.standard_error) == (None, None)
    one.add(3)
    assert (one.mean, one.standard_error) == (3, None)
