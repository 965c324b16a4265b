"""Distribute games to workers, and collect their results.

The result of an interval arrives as a whole or not at all; if it is lost, other workers replay the interval. So
each game is counted once.
"""

from __future__ import annotations

import _thread
import math
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Generic, Protocol, TypeVar

from attrs import frozen

from rulewright.interpreter.batch.batch import GivenUp, Stop
from rulewright.tools.common.errors import OURS, Failure
from rulewright.tools.common.progress import ProgressSink
from rulewright.tools.simulation.protocol import BatchResult, C, Work, WorkPlayer

# ------------------------------------------------------------------ Stop a run on Ctrl-C or SIGTERM

T = TypeVar("T")

GRACE = 0.5
"""Seconds that running games have to finish after the first request to stop."""


class StopRequest:
    """A request to stop, by Ctrl-C or SIGTERM: soon or, after a second one (`again`) or after `GRACE`, at once."""

    def __init__(self) -> None:
        self._times = 0
        self._enough: float = math.inf
        """The number of requests after which the current attempt is abandoned."""
        self._over = False

    def asked(self) -> bool:
        return self._times > 0

    @property
    def again(self) -> bool:
        return self._times > 1

    def interrupt(self, *_: object) -> None:
        """Handle the signal."""
        self._times += 1
        if self._times == 1:
            # `threading` takes locks that the interrupted code may hold.
            _thread.start_new_thread(self._give_up, ())
        if self._times >= self._enough:
            raise GivenUp

    def attempt(self, call: Callable[[], T], at_once: bool = False) -> T | None:
        """Return the result of a call; None if the second request abandons it or, `at_once`, the first."""
        try:
            self._enough = 1 if at_once else 2
            result = call()
            self._enough = math.inf
        except GivenUp:
            return None
        finally:
            self._enough = math.inf
        return result

    def _give_up(self) -> None:
        """Act as a second request after the grace period, also if the main thread is waiting."""
        time.sleep(GRACE)
        if self._over:
            return
        if self._enough == math.inf:
            self._times += 1
        elif hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()

    def over(self) -> None:
        """Note that no game is running any more."""
        self._over = True


_around: ContextVar[StopRequest | None] = ContextVar("_around", default=None)


@contextmanager
def interrupts() -> Iterator[StopRequest]:
    """Let Ctrl-C and SIGTERM request a stop within the block.

    A request is also one to the block around it, since a run may have been over before it could stop.
    """
    stop, around = StopRequest(), _around.get()
    _around.set(stop)
    try:
        with handled(stop.interrupt, signal.SIGINT, signal.SIGTERM):
            yield stop
    finally:
        stop.over()
        _around.set(around)
        if around is not None and stop.asked():
            around.interrupt()


