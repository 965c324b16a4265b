"""Report an exception that ends a command: one message on stderr, and the exit code."""

from __future__ import annotations

import os
import re
import sys
import traceback

import click

from rulewright.tools.common.errors import INTERRUPTED, OURS, USAGE, Failure
from rulewright.tools.common.output import harmless, warn

DEBUG = "RULEWRIGHT_DEBUG"
"""The environment variable that prints the traceback of an internal error."""


def reported(error: BaseException) -> int:
    """Print the message about an exception; return the exit code."""
    sys.stdout.flush()
    if isinstance(error, Failure):
        return _failed(error)
    if isinstance(error, click.ClickException):
        warn(_words(error))
        return USAGE
    if isinstance(error, KeyboardInterrupt | click.Abort):
        warn("interrupted")
        return INTERRUPTED
    if isinstance(error, OSError):
        warn(f"cannot use {error.filename or 'the output'}: {error.strerror}")
        return USAGE
    if os.environ.get(DEBUG, "") not in ("", "0"):
        for part in traceback.format_exception(error):
            first, *more = part.splitlines()
            print("\n    ".join(map(harmless, (first, *more))), file=sys.stderr)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    warn(
        f"internal error: {what}; please report it as a bug, with the command and the pack "
        f"({DEBUG}=1 prints the traceback)"
    )
    return OURS


def _failed(failure: Failure) -> int:
    if not failure.report:
        warn(failure.message)
    else:
        sys.stderr.write(failure.report)
        print(harmless(failure.message), file=sys.stderr)
    for line in failure.listed:
        print(harmless(f"  {line}"), file=sys.stderr)
    return failure.code


def _words(error: click.ClickException) -> str:
    """Format Click's message as one line, with the command that it is about."""
    message = " ".join(error.format_message().split()).rstrip(".")
    message = re.sub(r"[.:]? \(?Did you mean (?:one of: )?(.*?)\??\)?\Z", r"; did you mean \1?", message)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "rulewright"
    return f"{message[:1].lower()}{message[1:]} (see {path} --help)"
