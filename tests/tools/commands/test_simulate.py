"""`rulewright simulate`: equal totals on all backends, and partial results after an interrupt."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.backends.native.toolchain import Compiler, find_compiler
from rulewright.tools.common.progress import Progress
from rulewright.tools.packs import loading as packs
from rulewright.tools.simulation.execution import local as workers
from rulewright.tools.simulation.execution.dispatch import ResultCollector
from rulewright.tools.simulation.players import Batch
from rulewright.tools.simulation.tally import GameTally
from tests.tools.harness import ROOT, Ran, Run

SHARED_OUT = "from rulewright.tools.simulation.execution import local as workers\nworkers._alone = lambda *_: 1.0\n"
"""Lines after which even a few games are shared out among processes."""
TIMES = ("seconds", "games_per_second", "decisions_per_second")


def result(ran: Ran) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran.out)
    for key in TIMES:
        assert found.pop(key, "it has none") is not None
    return found


def simulated(run: Run, pack: Path | str, *more: str, games: int = 30) -> dict[str, Any]:
    ran = run("simulate", str(pack), "-n", str(games), "--seed", "7", "--json", *more)
    assert (ran.code, ran.err) == (0, "")
    return result(ran)


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_the_totals_do_not_depend_on_the_jobs(
    run: Run, pack: Path, jobs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = simulated(run, pack, "--jobs", "1")
    assert simulated(run, pack) == alone
    for python in (1.0, 0.0):  # by processes, and by threads
        monkeypatch.setattr(workers, "_alone", lambda *_, python=python: python)
        assert simulated(run, pack, "--jobs", jobs) == alone


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--usage",), ("--out", "games.csv")], ids=" ".join)
@pytest.mark.parametrize("method", ["thread", "spawn"])
def test_threads_and_processes_that_are_not_forked_give_the_same(
    run: Run, pack: Path, more: tuple[str, ...], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes are not forked on Windows, and wherever there are threads."""
    alone, asked = simulated(run, pack, "--jobs", "1", *more), []
    rows = [Path(name).read_bytes() for name in more[1:]]

    def chosen(*_: object) -> str:
        asked.append(method)
        return method

    monkeypatch.setattr(workers, "_method", chosen)
    monkeypatch.setattr(workers, "_alone", lambda *_: 1.0)
    assert simulated(run, pack, "--jobs", "2", *more) == alone
    assert [Path(name).read_bytes() for name in more[1:]] == rows
    assert asked


def test_the_totals_do_not_depend_on_the_backend(run: Run, pack: Path) -> None:
    walked = simulated(run, pack, "--backend", "walker")
    assert walked.pop("backend") == "walker"
    generated = simulated(run, pack)
    assert generated.pop("backend") == "native"
    assert walked == generated


COMPILES = isinstance(find_compiler(), Compiler)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILES, reason="there is no C compiler here")
@pytest.mark.parametrize(
    "more", [(), ("--versus-option", "mode=rich"), ("--every-option", "--tables", "2")], ids=str
)
def test_native_code_gives_the_same_totals(run: Run, machine_code: None, more: tuple[str, ...]) -> None:
    pack = ROOT / "tests" / "docs" / "stall"
    by_native, walked = (simulated(run, pack, *more, "--backend", name) for name in ("native", "walker"))
    assert (by_native.pop("backend"), walked.pop("backend")) == ("native", "walker")
    assert by_native == walked


