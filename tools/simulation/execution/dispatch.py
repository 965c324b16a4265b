"""Distribute games to workers, and collect their results.

Of an interval that was given all comes back in one piece, or nothing, and then others play it: each game is counted
once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from tools.common.errors import Failure
from tools.simulation.execution.collector import ResultCollector
from tools.simulation.execution.stopping import Stop
from tools.simulation.execution.work_queue import Interval, WorkQueue
from tools.simulation.protocol import BatchResult, C

_LOOK_EVERY = 0.2
"""Seconds to wait for results before anything else is looked at."""


class LostError(Exception):
    """A process that played has died; with the end of a sentence that tells how."""


class Workers(Protocol[C]):
    """Those who play intervals."""

    @property
    def busy(self) -> bool:
        """Whether results are to come."""

    def wanted(self, left: int) -> int:
        """How many games, of so many left, who is free next should be given; 0 where nobody is."""

    def give(self, interval: Interval) -> None:
        """Has who is free next play these games."""

    def results(self, seconds: float) -> Iterable[tuple[Interval | None, BatchResult[C] | Exception]]:
        """What came of intervals that were given; waits no longer than that. LostError says that one is lost, or,
        without one, that somebody died who had none; any other error ends the run.
        """

    def halt(self) -> None:
        """Nothing is to be begun any more. It is said again and again."""


def dispatch(queue: WorkQueue, workers: Workers[C], stop: Stop, collector: ResultCollector[C]) -> None:
    """Has games played until all are done, or it is stopped, or nobody plays any more.

    Raises an error that ends the run once games in play are finished and counted: Failure if workers keep
    crashing on the same games.
    """
    failure: Exception | None = None
    while not (queue.over or stop.again):
        if stop.asked() or failure is not None:
            workers.halt()
        else:
            while (most := workers.wanted(queue.left)) and (interval := queue.take(most, not collector.crowded)):
                workers.give(interval)
        if not workers.busy:
            break
        for given, outcome in workers.results(_LOOK_EVERY):
            if isinstance(outcome, LostError):
                try:
                    queue.lost(given, str(outcome))
                except Failure as error:
                    failure = failure or error
                if not (stop.asked() or failure):
                    again = f"; {given} will be replayed" if given else ""
                    collector.progress.note(f"a worker process {outcome}{again}")
            elif isinstance(outcome, Exception):
                failure = failure or outcome
            elif given is not None:
                queue.done(given, outcome.end)
                collector.take(outcome)
        collector.progress.tick()
    if failure is not None:
        raise failure
