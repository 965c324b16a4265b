"""Logarithms and powers with whole numbers."""

from __future__ import annotations

import pytest

from interpreter.search.whole_numbers import logarithm, power

ONE = 65536


@pytest.mark.parametrize(("number", "expected"), [(1, 0), (2, ONE), (3, ONE * 3 // 2), (257, 8 * ONE + ONE // 256)])
def test_logarithms_are_linear_between_powers(number: int, expected: int) -> None:
    assert logarithm(number) == expected


@pytest.mark.parametrize(
    ("exponent", "expected"), [(0, 4096), (-ONE, 2048), (-ONE // 2, 3072), (-12 * ONE, 1), (-13 * ONE, 0)]
)
def test_powers_are_linear_between_halvings(exponent: int, expected: int) -> None:
    assert power(exponent, 4096) == expected
