"""A pool of worker processes on this machine.

This is not a `concurrent.futures.ProcessPoolExecutor`: its processes share queues with locks, so if one is killed
while it sends a large result or waits for its next task, the others and the executor can hang for ever. They also
outlive a parent that is killed. Here each process has its own pipe, which closes when either side ends; there are
no shared locks.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic

from attrs import define

from rulewright.tools.simulation.execution.dispatch import LostError
from rulewright.tools.simulation.execution.pacing import Pace, timed
from rulewright.tools.simulation.execution.stopping import Stop
from rulewright.tools.simulation.execution.work_queue import Interval
from rulewright.tools.simulation.protocol import BatchResult, C, Player, Work

_TAKE_FOR = 0.2
"""Duration of an interval given to a process, in seconds."""
_END_WITHIN = 5
"""Seconds after which a process that does not end is killed."""


@define
class _Worker:
    """A worker process: our end of its pipe, its pace, and the interval that it plays."""

    process: Any
    end: Connection
    pace: Pace
    given: Interval | None = None


class WorkerPool(Generic[C]):
    """Up to `jobs` worker processes. Forked processes use a copy of `player`."""

    def __init__(self, work: Work[C], player: Player[C], jobs: int, stop: Stop, method: str) -> None:
        self._work, self._jobs, self._stop = work, jobs, stop
        self._player = player if method == "fork" else None
        self._context: Any = multiprocessing.get_context(method)
        self._halt = self._context.RawValue("b", 0)
        self._workers: list[_Worker] = []

    @property
    def busy(self) -> bool:
        return any(worker.given for worker in self._workers)

    def wanted(self, left: int) -> int:
        """See `Workers.wanted`. Processes that have died are replaced first."""
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
        return _Worker(process, here, Pace(_TAKE_FOR))

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
    work: Work[Any], player: Player[Any] | None, halt: Any, end: Connection, other: Connection | None
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
