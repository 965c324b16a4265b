"""Play games on a Dask cluster.

The work is sent to the cluster once, as the result of a task: if all workers that hold it die, the scheduler
computes it again. The same holds for results. Each interval of games is a task whose result is taken once. Results
are transferred in the background, so a slow transfer does not block others.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Generic

from rulewright.interpreter.batch.batch import never
from rulewright.ruleset.lower.lowering import SEMANTICS
from rulewright.tools import VERSION
from rulewright.tools.common.errors import FINDINGS, OURS, Failure, Usage
from rulewright.tools.simulation.execution.dispatch import (
    ChunkPace,
    Interval,
    ResultCollector,
    WorkQueue,
    dispatch,
    interrupts,
    timed,
)
from rulewright.tools.simulation.protocol import BatchResult, C, Work, WorkPlayer

_FIRST = 200
"""Number of games of the first tasks. Later tasks get as many as take about `_TAKE_FOR` seconds."""
_TAKE_FOR = 1.0
_IN_FLIGHT = 3
"""Maximum number of submitted tasks for each thread of the cluster."""
_COUNT_EVERY = 5.0
"""Interval between counts of the cluster's threads, in seconds."""
_CONNECT = 10
"""Timeout for the scheduler, in seconds."""


def play_on_cluster(work: Work[C], address: str, collector: ResultCollector[C]) -> bool:
    """Play all games on the cluster; return whether an interrupt, or the end of the scheduler, stopped it.

    Raises Usage if there is no scheduler, and Failure if workers cannot play or keep crashing on the same games.
    """
    client = _client(address)
    try:
        with interrupts() as stop:
            cluster = _Cluster(work, client)
            queue = WorkQueue(work.games, lambda first, most: work.reach(first, most, cluster.threads), 0)
            if not (cluster.threads or cluster.gone):
                collector.progress.note("waiting for workers of the cluster (`dask worker ADDRESS` starts one)")
            dispatch(queue, cluster, stop, collector)
            if cluster.gone:
                collector.progress.note("the connection to the scheduler was lost; partial results follow")
            return not queue.over
    finally:
        client.close(timeout=_CONNECT)  # has the scheduler forget what is still with it


