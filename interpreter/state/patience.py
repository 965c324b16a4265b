"""A bound of processor time for code that runs in this process, in any thread.

The rules of a journal are not trusted, and how long they run depends on values. Signals interrupt only the main
thread; a watching thread can stop any thread in CPython.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PATIENCE = 4.0
"""Seconds of processor time to begin the game of a journal and replay it. Whole games need about one."""
_SHORTEST = 0.005
"""Seconds between two looks at a clock."""
_AGAIN = 0.05
"""Seconds of processor time before a thread that goes on is stopped again: an exception in `__del__` or a callback
of the garbage collector is lost. Code that handles the stop has this long.
"""


class TimeUsedUp(Exception):  # noqa: N818 - nothing need be wrong with the rules
    """The processor time is used up."""


class _Stop(BaseException):
    """Raised in the watched thread. Not an Exception, so that no handler on the way takes it for a fault."""


class TimeWatch:
    """A watchdog that stops a thread after some processor time, or real time where threads have no clocks."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._thread = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._thread) if hasattr(time, "pthread_getcpuclockid") else None
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="rulewright-patience", daemon=True)

    def begin(self) -> None:
        """Start watching. The thread may be stopped anywhere until `close` has returned."""
        self._end = self._now() + self._seconds
        self._watching.start()

    def _now(self) -> float:
        return time.monotonic() if self._clock is None else time.clock_gettime(self._clock)

    def _watch(self) -> None:
        while True:
            while (left := self._end - self._now()) > 0:
                if self._done.wait(max(left, _SHORTEST)):
                    return
            with self._lock:
                if self._done.is_set():
                    return
                _raise_in(self._thread, _Stop)
            self._end = self._now() + _AGAIN

    def close(self) -> None:
        """Stop watching; may be called repeatedly. A stop that was raised and has not arrived yet arrives here.
        Revoking it would leave CPython 3.11 looking for it for ever, and hanging once a profiler starts.
        """
        with self._lock:
            self._done.set()
        self._watching.join()


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Stop the code inside once this thread has used `seconds` of processor time; None: none. Raises TimeUsedUp.

    It stops between two steps of Python, so a single long call of C code is finished first. Memory is not bounded.
    """
    if seconds is None:
        yield
        return
    watch = TimeWatch(seconds)
    try:
        try:
            watch.begin()
            yield
        finally:
            watch.close()
    except _Stop:
        with suppress(_Stop):  # it may have been stopped before it was closed
            watch.close()
        raise TimeUsedUp(f"more than {seconds:g} s of processor time") from None
