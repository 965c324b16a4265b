"""The comparison with other programs: made-up programs with known figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.tools.bench.beside import Entrant, ProgramRecord, apart, main, race, report
from rulewright.tools.simulation.statistics import Numbers
from tests.tools.harness import ROOT

STALL = str(ROOT / "tests" / "docs" / "stall")
"""Six turns with a decision each, two or three players."""

PROGRAMS = """\
from itertools import cycle

def same(players, games, seed):
    return [(6, 6)] * games

def longer(players, games, seed):
    return [(turns, 6) for turns, _ in zip(cycle((6, 8)), range(games))]

def players(players, games, seed):
    return [(6, players)] * games

def slow(players, games, seed):
    for _ in range(games):
        sum(range(40_000))
    return [(6, 6)] * games
"""


@pytest.fixture
def programs(tmp_path: Path) -> str:
    path = tmp_path / "programs.py"
    path.write_text(PROGRAMS, "utf-8")
    return str(path)


def run(*arguments: str) -> int:
    return main([STALL, "--turns", "turns", "--seconds", "0.02", "--rounds", "2", *arguments])


def test_agreeing_and_fast_enough(programs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--beside", f"{programs}:slow", "0.001", "--option", "mode=rich") == 0
    title, head, ours, other = capsys.readouterr().out.splitlines()
    assert title == "stall, 2 players, mode=rich: 2 rounds in turns, medians"
    assert head.split() == ["games", "games/s", "ours", "turns", "±", "s.e.", "apart", "decisions", "apart"]
    assert re.fullmatch(r"native code +[\d,]+ +[\d,]+ +6\.00 +0\.000 +6\.00", ours)
    assert re.fullmatch(
        r"programs:slow +[\d,]+ +[\d,]+ +\d+\.\d{3} x +6\.00 +0\.000 +\+0\.00 +6\.00 +\+0\.00", other
    )


def test_a_bar_that_is_missed(programs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--beside", f"{programs}:same", "--beside", f"{programs}:same", "5") == 1
    without_a_bar, with_one = capsys.readouterr().out.splitlines()[-2:]
    assert "TOO SLOW" not in without_a_bar
    assert with_one.endswith("  TOO SLOW: at least 5")


def test_games_that_differ(programs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--beside", f"{programs}:longer") == 1
    assert capsys.readouterr().out.endswith("  TURNS DIFFER\n")


def test_games_that_fail_cannot_be_compared(programs: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They have no turns, and end very soon."""
    piles = str(ROOT / "tests" / "packs" / "piles")
    wanted = ["--seconds", "0.02", "--rounds", "2", "--beside", f"{programs}:same"]
    assert main([piles, "--turns", "turns", *wanted]) == 2
    said = r"a rule of piles fails in game \d+ of seed 1: what has not ended cannot be compared\n"
    assert re.fullmatch(said, capsys.readouterr().err)


def test_each_number_of_players(programs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--beside", f"{programs}:players", "--players", "2-3") == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said if line.startswith("stall")] == [
        "stall, 2 players",
        "stall, 3 players",
    ]
    decisions = [line.split()[-2] for line in said if line.startswith("programs:players")]
    assert decisions == ["2.00", "3.00"]  # others were given the number; decisions that differ fail nothing


def test_the_other_backend(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--beside", "walker", "0.0001") == 0
    assert re.match(r"walker +[\d,]+ +[\d,]+ +[\d.]+ x +6\.00", capsys.readouterr().out.splitlines()[-1])


def test_nobody_to_play_beside(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 2
    assert capsys.readouterr().err == "there is nobody to play beside: give --beside\n"


def test_every_round_has_its_own_games() -> None:
    seeds: list[int] = []

    def play(players: int, games: int, seed: int) -> list[tuple[int, int]]:
        seeds.append(seed)
        return [(seed, players)] * 50

    (record,) = race([Entrant("one", play)], 3, 0.001, 4, 7)
    assert seeds[-4:] == [7, 8, 9, 10]
    assert set(seeds[:-4]) == {7}  # to warm up and to see how fast it is
    assert (record.turns.count, record.turns.low, record.turns.high) == (200, 7, 10)
    assert (len(record.speeds), record.decisions.mean) == (4, 3)


def test_ratios_are_taken_within_a_round(capsys: pytest.CaptureFixture[str]) -> None:
    def record(*speeds: float) -> ProgramRecord:
        one = ProgramRecord(list(speeds))
        for numbers in (one.turns, one.decisions):
            numbers.add(6)
        return one

    records = [record(10, 40, 90), record(20, 10, 100)]
    entrants = [Entrant("ours", lambda *_: []), Entrant("other", lambda *_: [], 0.91)]
    assert not report(entrants, records)  # 0.5, 4 and 0.9: the median is 0.9
    assert "0.900 x" in capsys.readouterr().out
    assert report([entrants[0], Entrant("other", lambda *_: [], 0.89)], records)


def test_how_far_apart() -> None:
    def numbers(*values: int) -> Numbers:
        found = Numbers()
        for value in values:
            found.add(value)
        return found

    # Variances of 2 and 8 over 2 games each: errors of 1 and 2.
    assert apart(numbers(9, 11), numbers(3, 7)) == pytest.approx(5 / 5**0.5)
    assert apart(numbers(6, 6), numbers(6, 6)) == 0
    assert apart(numbers(6, 6), numbers(7, 7)) == float("inf")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--beside", "programs"], "--beside takes FILE.py:FUNCTION, and how many times as fast we have to be"),
        (["--beside", "nowhere.py:play"], "there is no file nowhere.py"),
        (["--beside", "{file}:play"], "programs.py has no function play"),
        (["--beside", "{file}:same", "fast"], "is followed by one number or none, not fast"),
        (["--beside", "{file}:same", "1", "2"], "is followed by one number or none, not 1 2"),
        (["--beside", "{file}:same", "0"], "is followed by one number or none, not 0"),
        (["--beside", "{file}:same", "--players", "4"], "stall is for 2 to 3 players, not 4"),
        (
            ["--beside", "{file}:same", "--option", "mode=odder"],
            "option mode: expected plain, rich or odd, found odder",
        ),
        (["--beside", "{file}:same", "--turns", "days"], "stall has no track days; its tracks: points, turns"),
        (["--beside", "{file}:same", "--rounds", "0"], "without a round"),
        (["--beside", "{file}:same", "--seconds", "0"], "without a round"),
    ],
)
def test_what_cannot_be_compared(
    arguments: list[str], told: str, programs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*(word.replace("{file}", programs) for word in arguments)) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert told in heard.err


def test_a_package_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "driver.py"
    path.write_text("import a_package_that_nobody_has", "utf-8")
    assert run("--beside", f"{path}:play") == 2
    assert "needs what is not here (No module named 'a_package_that_nobody_has')" in capsys.readouterr().err