@pytest.mark.slow
@pytest.mark.usefixtures("no_machine_code")
def test_where_native_code_cannot_be_it_is_told(pack: Path) -> None:
    command = [sys.executable, "-m", "rulewright", "simulate", str(pack), "-n", "3", "--json"]
    told = subprocess.run([*command, "--backend", "native"], cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 2
    assert "--backend native is not available: RULEWRIGHT_CC is none" in told.stderr
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert json.loads(found.stdout)["backend"] == "walker"


def test_a_compiler_that_was_named_and_does_not_work_is_not_passed_over(
    run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("simulate", str(pack), "-n", "3").err == ""
    monkeypatch.setenv("RULEWRIGHT_CC", "no-such-command")
    told = run("simulate", str(pack), "-n", "3")
    assert told.code == 0
    assert told.err == (
        "rulewright: RULEWRIGHT_CC is no-such-command: there is no such command; name one that works, or unset it; "
        "the walker plays the games, which is slower\n"
    )


@pytest.mark.slow
def test_the_result_of_a_game(run: Run) -> None:
    found = simulated(run, "rattus-cartus", "--players", "3", "--option", "nobody-survives=fewest-rats")
    assert (found["pack"], found["players"], found["seed"]) == ("rattus-cartus", 3, 7)
    assert found["options"]["nobody-survives"] == "fewest-rats"
    assert (found["asked"], found["games"], found["failed"], found["interrupted"]) == (30, 30, [], False)
    assert found["no_winner"] == 0
    assert sum(seat["wins"] for seat in found["wins"]) == 30 + found["shared_wins"]
    for seat in found["wins"]:
        assert seat["low"] <= seat["share"] <= seat["high"]
    assert found["length"]["decisions"]["mean"] == pytest.approx(found["decisions"] / 30)
    assert [score["seat"] for score in found["scores"]] == [1, 2, 3]
    rats = [track for track in found["tracks"] if track["track"] == "rats"]
    assert [track["seat"] for track in rats] == [1, 2, 3]
    assert all(track["mean"] > 0 for track in rats)
    assert {"track": "influence", "of": ["magic"], "seat": 2}.items() <= next(
        track for track in found["tracks"] if track["of"] == ["magic"] and track["seat"] == 2
    ).items()


@pytest.mark.slow
def test_the_table(run: Run) -> None:
    ran = run("simulate", "rattus-cartus", "-n", "5", "--players", "2")
    assert ran.code == 0
    assert "5 games in" in ran.out
    assert "95% interval" in ran.out
    assert "influence magic" in ran.out


@pytest.mark.slow
def test_a_game_of_a_simulation_can_be_watched(run: Run) -> None:
    """The same seed, game number and bots: the same game."""
    one = simulated(run, "rattus-cartus", "--players", "3", games=1)
    watched = run("play", "rattus-cartus", "--seats", "random,random,random", "--seed", "7")
    totals = [
        line.split() for line in watched.out.split("Final scores")[1].splitlines() if line.startswith("Player")
    ]
    scores = [str(score["min"]) for score in one["scores"]]
    assert all(score in line for score, line in zip(scores, totals, strict=True))


def test_a_rule_error_counts_and_does_not_stop(run: Run) -> None:
    """A pack that is made to divide by nought and to leave its bounds."""
    ran = run("simulate", str(ROOT / "tests" / "packs" / "piles"), "-n", "40", "--json")
    found = result(ran)
    assert ran.code == 1
    assert 0 < len(found["failed"]) <= found["games"] == 40
    assert found["failed"] == sorted(found["failed"])
    assert sum(fault["games"] for fault in found["faults"]) == len(found["failed"])
    assert found["faults"][0]["first"] == found["failed"][0]
    assert all("pack.yaml" in fault["place"] for fault in found["faults"])
    told = run("simulate", str(ROOT / "tests" / "packs" / "piles"), "-n", "40")
    assert "failed (first: game " in told.out
    two = run("simulate", str(ROOT / "tests" / "packs" / "piles"), "-n", "40", "--json", "--jobs", "2")
    assert result(two) == found


class Interrupting(Progress):
    """Sends an interrupt once, when so many games are done."""

    def __init__(self, games: int, at: int) -> None:
        super().__init__(games)
        self._at = at

    def done(self, games: int) -> None:
        if self._done < self._at <= games:
            os.kill(os.getpid(), signal.SIGINT)
        super().done(games)


def interrupted(batch: Batch, jobs: int, at: int) -> tuple[GameTally, bool]:
    """Plays a batch that is interrupted; its tally, and whether that was noticed."""
    collector = ResultCollector(batch, Interrupting(batch.games, at))
    stopped = workers.play_all(batch, jobs, collector)
    return collector.counts, stopped


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_keeps_what_is_finished(pack: Path, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if jobs == 2:
        monkeypatch.setattr(workers, "_alone", lambda *_: 1.0)
    program = packs.compile_pack(str(pack)).program
    batch = Batch(packs.table(program, 2, ()), 1_000_000, 1)
    before = signal.getsignal(signal.SIGINT)
    tally, stopped = interrupted(batch, jobs, 50)
    assert stopped
    assert 0 < tally.games < 1_000_000
    assert tally.decisions.count == tally.finished == tally.games
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_after_the_last_game_is_none(pack: Path) -> None:
    program = packs.compile_pack(str(pack)).program
    batch = Batch(packs.table(program, 2, ()), 3, 1)
    tally, stopped = interrupted(batch, 1, 3)
    assert (tally.games, stopped) == (3, False)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_command_prints_its_result(pack: Path, jobs: int) -> None:
    code = (
        "import os, signal, sys, rulewright.tools.simulation.runs as s\nfrom rulewright.tools.cli import run\n"
        "s.Progress.done = lambda self, games: games > 50 and os.kill(os.getpid(), signal.SIGINT)\n"
        f"{SHARED_OUT if jobs == 2 else ''}"
        f"sys.exit(run(['simulate', {str(pack)!r}, '-n', '1000000', '--json', '--jobs', '{jobs}']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode in (130, -signal.SIGINT), ran.stderr
    found = json.loads(ran.stdout)
    assert found["interrupted"] is True
    assert 0 < found["games"] < found["asked"] == 1_000_000


WAYS = ("--usage", "--versus {pack}", "--every-option --players 2-3", "--seats greedy:1,random")


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_every_way_of_counting_keeps_what_is_finished(pack: Path, way: str, jobs: str) -> None:
    more = [word.format(pack=pack) for word in way.split()]
    code = (
        "import os, signal, sys, rulewright.tools.simulation.runs as s\nfrom rulewright.tools.cli import run\n"
        "s.Progress.done = lambda self, games: games and os.kill(os.getpid(), signal.SIGINT)\n"
        f"{SHARED_OUT if jobs == '2' else ''}"
        f"sys.exit(run(['simulate', {str(pack)!r}, '-n', '1000000', '--json', '--jobs', {jobs!r}, *{more!r}]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode in (130, -signal.SIGINT), ran.stderr
    found = json.loads(ran.stdout)
    assert found["interrupted"] is True
    assert 0 < found["games"] < found["asked"] == 1_000_000


ENDLESS = """\
pack: endless
players: 2
tracks:
  steps: {at-most: 5, at-bounds: stop}
---
round: turn
turns-from: first of players
until: steps > 5
steps:
  - id: walk
    options:
      left: steps += 1
      right: steps += 1
"""


def test_an_interrupt_while_it_is_found_out_why_a_rule_failed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All games have been played, and what was counted is printed."""

    def asked_to_stop(*_: object) -> str:
        raise KeyboardInterrupt

    (tmp_path / "pack.yaml").write_text(ENDLESS)
    monkeypatch.setattr("rulewright.interpreter.game.endless.why", asked_to_stop)
    ran = run("simulate", str(tmp_path), "-n", "1", "--backend", "walker", "--jobs", "1")
    assert ran.code == 1 and "1 game did not end" in ran.out
