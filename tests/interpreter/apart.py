"""Run tasks in processes of their own, so that a crash or an endless loop affects no other.

Only POSIX systems can fork.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import tempfile
import traceback
from collections.abc import Callable

SECONDS = 60.0
"""Of the processor's time, after which a task is ended."""
_LATE = 20
"""Times as many seconds of the clock, for a task that waits for something."""


def apart(task: Callable[[], object], seconds: float = SECONDS) -> str:
    """Runs a task in a process that is forked from this one: how it failed, or nothing.

    The process that asks must have no threads.
    """
    with tempfile.TemporaryFile() as said:
        process = os.fork()
        if process == 0:
            _run(task, seconds, said.fileno())
        _, status = os.waitpid(process, 0)
        said.seek(0)
        text = said.read().decode("utf-8", "replace").strip()
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        late = number in (signal.SIGPROF, signal.SIGALRM)
        how = f"it did not end within {seconds:g} seconds" if late else f"ended by {signal.Signals(number).name}"
        return f"{text}\n{how}".strip()
    code = os.waitstatus_to_exitcode(status)
    return "" if code == 0 else text or f"it ended with {code}"


def _run(task: Callable[[], object], seconds: float, said: int) -> None:
    """What the new process does."""
    code = 1
    try:
        os.dup2(said, 1)
        os.dup2(said, 2)
        faulthandler.enable(2)
        for number in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.alarm(int(seconds * _LATE))
        task()
        code = 0
    except BaseException:
        os.write(2, traceback.format_exc().encode("utf-8", "replace"))
    finally:
        os._exit(code)
