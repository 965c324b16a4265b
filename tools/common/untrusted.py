"""Run the program of a journal, which anybody may have written, within bounds of time and memory.

`interpreter.game.program_check` refuses what cannot be right. What only shows when the program runs ends here:
whatever goes wrong is the journal's fault, and a message, never a traceback.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from interpreter.game.game import RuleFault
from interpreter.game.journal import Divergence, JournalError
from tools.common.errors import Failure, Usage

SECONDS = 4.0
"""Seconds of processor time to read a journal and replay it, and for each later answer. Whole games need one."""
OWN_SECONDS = 60.0
"""The same for a game that this user has played and nobody else could write: it may be as long as it is."""
VARIABLE = "RULEWRIGHT_PATIENCE"
"""The environment variable that replaces both."""
BYTES = 320 * 1024 * 1024
"""Memory that may be used in addition to what the process has."""


_LEAST = 0.001
"""Seconds; a timer of none would never end."""


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


class Budget:
    """The processor time of one journal, for all that is done with it before a player is asked.

    `own`: it is the user's own saved game, which need not be distrusted.
    """

    def __init__(self, own: bool = False) -> None:
        said = os.environ.get(VARIABLE, "")
        stated = said.isdecimal() and 0 < len(said) < 9 and int(said)
        self._left = float(said) if stated else OWN_SECONDS if own else SECONDS

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Bound memory, and time by what is left, where the system lets a process do so."""
        began = time.process_time()
        try:
            with _memory(BYTES), _time(max(self._left, _LEAST)):
                yield
        finally:
            self._left -= time.process_time() - began


@contextmanager
def bounded() -> Iterator[None]:
    """Bound memory, and time by a budget of its own, where the system lets a process do so."""
    with Budget().bounded():
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
