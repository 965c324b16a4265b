"""Threads and worker processes: each game is counted once, even if workers are killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from attrs import define, field, frozen

from rulewright.interpreter.backends.native.toolchain import Compiler, find_compiler
from rulewright.interpreter.batch.batch import Stop
from rulewright.tools.common.errors import OURS, Failure
from rulewright.tools.common.progress import Progress
from rulewright.tools.simulation.execution import dispatch
from rulewright.tools.simulation.execution import local as workers
from rulewright.tools.simulation.execution.dispatch import ChunkPace, ResultCollector
from rulewright.tools.simulation.execution.local import play_all
from rulewright.tools.simulation.protocol import BatchResult
from tests.tools.harness import ROOT


@define
class Seen:
    """Which games were played, and how often."""

    times: dict[int, int] = field(factory=dict)
    processes: set[int] = field(factory=set)

    @property
    def games(self) -> int:
        return len(self.times)

    def merge(self, other: Seen) -> None:
        for game, times in other.times.items():
            self.times[game] = self.times.get(game, 0) + times
        self.processes |= other.processes


@frozen
class Notes:
    """Work whose games do nothing, but for some that are fatal: `fatal` to each who plays them, `fatal_once` to the
    first alone, which leaves a file named after the game. Game `wrong` raises an error, game `long` lasts until
    everybody is asked to stop.
    """

    games: int
    folder: Path
    fatal: tuple[int, ...] = ()
    fatal_once: tuple[int, ...] = ()
    how: signal.Signals = signal.SIGKILL
    wrong: int = -1
    long: int = -1
    seconds: float = 0.0
    slow: bool = True

    def empty(self) -> Seen:
        return Seen()

    def player(self) -> Notes:
        return self

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Seen]:
        seen = Seen(processes={os.getpid()})
        for game in range(first, end):
            if game == self.wrong:
                raise ZeroDivisionError("on purpose")
            mark = self.folder / str(game)
            if game in self.fatal or (game in self.fatal_once and not mark.exists()):
                mark.touch()
                os.kill(os.getpid(), self.how)
            if game == self.long:
                wait_for(stop)
            time.sleep(self.seconds)
            seen.times[game] = seen.times.get(game, 0) + 1
            if stop():
                break
        return BatchResult(first, max(seen.times, default=first - 1) + 1, seen, "none", (tuple(seen.times),))

    def prepare(self) -> bool:
        return False


@define
class Rows:
    """Takes pages."""

    rows: list[int] = field(factory=list)

    def write(self, page: object) -> None:
        assert isinstance(page, tuple)
        self.rows.extend(page)


def played(work: Notes, jobs: int) -> tuple[ResultCollector[Seen], Rows]:
    rows = Rows()
    with Progress(work.games) as progress:
        collector = ResultCollector(work, progress, rows)
        assert not play_all(work, jobs, collector)
    return collector, rows


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("slow", [True, False])
def test_each_game_is_played_once_and_told_in_order(tmp_path: Path, jobs: int, slow: bool) -> None:
    collector, rows = played(Notes(700, tmp_path, slow=slow), jobs)
    assert collector.counts.times == dict.fromkeys(range(700), 1)
    assert rows.rows == list(range(700))
    assert collector.backends == {"none": 700}


def test_an_interrupt_in_the_last_game_is_told_to_whoever_goes_on(tmp_path: Path) -> None:
    """The run itself is whole; a search that has begun it must not begin another."""
    with dispatch.interrupts() as stop:
        played(Notes(1, tmp_path, fatal=(0,), how=signal.SIGINT, slow=False), 1)
        assert stop.asked()


def test_what_is_short_is_played_here(tmp_path: Path) -> None:
    collector, _ = played(Notes(700, tmp_path, slow=False), 3)
    assert collector.counts.processes == {os.getpid()}


@pytest.mark.slow
def test_what_is_long_is_shared_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_COSTS", {"fork": 0.01, "spawn": 0.01})
    collector, rows = played(Notes(60, tmp_path, slow=False, seconds=0.02), 2)
    assert os.getpid() in collector.counts.processes
    assert len(collector.counts.processes) > 1
    assert collector.counts.times == dict.fromkeys(range(60), 1)
    assert rows.rows == list(range(60))


def test_slow_work_is_shared_out_at_once(tmp_path: Path) -> None:
    collector, _ = played(Notes(30, tmp_path), 2)
    assert os.getpid() not in collector.counts.processes


# ------------------------------------------------------------------ threads

def threaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads play everything."""
    monkeypatch.setattr(workers, "_alone", lambda *_: 0.0)
    monkeypatch.setattr(workers, "_method", lambda *_: "thread")


