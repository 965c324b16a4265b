"""Seats: their notation, and mixed tables that keep them through undo and resuming."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.interpreter.search.tree_search import ITERATIONS, PLAYOUTS, Effort
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import MOST_PLAYOUTS, MOST_WORLDS, effort, parse, seated
from tests.tools.harness import ROOT, Run

STALL = str(ROOT / "tests" / "docs" / "stall")
MIXED = ("play", STALL, "--seats", "human,greedy:2,random", "--seed", "4")
ON = "1\n" * 12


def test_seats_are_written_with_commas() -> None:
    assert parse(None) == ()
    assert parse("human, greedy:40 ,random") == ("human", "greedy:40", "random")


@pytest.mark.parametrize(
    ("seat", "found"),
    [
        ("search", Effort(ITERATIONS)),
        ("search:7", Effort(7)),
        ("search:0.2s", Effort(MOST_WORLDS, 0.2)),
        ("search:12s", Effort(MOST_WORLDS, 12.0)),
        ("greedy", Effort(PLAYOUTS, flat=True)),
        ("greedy:7", Effort(7, flat=True)),
        ("random", None),
        ("human", None),
        ("searcher", None),
    ],
)
def test_effort(seat: str, found: Effort | None) -> None:
    assert effort(seat) == found


@pytest.mark.parametrize(
    "text",
    ["", "human,", "bot", "Greedy", "greedy:", "greedy:0", "greedy:-1", "greedy:x", "greedy:²", "random:2",
     "search:", "search:0", "search:0s", "search:0.0s", "search:61s", "search:-1s", "search:.5s", "search:1e1s",
     f"search:{MOST_WORLDS + 1}", "human:1", f"greedy:{MOST_PLAYOUTS + 1}", "greedy:99999999999999999999"],
)  # fmt: skip
def test_wrong_seats(text: str) -> None:
    with pytest.raises(Usage):
        parse(text)


def test_who_sits_where_nobody_says() -> None:
    assert seated((), 3, ("human", "random")) == ("human", "random", "random")
    with pytest.raises(Usage, match="--seats names 2 seats, but there are 3 players"):
        seated(("human", "random"), 3, ("human", "random"))


def test_a_mixed_game_that_was_left_goes_on_as_the_one_that_was_not(run: Run) -> None:
    straight = run(*MIXED, "--save", "a", typed=ON)
    left = run(*MIXED, "--save", "b", typed="1\nq\n")
    command = re.search(r"Resume with: rulewright (.+)$", left.out, re.MULTILINE)
    assert command is not None
    assert "human,greedy:2,random" in command[1]
    again = run(*command[1].split(), typed=ON)
    assert straight.code == left.code == again.code == 0
    assert "Final scores" in again.out
    assert Path("a").read_bytes() == Path("b").read_bytes()


def test_taking_back_in_a_mixed_game_is_as_if_nothing_had_been(run: Run) -> None:
    straight = run(*MIXED, "--save", "a", typed=ON)
    around = run(*MIXED, "--save", "b", typed="1\nu\n" + ON)
    assert "Final scores" in around.out
    assert straight.code == around.code == 0
    assert Path("a").read_bytes() == Path("b").read_bytes()
