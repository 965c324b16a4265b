"""Games on a Dask cluster of real processes equal a local run, even if a worker is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulewright.tools import VERSION
from rulewright.tools.common.errors import OURS, Failure
from rulewright.tools.common.progress import Progress
from rulewright.tools.simulation.execution import dask_cluster as cluster
from rulewright.tools.simulation.execution.dask_cluster import OtherVersionError, play_on_cluster, unpacked
from rulewright.tools.simulation.execution.dispatch import ResultCollector
from tests.tools.harness import ROOT, Run
from tests.tools.simulation.test_workers import Notes, Rows

STALL = str(ROOT / "tests" / "docs" / "stall")
PILES = str(ROOT / "tests" / "packs" / "piles")
TIMES = ("seconds", "games_per_second", "decisions_per_second", "backend")
pytest.importorskip("distributed", reason="distributed is not installed: pip install 'rulewright[cluster]'")


# ------------------------------------------------------------------ a cluster

class Cluster:
    """A scheduler and its workers: real processes, which are ended by `close`."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder = folder
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = str(json.loads(self._said("scheduler.json"))["address"])
        self.workers = [self.hire(number) for number in range(workers)]

    def hire(self, number: int, path: str = "") -> subprocess.Popen[bytes]:
        more = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", f"w{number}")
        return self._start("worker", "--local-directory", str(self._folder / f"w{number}"), *more, path=path)

    def _start(self, kind: str, *arguments: str, path: str = "") -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments]
        command += ["--scheduler-file", str(self._folder / "scheduler.json")]
        with (self._folder / f"{kind}.log").open("ab") as log:
            environment = {**os.environ, "PYTHONPATH": path or str(ROOT / "src")}
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder, env=environment)

    def _said(self, name: str) -> str:
        for _ in range(600):
            path = self._folder / name
            if path.exists() and path.stat().st_size:
                return path.read_text()
            assert self.scheduler.poll() is None, (self._folder / "scheduler.log").read_text()
            time.sleep(0.1)
        raise AssertionError(f"there is no {name} after a minute")

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()


@contextmanager
def running(folder: Path, workers: int) -> Iterator[Cluster]:
    folder.mkdir()
    started = Cluster(folder, workers)
    try:
        yield started
    finally:
        started.close()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two workers, which nobody kills."""
    with running(tmp_path_factory.mktemp("cluster") / "two", 2) as started:
        yield started


HOOKED = """\
import os, signal, sys, rulewright.tools.simulation.runs as s
from rulewright.tools.cli import run

at, victim, how = (int(argument) for argument in sys.argv[1:4])
victim = victim or os.getpid()
done_before = s.Progress.done

def done(self, games):
    global victim
    if games >= at and victim:
        os.kill(victim, how)
        victim = 0
    done_before(self, games)

s.Progress.done = done
sys.exit(run(["simulate", *sys.argv[4:]]))
"""
"""Sends a signal to a process, 0 for this one, when so many games are done."""


SLOW = """\
import asyncio, distributed
remote = distributed.Client._gather_remote

async def slowly(self, *arguments):
    response = await remote(self, *arguments)
    await asyncio.sleep(1)
    return response

distributed.Client._gather_remote = slowly
"""
"""Lines after which results take a second to come over the wire."""

KILLED_WHILE_ASKED = """\
import os, signal, sys, distributed, rulewright.tools.simulation.execution.dask_cluster
from rulewright.tools.common.progress import Progress

rulewright.tools.simulation.execution.dask_cluster._COUNT_EVERY = 0.0
counted, asked = [], getattr(distributed.Client, {name!r})

def killing(self, *arguments, **more):
    if counted:
        os.kill(int(sys.argv[2]), signal.SIGKILL)
        counted.clear()
    return asked(self, *arguments, **more)

