"""Stop a run on Ctrl-C or SIGTERM."""

from __future__ import annotations

import _thread
import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import TypeVar

from rulewright.interpreter.batch.batch import GivenUp

T = TypeVar("T")

GRACE = 0.5
"""Seconds that running games have to finish after the first request to stop."""


class StopRequest:
    """A request to stop, by Ctrl-C or SIGTERM: soon or, after a second one (`again`) or after `GRACE`, at once."""

    def __init__(self) -> None:
        self._times = 0
        self._enough: float = math.inf
        """The number of requests after which the current attempt is abandoned."""
        self._grace = threading.Timer(GRACE, self._give_up)
        self._grace.daemon = True

    def asked(self) -> bool:
        return self._times > 0

    @property
    def again(self) -> bool:
        return self._times > 1

    def interrupt(self, *_: object) -> None:
        """Handle the signal."""
        self._times += 1
        if self._times == 1:
            self._grace.start()
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
        if self._enough == math.inf:
            self._times += 1
        elif hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()

    def over(self) -> None:
        """Note that no game is running any more."""
        self._grace.cancel()


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
