"""Play many games in this thread and, if that is faster, in several threads or in worker processes.

The result of a game does not depend on who plays it, so neither do the counts. When a run is stopped, processes
have `dispatch.GRACE` to finish their current games and abandon them after that; no counted result is lost.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Generic

from attrs import define

from rulewright.tools.simulation.execution.dispatch import (
    ChunkPace,
    Interval,
    LostError,
    ResultCollector,
    StopRequest,
    WorkQueue,
    dispatch,
    interrupts,
    timed,
)
from rulewright.tools.simulation.protocol import BatchResult, C, Work, WorkPlayer

# ------------------------------------------------------------------ A pool of worker processes on this machine
#
# This is not a `concurrent.futures.ProcessPoolExecutor`: its processes share queues with locks, so if one is
# killed while it sends a large result or waits for its next task, the others and the executor can hang for
# ever. They also outlive a parent that is killed. Here each process has its own pipe, which closes when
# either side ends; there are no shared locks.

_PROCESS_TAKE_FOR = 0.2
"""Duration of an interval given to a process, in seconds."""
_END_WITHIN = 5
"""Seconds after which a process that does not end is killed."""


@define
class _Worker:
    """A worker process: our end of its pipe, its pace, and the interval that it plays."""

    process: Any
    end: Connection
    pace: ChunkPace
    given: Interval | None = None


class WorkerPool(Generic[C]):
    """Up to `jobs` worker processes. Forked processes use a copy of `player`."""

    def __init__(self, work: Work[C], player: WorkPlayer[C], jobs: int, stop: StopRequest, method: str) -> None:
        self._work, self._jobs, self._stop = work, jobs, stop
        self._player = player if method == "fork" else None
        self._context: Any = multiprocessing.get_context(method)
        self._halt = self._context.RawValue("b", 0)
        self._workers: list[_Worker] = []

    @property
    def busy(self) -> bool:
        return any(worker.given for worker in self._workers)

    def wanted(self, left: int) -> int:
        """See `IntervalWorkers.wanted`. Processes that have died are replaced first."""
        while len(self._workers) < self._jobs:
            self._workers.append(self._spawned())
        free = [worker for worker in self._workers if worker.given is None]
        return free[0].pace.portion(left, self._jobs) if free else 0

    def give(self, interval: Interval) -> None:
        worker = next(worker for worker in self._workers if worker.given is None)
        worker.given = interval
        with suppress(OSError):  # it has died, as the end of its line will tell
            worker.end.send((interval.first, interval.end))

    def results(self, seconds: float) -> Iterator[tuple[Interval | None, BatchResult[C] | Exception]]:
        for end in wait([worker.end for worker in self._workers], timeout=seconds):
            worker = next(worker for worker in self._workers if worker.end is end)
            given, worker.given = worker.given, None
            yield given, self._result(worker)

    def halt(self) -> None:
        self._halt.value = 1

    def close(self) -> None:
        """End all processes: busy ones after a while, or at once after a second interrupt."""
        self.halt()
        for worker in self._workers:
            with suppress(OSError):
                worker.end.send(None)
        for worker in self._workers:
            worker.process.join(timeout=0 if self._stop.again else _END_WITHIN)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.end.close()

    def _spawned(self) -> _Worker:
        here, there = self._context.Pipe()
        arguments = (self._work, self._player, self._halt, there, here if self._player else None)
        process = self._context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        there.close()
        return _Worker(process, here, ChunkPace(_PROCESS_TAKE_FOR))

    def _result(self, worker: _Worker) -> BatchResult[C] | Exception:
        """Receive from a process: a result, the text of an error, or its end."""
        try:
            outcome = worker.end.recv()
        except (EOFError, OSError):
            self._workers.remove(worker)
            worker.end.close()
            worker.process.join()
            return LostError(_how(worker.process.exitcode))
        if isinstance(outcome, str):
            return RuntimeError(f"a worker process failed: {outcome}")
        part: BatchResult[C] = outcome[0]
        worker.pace.played(part.end - part.first, outcome[1])
        return part


def _how(code: int) -> str:
    """Describe how a process has ended, by its exit code."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed ({name})"


