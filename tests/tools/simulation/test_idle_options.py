"""Options without effect at a table are reported, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.pipeline import load
from rulewright.tools.packs.idle_options import idle_options
from rulewright.tools.packs.loading import chosen, table
from tests.tools.harness import Run

CONTENT = Path(__file__).parents[3] / "content"
NOTICE = "rulewright: option own-sets=true has no effect in a game of 3 players\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "players", "options", "idle"),
    [
        ("coup", 3, ["own-sets=true"], ["own-sets"]),
        ("coup", 2, ["own-sets=true"], []),
        ("coup", 3, ["own-sets=true", "with-inquisitor=true"], ["own-sets"]),
        ("dominion", 2, ["treasures=all"], []),
        ("dominion", 2, ["chosen=none"], []),
        ("dominion", 2, ["kingdom=random"], []),
    ],
)
def test_an_option_without_effect(pack: str, players: int, options: list[str], idle: list[str]) -> None:
    program = load(CONTENT / pack).program
    assert program is not None
    assert idle_options(program, table(program, players, options), chosen(options)) == idle


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["walker", "native"])
def test_simulate_says_so_each_time(run: Run, backend: str) -> None:
    words = ("simulate", "coup", "--option", "own-sets=true", "-n", "2", "--backend", backend)
    for _ in range(2):
        assert NOTICE in run(*words, "--players", "3").err
    assert "no effect" not in run(*words, "--players", "2").err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "tables"),
    [("2-4", "3 and 4 players"), ("2,3", "3 players"), ("3-5", "3, 4 and 5 players")],
)
def test_simulate_names_the_numbers_of_players(run: Run, players: str, tables: str) -> None:
    words = ("simulate", "coup", "--option", "own-sets=true", "-n", "3", "--backend", "walker")
    ran = run(*words, "--players", players)
    assert ran.err.count("no effect") == 1
    assert f"rulewright: option own-sets=true has no effect in games of {tables}\n" in ran.err


@pytest.mark.slow
def test_simulate_reports_no_option_that_has_an_effect_at_other_tables(run: Run) -> None:
    """Both are tried with `--every-option`: what matters at one of the tables is not reported."""
    words = ("simulate", "coup", "--every-option", "-n", "8", "--backend", "walker", "--option")
    assert "no effect in games of 3 players" in run(*words, "own-sets=true", "--players", "3").err
    assert "no effect" not in run(*words, "own-sets=true", "--players", "2").err
    assert "no effect" not in run(*words, "with-inquisitor=true", "--players", "3").err


def test_simulate_reports_it_once_for_two_tables(run: Run) -> None:
    words = ("--option", "own-sets=true", "--versus-option", "with-inquisitor=true", "-n", "2", "--players", "3")
    assert run("simulate", "coup", *words, "--backend", "walker").err.count("no effect") == 1


def test_play_says_so(run: Run) -> None:
    words = ("play", "coup", "--option", "own-sets=true", "--seats", "random,random,random", "--seed", "1")
    assert NOTICE in run(*words).err