setattr(distributed.Client, {name!r}, killing)
progress = Progress.done
Progress.done = lambda self, games: (counted.append(games), progress(self, games))
"""
"""Lines after which a process dies when such a thing is asked of the client and something was counted before."""


def simulated(at: int, victim: int, how: int, *arguments: str, before: str = "") -> tuple[int, dict[str, Any], str]:
    command = [sys.executable, "-c", before + HOOKED, str(at), str(victim), str(how), *arguments, "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.stdout, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    for name in TIMES:
        found.pop(name, None)
    return ran.returncode, found, re.sub(r"^.* games/s, .*\n", "", ran.stderr, flags=re.M)


NEVER = 10**12


def here(*arguments: str) -> dict[str, Any]:
    return simulated(NEVER, 0, 0, *arguments)[1]


# ------------------------------------------------------------------ the same result

@pytest.mark.slow
def test_a_tournament_gives_the_same_result(run: Run, two: Cluster) -> None:
    arguments = ("tournament", STALL, "--bots", "random,collector", "-n", "400", "--seed", "3", "--json")
    elsewhere, local = (
        json.loads(run(*arguments, *more).out) for more in (("--cluster", two.address), ("--jobs", "1"))
    )
    assert elsewhere["games"] == 400
    assert {key for key in local if local[key] != elsewhere[key]} <= set(TIMES)


@pytest.mark.slow
@pytest.mark.long
def test_a_worker_is_killed_and_the_result_is_complete(tmp_path: Path) -> None:
    """One of two, in mid-run; the rows of all games are there, too."""
    game = (STALL, "-n", "6000", "--seed", "3", "--backend", "walker")
    with running(tmp_path / "cluster", 2) as started:
        victim = started.workers[0]
        code, found, told = simulated(
            1500,
            victim.pid,
            signal.SIGKILL,
            *game,
            "--cluster",
            started.address,
            "--out",
            str(tmp_path / "there.csv"),
        )
        assert victim.wait() == -signal.SIGKILL
        assert started.workers[1].poll() is None
    assert (code, told) == (0, "")
    assert found.pop("out")["games"] == 6_000
    mine = here(*game, "--out", str(tmp_path / "here.csv"))
    assert mine.pop("out")["games"] == 6_000
    assert found == mine
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    "way",
    [
        (PILES, "-n", "700"),
        (STALL, "-n", "300", "--usage"),
        (STALL, "-n", "20", "--seats", "greedy:1,random"),
        (STALL, "-n", "400", "--versus-option", "mode=rich"),
        (STALL, "-n", "600", "--every-option", "--players", "2-3", "--tables", "5"),
    ],
    ids=" ".join,
)
def test_every_way_of_counting_gives_the_same_there(two: Cluster, way: tuple[str, ...]) -> None:
    code, found, told = simulated(NEVER, 0, 0, *way, "--cluster", two.address)
    assert (code, told) == (1 if found.get("failed") else 0, "")
    assert found == here(*way)


@pytest.mark.slow
def test_an_interrupt_keeps_what_is_finished(two: Cluster) -> None:
    more = ("-n", "100000000", "--backend", "walker", "--cluster", two.address)
    code, found, _ = simulated(500, 0, signal.SIGINT, STALL, *more)
    assert code == 130
    assert found["interrupted"] is True
    assert 500 <= found["games"] < 100_000_000
    assert found["decisions"] == 6 * found["games"], "each game of this pack has six"
    assert simulated(NEVER, 0, 0, STALL, "-n", "50", "--cluster", two.address)[0] == 0, "it is free again"


@pytest.mark.slow
def test_an_interrupt_takes_what_is_finished_but_not_here_yet(two: Cluster) -> None:
    """When the first result is here, tasks of 200 games that are with the two workers have ended as well."""
    more = ("-n", "100000000", "--backend", "walker", "--cluster", two.address)
    code, found, _ = simulated(1, 0, signal.SIGINT, STALL, *more, before=SLOW)
    assert code == 130
    assert found["games"] % 200 == 0
    assert 200 < found["games"] <= 200 * 2 * cluster._IN_FLIGHT


@pytest.mark.slow
@pytest.mark.long
def test_results_that_take_long_to_come_come(two: Cluster) -> None:
    more = ("-n", "2000", "--backend", "walker", "--cluster", two.address)
    code, found, _ = simulated(NEVER, 0, 0, STALL, *more, before=SLOW)
    assert (code, found["games"]) == (0, 2_000)


def dies(tmp_path: Path, at: int, before: str = "") -> dict[str, Any]:
    """What is told when the scheduler is killed, at so many games or as the lines say."""
    with running(tmp_path / "cluster", 1) as started:
        scheduler = started.scheduler.pid
        more = ("-n", "100000000", "--backend", "walker", "--cluster", started.address)
        code, found, told = simulated(at, scheduler, signal.SIGKILL, STALL, *more, before=before)
    assert code == 130
    assert told == "rulewright: the connection to the scheduler was lost; partial results follow\n"
    assert found["interrupted"] is True
    return found


@pytest.mark.slow
def test_when_the_scheduler_dies_what_is_finished_is_told(tmp_path: Path) -> None:
    assert dies(tmp_path, 500)["games"] >= 500


@pytest.mark.slow
@pytest.mark.parametrize("asked", ["nthreads", "submit", "_gather_remote"])
@pytest.mark.long
def test_when_it_dies_while_it_is_asked_for_something(tmp_path: Path, asked: str) -> None:
    assert dies(tmp_path, NEVER, KILLED_WHILE_ASKED.format(name=asked))["games"] > 0


@pytest.mark.slow
@pytest.mark.long
def test_a_game_that_kills_who_plays_it_is_told_and_what_is_finished_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes up when the first tasks were counted; the scheduler is told to give up at once."""
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    work = Notes(100_000, tmp_path, fatal=(3_000,))
    collector = ResultCollector(work, Progress(work.games), Rows())
    with (
        running(tmp_path / "cluster", 2) as started,
        pytest.raises(Failure, match="workers of the cluster keep crashing on game") as caught,
    ):
        play_on_cluster(work, started.address, collector)
    assert caught.value.code == OURS
    assert collector.counts.games >= 200 and 3_000 not in collector.counts.times
    assert set(collector.counts.times.values()) == {1}