def _work(
    work: Work[Any], player: WorkPlayer[Any] | None, halt: Any, end: Connection, other: Connection | None
) -> None:
    """The main function of a worker process. It ignores interrupts, since its parent handles them.

    `other` is the inherited parent's end of the pipe, which a forked process closes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if other is not None:
        other.close()
    try:
        player = player or work.player()
        while given := end.recv():
            first, behind = given
            end.send(timed(player, first, behind, lambda: bool(halt.value)))
    except (BrokenPipeError, EOFError):
        pass  # nobody waits for the result any more
    except Exception as error:
        with suppress(BrokenPipeError):
            end.send(f"{type(error).__name__}: {error}")


# ---- A pool of threads for games in native code, whose calls release Python's global lock
#
# Unlike processes, threads start at once on every system, and share the libraries that are built and loaded.

_THREAD_TAKE_FOR = 0.2
"""Duration of an interval given to a thread, in seconds."""
class ThreadPool(Generic[C]):
    """Up to `jobs` threads; the first one plays with `player`, each other one makes its own.

    After a request to stop, a call of native code leaves its current game, which is then not counted.
    """

    def __init__(self, work: Work[C], player: WorkPlayer[C], jobs: int, stop: StopRequest) -> None:
        self._work, self._jobs, self._stop = work, jobs, stop
        self._players: list[WorkPlayer[C]] = [player]
        self._pace = ChunkPace(_THREAD_TAKE_FOR)
        self._halt = Event()
        self._threads: list[Thread] = []
        self._given: SimpleQueue[Interval | None] = SimpleQueue()
        self._played: SimpleQueue[tuple[Interval, tuple[BatchResult[C], float] | Exception]] = SimpleQueue()
        self._out = 0
        """The number of intervals given and not yet returned."""

    @property
    def busy(self) -> bool:
        return self._out > 0

    def wanted(self, left: int) -> int:
        """See `IntervalWorkers.wanted`."""
        return self._pace.portion(left, self._jobs) if self._out < self._jobs else 0

    def give(self, interval: Interval) -> None:
        self._out += 1
        if len(self._threads) < self._out:
            self._threads.append(Thread(target=self._run, daemon=True))
            self._threads[-1].start()
        self._given.put(interval)

    def results(self, seconds: float) -> Iterator[tuple[Interval, BatchResult[C] | Exception]]:
        try:
            interval, outcome = self._played.get(timeout=seconds)
        except Empty:
            return
        self._out -= 1
        if isinstance(outcome, Exception):
            yield interval, outcome
            return
        part, took = outcome
        self._pace.played(part.end - part.first, took)
        yield interval, part

    def halt(self) -> None:
        self._halt.set()

    def close(self) -> None:
        """End all threads. After a second interrupt, one that is still busy ends with the process."""
        self.halt()
        for _ in self._threads:
            self._given.put(None)
        for thread in self._threads:
            thread.join(timeout=0 if self._stop.again else _END_WITHIN)

    def _run(self) -> None:
        """The main function of a thread."""
        player = self._players.pop() if self._players else None
        while (interval := self._given.get()) is not None:
            try:
                player = player or self._work.player()
                self._played.put((interval, timed(player, interval.first, interval.end, self._halt.is_set)))
            except Exception as error:
                self._played.put((interval, error))


# ---- Local

_TRY_FOR = 0.2
"""Seconds that this process plays alone to estimate the duration of the run."""
_TAKE_FOR = 0.05
"""Duration of an interval that this process plays, in seconds."""
_COSTS = {"thread": 0.05, "fork": 0.1, "spawn": 1.5}
"""Minimum saving in seconds that justifies starting threads, or processes by start method."""
_MOST_PYTHON = 0.6
"""With a larger share of Python in the time, times the number of threads, threads would wait for each other."""
_LONG = 1.0
"""Remaining seconds that justify preparing a faster backend."""
_MOST_LOSSES = 20
"""Maximum number of processes that may die in a row, for each wanted process."""


def cores() -> int:
    """Return the number of processes that can run at a time."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_all(work: Work[C], jobs: int, collector: ResultCollector[C]) -> bool:
    """Play all games in at most `jobs` threads or processes at a time; return whether an interrupt stopped it.

    Raises Failure if processes keep crashing on the same games.
    """
    jobs = min(jobs, work.games)
    queue = WorkQueue(
        work.games, lambda first, most: work.reach(first, most, jobs), most_losses=_MOST_LOSSES * jobs
    )
    with interrupts() as stop:
        player = stop.attempt(work.player, at_once=True)  # a compiler may take many seconds
        if player is None:
            return True
        python = 1.0 if work.slow and jobs > 1 else _alone(player, queue, jobs, stop, collector)
        if not (queue.over or stop.asked()):
            method = _method(python, jobs)
            alike = (work, player, jobs, stop)
            with closing(ThreadPool(*alike) if method == "thread" else WorkerPool(*alike, method)) as pool:
                dispatch(queue, pool, stop, collector)
    return stop.asked() and not queue.over


def _alone(
    player: WorkPlayer[C], queue: WorkQueue, jobs: int, stop: StopRequest, collector: ResultCollector[C]
) -> float:
    """Play in this thread until all games are done or sharing the rest is worthwhile.

    While a faster backend is being built, others would only add today's pace. So they are not started before the
    time that they would need at that pace has passed. Returns the share of this thread in the processor time:
    native code runs in other ones.
    """
    began = since_when = time.monotonic()
    since_work = _worked()
    pace, before, backend, python = ChunkPace(_TAKE_FOR), 0, "", 1.0
    while not stop.asked() and (interval := queue.take(pace.most)):
        since, worked = time.monotonic(), _worked()
        part = stop.attempt(partial(player.play, interval.first, interval.end, stop.asked))
        if part is None:
            break
        queue.done(interval, part.end)
        collector.take(part)
        now = time.monotonic()
        pace.played(part.end - part.first, now - since)
        if part.backend != backend:
            backend, since_when, since_work, before = part.backend, since, worked, part.first
        if now - since_when >= _TRY_FOR:
            mine, all_of_it = (now - before for now, before in zip(_worked(), since_work, strict=True))
            python = mine / max(mine, all_of_it, 1e-9)
            rest = queue.left * (now - since_when) / max(1, queue.played - before)
            if rest / jobs > _LONG and player.prepare() and now - began < rest / jobs:
                continue
            if jobs > 1 and rest * (1 - 1 / jobs) > _COSTS[_method(python, jobs)]:
                break
    return python


def _worked() -> tuple[float, float]:
    """Return the processor time of this thread and of the process, in seconds."""
    return time.thread_time(), time.process_time()


def _method(python: float, jobs: int) -> str:
    """Return "thread" if threads serve a run with this share of Python, else the start method of processes.

    A fork starts with everything in memory, but is unsafe with threads.
    """
    if python * jobs <= _MOST_PYTHON:
        return "thread"
    return "fork" if hasattr(os, "fork") and threading.active_count() == 1 else "spawn"
