"""Results with names: simulations count them in all reports and rows, and `play` says them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.batch.batch import bots_stream
from rulewright.interpreter.views.view import result
from tests.language.flow.test_named_results import SEED, VERDICT, table
from tests.tools.harness import Run


def totals(games: int, players: int) -> Counter[str]:
    """How often each result was that of the games that `simulate` plays."""
    program, found = table(players), Counter[str]()
    backend = make(program)
    for game in range(games):
        state = backend.start(SEED, game)
        play_out(backend, state, bots_stream(SEED, game))
        ended = result(program, state)
        assert ended is not None
        found[ended.name] += 1
    return found


def test_simulate_counts_results_by_name(run: Run) -> None:
    asked = ("simulate", str(VERDICT), "-n", "200", "--seed", str(SEED), "--players", "3")
    data, known = json.loads(run(*asked, "--json").out), totals(200, 3)
    assert {one["result"] or "": one["games"] for one in data["results"]} == dict(known)
    for one in data["results"]:
        assert one["share"] == pytest.approx(one["games"] / 200)
        assert one["low"] < one["share"] < one["high"]
    lines = [line.split()[:3] for line in run(*asked).out.splitlines()]
    for name, games in known.items():
        assert [name or "(none)", str(games), f"{games / 2:.1f}%"] in lines


def test_a_game_without_points_has_no_columns_for_them(run: Run) -> None:
    """Nobody scores in the pack; in the tutorial, some player does."""
    words = run("simulate", str(VERDICT), "-n", "20", "--players", "3").out.split()
    assert "wins" in words and "score" not in words
    assert "score" in run("simulate", "tutorial", "-n", "20", "--players", "3").out.split()


def test_rows_have_the_result(run: Run) -> None:
    run("simulate", str(VERDICT), "-n", "50", "--seed", str(SEED), "--players", "3", "--out", "games.csv")
    with Path("games.csv").open(encoding="utf-8") as file:
        found = Counter(row["result"] for row in csv.DictReader(file) if row["seat"] == "1")
    assert found == totals(50, 3)


def test_comparisons_and_all_options_count_results(run: Run) -> None:
    asked = ("simulate", str(VERDICT), "-n", "60", "--seed", str(SEED), "--json")
    data = json.loads(run(*asked, "--players", "3", "--versus-option", "hung=true").out)
    compared = {one["name"]: (one["first"], one["second"]) for one in data["differences"]}
    known = totals(60, 3)
    assert compared["result loyal"] == pytest.approx((known["loyal"] / 60, known["loyal"] / 60), abs=1e-6)
    assert compared["result stalemate"] == pytest.approx((known["stalemate"] / 60, 0), abs=1e-6)
    data = json.loads(run(*asked, "--every-option", "--players", "2-4").out)
    for entry in data["by_players"]:
        assert sum(one["games"] for one in entry["results"]) == entry["games"]
    assert "loyal" in run(*asked[:-1], "--every-option", "--players", "2-4").out


def test_play_says_the_result(run: Run) -> None:
    ran = run("play", str(VERDICT), "--seats", "random,random,random", "--seed", "3", "--lang", "en")
    assert "The revolt succeeds: " in ran.out or "The crown stands: " in ran.out
