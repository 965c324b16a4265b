"""Call native code that may take long in another thread, while this one handles signals."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
LOOK_SECONDS = 0.05
"""How often to check whether a call should stop."""


def beside(call: Callable[[Any], T], stop: Callable[[], bool] = lambda: False) -> T:
    """Make a call in another thread and return its result. The call is given a `ctypes.c_int` and must return soon
    after that is set: when `stop` says so, or when a signal raises an exception in this thread.
    """
    halt = ctypes.c_int(0)
    found: list[T] = []
    other = Thread(target=lambda: found.append(call(halt)))
    other.start()
    try:
        other.join(LOOK_SECONDS)
        while other.is_alive() and not stop():
            other.join(LOOK_SECONDS)
    finally:
        halt.value = 1
        other.join()
    return found[0]
