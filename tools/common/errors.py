"""Stop a command early with an exit code and a message."""

from __future__ import annotations

CLEAN, FINDINGS, USAGE, OURS = 0, 1, 2, 3
INTERRUPTED = 130
BROKEN_PIPE = 141


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Failure(Exception):  # noqa: N818 - not always an error of the program
    """A message for the user, one line, and the exit code.

    `report` is already rendered, and printed unchanged before the message; `listed` are lines after it.
    """

    def __init__(self, message: str, code: int, report: str = "", listed: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.report = report
        self.listed = tuple(listed)


class Usage(Failure):
    """An invalid request; the message says what is wrong and what is allowed."""

    def __init__(self, message: str, listed: Sequence[str] = ()) -> None:
        super().__init__(message, USAGE, listed=listed)
