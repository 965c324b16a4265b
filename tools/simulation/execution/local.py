"""Many games played in this process and, where that is quicker, in several more, with one count.

Which process plays a game changes nothing about it, so the counts do not depend on their number. A process is given
some numbers, plays them, and answers with what it counted, all in one message: of a process that is killed either
all of an interval was counted or nothing, and then others play it. Being stopped, processes have
`GRACE` to finish the games that they are in, and then leave them; what was counted is never lost.
"""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from interpreter.batch.batch import GivenUp
from tools.simulation.execution.collector import Whole
from tools.simulation.execution.work_queue import Interval, Intervals
from tools.simulation.protocol import C, Part, Player, Work

_TRY_FOR = 0.2
"""Seconds that this process plays alone, to see how long all of it would take."""
_TAKE_FOR = 0.05
"""Seconds of play for which it takes numbers."""
_MOST_TAKEN = 65_536
_GROWTH = 8
"""So many times as many numbers are taken as the last time, at most."""
_CRUMB = 16
"""Towards the end so many times as few numbers are given, at most."""
_COSTS = {"fork": 0.1, "spawn": 1.5}
"""Seconds that processes, started one way or the other, have to bring."""
_LONG = 1.0
"""Seconds still to come that are worth preparing for."""
GRACE = 0.5
"""Seconds that games in play have to end once somebody has asked to stop."""
_MOST_LOSSES = 20
"""So many processes for each one wanted may die in a row."""


def cores() -> int:
    """How many processes can run at a time."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Stop:
    """What Ctrl-C and SIGTERM ask for: to end soon. Games in play are given up after `GRACE`, or if asked again."""

    def __init__(self) -> None:
        self.again = False
        self._asked = False
        self._in_play = self._preparing = False
        self._grace = threading.Timer(GRACE, self._give_up)
        self._grace.daemon = True

    def asked(self) -> bool:
        return self._asked

    def interrupt(self, *_: object) -> None:
        """The handler of the signal."""
        self.again = self._asked
        self._asked = True
        if not self.again:
            self._grace.start()
        if self._preparing or (self.again and self._in_play):
            raise GivenUp

    def prepare(self, work: Work[C]) -> Player[C] | None:
        """Makes what plays, which may take a compiler many seconds; nothing if an interrupt comes meanwhile."""
        try:
            self._preparing = True
            player = work.player()
            self._preparing = False
        except GivenUp:
            return None
        finally:
            self._preparing = False
        return player

    def _give_up(self) -> None:
        """The grace is over: as if asked again. The signal goes to the main thread, which may be waiting."""
        self.again = True
        if self._in_play and hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        elif self._in_play:
            _thread.interrupt_main()

    def over(self) -> None:
        """Nothing is in play any more."""
        self._grace.cancel()

    def play(self, player: Player[C], interval: Interval) -> Part[C] | None:
        """Plays in this process; nothing where it was given up so that nothing is known."""
        try:
            self._in_play = True
            part = player.play(interval.first, interval.end, self.asked)
            self._in_play = False
        except GivenUp:
            return None
        finally:
            self._in_play = False
        return part


@contextmanager
def interrupts() -> Iterator[Stop]:
    """Ctrl-C asks to stop, and so does SIGTERM, by which other programs end one; while this lasts."""
    stop = Stop()
    try:
        with handled(stop.interrupt, signal.SIGINT, signal.SIGTERM):
            yield stop
    finally:
        stop.over()


@contextmanager
def handled(handler: Callable[[int, FrameType | None], object], *signals: signal.Signals) -> Iterator[None]:
    """What these signals do, while this lasts; nothing changes where it is not the main thread's."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.signal(one, handler) for one in signals}
    try:
        yield
    finally:
        for one, its in before.items():
            signal.signal(one, its)


def play_all(work: Work[C], jobs: int, whole: Whole[C]) -> bool:
    """Plays everything, in at most so many processes at a time; gives whether an interrupt stopped it.

    Raises Failure where the same games kill who plays them, again and again.
    """
    jobs = min(jobs, work.games)
    intervals = Intervals(
        work.games, lambda first, most: work.reach(first, most, jobs), most_losses=_MOST_LOSSES * jobs
    )
    with interrupts() as stop:
        player = stop.prepare(work)
        if player is None:
            return True
        try:
            if jobs == 1 or not work.slow:
                _alone(player, intervals, jobs, stop, whole)
            if not (intervals.over or stop.asked()):
                from tools.simulation.execution.process_pool import Team

                Team(work, player, intervals, jobs, stop, whole, _method()).play()
        finally:
            player.close()
    return stop.asked() and not intervals.over


def _alone(player: Player[C], intervals: Intervals, jobs: int, stop: Stop, whole: Whole[C]) -> None:
    """Plays in this process, until all is played or it is worth to share the rest out.

    While something quicker is being made, others would only play at today's pace, so they wait for it: no longer
    than they would take at that pace.
    """
    began = since_when = time.monotonic()
    most, before, backend = 1, 0, ""
    while not stop.asked() and (interval := intervals.take(most)):
        since = time.monotonic()
        part = stop.play(player, interval)
        intervals.done(interval, part.end if part else interval.first)
        if part is None:
            return
        whole.take(part)
        now, played = time.monotonic(), part.end - part.first
        if played:
            most = following(most, played, now - since, _TAKE_FOR)
        if part.backend != backend:
            backend, since_when, before = part.backend, since, part.first
        if now - since_when >= _TRY_FOR:
            rest = intervals.left * (now - since_when) / max(1, intervals.prefix - before)
            if rest / jobs > _LONG and player.prepare() and now - began < rest / jobs:
                continue
            if jobs > 1 and rest * (1 - 1 / jobs) > _COSTS[_method()]:
                return


def following(most: int, played: int, seconds: float, wanted: float) -> int:
    """How many numbers to take next, after so many took so long."""
    fitting = int(wanted * played / seconds) if seconds > 0 else _MOST_TAKEN
    return max(1, min(_MOST_TAKEN, most * _GROWTH, fitting))


def portion(most: int, left: int, players: int) -> int:
    """How many of the numbers that are left one of so many players is given, who could take so many at a time:
    towards the end fewer, so that all are done at about the same time, but not so few that giving takes longer.
    """
    return max(1, most // _CRUMB, min(most, -(-left // (2 * max(1, players)))))


def _method() -> str:
    """How processes are started: a fork has everything at once, but is not safe where there are threads."""
    return "fork" if hasattr(os, "fork") and threading.active_count() == 1 else "spawn"