@pytest.mark.parametrize("jobs", [2, 3])
def test_threads_play_each_game_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    threaded(monkeypatch)
    before = threading.enumerate()
    collector, rows = played(Notes(700, tmp_path, seconds=0.0001), jobs)
    assert collector.counts.times == dict.fromkeys(range(700), 1)
    assert rows.rows == list(range(700))
    assert collector.counts.processes == {os.getpid()}
    assert set(threading.enumerate()) <= set(before)


def test_threads_share_out_a_game_that_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread is stuck in game 0 until an interrupt; the other one plays the rest meanwhile."""
    threaded(monkeypatch)
    work, rows = Notes(300, tmp_path, fatal_once=(299,), how=signal.SIGINT, long=0), Rows()
    collector = ResultCollector(work, Progress(work.games), rows)
    stopped = play_all(work, 2, collector)
    assert not stopped, "all games were over by then"
    assert collector.counts.times == dict.fromkeys(range(300), 1)


def test_a_fault_of_ours_in_a_thread_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threaded(monkeypatch)
    before = threading.enumerate()
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        played(Notes(300, tmp_path, wrong=40), 2)
    assert set(threading.enumerate()) <= set(before)


@pytest.mark.parametrize(
    ("mine", "jobs", "method"), [(0.1, 2, "thread"), (0.1, 7, "fork"), (0.5, 1, "thread"), (0.5, 2, "fork")]
)
def test_threads_serve_where_they_seldom_wait_for_python(mine: float, jobs: int, method: str) -> None:
    """Ten threads that are in Python for a tenth of the time would keep each other waiting."""
    found = workers._method(mine, jobs)
    assert found == method or (method == "fork" and found == "spawn")


# ------------------------------------------------------------------ processes that die

@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_games_of_a_process_that_dies_are_played_by_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], how: signal.Signals
) -> None:
    fatal = (0, 13, 14, 200)
    collector, rows = played(Notes(300, tmp_path, fatal_once=fatal, how=how), 2)
    assert all((tmp_path / str(game)).exists() for game in fatal)
    assert collector.counts.times == dict.fromkeys(range(300), 1)
    assert rows.rows == list(range(300))
    told = capsys.readouterr().err.splitlines()
    assert len(told) == len(fatal)
    assert all(f" was killed ({how.name}); game" in line and line.endswith(" will be replayed") for line in told)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that are started anew are not patched")
def test_of_a_result_that_is_cut_off_nothing_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A process is killed in the midst of sending what it has counted; nobody waits for the rest."""
    here, send, mark = os.getpid(), Connection._send, tmp_path / "cut off"  # type: ignore[attr-defined]

    def cut_off(self: Connection, message: bytes) -> None:
        if os.getpid() != here and BatchResult.__name__.encode() in bytes(message) and not mark.exists():
            mark.touch()
            send(self, message[: len(message) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        send(self, message)

    monkeypatch.setattr(Connection, "_send", cut_off)
    monkeypatch.setattr(workers, "_method", lambda *_: "fork")  # another test may have left a thread
    collector, rows = played(Notes(300, tmp_path), 2)
    assert mark.exists()
    assert collector.counts.times == dict.fromkeys(range(300), 1)
    assert rows.rows == list(range(300))
    assert "was killed (SIGKILL); game" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("deadly", [0, 137])
def test_a_game_that_kills_again_and_again_is_named(tmp_path: Path, deadly: int) -> None:
    with pytest.raises(Failure) as caught:
        played(Notes(300, tmp_path, fatal=(deadly,)), 2)
    assert f"worker processes keep crashing on game {deadly}" in caught.value.message
    assert "was killed (SIGKILL)" in caught.value.message
    assert caught.value.code == OURS
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_what_others_play_when_a_game_is_given_up_is_counted(tmp_path: Path) -> None:
    work, rows = Notes(300, tmp_path, fatal=(1,), long=0), Rows()
    collector = ResultCollector(work, Progress(work.games), rows)
    with pytest.raises(Failure, match="worker processes keep crashing on game 1"):
        play_all(work, 2, collector)
    assert collector.counts.times == {0: 1}
    assert rows.rows == [0]


def test_a_fault_of_ours_in_a_process_is_told(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError: on purpose"):
        played(Notes(300, tmp_path, wrong=40), 2)
    assert not multiprocessing.active_children()


KILLING = """\
import multiprocessing, os, signal, sys
from rulewright.tools.simulation.execution import local as workers, dispatch
from rulewright.tools.cli import run
from rulewright.tools.common.progress import Progress

killed = {0: 0}  # processes, and how many games were done by then

def tick(self):
    for child in multiprocessing.active_children():
        if len(killed) <= int(sys.argv[1]) and self._done > 150 + max(killed.values()) and child.pid not in killed:
            killed[child.pid] = self._done
            os.kill(child.pid, signal.SIGKILL)

workers._TRY_FOR = 0.0
workers._COSTS = {"fork": -1.0, "spawn": -1.0}
workers._MOST_PYTHON = -1.0  # no threads
dispatch._MOST_TAKEN = 64
Progress.tick = tick
code = run(["simulate", *sys.argv[2:]])
assert len(killed) == 1 + int(sys.argv[1]), killed
sys.exit(code)
"""
TIMES = ("seconds", "games_per_second", "decisions_per_second")


def simulated(kills: int, *arguments: str) -> tuple[dict[str, object], str]:
    command = [sys.executable, "-c", KILLING, str(kills), "--backend", "walker", *arguments, "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode in (0, 1), ran.stderr
    found = json.loads(ran.stdout)
    for name in TIMES:
        found.pop(name, None)
    return found, ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "more"),
    [
        ("tests/docs/stall", ("-n", "3000")),
        pytest.param("tests/packs/piles", ("-n", "3000"), marks=pytest.mark.long),
        pytest.param("tests/docs/stall", ("-n", "1500", "--usage"), marks=pytest.mark.long),
        pytest.param("tests/docs/stall", ("-n", "1500", "--versus-option", "mode=rich"), marks=pytest.mark.long),
        pytest.param(
            "tests/docs/stall",
            ("-n", "3000", "--every-option", "--players", "2-3", "--tables", "3"),
            marks=pytest.mark.long,
        ),
    ],
)
def test_killed_processes_change_nothing_in_the_result(pack: str, more: tuple[str, ...]) -> None:
    """Three real ones are killed while they play, somewhere."""
    found, told = simulated(3, pack, *more, "--jobs", "3")
    undisturbed, quiet = simulated(0, pack, *more, "--jobs", "1")
    assert found == undisturbed
    assert quiet == ""
    assert told.count("was killed (SIGKILL)") == 3


@pytest.mark.slow
@pytest.mark.skipif(not isinstance(find_compiler(), Compiler), reason="there is no C compiler here")
def test_killed_processes_of_native_code_change_nothing_either(machine_code: None) -> None:
    game = ("tests/packs/piles", "-n", "20000", "--backend", "native")
    found, told = simulated(3, *game, "--jobs", "3")
    assert found == simulated(0, *game, "--jobs", "1")[0]
    assert told.count("was killed (SIGKILL)") == 3


ORPHANS = """\
import sys
from pathlib import Path
from tests.tools.simulation.test_workers import Notes
from rulewright.tools.common import progress
from rulewright.tools.simulation.execution import dispatch, local
dispatch._LOOK_EVERY = 0.05

class Told(progress.Progress):
    def tick(self):
        import multiprocessing
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)

work = Notes(10**9, Path(sys.argv[1]), seconds=0.001)
local.play_all(work, 3, dispatch.ResultCollector(work, Told(work.games)))
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_processes_do_not_outlive_the_one_that_started_them(tmp_path: Path) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", ORPHANS, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with run:
        assert run.stdout is not None
        children = run.stdout.readline().split()
        run.kill()
    assert len(children) == 3
    wait_for(lambda: not any(_runs(child) for child in children))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_a_batch_system_ends_them_all_at_once(tmp_path: Path) -> None:
    """SIGTERM for each process of the group, as of `timeout` or when a machine shuts down."""
    code = ORPHANS.replace("local.play_all(", "stopped = local.play_all(") + "sys.exit(130 if stopped else 1)\n"
    run = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with run:
        assert run.stdout is not None and run.stderr is not None
        children = run.stdout.readline().split()
        os.killpg(run.pid, signal.SIGTERM)
        told = run.stderr.read()
    assert (run.returncode, told) == (130, "")
    assert len(children) == 3 and not any(_runs(child) for child in children)


def _runs(process: str) -> bool:
    try:
        return Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(what: Callable[[], bool]) -> None:
    """Waits until something is so; fails when it has not become so after a minute."""
    for _ in range(600):
        if what():
            return
        time.sleep(0.1)
    raise AssertionError("it never happened")


# ------------------------------------------------------------------ how much is taken

@pytest.mark.parametrize(
    ("most", "played", "seconds", "next_"),
    [
        (1, 1, 10.0, 1),  # so long that one is too much
        (1, 1, 0.1, 2),
        (1, 1, 0.0001, 8),  # no more than 8 times as many
        (64, 64, 0.0, 512),
        (100, 100, 0.1, 200),
        (65_536, 65_536, 0.01, 65_536),
    ],
)
def test_how_many_games_are_given_next(most: int, played: int, seconds: float, next_: int) -> None:
    pace = ChunkPace(0.2, most)
    pace.played(played, seconds)
    assert pace.most == next_


def test_what_was_not_played_says_nothing_about_the_pace() -> None:
    pace = ChunkPace(0.2, 64)
    pace.played(0, 10.0)
    assert pace.most == 64


@pytest.mark.parametrize(
    ("most", "left", "players", "given"),
    [
        (100, 10_000, 4, 100),
        (100, 400, 4, 50),  # each could have two of these
        (100, 40, 4, 6),  # a sixteenth of what one could take, not five
        (3, 2, 4, 1),
        (1, 0, 4, 1),
        (10, 1000, 0, 10),
    ],
)
def test_towards_the_end_fewer_are_given(most: int, left: int, players: int, given: int) -> None:
    assert ChunkPace(0.2, most).portion(left, players) == given


def test_games_in_play_are_given_up_after_a_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """One signal is enough, also where a game never ends."""
    monkeypatch.setattr(dispatch, "GRACE", 0.01)

    def endless() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        wait_for(lambda: False)

    with dispatch.interrupts() as stop:
        assert stop.attempt(endless) is None
        assert stop.asked() and stop.again


def test_nothing_is_waited_for_before_the_first_game() -> None:
    """A compiler may take long, and there is nothing to keep."""

    def making() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)

    with dispatch.interrupts() as stop:
        assert stop.attempt(making, at_once=True) is None
        assert stop.asked() and not stop.again
