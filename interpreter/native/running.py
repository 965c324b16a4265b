"""Running a compiler: bounded in time, with all that it started, and its complaint as one short text."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress

MOST_LINES = 6
MOST_CHARACTERS = 600
"""Of what a compiler complains about."""


class CompilerError(Exception):
    """A compiler could not be run, failed or took too long; the message is what it said first."""


class Running:
    """A compiler at work in a folder, also when this process ends. Raises CompilerError when it cannot begin."""

    def __init__(self, command: Sequence[str], place: str) -> None:
        try:
            self._said = tempfile.TemporaryFile()  # noqa: SIM115 - `result` closes it; a pipe would need a reader
        except OSError as error:
            raise CompilerError(f"there is no temporary folder: {error.strerror or error}") from None
        try:
            self._process = subprocess.Popen(
                command,
                cwd=place,
                env={**os.environ, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._said.close()
            raise CompilerError(f"it cannot be started: {getattr(error, 'strerror', None) or error}") from None

    def over(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def result(self, seconds: float) -> str:
        """Waits for it and gives what it printed. After so many seconds it is ended. Raises CompilerError."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise CompilerError(f"it did not end within {seconds:g} seconds") from None
        finally:  # also when somebody interrupts us
            self.end()
        if self._process.returncode:
            raise CompilerError(_first(self.said) or f"it ended with {self._process.returncode} and said nothing")
        return self.said

    def end(self) -> None:
        """Ends it, if it has not ended, with the processes that it has started."""
        if self._process.poll() is None:
            with suppress(OSError):
                if os.name == "posix":
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
            self._process.wait()
        if not self._said.closed:
            self._said.seek(0)
            self.said = self._said.read().decode("utf-8", "replace")
            self._said.close()

    def leave(self) -> None:
        """Lets it go on by itself: nobody will ask for its result."""
        self._said.close()
        self._process.returncode = self._process.poll() or 0  # else Python would complain of a process left behind


def run(command: Sequence[str], place: str, seconds: float) -> str:
    """Runs a command in a folder and gives what it printed. Raises CompilerError."""
    return Running(command, place).result(seconds)


def _first(said: str) -> str:
    """The first lines, as one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    text = "; ".join(lines[:MOST_LINES])
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
