"""The nearest name for "did you mean"."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ruleset.common.nearest import nearest, slips

WORDS = ["premium", "standard", "draw", "discard", "name", "names", "supply", "do", "class"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("premum", "premium"),
        ("premiumm", "premium"),
        ("rpemium", "premium"),
        ("PREMIUM", "premium"),
        ("darw", "draw"),
        ("clas", "class"),
        ("nam", "name"),
        ("namse", "names"),
        ("od", None),
        ("d", None),
        ("drawing", None),
        ("something", None),
        ("", None),
        ("standart", "standard"),
    ],
)
def test_nearest(word: str, expected: str | None) -> None:
    assert nearest(word, WORDS) == expected


def test_the_word_itself_is_no_suggestion() -> None:
    assert nearest("name", ["name"]) is None
    assert nearest("name", ["name", "names"]) == "names"


def test_ties_do_not_depend_on_order() -> None:
    assert nearest("card", ["cart", "care", "ward"]) == nearest("card", ["ward", "cart", "care"]) == "care"


def slow_slips(left: str, right: str) -> int:
    if not left or not right:
        return len(left) + len(right)
    best = min(
        slow_slips(left[1:], right) + 1,
        slow_slips(left, right[1:]) + 1,
        slow_slips(left[1:], right[1:]) + (left[0] != right[0]),
    )
    if len(left) > 1 and len(right) > 1 and left[0] == right[1] and left[1] == right[0]:
        best = min(best, slow_slips(left[2:], right[2:]) + 1)
    return best


@given(st.text("abc", max_size=5), st.text("abc", max_size=5), st.integers(0, 5))
def test_slips_is_the_distance(left: str, right: str, limit: int) -> None:
    distance, found = slow_slips(left, right), slips(left, right, limit)
    assert found == distance if distance <= limit else found > limit