def _client(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise Usage(
            "--cluster requires the package distributed; install it with: pip install 'rulewright[cluster]'"
        ) from None
    for name in ("distributed", "distributed.client"):  # each has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told here
    try:
        connect: Any = distributed.Client
        return connect(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # OSError: also that nobody answered in time
        raise Usage(
            f"no Dask scheduler answers at {address} ({error}); `dask scheduler` starts one and prints its "
            "address, such as tcp://127.0.0.1:8786"
        ) from None


_HERE = f"__import__({__name__!r}, fromlist=('',))"
_UNPACK = f"{_HERE}.unpacked(packed, version)"
_PLAY = f"{_HERE}.played(work, first, end)"
"""The code of tasks, as text: the scheduler needs no rulewright, and a worker without it reports an error."""


class _Cluster(Generic[C]):
    """The threads of a cluster as workers. After the scheduler is `gone`, only results already received follow."""

    def __init__(self, work: Work[C], client: Any) -> None:
        self._client = client
        self._pace = ChunkPace(_TAKE_FOR, _FIRST)
        self._out: dict[Future[Any], tuple[Any, Interval]] = {}
        """Tasks and their games, by the future of the result."""
        self._brought: SimpleQueue[Future[Any]] = SimpleQueue()
        self.threads = 0
        self._counted = float("-inf")
        self.gone = False
        given = {"packed": pickle.dumps(work), "version": (VERSION, SEMANTICS)}
        with self._asking():
            self._there = client.submit(eval, _UNPACK, given, pure=False)
        self._count()

    @property
    def busy(self) -> bool:
        return not self._brought.empty() if self.gone else bool(self._out)

    def wanted(self, left: int) -> int:
        if not self.gone:
            self._count()
        full = len(self._out) >= _IN_FLIGHT * max(1, self.threads)
        return 0 if full or self.gone else self._pace.portion(left, self.threads)

    def give(self, interval: Interval) -> None:
        given = {"work": self._there, "first": interval.first, "end": interval.end}
        with self._asking():
            task = self._client.submit(eval, _PLAY, given, pure=False)
            bringing = asyncio.run_coroutine_threadsafe(self._bring(task), self._client.loop.asyncio_loop)
            self._out[bringing] = task, interval
            bringing.add_done_callback(self._brought.put)

    def results(self, seconds: float) -> Iterator[tuple[Interval, BatchResult[C] | Exception]]:
        try:
            bringing = self._brought.get(timeout=0 if self.gone else seconds)
        except Empty:
            return
        if bringing in self._out:  # else we have cancelled it
            task, interval = self._out.pop(bringing)
            outcome = None
            with self._asking():
                outcome = self._result(bringing, task, interval)
            if outcome is not None:
                yield interval, outcome

    def halt(self) -> None:
        """See `Workers.halt`. Unfinished tasks are cancelled, since a worker may need long for one."""
        unfinished = {key: task for key, (task, _) in self._out.items() if task.status != "finished"}
        for bringing in unfinished:
            del self._out[bringing]
        if unfinished and not self.gone:
            with self._asking():
                self._client.cancel([*unfinished.values()], force=True)

    async def _bring(self, task: Any) -> Any:
        """Wait for a result. If its worker has died, it comes from another worker that played the same games."""
        (result,) = await self._client.gather([task], asynchronous=True)
        return result

    def _result(self, bringing: Future[Any], task: Any, interval: Interval) -> BatchResult[C] | Exception:
        error = bringing.exception()
        if error is not None and task.status == "error":
            return _failure(error, interval)
        part: BatchResult[C]
        part, seconds = bringing.result()
        self._pace.played(part.end - part.first, seconds)
        return part

    def _count(self) -> None:
        if time.monotonic() - self._counted > _COUNT_EVERY or not self.threads:
            with self._asking():
                self.threads = sum(self._client.nthreads().values())
            self._counted = time.monotonic()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Make requests to the scheduler, and note if it is gone."""
        try:
            yield
        except (OSError, CancelledError, asyncio.CancelledError):
            self.gone = True
        except Exception:
            if self._client.status == "running":
                raise
            self.gone = True


def _failure(error: BaseException, interval: Interval) -> Exception:
    """Turn the error of a task into the failure that is reported."""
    kind = type(error).__name__
    if kind == "KilledWorker":
        return Failure(
            f"workers of the cluster keep crashing on {interval}. If memory is short there, try workers with fewer "
            "threads; otherwise please report this as a bug, with the command and the pack",
            OURS,
        )
    if isinstance(error, ImportError | AttributeError):
        return Failure(f"the workers require rulewright {VERSION}, as installed here: {kind}: {error}", FINDINGS)
    if isinstance(error, OtherVersionError):
        return Failure(str(error), FINDINGS)
    return RuntimeError(f"a task of the cluster failed: {kind}: {error}")


# ------------------------------------------------------------------ what workers do

class OtherVersionError(Exception):
    """A worker has another version of rulewright than the client."""


_MINE = threading.local()
"""The player of this thread and its work; a player must not be shared between threads."""


def unpacked(packed: bytes, wanted: tuple[str, int]) -> Work[Any]:
    """Return the work sent by a client of this version and these semantics. Raises OtherVersionError."""
    if wanted != (VERSION, SEMANTICS):
        raise OtherVersionError(
            f"a worker of the cluster has rulewright {VERSION} (semantics {SEMANTICS}), expected {wanted[0]} "
            f"(semantics {wanted[1]}) as here; install the same version on both"
        )
    work: Work[Any] = pickle.loads(packed)
    return work


def played(work: Work[C], first: int, end: int) -> tuple[BatchResult[C], float]:
    """Play an interval; return its result and the seconds that it took."""
    if getattr(_MINE, "work", None) is not work:
        _MINE.work, _MINE.player = work, work.player()
    player: WorkPlayer[C] = _MINE.player
    return timed(player, first, end, never)
