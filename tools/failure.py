"""How a command stops early: with an exit code and one message."""

from __future__ import annotations

CLEAN, FINDINGS, USAGE, OURS = 0, 1, 2, 3
INTERRUPTED = 130
BROKEN_PIPE = 141


class Failure(Exception):  # noqa: N818 - not always an error of the program
    """A message for people and the exit code that goes with it."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class Usage(Failure):
    """What was asked for cannot be done; the message says what is wrong and what is allowed."""

    def __init__(self, message: str) -> None:
        super().__init__(message, USAGE)
