"""Tournaments in which the rules say who wins: see the pack `pears`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.batch.batch import never
from rulewright.tools.packs import loading
from rulewright.tools.tournament import BLOCK, FAILED, LOST, WON, Endings, Schedule, Tournament
from tests.tools.harness import ROOT, Run

PEARS = str(Path(__file__).parent / "pears")
STALL = str(ROOT / "tests" / "docs" / "stall")
TIMES = ("seconds", "games_per_second")
SHARED_OUT = "from rulewright.tools.simulation.execution import local as workers\nworkers._alone = lambda *_: 1.0\n"
"""Lines after which even a few games are shared out among processes."""


def played(run: Run, *more: str, code: int = 0) -> dict[str, Any]:
    ran = run("tournament", PEARS, "--json", *more)
    assert ran.code == code, ran
    found: dict[str, Any] = json.loads(ran.out)
    for key in TIMES:
        found.pop(key)
    return found


def work(bots: tuple[str, ...], worlds: int, players: int = 2) -> Tournament:
    table = loading.table(loading.compile_pack(PEARS).program, players, ())
    return Tournament(table, bots, worlds, 1, "native")


def pairing(found: dict[str, Any], one: str, other: str) -> dict[str, Any]:
    return next(p for p in found["pairings"] if (p["bot"], p["against"]) == (one, other))


# ------------------------------------------------------------------ which games are played

@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("block", [1, 7, BLOCK])
def test_each_bot_has_each_seat_in_each_world_equally_often(players: int, block: int) -> None:
    """However the items are divided, each is played once."""
    schedule = Schedule(3, players, 20, block)
    seats: Counter[tuple[int, int]] = Counter()
    games: Counter[tuple[tuple[int, int], tuple[bool, ...], int]] = Counter()
    for first in range(0, schedule.items, 11):
        for part in schedule.parts(first, min(first + 11, schedule.items)):
            for world in range(part.first, part.end):
                games[part.pairing, part.seats, world] += 1
                seats.update(enumerate(part.at()))
    assert set(games.values()) == {1} and len(games) == schedule.items
    assert len(seats) == players * 3 and len(set(seats.values())) == 1
    assert {world for _, _, world in games} == set(range(20))


def test_an_interrupted_tournament_has_as_many_games_of_each_pairing() -> None:
    """If bots search, a world is over before the next one begins."""
    schedule = Tournament(work((), 1).program, ("random", "search:10", "walker"), 50, 1).schedule
    early = Counter(part.pairing for part in schedule.parts(0, 5 * 3 * 2))
    assert set(early.values()) == {5 * 2} and len(early) == 3


def test_a_game_is_the_one_that_simulate_plays(run: Run) -> None:
    """The luck of a world decides between equal bots, by the seat: as often for the first seat as in `simulate`."""
    tournament = work(("picker", "gatherer"), 60)
    found = tournament.player().play(0, 120, never).counts.parts[0]
    ran = run("simulate", PEARS, "-n", "60", "--seats", "picker,gatherer", "--json", "--backend", "native")
    wins = {one["seat"]: one["wins"] for one in json.loads(ran.out)["wins"]}
    shared = json.loads(ran.out)["shared_wins"]
    assert found[:60].count(WON) == wins[1] - shared > 0
    assert found[60:].count(LOST) == wins[1] - shared
    assert [(LOST, WON)[one == LOST] if one in (WON, LOST) else one for one in found[:60]] == list(found[60:])


# ------------------------------------------------------------------ who wins

@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_always_wins_has_all_games(run: Run, players: int) -> None:
    """Who picks a pear has points, and who walks none; 60 games are 30, 10 and 10 worlds."""
    found = played(run, "--bots", "walker,picker", "-n", "60", "--players", str(players))
    assert [one["bot"] for one in found["bots"]] == ["picker", "walker"]
    score = pairing(found, "picker", "walker")
    assert [score[key] for key in ("won", "lost", "undecided", "share", "high")] == [60, 0, 0, 1.0, 1.0]
    assert pairing(found, "walker", "picker")["won"] == 0
    assert found["bots"][0]["rating"]["mean"] + found["bots"][1]["rating"]["mean"] == pytest.approx(3000)
    assert found["bots"][0]["ahead_of_next"]["mean"] == pytest.approx(833.1, abs=0.1)  # 400 log10(60.5 / 0.5)


def test_games_are_rounded_up_to_whole_arrangements(run: Run) -> None:
    found = played(run, "--bots", "walker,picker", "-n", "61", "--players", "3")
    assert (found["games_each"], found["arrangements"], found["games"]) == (66, 6, 66)


def test_equal_bots_have_equal_ratings(run: Run) -> None:
    """The luck of each world helps both once. Each beats the third in all 100 games."""
    found = played(run, "--bots", "picker,gatherer,walker", "-n", "100")
    one, other, last = found["bots"]
    assert one["rating"]["mean"] == other["rating"]["mean"] > last["rating"]["high"]
    assert one["ahead_of_next"]["low"] < 0 == one["ahead_of_next"]["mean"]
    assert pairing(found, "picker", "gatherer")["share"] == 0.5
    assert pairing(found, "gatherer", "walker")["won"] == 100 and last["share"] == 0


def test_all_bots_of_the_pack_play_by_default(run: Run) -> None:
    """And a random player. Who shakes the tree breaks a rule at once, and so do random players at times."""
    ran = run("tournament", PEARS, "-n", "20")
    assert ran.code == 1
    for bot in ("random", "picker", "gatherer", "walker", "brute"):
        assert ran.out.count(f" {bot} ") == 2
    assert "rule error bounds" in ran.out


def test_failed_games_count_for_nobody_and_can_be_played_again(run: Run) -> None:
    found = played(run, "--bots", "walker,brute", "-n", "10", code=1)
    assert pairing(found, "walker", "brute")["undecided"] == 10
    assert pairing(found, "walker", "brute")["share"] is None
    (fault,) = found["faults"]
    assert (fault["code"], fault["games"], fault["first"]) == ("bounds", 10, 0)
    assert fault["replay"] == f"rulewright play {PEARS} --seats walker,brute --seed 1 --game 0"


def test_the_first_failed_game_is_the_first_in_order() -> None:
    found = Endings()
    player = work(("walker", "brute"), 10).player()
    for first in (10, 0):
        found.merge(player.play(first, first + 10, never).counts)
    (fault,) = found.faults.values()
    assert (fault.games, fault.first, found.games) == (20, 0, 20)
    assert set(found.parts[0] + found.parts[10]) == {FAILED}


# ------------------------------------------------------------------ the command

@pytest.mark.slow
def test_processes_and_backends_change_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one process, divided among two, and step by step."""
    monkeypatch.chdir(ROOT)  # places of faults are relative
    arguments = ("tournament", PEARS, "--bots", "picker,gatherer,random", "-n", "600", "--json")
    words = [*arguments, "--jobs", "2"]
    code = f"import sys\nfrom rulewright.tools.cli import run\n{SHARED_OUT}sys.exit(run({words!r}))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    known = json.loads(ran.stdout)
    for more in (("--jobs", "1", "--backend", "native"), ("--backend", "walker")):
        other = json.loads(run(*arguments, *more).out)
        different = {key for key in known if known[key] != other[key]}
        assert different <= {*TIMES, "backend"}
    assert known["games"] == 1800


