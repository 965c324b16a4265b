"""Play many games in this thread and, if that is faster, in several threads or in worker processes.

The result of a game does not depend on who plays it, so neither do the counts. When a run is stopped, processes
have `stopping.GRACE` to finish their current games and abandon them after that; no counted result is lost.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import closing
from functools import partial

from rulewright.tools.simulation.execution.collector import ResultCollector
from rulewright.tools.simulation.execution.dispatch import dispatch
from rulewright.tools.simulation.execution.pacing import Pace
from rulewright.tools.simulation.execution.process_pool import WorkerPool
from rulewright.tools.simulation.execution.stopping import Stop, interrupts
from rulewright.tools.simulation.execution.thread_pool import ThreadPool
from rulewright.tools.simulation.execution.work_queue import WorkQueue
from rulewright.tools.simulation.protocol import C, Player, Work

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


def _alone(player: Player[C], queue: WorkQueue, jobs: int, stop: Stop, collector: ResultCollector[C]) -> float:
    """Play in this thread until all games are done or sharing the rest is worthwhile.

    While a faster backend is being built, others would only add today's pace. So they are not started before the
    time that they would need at that pace has passed. Returns the share of this thread in the processor time:
    native code runs in other ones.
    """
    began = since_when = time.monotonic()
    since_work = _worked()
    pace, before, backend, python = Pace(_TAKE_FOR), 0, "", 1.0
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
