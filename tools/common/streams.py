"""The streams of a command, whatever it was started with. Little is imported: a short simulation begins with it."""

from __future__ import annotations

import os
import sys


def ready() -> None:
    """What is written to a stream that is closed goes nowhere, and letters that one cannot show are replaced."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
