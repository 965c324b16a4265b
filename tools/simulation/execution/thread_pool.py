"""A pool of threads for games in native code, whose calls release Python's global lock.

Unlike processes, threads start at once on every system, and share the libraries that are built and loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Generic

from rulewright.tools.simulation.execution.pacing import Pace, timed
from rulewright.tools.simulation.execution.stopping import Stop
from rulewright.tools.simulation.execution.work_queue import Interval
from rulewright.tools.simulation.protocol import BatchResult, C, Player, Work

_TAKE_FOR = 0.2
"""Duration of an interval given to a thread, in seconds."""
_END_WITHIN = 5
"""Seconds that threads have to end."""


class ThreadPool(Generic[C]):
    """Up to `jobs` threads; the first one plays with `player`, each other one makes its own.

    After a request to stop, a call of native code leaves its current game, which is then not counted.
    """

    def __init__(self, work: Work[C], player: Player[C], jobs: int, stop: Stop) -> None:
        self._work, self._jobs, self._stop = work, jobs, stop
        self._players: list[Player[C]] = [player]
        self._pace = Pace(_TAKE_FOR)
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
        """See `Workers.wanted`."""
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
