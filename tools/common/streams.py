"""Prepare the standard streams of a command, with few imports for a quick start.

Few modules are imported: a short simulation starts with this one.
"""

from __future__ import annotations

import os
import sys


def ready() -> None:
    """Discard output to closed streams, and replace characters that a stream cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - until the process ends
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
