"""Stop a command early with an exit code and a message."""

from __future__ import annotations

CLEAN, FINDINGS, USAGE, OURS = 0, 1, 2, 3
INTERRUPTED = 130
BROKEN_PIPE = 141


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulewright.interpreter.views.refusals import Spoken


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
