"""Numbers beyond the limits, and texts that are no numbers, are found wherever a number is written.

Native code keeps numbers in 32 bits, so a larger one would count as another number there.
"""

from __future__ import annotations

import pytest

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.limits import HIGHEST, LOWEST, MOST_SEED
from rulewright.ruleset.lower.lowering import TableError, lower
from tests.ruleset.check.number_places import FILE, SOURCES, loaded

NEGATIVE = "document: track at-least negative"
SEED = "document: scenario seed"


def place_of(name: str, number: str) -> tuple[int, int, int]:
    """The line of a number, and the columns of its begin and end."""
    before = SOURCES[name].partition("@")[0]
    column = len(before) - (before.rfind("\n") + 1) + 1
    return before.count("\n") + 1, column, column + len(number)


def at_the_place(found: tuple[Diagnostic, ...], name: str, number: str) -> list[Diagnostic]:
    """The findings whose place contains the number, or is a part of it."""
    line, begin, end = place_of(name, number)
    spans = [(one, one.span) for one in found if one.span.path.endswith(FILE)]
    return [one for one, span in spans if span.line == line and span.column < end and begin < span.end_column]


def beyond(name: str) -> int:
    """The least number that is too large."""
    return {NEGATIVE: -LOWEST, SEED: MOST_SEED}.get(name, HIGHEST) + 1


@pytest.mark.parametrize("name", SOURCES)
def test_the_sources_are_good(name: str) -> None:
    number = "3"
    assert {one.code for one in loaded(name, number).findings} <= {"RW380", "RW621", "RW639"}


@pytest.mark.parametrize("name", SOURCES)
def test_numbers_beyond_the_limit(name: str) -> None:
    number = str(beyond(name))
    result = loaded(name, number)
    assert result.program is None
    assert at_the_place(result.findings, name, number), [one.message for one in result.findings]


@pytest.mark.parametrize("name", SOURCES)
def test_the_greatest_numbers(name: str) -> None:
    result = loaded(name, str(beyond(name) - 1))
    if result.program is not None:
        lower(result.program, 2, {})


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("text", ["010", "٣"])
def test_texts_that_are_no_numbers(name: str, text: str) -> None:
    result = loaded(name, text)
    assert result.program is None
    found = at_the_place(result.findings, name, text)
    assert found, [one.message for one in result.findings]
    assert any(text in one.message for one in found)


@pytest.mark.parametrize(
    ("name", "text", "codes"),
    [
        ("document: option count", "0x1", []),
        ("document: scenario seed", "0x10", []),
        ("document: track at-most", "+5", []),
        ("step: together", "²", ["RW410"]),
        ("step: together, most", "²", ["RW410"]),
    ],
)
def test_other_notations(name: str, text: str, codes: list[str]) -> None:
    """YAML has other notations for whole numbers; other digits are none, though Python may call them digits."""
    assert [one.code for one in loaded(name, text).findings] == codes


@pytest.mark.parametrize("word", ["²", "--2", "02", "2.0", "6", "9" * 5000])
def test_options_of_a_table(word: str) -> None:
    program = loaded("document: option number, default", "3").program
    assert program is not None
    with pytest.raises(TableError, match="expected a number from 1 to 5"):
        lower(program, 2, {"stake": word})
