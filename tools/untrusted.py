"""Run the program of a journal, which anybody may have written, within bounds of time and memory.

`interpreter.program_check` refuses what cannot be right. What only shows when the program runs ends here: whatever
goes wrong is the journal's fault, and a message, never a traceback.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from interpreter.game import RuleFault
from interpreter.journal import Divergence, JournalError
from tools.failure import Failure, Usage

SECONDS = 4.0
"""Seconds of processor time to read a program and begin its game, and for each answer. Games need hundredths."""
VARIABLE = "RULEWRIGHT_PATIENCE"
"""The environment variable that replaces `SECONDS`."""
SECONDS_PER_ANSWER = 0.02
"""More seconds for each answer of a journal that is replayed."""
BYTES = 320 * 1024 * 1024
"""Memory that may be used in addition to what the process has."""


class _TooLong(Exception):  # noqa: N818 - said of the program of a journal
    """The time is over."""


@contextmanager
def blamed(file: str) -> Iterator[None]:
    """Turn all that goes wrong in the program of a journal into one message. Raises Usage."""
    try:
        yield
    except (Failure, RuleFault, Divergence, JournalError, OSError, EOFError):
        raise
    except _TooLong:
        raise Usage(
            f"{file} is no journal that can be replayed: its program takes too long; on a slow machine "
            f"{VARIABLE}=60 allows it 60 seconds"
        ) from None
    except MemoryError:
        raise Usage(f"{file} is no journal that can be replayed: its program takes too much memory") from None
    except Exception as error:
        if os.environ.get("RULEWRIGHT_DEBUG", "") not in ("", "0"):
            raise
        raise Usage(
            f"{file} is no journal that can be replayed: its program cannot be run ({type(error).__name__})"
        ) from None


@contextmanager
def bounded(answers: int = 0) -> Iterator[None]:
    """Bound time and memory, where the system lets a process do so; `answers` are replayed."""
    own = os.environ.get(VARIABLE, "")
    seconds = float(own) if own.isdecimal() and 0 < len(own) < 9 and int(own) else SECONDS
    with _memory(BYTES), _time(seconds + answers * SECONDS_PER_ANSWER):
        yield


@contextmanager
def _time(seconds: float) -> Iterator[None]:
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _memory(more: int) -> Iterator[None]:
    """Bound the address space. Only Linux tells how much there is, and keeps to the bound."""
    if sys.platform != "linux":
        yield
        return
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    known = [limit for limit in (soft, hard, now + more) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(known), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
