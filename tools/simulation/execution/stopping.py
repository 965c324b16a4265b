"""Stop a run on Ctrl-C or SIGTERM."""

from __future__ import annotations

import _thread
import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from interpreter.batch.batch import GivenUp

T = TypeVar("T")

GRACE = 0.5
"""Seconds that games in play have to end once somebody has asked to stop."""


class Stop:
    """What Ctrl-C and SIGTERM ask for: to end soon, and when asked `again`, or after `GRACE`, at once."""

    def __init__(self) -> None:
        self._times = 0
        self._enough: float = math.inf
        """Asked so many times, what is attempted is given up."""
        self._grace = threading.Timer(GRACE, self._give_up)
        self._grace.daemon = True

    def asked(self) -> bool:
        return self._times > 0

    @property
    def again(self) -> bool:
        return self._times > 1

    def interrupt(self, *_: object) -> None:
        """The handler of the signal."""
        self._times += 1
        if self._times == 1:
            self._grace.start()
        if self._times >= self._enough:
            raise GivenUp

    def attempt(self, call: Callable[[], T], at_once: bool = False) -> T | None:
        """What a call gives; None where it is given up, the first time that somebody asks or when asked again."""
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
        """The grace is over: as if asked again. The signal goes to the main thread, which may be waiting."""
        if self._enough == math.inf:
            self._times += 1
        elif hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()

    def over(self) -> None:
        """Nothing is in play any more."""
        self._grace.cancel()


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
