"""Stop a command early with an exit code and a message."""

from __future__ import annotations

import os
import re
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.ruleset.common.regular_files import regular
from rulewright.tools.common.output import harmless, warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulewright.interpreter.views.refusals import Spoken


CLEAN, FINDINGS, USAGE, OURS = 0, 1, 2, 3
INTERRUPTED = 130
BROKEN_PIPE = 141




class Failure(Exception):  # noqa: N818 - not always an error of the program
    """A message for the user, one line, and the exit code.

    `message` is in English, `spoken` may also be in other languages: `told` gives it for a player.
    `report` is already rendered, and printed unchanged before the message; `listed` are lines after it.
    """

    def __init__(self, message: str | Spoken, code: int, report: str = "", listed: Sequence[str] = ()) -> None:
        super().__init__(str(message))
        self.message = str(message)
        self.spoken = message
        self.code = code
        self.report = report
        self.listed = tuple(listed)

    def told(self, language: str) -> str:
        """Return the message in a language, if it is known in it."""
        return self.spoken if isinstance(self.spoken, str) else self.spoken.text(language)


class Usage(Failure):
    """An invalid request; the message says what is wrong and what is allowed."""

    def __init__(self, message: str | Spoken, listed: Sequence[str] = ()) -> None:
        super().__init__(message, USAGE, listed=listed)


# ---- Report an exception that ends a command: one message on stderr, and the exit code

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


# ---- Protect files of the user: a command replaces an earlier output of its own, but no other file

_READ = 4096
"""Bytes at the beginning of a file that are looked at."""


def check_replaceable(path: str | Path, option: str, beginning: bytes) -> None:
    """Raise Usage if the file exists and is neither empty nor an earlier output of this command.

    `beginning` is a regular expression that the first bytes of each such output match. `option` is what the user
    typed before the path.
    """
    try:
        handle = regular(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Usage(f"{option} {path}: cannot be replaced: {error.strerror or error}; name another file") from None
    with open(handle, "rb") as file:
        found = file.read(_READ)
    if found and not re.match(beginning, found, re.DOTALL):
        raise Usage(
            f"{option} {path}: the file exists and is not an earlier output of this command; name another file, or "
            "delete it first"
        )