@contextmanager
def handled(handler: Callable[[int, FrameType | None], object], *signals: signal.Signals) -> Iterator[None]:
    """Handle signals within the block; without effect outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.signal(one, handler) for one in signals}
    try:
        yield
    finally:
        for one, its in before.items():
            signal.signal(one, its)


# ------------------------------------------------------------------ Merge partial results from workers

MOST_HELD = 1_000_000
"""Maximum number of games whose rows are held back because rows of earlier games are missing."""


class Writer(Protocol):
    """Takes pages in the order of the games, and keeps them (`finish`) or none (`leave`)."""

    def write(self, page: object) -> None: ...

    def finish(self) -> None: ...

    def leave(self) -> None: ...


class ResultCollector(Generic[C]):
    """The counts so far, and rows passed to `writer` in the order of the games.

    `backends` maps each backend to the approximate number of games that it played: all games of a part count for
    the backend that its player named at the end, although earlier games, or the other of two tables, may have been
    played by another.
    """

    def __init__(self, work: Work[C], progress: ProgressSink, writer: Writer | None = None) -> None:
        self.counts = work.empty()
        self.backends: dict[str, int] = {}
        self.progress = progress
        self.written = 0
        """All games before this one are written."""
        self._writer = writer
        self._held: dict[int, BatchResult[C]] = {}
        self._waiting = 0

    @property
    def crowded(self) -> bool:
        """Whether too many rows are held back to start later games."""
        return self._waiting >= MOST_HELD

    def take(self, part: BatchResult[C]) -> None:
        """Count a part that has not been counted before."""
        self.counts.merge(part.counts)
        self.backends[part.backend] = self.backends.get(part.backend, 0) + part.end - part.first
        if self._writer is not None and part.end > part.first:
            self._held[part.first] = part
            self._waiting += part.end - part.first
            while self.written in self._held:
                following = self._held.pop(self.written)
                for page in following.pages:
                    self._writer.write(page)
                self._waiting -= following.end - following.first
                self.written = following.end
        self.progress.played(part.backend)
        self.progress.done(self.counts.games)

    @property
    def backend(self) -> str | None:
        """The backend that played the most games; None before the first result."""
        return max(self.backends, key=lambda name: (self.backends[name], name), default=None)


# ---- A queue of intervals of games: waiting, in progress, or done; each game is counted once
#
# An interval comes back done, or partly done, or it is lost with its process. A lost interval is handed out
# again in pieces, so that a game that crashes its process is found.

PIECES = 16
"""Maximum number of pieces of a lost interval."""
TRIES = 3
"""Number of losses, alone each time, after which a game is not played again."""


@frozen
class Interval:
    """Games `first` to `end` - 1. `losses` counts, for a single game, the processes that it was lost with."""

    first: int
    end: int
    losses: int = 0

    def __str__(self) -> str:
        last = self.end - 1
        return f"game {self.first}" if self.first == last else f"games {self.first}–{last}"


class WorkQueue:
    """The queue of games 0 to `games` - 1.

    `reach(first, most)` returns the end of the next interval. `most_losses` limits how many processes may be lost
    in a row without a finished interval between them.
    """

    def __init__(self, games: int, reach: Callable[[int, int], int], most_losses: int) -> None:
        self._games = games
        self._reach = reach
        self._most_losses = most_losses
        self._following = 0
        self._again: deque[Interval] = deque()
        self._out: set[Interval] = set()
        self._in_a_row = 0
        self.played = 0
        """The number of finished games."""

    @property
    def left(self) -> int:
        """The number of games that have not been handed out yet."""
        return self._games - self._following

    @property
    def over(self) -> bool:
        """Whether all games are done."""
        return self.played == self._games

    def take(self, most: int, ahead: bool = True) -> Interval | None:
        """Hand out the next interval, about `most` games, or None. Without `ahead`, only lost games."""
        if self._again:
            interval = self._again.popleft()
        elif ahead and self._following < self._games:
            interval = Interval(self._following, self._reach(self._following, most))
            self._following = interval.end
        else:
            return None
        self._out.add(interval)
        return interval

    def done(self, interval: Interval, end: int) -> None:
        """Take back an interval that is done up to `end`. Raises KeyError if it was not handed out."""
        self._out.remove(interval)
        if end > interval.first:
            self._in_a_row = 0
            self.played += end - interval.first
        if end < interval.end:
            self._again.appendleft(Interval(end, interval.end, interval.losses))

    def lost(self, interval: Interval | None, how: str) -> None:
        """Note that a process has died, and which interval it played, if any.

        `how` completes a sentence about the process. Raises Failure if a game was lost repeatedly, or if too many
        processes died in a row.
        """
        self._in_a_row += 1
        tries = 0
        if interval is not None:
            self._out.remove(interval)
            self._again.extendleft(reversed(pieces(interval)))
            tries = interval.losses + 1
        if tries >= TRIES or self._in_a_row > self._most_losses:
            raise Failure(
                f"worker processes keep crashing{f' on {interval}' if interval else ''}; the last one {how}. If "
                "memory is short, try fewer --jobs; otherwise please report this as a bug, with the command and "
                "the pack",
                OURS,
            )


def pieces(interval: Interval) -> list[Interval]:
    """Split a lost interval into the pieces that are handed out again."""
    size = interval.end - interval.first
    if size == 1:
        return [Interval(interval.first, interval.end, interval.losses + 1)]
    count = min(PIECES, size)
    ends = [interval.first + size * (place + 1) // count for place in range(count)]
    firsts = (interval.first, *ends[:-1])
    return [Interval(first, end) for first, end in zip(firsts, ends, strict=True)]


# ---- Dispatch

_LOOK_EVERY = 0.2
"""Timeout for one wait for results, in seconds."""


class LostError(Exception):
    """A worker process has died. The message completes a sentence that begins with the process."""


class IntervalWorkers(Protocol[C]):
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


def dispatch(
    queue: WorkQueue, workers: IntervalWorkers[C], stop: StopRequest, collector: ResultCollector[C]
) -> None:
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


# ---- Choose how many games a worker gets at a time; chunks shrink near the end

_MOST_TAKEN = 65_536
_GROWTH = 8
"""Maximum growth factor of a chunk from one to the next."""
_CRUMB = 16
"""Chunks shrink near the end, to no less than this fraction of the usual size."""


class ChunkPace:
    """The number of games, `most`, that take a worker about `seconds`, as far as its pace is known."""

    def __init__(self, seconds: float, most: int = 1) -> None:
        self._seconds = seconds
        self.most = most

    def played(self, games: int, seconds: float) -> None:
        """Update the pace: `games` games took `seconds` seconds."""
        if games:
            fitting = int(self._seconds * games / seconds) if seconds > 0 else _MOST_TAKEN
            self.most = max(1, min(_MOST_TAKEN, self.most * _GROWTH, fitting))

    def portion(self, left: int, players: int) -> int:
        """Return the number of games for one of `players` workers when `left` games are left.

        Chunks shrink near the end so that all workers finish at about the same time, but not so far that handing
        them out takes longer than playing.
        """
        return max(1, self.most // _CRUMB, min(self.most, -(-left // (2 * max(1, players)))))


def timed(player: WorkPlayer[C], first: int, end: int, stop: Stop) -> tuple[BatchResult[C], float]:
    """Play an interval; return its result and the seconds that it took."""
    began = time.perf_counter()
    part = player.play(first, end, stop)
    return part, time.perf_counter() - began
