"""All backends agree about numbers at the ends of their range: rule errors, and no other numbers."""

from __future__ import annotations

import pytest

from rulewright.interpreter.state.rule_errors import RuleError
from tests.small_packs import Course, started

PACK = Course(
    """\
pack: greatest
players: 2
options: {stake: {number: 0 to 2000000000, default: 1}}
values: {ends: [2147483647, -2147483648]}
kinds:
  toy:
    fields: {weight: 0 to 2147483647, twice: {type: number, is: weight div 2 * 2}}
components: {toys: {kind: toy, copies: 1, starts: shelf}}
zones: {shelf: {order: row}}
tracks:
  sum: {at-least: -2147483648, at-most: 2147483647}
  stopped: {at-least: -2147483648, at-most: 2147483647, at-bounds: stop}
  four: {at-least: 0, at-most: 4, starts: 4}
  rounds: number
---
toy: anvil
weight: 2147483647
"""
)


@pytest.mark.parametrize(
    ("does", "value"),
    [
        ("sum = ends[1]", 2**31 - 1),
        ("sum = ends[2]", -(2**31)),
        ("sum = ends[2] + ends[1]", -1),
        ("sum = (first of shelf)'s weight", 2**31 - 1),
        ("sum = (first of shelf)'s twice", 2**31 - 2),
        ("stopped = 2147483640\nstopped += 2147483640\nsum = stopped", 2**31 - 1),
        ("stopped -= 2147483640\nstopped -= 2147483640\nsum = stopped", -(2**31)),
        ("each n in 2147483646 to 2147483647: sum = n", 2**31 - 1),
        ("if (first of shelf)'s weight > 5: sum = 1", 1),
    ],
)
def test_the_ends_of_the_range(does: str, value: int) -> None:
    assert PACK.started(does).number("sum") == value


@pytest.mark.parametrize(
    "does",
    [
        "if ends[1] + ends[1] > 5: sum = 1",
        "if ends[1] - ends[2] > 5: sum = 1",
        "if (first of shelf)'s weight * four > 5: sum = 1",
        "if -ends[2] > 5: sum = 1",
        "if ends[2] div (four - 5) > 5: sum = 1",
    ],
)
def test_beyond_the_range_is_a_rule_error(does: str) -> None:
    with pytest.raises(RuleError, match="overflow"):
        PACK.started(does)


def test_an_option_counts_with_its_value() -> None:
    text = PACK.text("if stake * four > 5: sum = 1")
    assert started(text, 2, stake="500000000").number("sum") == 1
    with pytest.raises(RuleError, match="overflow"):
        started(text, 2, stake="2000000000")


def test_a_track_of_a_range_keeps_to_it() -> None:
    text = PACK.text("six = 6\nsum = six").replace("  rounds: number", "  six: 0 to 6\n  rounds: number")
    assert started(text).number("sum") == 6
    with pytest.raises(RuleError, match="bounds"):
        started(text.replace("six = 6", "six = 7"))