# ------------------------------------------------------------------ what is wrong is told

def test_nobody_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECT", 1)
    ran = run("simulate", STALL, "-n", "9", "--cluster", "tcp://127.0.0.1:9")
    assert (ran.code, ran.out) == (2, "")
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in ran.err


def test_without_distributed_it_says_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run("simulate", STALL, "-n", "9", "--cluster", "tcp://127.0.0.1:9")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'rulewright[cluster]'" in ran.err


def test_jobs_are_for_this_machine(run: Run) -> None:
    ran = run("simulate", STALL, "--cluster", "tcp://127.0.0.1:9", "--jobs", "2")
    assert ran.code == 2
    assert "omit one of them" in ran.err


@pytest.mark.slow
@pytest.mark.long
def test_a_worker_without_rulewright_says_so(tmp_path: Path) -> None:
    (tmp_path / "without" / "tools").mkdir(parents=True)
    (tmp_path / "without" / "tools" / "__init__.py").write_text('raise ModuleNotFoundError("nothing here")')
    with running(tmp_path / "cluster", 0) as started:
        started.workers.append(started.hire(0, path=str(tmp_path / "without")))
        command = [sys.executable, "-m", "rulewright", "simulate", STALL, "--cluster", started.address]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 1
    assert f"the workers require rulewright {VERSION}" in ran.stderr
    assert "nothing here" in ran.stderr


def test_a_worker_with_another_version_says_so() -> None:
    with pytest.raises(OtherVersionError, match="install the same version"):
        unpacked(b"", ("0.0.9", 1))
