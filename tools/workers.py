"""Many games played in this process or in several, with one count.

Which process plays a game changes nothing about it, so the counts do not depend on their number. A process takes
the next few numbers, plays them, and sends what it has counted some times a second. Being stopped, it finishes
the game that it is in; what was counted is never lost. Stopped once more, it leaves that game alone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self, TypeVar

from attrs import define, field

_SEND_EVERY = 0.2
_TAKE_FOR = 0.05
"""Seconds of play that a process takes numbers for; it takes at least one and at most `_MOST_TAKEN`."""
_MOST_TAKEN = 256


class Counts(Protocol):
    """What is counted. Counts of parts merge to those of the whole, whatever the order."""

    @property
    def games(self) -> int:
        """How many games were begun and ended."""
        ...

    def merge(self, other: Self) -> None: ...


C = TypeVar("C", bound=Counts)


class Work(Protocol[C]):
    """Games 0 to `games` - 1, how each is played and how it is counted. It goes to other processes as it is."""

    @property
    def games(self) -> int: ...

    def empty(self) -> C:
        """Counts of nothing."""
        ...

    def player(self) -> Callable[[int], Any]:
        """Made once in each process: plays a game by its number. Failures of rules are results, too."""
        ...

    def count(self, counts: C, game: int, played: Any) -> None: ...

    def reach(self, first: int, most: int, jobs: int) -> int:
        """Where the next numbers that a process takes end, if it wants so many."""
        ...


Take = Callable[[int], tuple[int, int]]
"""Gives the next numbers, about so many: the first, and the one behind the last."""


class _AbandonedError(Exception):
    """The game in play is given up."""


@define
class _Stop:
    """What Ctrl-C asks for: the first to finish what is in play, the second to give it up."""

    event: threading.Event = field(factory=threading.Event)
    again: bool = False
    in_play: bool = False

    def asked(self) -> bool:
        return self.event.is_set()

    def interrupt(self, *_: object) -> None:
        self.again = self.event.is_set()
        self.event.set()
        if self.again and self.in_play:
            raise _AbandonedError


def play_all(work: Work[C], jobs: int, told: Callable[[C], None]) -> tuple[C, bool]:
    """Plays everything; `told` gets the counts so far. Gives them and whether an interrupt stopped it."""
    whole = work.empty()
    jobs = min(jobs, work.games)

    def counted(part: C) -> None:
        whole.merge(part)
        told(whole)

    with _interrupts() as stop:
        if jobs == 1:
            _play(work, _counter(work), stop, counted)
        else:
            _share_out(work, jobs, stop, counted)
    return whole, stop.asked() and whole.games < work.games


@contextmanager
def _interrupts() -> Iterator[_Stop]:
    stop = _Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, stop.interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _counter(work: Work[Any]) -> Take:
    following = 0

    def take(most: int) -> tuple[int, int]:
        nonlocal following
        first, following = following, work.reach(following, most, 1)
        return first, following

    return take


# ------------------------------------------------------------------ playing


def _play(work: Work[C], take: Take, stop: _Stop, send: Callable[[C], None]) -> None:
    """Plays games until there are none left or it is stopped; sends parts of the counts."""
    play = work.player()
    part, since, most = work.empty(), time.monotonic(), 1
    while not stop.asked():
        first, end = take(most)
        if first == end:
            break
        began = time.monotonic()
        for game in range(first, end):
            if not _play_one(work, play, game, part, stop) or stop.asked():
                break
            now = time.monotonic()
            if now - since > _SEND_EVERY:
                send(part)
                part, since = work.empty(), now
        each = (time.monotonic() - began) / (end - first)
        most = max(1, min(_MOST_TAKEN, int(_TAKE_FOR / each) if each else _MOST_TAKEN))
    send(part)


def _play_one(work: Work[C], play: Callable[[int], Any], game: int, part: C, stop: _Stop) -> bool:
    """Plays and counts a game; False when it was given up."""
    try:
        stop.in_play = True
        played = play(game)
        stop.in_play = False
    except _AbandonedError:
        return False
    finally:
        stop.in_play = False
    work.count(part, game, played)
    return True


# ------------------------------------------------------------------ several processes


def _share_out(work: Work[C], jobs: int, stop: _Stop, counted: Callable[[C], None]) -> None:
    """Plays in several processes and takes in what they count."""
    alone = threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if alone and os.name == "posix" else "spawn")
    following, halt = context.Value("q", 0), context.Event()
    processes, ends = [], []
    for _ in range(jobs):
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(work, jobs, following, halt, there), daemon=True)
        process.start()
        there.close()
        processes.append(process)
        ends.append(here)
    try:
        _take_in(ends, halt, stop, counted)
    finally:
        halt.set()
        for process in processes:
            process.join(timeout=0 if stop.again else 5)
            if process.is_alive():
                process.terminate()


def _take_in(ends: list[Connection], halt: Any, stop: _Stop, counted: Callable[[C], None]) -> None:
    while ends and not stop.again:
        for end in wait(ends, timeout=_SEND_EVERY):
            assert isinstance(end, Connection)
            try:
                kind, what = end.recv()
            except EOFError:
                raise RuntimeError("a process that played games has died") from None
            if kind == "part":
                counted(what)
            elif kind == "failed":
                raise RuntimeError(f"a process that played games has failed: {what}")
            else:
                ends.remove(end)
        if stop.asked():
            halt.set()


def _work(work: Work[Any], jobs: int, following: Any, halt: Any, end: Connection) -> None:
    """One of several processes. An interrupt reaches it through the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def take(most: int) -> tuple[int, int]:
        with following.get_lock():
            first = following.value
            following.value = work.reach(first, most, jobs)
            return first, following.value

    with suppress(BrokenPipeError):  # nobody waits for the result any more
        try:
            _play(work, take, _Stop(halt), lambda part: end.send(("part", part)))
        except BrokenPipeError:
            raise
        except Exception as error:
            end.send(("failed", f"{type(error).__name__}: {error}"))
        else:
            end.send(("done", None))
