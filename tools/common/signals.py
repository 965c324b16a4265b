"""Let SIGTERM and SIGHUP stop a game as `q` does, so that closing the terminal loses nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP", "SIGBREAK")


class Stopped(BaseException):
    """A signal asked the game to stop; `code` is the exit code."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number
        self.hung_up = number == getattr(signal, "SIGHUP", None)


@contextmanager
def stopping() -> Iterator[None]:
    """Raise Stopped at the first of these signals, and ignore further ones so that saving is not disturbed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    # Signals that are ignored stay ignored, as `nohup` requires.
    before = {number: signal.getsignal(number) for number in numbers}
    before = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}

    def stop(number: int, _frame: FrameType | None) -> None:
        deafen()
        raise Stopped(number)

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def deafen() -> None:
    """Ignore these signals until `stopping` ends, because the game is being saved for the last time."""
    if threading.current_thread() is threading.main_thread():
        for name in _NAMES:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)


def silence() -> None:
    """Discard output after the terminal has gone, so that nothing fails when the process ends."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nothing, stream.fileno())
        os.close(nothing)


# ---- Prepare the standard streams of a command, with few imports for a quick start
#
# Few modules are imported: a short simulation starts with this one.

def ready() -> None:
    """Discard output to closed streams, and replace characters that a stream cannot encode.

    A width or height of the terminal that is no positive number is ignored: with `COLUMNS=0` nothing would fit.
    """
    for name in ("COLUMNS", "LINES"):
        said = os.environ.get(name, "")
        if not (said.isdecimal() and int(said)):
            os.environ.pop(name, None)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - until the process ends
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def forget_unread() -> None:
    """Discard what nobody reads: Python flushes both streams when it ends, and would complain."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
