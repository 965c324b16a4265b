"""Play the games of a study, in processes of this machine or on a cluster, with progress."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from attrs import frozen

from rulewright.tools.common.progress import ProgressSink
from rulewright.tools.simulation.execution.running import Place, run
from rulewright.tools.simulation.protocol import C, Work


@frozen
class Runner:
    """Plays work in at most `jobs` processes, or on the Dask cluster at an address.

    `progress` makes the sink of the progress of some work, from the number of its games and its name.
    """

    jobs: int
    progress: Callable[[int, str], AbstractContextManager[ProgressSink]]
    cluster: str | None = None

    def __call__(self, work: Work[C], what: str) -> tuple[C, bool]:
        """See `tools.balance.study.Run`."""
        place = Place(self.jobs) if self.cluster is None else Place(cluster=self.cluster)
        played = run(work, place, self.progress(work.games, what))
        if played.failure is not None:
            raise played.failure
        return played.counts, played.interrupted
