"""How a command stops early: with an exit code and one message."""

from __future__ import annotations

CLEAN, FINDINGS, USAGE, OURS = 0, 1, 2, 3
INTERRUPTED = 130
BROKEN_PIPE = 141


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Failure(Exception):  # noqa: N818 - not always an error of the program
    """A message for people, one line, and the exit code that goes with it.

    `report` is rendered already and printed as it is, before the message; `listed` are lines below it.
    """

    def __init__(self, message: str, code: int, report: str = "", listed: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.report = report
        self.listed = tuple(listed)


class Usage(Failure):
    """What was asked for cannot be done; the message says what is wrong and what is allowed."""

    def __init__(self, message: str, listed: Sequence[str] = ()) -> None:
        super().__init__(message, USAGE, listed=listed)
