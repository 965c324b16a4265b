"""Run the program of an untrusted journal within limits of time and memory.

Its packs are compiled as any others are, so they may take time and memory, and so may the rules while they run:
here every failure becomes a message about the journal, never a traceback.
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

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.game.journal import Divergence, JournalError
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.player_messages import problem

SECONDS = 4.0
"""Seconds of processor time to read and replay a journal, and for each later answer. Whole games need one."""
OWN_SECONDS = 60.0
"""The same for a game in the user's own folder, which only the user can write to: it may be long."""
VARIABLE = "RULEWRIGHT_PATIENCE"
"""The environment variable that overrides both."""
BYTES = 320 * 1024 * 1024
"""Memory allowed in addition to the current use of the process."""


_AGAIN = 0.2
"""Seconds after which a limit stops what has not ended since."""
_LEAST = 0.001
"""In seconds; a timer of zero would never fire."""


class TimeLimitReached(Exception):  # noqa: N818 - about a program of others
    """The time limit was reached."""


@contextmanager
def blamed(file: str) -> Iterator[None]:
    """Turn every error in the packs of a journal and their rules into one message. Raises Usage."""
    try:
        yield
    except JournalError as error:
        raise Usage(problem("not-replayed", file=file, why=error.spoken)) from None
    except (Failure, RuleFault, Divergence, OSError, EOFError):
        raise
    except TimeLimitReached:
        raise Usage(problem("too-long", file=file, setting=f"{VARIABLE}=60", seconds=60)) from None
    except MemoryError:
        raise Usage(problem("too-much-memory", file=file)) from None
    except Exception as error:
        if os.environ.get("RULEWRIGHT_DEBUG", "") not in ("", "0"):
            raise
        raise Usage(problem("not-run", file=file, error=type(error).__name__)) from None


class TimeBudget:
    """The processor time allowed for a journal before a player is asked.

    `own`: it is the user's own saved game, which is trusted.
    """

    def __init__(self, own: bool = False) -> None:
        said = os.environ.get(VARIABLE, "")
        stated = said.isdecimal() and 0 < len(said) < 9 and int(said)
        self._left = float(said) if stated else OWN_SECONDS if own else SECONDS

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Limit memory, and time to the rest of the budget, where the system can. Raises TimeLimitReached."""
        if self._left <= 0:  # a timer is not exact enough to notice it
            raise TimeLimitReached
        began = time.process_time()
        try:
            with _memory(BYTES), _time(self._left):
                yield
        finally:
            self._left -= time.process_time() - began


@contextmanager
def bounded(seconds: float | None = None) -> Iterator[None]:
    """Limit memory, and time to a budget of its own, where the system supports this. Raises TimeLimitReached.

    `seconds` is the processor time; without it, that of an answer. Limits can be nested: each holds until its end.
    """
    if seconds is None:
        with TimeBudget().bounded():
            yield
    else:
        with _memory(BYTES), _time(seconds):
            yield


@contextmanager
def _time(seconds: float) -> Iterator[None]:
    """Limit processor time. Of nested limits the one that ends first counts; the outer one goes on afterwards."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    outer, interval = signal.getitimer(signal.ITIMER_PROF)
    before = signal.getsignal(signal.SIGPROF)
    outer_ends_first = 0 < outer <= seconds

    def stop(number: int, frame: FrameType | None) -> None:
        if outer_ends_first and callable(before):
            before(number, frame)
        # A finaliser or a callback of the garbage collector swallows what is raised in it.
        signal.setitimer(signal.ITIMER_PROF, _AGAIN)
        raise TimeLimitReached

    began = time.process_time()
    try:
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, outer if outer_ends_first else seconds)
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)
        finally:  # the signal may have come just now, and has set the timer again
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
            if outer:
                left = outer - (time.process_time() - began)
                signal.setitimer(signal.ITIMER_PROF, max(left, _LEAST), interval)


@contextmanager
def _memory(more: int) -> Iterator[None]:
    """Limit the address space. Only Linux reports its size and enforces the limit."""
    if sys.platform != "linux":
        yield
        return
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    known = [limit for limit in (soft, hard, now + more) if limit != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_AS, (min(known), hard))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
