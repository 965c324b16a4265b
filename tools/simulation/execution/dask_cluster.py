"""Games on a Dask cluster: tasks of hundreds of games, whose results are counted as they come.

The work goes to the cluster once, as the result of a task, so that the scheduler can have it made again where all
who had it have died; so it does with games. Each interval of games is a task whose result is taken in once.
Results come over the wire while others are waited for, however long one takes.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic

from attrs import frozen

from ruleset.lower.lowering import SEMANTICS
from tools import VERSION
from tools.common.errors import FINDINGS, OURS, Failure, Usage
from tools.simulation.execution.collector import ResultCollector
from tools.simulation.execution.pacing import following, portion
from tools.simulation.execution.stopping import Stop, interrupts
from tools.simulation.execution.work_queue import Interval, WorkQueue
from tools.simulation.protocol import BatchResult, C, Player, Work

_FIRST = 200
"""Games of the first tasks. Later ones are as many as take about `_TAKE_FOR` seconds."""
_TAKE_FOR = 1.0
_IN_FLIGHT = 3
"""Tasks for each thread of the cluster that are with it at a time."""
_LOOK_EVERY = 0.2
_COUNT_EVERY = 5.0
"""Seconds after which the threads of the cluster are counted again."""
_CONNECT = 10
"""Seconds to wait for the scheduler."""


def play_on_cluster(work: Work[C], address: str, collector: ResultCollector[C]) -> bool:
    """Plays everything there; gives whether an interrupt, or the end of the scheduler, stopped it.

    Raises Usage where there is no scheduler, Failure where workers cannot play, or die of the same games.
    """
    client = _client(address)
    try:
        with interrupts() as stop:
            return _Run(work, client, stop, collector).play()
    finally:
        client.close(timeout=_CONNECT)


def _client(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise Usage(
            "--cluster needs distributed, which is not installed: pip install 'rulewright[cluster]' brings it"
        ) from None
    for name in ("distributed", "distributed.client"):  # each has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told here
    try:
        connect: Any = distributed.Client
        return connect(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # OSError: also that nobody answered in time
        raise Usage(
            f"no scheduler answers at {address} ({error}); `dask scheduler` starts one and tells its address, as "
            "tcp://127.0.0.1:8786"
        ) from None


_UNPACK = "__import__('tools.simulation.execution.dask_cluster', fromlist=('',)).unpacked(packed, version)"
_PLAY = "__import__('tools.simulation.execution.dask_cluster', fromlist=('',)).played(work, first, end)"
"""What tasks do, as text: a scheduler needs no rulewright, and a worker that has none says so instead of dying."""


class _GoneError(Exception):
    """There is no scheduler any more."""


@frozen
class _Task:
    """What the cluster was asked for, and the games that it plays."""

    future: Any
    interval: Interval


class _Run(Generic[C]):
    """One run on a cluster."""

    def __init__(self, work: Work[C], client: Any, stop: Stop, collector: ResultCollector[C]) -> None:
        self._work, self._client, self._stop, self._collector = work, client, stop, collector
        self._threads = 0
        self._counted = float("-inf")
        self._queue = WorkQueue(work.games, lambda first, most: work.reach(first, most, self._threads), 0)
        self._most = _FIRST
        self._out: dict[Future[Any], _Task] = {}
        """By what brings their results."""
        self._brought: SimpleQueue[Future[Any]] = SimpleQueue()

    def play(self) -> bool:
        """Plays until all is done or it is stopped; gives whether it was stopped before."""
        try:
            self._play()
        except _GoneError:
            while not self._brought.empty():
                with suppress(_GoneError):
                    self._receive()
            self._collector.progress.note("the scheduler is gone; what was finished until then is counted")
        return not self._queue.over

    def _play(self) -> None:
        """Raises what makes it senseless to go on, when all that is finished is counted."""
        given = {"packed": pickle.dumps(self._work), "version": (VERSION, SEMANTICS)}
        with self._asking():
            there = self._client.submit(eval, _UNPACK, given, pure=False)
        self._count()
        if not self._threads:
            self._collector.progress.note("the cluster has no workers; waiting for some (dask worker ADDRESS)")
        failure = None
        while not (self._queue.over or self._stop.asked() or failure):
            self._count()
            self._submit(there)
            failure = self._receive()
        self._drain()
        with self._asking():
            self._client.cancel([there, *(task.future for task in self._out.values())], force=True)
        if failure is not None:
            raise failure

    def _count(self) -> None:
        if time.monotonic() - self._counted > _COUNT_EVERY or not self._threads:
            with self._asking():
                self._threads = sum(self._client.nthreads().values())
            self._counted = time.monotonic()

    def _submit(self, there: Any) -> None:
        while len(self._out) < _IN_FLIGHT * max(1, self._threads):
            most = portion(self._most, self._queue.left, self._threads)
            interval = self._queue.take(most, not self._collector.crowded)
            if interval is None:
                return
            given = {"work": there, "first": interval.first, "end": interval.end}
            with self._asking():
                future = self._client.submit(eval, _PLAY, given, pure=False)
            bringing = asyncio.run_coroutine_threadsafe(self._bring(future), self._client.loop.asyncio_loop)
            self._out[bringing] = _Task(future, interval)
            bringing.add_done_callback(self._brought.put)

    async def _bring(self, future: Any) -> Any:
        """The result when it is there; where who had it has died, that of another who played the same."""
        (result,) = await self._client.gather([future], asynchronous=True)
        return result

    def _receive(self) -> Exception | None:
        """Waits a moment for a result and takes it in; gives what makes it senseless to go on."""
        try:
            bringing = self._brought.get(timeout=_LOOK_EVERY)
        except Empty:
            self._collector.progress.tick()
            return None
        task = self._out.pop(bringing, None)
        if task is None:  # it was cancelled by us
            return None
        with self._asking():
            error = bringing.exception()
            if error is not None and task.future.status == "error":
                return _failure(error, task.interval)
            part, seconds = bringing.result()
        self._queue.done(task.interval, part.end)
        self._most = following(self._most, part.end - part.first, seconds, _TAKE_FOR)
        self._collector.take(part)
        return None

    def _drain(self) -> None:
        """Takes what is finished, unless it is asked to stop once more; has cancelled what is not."""
        unfinished = {key: task for key, task in self._out.items() if task.future.status != "finished"}
        for bringing in unfinished:
            del self._out[bringing]
        with self._asking():
            self._client.cancel([task.future for task in unfinished.values()], force=True)
        while any(task.future.status == "finished" for task in self._out.values()) and not self._stop.again:
            self._receive()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Asks the scheduler for something. Raises _GoneError where it is gone."""
        try:
            yield
        except (OSError, CancelledError, asyncio.CancelledError) as error:
            raise _GoneError from error
        except Exception as error:
            if self._client.status == "running":
                raise
            raise _GoneError from error


