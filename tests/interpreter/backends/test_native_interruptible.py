"""Native calls in another thread can be interrupted, and their errors are passed on."""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright.interpreter.backends.native import library
from rulewright.interpreter.backends.native.library import beside


def until_halted(halt: Any) -> int:
    """A call that takes 20 seconds unless it is halted."""
    end = time.monotonic() + 20
    while not halt.value and time.monotonic() < end:
        time.sleep(0.001)
    return int(halt.value)


def test_the_result_is_that_of_the_call() -> None:
    assert beside(lambda halt: halt.value + 7) == 7


def test_an_error_is_that_of_the_call() -> None:
    def call(_halt: Any) -> int:
        raise MemoryError

    with pytest.raises(MemoryError):
        beside(call)


def test_a_call_is_halted_when_asked_or_when_its_time_is_over() -> None:
    began = time.monotonic()
    assert beside(until_halted, stop=lambda: time.monotonic() - began > 0.1) == 1
    assert beside(until_halted, seconds=0.1) == 1
    assert time.monotonic() - began < 10


def test_a_signal_halts_a_call() -> None:
    def call(halt: Any) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        ended.append(until_halted(halt))
        return 0

    ended: list[int] = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            beside(call)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == [1], "the thread is not left running"


def test_a_signal_as_the_call_ends_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python handles a signal after `acquire` has taken the lock, before anybody knows that it has."""

    class Interrupted:
        def __init__(self) -> None:
            self.lock, self.taken = threading.Lock(), 0

        def acquire(self, **limits: float) -> bool:
            assert limits or self.taken < 2, "nobody will release it again"
            if not self.lock.acquire(timeout=limits.get("timeout", -1)):
                return False
            self.taken += 1
            if self.taken == 2:
                raise KeyboardInterrupt
            return True

        def release(self) -> None:
            self.lock.release()

    threads = SimpleNamespace(allocate_lock=Interrupted, start_new_thread=_thread.start_new_thread)
    monkeypatch.setattr(library, "_thread", threads)
    with pytest.raises(KeyboardInterrupt):
        beside(lambda halt: time.sleep(0.01))
