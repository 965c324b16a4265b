"""Distribute games to workers, and collect their results.

The result of an interval arrives as a whole or not at all; if it is lost, other workers replay the interval. So
each game is counted once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from rulewright.tools.common.errors import Failure
from rulewright.tools.simulation.execution.collector import ResultCollector
from rulewright.tools.simulation.execution.stopping import Stop
from rulewright.tools.simulation.execution.work_queue import Interval, WorkQueue
from rulewright.tools.simulation.protocol import BatchResult, C

_LOOK_EVERY = 0.2
"""Timeout for one wait for results, in seconds."""


class LostError(Exception):
    """A worker process has died. The message completes a sentence that begins with the process."""


class Workers(Protocol[C]):
    """Workers that play intervals of games."""

    @property
    def busy(self) -> bool:
        """Whether results are still expected."""

    def wanted(self, left: int) -> int:
        """Return the number of games for the next free worker, of `left` games; 0 if none is free."""

    def give(self, interval: Interval) -> None:
        """Give an interval to the next free worker."""

    def results(self, seconds: float) -> Iterable[tuple[Interval | None, BatchResult[C] | Exception]]:
        """Wait for results, for at most `seconds`, and return them with their intervals.

        LostError reports a lost interval or, without an interval, that an idle worker has died. Any other error
        ends the run.
        """

    def halt(self) -> None:
        """Start no more games. This may be called repeatedly."""


def dispatch(queue: WorkQueue, workers: Workers[C], stop: Stop, collector: ResultCollector[C]) -> None:
    """Distribute games until all are done, the run is stopped, or no worker is left.

    Raises an error that ends the run after the running games are finished and counted: Failure if workers keep
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
