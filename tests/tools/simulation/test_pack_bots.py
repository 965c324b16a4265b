"""Bots of a pack in commands: equal games when counted, shown, or resumed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.counting import GameGrouping
from rulewright.interpreter.game.game import Game
from rulewright.ruleset.lower.lowering import lower
from rulewright.tools.common.bots import SeatedBots
from rulewright.tools.packs import loading as packs
from rulewright.tools.simulation.players import PlayedTable, player
from tests.interpreter.limits import most_answers
from tests.tools.harness import ROOT, Run

ORCHARD = str(ROOT / "tests" / "packs" / "orchard")
ON = "1\n" * 60
WALK = """\
pack: walk
version: 0.1.0
format: 3
name: Walk
players: 2 to 3
languages: [en]
tracks: {steps: {of: number}}
---
round: day
turns-from: first of players
until: steps >= 12
steps:
  - id: act
    options: {left: steps += 1, right: do nothing, wait: do nothing}
  - id: rest
    options: {sit: score += 1, lie: do nothing, stand: steps += 1}
---
winner: rested
among: players
order: [most score]
---
bot: sitter
answers: [{choice: day.rest.choice, prefer: [sit]}]
"""


@pytest.fixture
def circle(monkeypatch: pytest.MonkeyPatch) -> str:
    most_answers(monkeypatch, 200)
    return str(ROOT / "tests" / "interpreter" / "circle")


def written(folder: Path, text: str) -> str:
    folder.mkdir()
    (folder / "pack.yaml").write_text(text, encoding="utf-8")
    return str(folder)


@pytest.fixture
def mixed(tmp_path: Path) -> tuple[str, ...]:
    """A game of a person, a bot that leaves one of two choices to chance, and a random seat."""
    return ("play", written(tmp_path / "walk", WALK), "--seats", "human,sitter,random", "--seed", "4")


@pytest.mark.parametrize("seats", [("picky", "random"), ("careful", "picky", "idle"), ("random", "careful")])
def test_a_game_is_the_same_whatever_plays_it(seats: tuple[str, ...]) -> None:
    """Played without stopping, counted as it goes, and in the terminal."""
    program = lower(packs.compile_pack(ORCHARD).program, len(seats))
    every = range(program.layout.stack)  # the counters come after them
    plain = player(PlayedTable(program, seats, 9, "walker"), every).play(0, 4)
    counted = player(PlayedTable(program, seats, 9, "walker", GameGrouping(0, 4)), every).play(0, 4)
    assert plain.cells == counted.cells
    for number in range(4):
        game, bots, given = Game.start(program, 9, game=number), SeatedBots(program, seats), 0
        bots.sit(9, number)
        while game.result is None:
            decision = game.decisions[0]
            game.apply(decision.seat, bots.answer(game, decision, given))
            given += 1
        assert list(game.state)[: len(every)] == [column[number] for column in plain.cells]


def test_a_bot_beside_a_seat_that_searches(run: Run) -> None:
    ran = run("simulate", ORCHARD, "--seats", "picky,greedy:2", "-n", "2", "--json")
    assert (ran.code, json.loads(ran.out)["seats"]) == (0, ["picky", "greedy:2"])


def simulated(run: Run, *more: str, pack: str = ORCHARD, code: int = 0) -> dict[str, Any]:
    ran = run("simulate", pack, "-n", "20", "--seed", "3", "--json", *more)
    assert (ran.code, ran.err) == (code, "")
    found: dict[str, Any] = json.loads(ran.out)
    return {key: value for key, value in found.items() if "second" not in key and key != "backend"}


@pytest.mark.slow
def test_the_totals_do_not_depend_on_backends_or_jobs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = "--seats", "picky,careful,random"
    alone = simulated(run, *seats, "--jobs", "1")
    assert [won["seat"] for won in alone["wins"]] == [1, 2, 3]
    assert simulated(run, *seats, "--backend", "walker") == alone
    monkeypatch.setattr("rulewright.tools.simulation.execution.local._alone", lambda *_: 1.0)
    assert simulated(run, *seats, "--jobs", "2") == alone
    assert simulated(run, "--seats", "random,random,random")["scores"] != alone["scores"]


def test_a_game_that_was_left_goes_on_as_the_one_that_was_not(run: Run, mixed: tuple[str, ...]) -> None:
    straight = run(*mixed, "--save", "a", typed=ON)
    left = run(*mixed, "--save", "b", typed="1\n1\n1\nq\n")
    command = re.search(r"Resume with: rulewright (.+)$", left.out, re.MULTILINE)
    assert command is not None
    assert "human,sitter,random" in command[1]
    again = run(*command[1].split(), typed=ON)
    around = run(*mixed, "--save", "c", typed="1\nu\n1\n1\nu\n" + ON)
    assert straight.code == left.code == again.code == around.code == 0
    assert "Final scores" in again.out
    assert Path("a").read_bytes() == Path("b").read_bytes() == Path("c").read_bytes()


def test_a_journal_brings_its_bots(run: Run, mixed: tuple[str, ...]) -> None:
    run(*mixed, "--save", "a", typed="1\n1\nq\n")
    again = run("play", "--resume", "a", "--seats", "sitter,sitter,sitter")
    assert again.code == 0
    assert "Final scores" in again.out


def test_unknown_bots_are_told_with_those_that_there_are(run: Run) -> None:
    ran = run("simulate", ORCHARD, "--seats", "piky,random")
    assert ran.code == 2
    assert (
        "unknown seat 'piky': expected random, greedy, search, picky, careful, or idle; did you mean picky?"
        in ran.err
    )
    ran = run("play", ORCHARD, "--seats", "human,nobody")
    assert ran.code == 2
    assert "unknown seat 'nobody': expected human, random, greedy, search, picky, careful, or idle" in ran.err
    ran = run("simulate", ORCHARD, "--seats", "picky:3,random")
    assert ran.code == 2
    assert "picky takes no number" in ran.err


def test_two_packs_are_compared_only_if_both_bring_the_bot(run: Run, pack: Path) -> None:
    ran = run("simulate", ORCHARD, "--seats", "picky,random", "--versus", str(pack))
    assert ran.code == 2
    assert "unknown seat 'picky': expected random, greedy, or search" in ran.err


@pytest.mark.slow
def test_games_without_an_end_are_told(run: Run, circle: str) -> None:
    ran = run("simulate", circle, "--seats", "sleeper,sleeper", "-n", "3")
    assert ran.code == 1
    told = "3 games did not end (first: game 0): stopped after 20,000 decisions, the last in step/day.act"
    assert told in ran.out
    assert "--seats sleeper,sleeper" in ran.out and "failed" not in ran.out
    counted = run("simulate", circle, "--seats", "sleeper,sleeper", "-n", "3", "--usage")
    assert (counted.code, "3 games did not end" in counted.out) == (1, True)
    searched = run("simulate", circle, "--seats", "sleeper,greedy:1", "-n", "1")
    assert searched.code in (0, 1) and "failed" not in searched.out
    shown = run("play", circle, "--seats", "sleeper,sleeper")
    assert shown.code == 1
    assert "the game cannot go on: rule error endless in step/day.act" in shown.err


def test_games_without_an_end_are_counted_apart(run: Run, circle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The random seat ends a game in half of its turns, and here it has three."""
    most_answers(monkeypatch, 6)
    found = simulated(run, "--seats", "sleeper,random", "-n", "40", pack=circle, code=1)
    assert found["failed"] == found["faults"] == []
    (endless,) = found["endless"]
    assert endless["rule"] == "step/day.act" and endless["games"] + found["wins"][0]["wins"] == found["games"] == 40
    swept = simulated(run, "--seats", "sleeper,sleeper", "-n", "4", "--every-option", pack=circle, code=1)
    assert (swept["failed"], swept["endless"][0]["games"]) == ([], 4)
    assert [(one["failed"], one["endless"]) for one in swept["by_players"]] == [(0, 4)]


def test_a_game_of_a_person_goes_on(run: Run, circle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the bot beside them is asked: here more than twice as often as bots alone may be."""
    most_answers(monkeypatch, 3)
    ran = run("play", circle, "--seats", "human,sleeper", typed="1\n" * 8 + "2\n")
    assert ran.code == 0 and "endless" not in ran.out + ran.err


def test_a_card_of_a_bot(run: Run) -> None:
    shown = run("show", "bot/picky", "--in", ORCHARD)
    assert shown.code == 0
    assert "bot/picky" in shown.out and "bots.yaml:" in shown.out
    listed = run("show", "--in", ORCHARD).out
    assert "bot  3" in listed and "careful" in listed
