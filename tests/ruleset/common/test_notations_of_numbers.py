"""Texts that are whole numbers, and how to write those that mean one."""

from __future__ import annotations

import pytest

from rulewright.ruleset.common.limits import number_hint, too_large, whole


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("-5", -5), ("2147483647", 2**31 - 1), ("-2147483648", -(2**31))],
)
def test_whole_numbers(text: str, number: int) -> None:
    assert whole(text) == number
    assert too_large(text) is None


@pytest.mark.parametrize(
    "text", ["", "-", "--5", "+5", "010", "4.5", "٣", "²", "0x10", "true", "9" * 5000, "2147483648"]
)
def test_other_texts(text: str) -> None:
    assert whole(text) is None


def test_numbers_out_of_range() -> None:
    assert too_large("2147483648") == "2147483648 is too large; the largest number is 2147483647"
    assert too_large("-2147483649") == "-2147483649 is too small; the smallest number is -2147483648"
    assert too_large("9" * 5000) == "this number is too large; the largest number is 2147483647"
    assert too_large("4.5") is None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("010", "write `10`, without leading zeros"),
        ("3", "write `3`, without quotes"),
        ("٣", "write `3`, with the digits 0 to 9"),
        ("²", "write `2`, with the digits 0 to 9"),
        ("−3", "write `-3`, with the digits 0 to 9"),
        ("4.5", "numbers are whole: write `4` or `5`"),
        ("4,5", "numbers are whole: write `4` or `5`"),
        ("-4.5", "numbers are whole: write `-5` or `-4`"),
        ("4.0", "write `4`"),
        ("+5", "write `5`"),
        ("1e3", "write `1000`"),
        ("0x10", "write `16`"),
        ("1_000", "write `1000`"),
        ("1,000", "write `1000`"),
        (".inf", "numbers are -2147483648 to 2147483647"),
        ("-Infinity", "numbers are -2147483648 to 2147483647"),
        ("1e99", "numbers are -2147483648 to 2147483647"),
        ("true", None),
        ("5 to 0", None),
        ("2nd", None),
        ("", None),
        ("9" * 5000, None),
    ],
)
def test_hints(text: str, hint: str | None) -> None:
    assert number_hint(text) == hint