def test_native_code_changes_nothing(run: Run, machine_code: None) -> None:
    one, other = (
        played(run, "--bots", "picker,gatherer,walker", "-n", "600", "--backend", backend)
        for backend in ("native", "walker")
    )
    assert one.pop("backend") == "native" and other.pop("backend") == "walker"
    assert one == other


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_prints_the_standings_so_far(jobs: int) -> None:
    code = (
        "import os, signal, sys, rulewright.tools.commands.tournament as t\nfrom rulewright.tools.cli import run\n"
        "t.Progress.done = lambda self, games: games > 50 and os.kill(os.getpid(), signal.SIGINT)\n"
        f"{SHARED_OUT if jobs == 2 else ''}"
        f"sys.exit(run(['tournament', {PEARS!r}, '--bots', 'picker,walker', '-n', '1000000', '--json', "
        f"'--jobs', '{jobs}']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode in (130, -signal.SIGINT), ran.stderr
    found = json.loads(ran.stdout)
    assert found["interrupted"] is True
    assert 0 < found["games"] == found["bots"][0]["won"] < found["asked"] == 1_000_000


def test_search_takes_part(run: Run) -> None:
    """A search for a number of worlds can be repeated; what is searched for some time is said to differ."""
    arguments = ("tournament", STALL, "--bots", "search:20,greedy:2,random", "-n", "4")
    found = [json.loads(run(*arguments, "--json", "--jobs", jobs).out) for jobs in "12"]
    assert found[0]["games"] == 12 and found[0]["bots"] == found[1]["bots"]
    assert not found[0]["timed"]
    assert "cannot be repeated" in run("tournament", STALL, "--bots", "search:0.01s,random", "-n", "2").out


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["--bots", "picker"], "at least two bots, for example --bots random,picker"),
        (["--bots", "picker,walker,picker"], "names picker twice"),
        (["--bots", "picker,waker"], "did you mean walker?"),
        (["--bots", "picker,human"], "unknown seat 'human'"),
        (["--players", "5"], "pears is for 2 to 4 players, not 5"),
        (["--jobs", "2", "--cluster", "tcp://x"], "--jobs cannot be used with --cluster"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, given: list[str], expected: str) -> None:
    ran = run("tournament", PEARS, *given)
    assert ran.code == 2 and expected in ran.err


def test_a_missing_package_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    there = "rulewright.tools.commands.tournament.find_spec"
    monkeypatch.setattr(there, lambda name: None if name == "choix" else name)
    ran = run("tournament", PEARS)
    assert ran.code == 2 and "requires the package choix; install it with: pip install 'rulewright[lab]'" in ran.err


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_formats_show_the_same(run: Run, form: str) -> None:
    """Six wins in six games are 61 % to 100 % by Wilson; 13 to 1 are 446 points apart."""
    out = run("tournament", PEARS, "--bots", "walker,picker", "-n", "6", "--format", form).out
    lines = [line.replace("|", "  ").split("  ") for line in out.splitlines()]
    rows = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    assert ["1 picker", "1723", "1473 to 1973", "446 (-54 to 945)", "6", "0", "0", "100.0%"] in rows
    assert ["2 walker", "1277", "1027 to 1527", "–", "0", "6", "0", "0.0%"] in rows
    assert ["1 picker", "100% (61–100)"] in rows and ["2 walker", "0% (0–39)"] in rows
