"""Prepare the standard streams of a command, with few imports for a quick start.

Few modules are imported: a short simulation starts with this one.
"""

from __future__ import annotations

import os
import sys


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
