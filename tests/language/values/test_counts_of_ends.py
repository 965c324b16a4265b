"""Counts in `top N of` and similar: brackets, calls, and possessives."""

from __future__ import annotations

from time import process_time

import pytest

from rulewright.ruleset.language.parser import parse_effect, parse_expression, parse_text
from rulewright.ruleset.language.syntax_errors import Mistake
from tests.interpreter.lockstep import backends_of
from tests.language.values.test_copies import table, values

COUNTS = [
    ("(count(players))", 2),
    ("count(players)", 2),
    ("(min(3, count(players) + 1))", 3),
    ("(1 + (2 - (1 - (1 - (0)))))", 3),
    ("(count(players where it's rats is 0))", 2),
    ("last-one's actions", 1),
    ("(last-one's actions + 1)", 2),
    ("times[wise]", 3),
    ("hand-size", 4),
]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["top", "bottom", "first", "last"])
@pytest.mark.parametrize(("count", "expected"), COUNTS, ids=[count for count, _ in COUNTS])
def test_values(word: str, count: str, expected: int) -> None:
    """The library holds four cards, so `hand-size`, which is five, gives four."""
    place = "library" if word in ("top", "bottom") else "(cards in library)"
    program = table(f"times[wise] = 3\nlast-one's actions = 1\nsum = count({word} {count} of {place})")
    assert values(program, backends_of(program)[0], "sum") == (expected,)


def test_cards_move_on_all_backends() -> None:
    program = table("move top (count(players)) of library to heap\nsum = 10 * count(heap) + count(library)")
    for backend in backends_of(program):
        assert values(program, backend, "sum") == (22,)


@pytest.mark.parametrize(
    "text", ["move top(2) of deck to hand", "draw (count(hand))", "move top your need of deck to hand"]
)
def test_these_are_read_too(text: str) -> None:
    assert not isinstance(parse_effect(text), Mistake)


def test_a_call_with_a_space() -> None:
    found = parse_expression("count (hand)")
    assert isinstance(found, Mistake) and found.hint == "a call has no space before its `(`: `count(…)`"


HOSTILE = ["top (", "top (() () () ", "top ((((", "top a's ", "top a(", "top a[b]", "top (a) "]


@pytest.mark.parametrize("part", HOSTILE)
def test_hostile_text_is_read_in_no_time(part: str) -> None:
    text = (part * 20_000)[:20_000]
    began = process_time()
    parse_text("expression", text, text)
    assert process_time() - began < 2