def _failure(error: BaseException, interval: Interval) -> Exception:
    """What an error of a task is for those who wait for it."""
    kind = type(error).__name__
    if kind == "KilledWorker":
        return Failure(
            f"who plays {interval} dies again and again on the cluster. If memory is short there, workers with "
            "fewer threads may help; else it is a fault of rulewright: please report it, with the command and the "
            "pack",
            OURS,
        )
    if isinstance(error, ImportError | AttributeError):
        return Failure(f"the workers need rulewright {VERSION}, as it is installed here: {kind}: {error}", FINDINGS)
    if isinstance(error, OtherVersionError):
        return Failure(str(error), FINDINGS)
    return RuntimeError(f"a task of the cluster has failed: {kind}: {error}")


# ------------------------------------------------------------------ what workers do


class OtherVersionError(Exception):
    """A worker has another rulewright than the one that asks."""


_MINE = threading.local()
"""What plays in this thread, and the work that it is for: a player is for one thread alone."""


def unpacked(packed: bytes, wanted: tuple[str, int]) -> Work[Any]:
    """The work that was sent by who has this version and these semantics."""
    if wanted != (VERSION, SEMANTICS):
        raise OtherVersionError(
            f"a worker of the cluster has rulewright {VERSION} (semantics {SEMANTICS}); here it is {wanted[0]} "
            f"(semantics {wanted[1]}): install the same one"
        )
    work: Work[Any] = pickle.loads(packed)
    return work


def played(work: Work[C], first: int, end: int) -> tuple[BatchResult[C], float]:
    """A part of the work, and the seconds that it took."""
    if getattr(_MINE, "work", None) is not work:
        if hasattr(_MINE, "player"):
            _MINE.player.close()
        _MINE.work, _MINE.player = work, work.player()
    player: Player[C] = _MINE.player
    began = time.perf_counter()
    part = player.play(first, end, lambda: False)
    return part, time.perf_counter() - began
