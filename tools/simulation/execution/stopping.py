"""Stopping many games: what Ctrl-C and SIGTERM ask of those in play here."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from interpreter.batch.batch import GivenUp
from tools.simulation.execution.work_queue import Interval
from tools.simulation.protocol import BatchResult, C, Player, Work

GRACE = 0.5
"""Seconds that games in play have to end once somebody has asked to stop."""


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

    def play(self, player: Player[C], interval: Interval) -> BatchResult[C] | None:
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
