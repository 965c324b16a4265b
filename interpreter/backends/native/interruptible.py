"""Call native code that may take long in another thread, while this one handles signals.

Little is imported here (`threading` takes time): short simulations begin with it.
"""

from __future__ import annotations

import _thread
import ctypes
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

T = TypeVar("T")
LOOK_SECONDS = 0.05
"""How often to check whether a call should stop."""


def beside(call: Callable[[Any], T], stop: Callable[[], bool] = lambda: False, seconds: float = 1e9) -> T:
    """Make a call in another thread; the result, or the exception, is that of the call.

    The call gets a `ctypes.c_int` and must return soon after that is set: after `seconds`, if `stop` returns true,
    or when a signal raises an exception in this thread.
    """
    halt = ctypes.c_int(0)
    found: list[T] = []
    failed: list[BaseException] = []
    over = _thread.allocate_lock()
    over.acquire()

    def run() -> None:
        try:
            found.append(call(halt))
        except BaseException as error:
            failed.append(error)
        finally:
            over.release()

    end = monotonic() + seconds
    _thread.start_new_thread(run, ())
    ended = False
    try:
        while not (ended := over.acquire(timeout=max(0.0, min(end - monotonic(), LOOK_SECONDS)))):
            if stop() or monotonic() >= end:
                break
    finally:
        halt.value = 1
        if not ended:
            over.acquire()
    if failed:
        raise failed[0]
    return found[0]
