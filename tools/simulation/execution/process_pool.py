"""Several processes that play what is left of some work.

A process is given numbers and answers with what it counted in one message, so that of a process that is killed all
of an interval was counted, or nothing; then others play it. Nothing is shared that has a lock: who is killed while
it holds one would stop all others.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic

from attrs import define

from tools.common.errors import OURS, Failure
from tools.simulation.execution.collector import ResultCollector
from tools.simulation.execution.pacing import following, portion
from tools.simulation.execution.stopping import Stop
from tools.simulation.execution.work_queue import DeadlyError, Interval, WorkQueue
from tools.simulation.protocol import BatchResult, C, Player, Work

_TAKE_FOR = 0.2
"""Seconds of play that a process is given numbers for."""
_LOOK_EVERY = 0.2


@define
class _Worker:
    """A process that plays: our end of the line to it, what it was given, and how much it is given at a time."""

    process: Any
    end: Connection
    most: int
    given: Interval | None = None
    since: float = 0.0


class WorkerPool(Generic[C]):
    """Processes that play what is left, so many at a time; where they are forked, with this player."""

    def __init__(
        self,
        work: Work[C],
        player: Player[C],
        queue: WorkQueue,
        jobs: int,
        stop: Stop,
        collector: ResultCollector[C],
        method: str,
    ) -> None:
        self._work, self._queue, self._jobs = work, queue, jobs
        self._stop, self._collector = stop, collector
        self._player = player if method == "fork" else None
        self._context: Any = multiprocessing.get_context(method)
        self._halt = self._context.RawValue("b", 0)
        self._workers: list[_Worker] = []
        self._deadly: Failure | None = None

    def play(self) -> None:
        """Plays until all is done or it is stopped.

        Raises Failure where the same games kill again and again, when those in play are finished and counted.
        """
        try:
            for _ in range(self._jobs):
                self._spawn()
            while not (self._queue.over or self._stop.again):
                if self._stopping:
                    self._halt.value = 1
                else:
                    self._give()
                if not any(worker.given for worker in self._workers) and self._stopping:
                    break
                for end in wait([worker.end for worker in self._workers], timeout=_LOOK_EVERY):
                    self._receive(next(worker for worker in self._workers if worker.end is end))
                self._collector.progress.tick()
            if self._deadly is not None:
                raise self._deadly
        finally:
            self._shut_down()

    @property
    def _stopping(self) -> bool:
        """Whether nothing more is to be begun."""
        return self._stop.asked() or self._deadly is not None

    def _spawn(self) -> None:
        here, there = self._context.Pipe()
        arguments = (self._work, self._player, self._halt, there, here if self._player else None)
        process = self._context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        there.close()
        self._workers.append(_Worker(process, here, 1))

    def _give(self) -> None:
        """Gives numbers to those who have none."""
        ahead = not self._collector.crowded
        for worker in [worker for worker in self._workers if worker.given is None]:
            most = portion(worker.most, self._queue.left, self._jobs)
            worker.given = self._queue.take(most, ahead)
            if worker.given is None:
                return
            worker.since = time.monotonic()
            try:
                worker.end.send((worker.given.first, worker.given.end))
            except OSError:
                self._reap(worker)

    def _receive(self, worker: _Worker) -> None:
        try:
            kind, what = worker.end.recv()
        except (EOFError, OSError):
            self._reap(worker)
            return
        if kind == "failed":
            raise RuntimeError(f"a process that played games has failed: {what}")
        assert worker.given is not None
        part: BatchResult[C] = what
        self._queue.done(worker.given, part.end)
        if part.end > part.first:
            seconds = time.monotonic() - worker.since
            worker.most = following(worker.most, part.end - part.first, seconds, _TAKE_FOR)
        worker.given = None
        self._collector.take(part)

    def _reap(self, worker: _Worker) -> None:
        """A process has died: others play what it had, and another takes its place."""
        self._workers.remove(worker)
        worker.end.close()
        worker.process.join()
        how = _how(worker.process.exitcode)
        try:
            self._queue.lost(worker.given)
        except DeadlyError as error:
            what = error.interval or "games"
            self._deadly = self._deadly or Failure(
                f"who plays {what} dies again and again; the last process {how}. If memory is short, fewer --jobs "
                "may help; else it is a fault of rulewright: please report it, with the command and the pack",
                OURS,
            )
        if self._stopping:
            return
        lost = f"; {worker.given} will be played again" if worker.given else ""
        self._collector.progress.note(f"a process that played games {how}{lost}")
        self._spawn()

    def _shut_down(self) -> None:
        self._halt.value = 1
        for worker in self._workers:
            with suppress(OSError):
                worker.end.send(None)
        for worker in self._workers:
            worker.process.join(timeout=0 if self._stop.again else 5)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.end.close()


def _how(code: int) -> str:
    """How a process has ended, by its exit code."""
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
    """One of several processes. An interrupt reaches it through the one that started it, at the `other` end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if other is not None:
        other.close()
    with suppress(BrokenPipeError, EOFError):  # nobody waits for the result any more
        try:
            player = player or work.player()
            while numbers := end.recv():
                first, behind = numbers
                end.send(("part", player.play(first, behind, lambda: bool(halt.value))))
        except (BrokenPipeError, EOFError):
            raise
        except Exception as error:
            end.send(("failed", f"{type(error).__name__}: {error}"))
        finally:
            if player is not None:
                player.close()
