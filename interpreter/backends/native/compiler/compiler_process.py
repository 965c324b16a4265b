"""Run a compiler with limits of time and output, and report its error as one line."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from math import ceil

MOST_LINES = 6
MOST_CHARACTERS = 600
"""Of what a compiler complains about."""
MOST_READ = 64 * 1024
"""Bytes of what it prints; the rest is not read."""
MOST_WRITTEN = 64 * 1024 * 1024
"""Bytes of each file that it writes: some hundred times those of a large library. Windows has no such bound."""


class CompilerError(Exception):
    """A compiler could not be run, failed or took too long; the message is what it said first."""


class Running:
    """A compiler at work in a folder, also when this process ends. Raises CompilerError when it cannot begin.

    It has so many seconds. With `mark`, a file of this name is made in the folder as soon as it has ended well,
    also when nobody waits for it any more; not on Windows.
    """

    def __init__(self, command: Sequence[str], place: str, seconds: float, mark: str = "") -> None:
        self._seconds, self._until = seconds, time.monotonic() + seconds
        try:
            self._said = tempfile.TemporaryFile()  # noqa: SIM115 - `result` closes it; a pipe would need a reader
        except OSError as error:
            raise CompilerError(f"there is no temporary folder: {error.strerror or error}") from None
        try:
            self._process = subprocess.Popen(
                _bounded(command, seconds, mark),
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
        """Whether it has ended, or its time is up: `result` is there at once."""
        return self._process.poll() is not None or time.monotonic() >= self._until

    def result(self) -> str:
        """Waits for it and gives what it printed. When its time is up it is ended. Raises CompilerError."""
        try:
            self._process.wait(max(0.0, self._until - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise CompilerError(f"it did not end within {self._seconds:g} seconds") from None
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
            self.said = self._said.read(MOST_READ).decode("utf-8", "replace")
            self._said.close()

    def leave(self) -> None:
        """Lets it go on by itself: nobody will ask for its result."""
        self._said.close()
        self._process.returncode = self._process.poll() or 0  # else Python would complain of a process left behind


def run(command: Sequence[str], place: str, seconds: float) -> str:
    """Runs a command in a folder and gives what it printed. Raises CompilerError."""
    return Running(command, place, seconds).result()


def _bounded(command: Sequence[str], seconds: float, mark: str) -> Sequence[str]:
    """The command with bounds of its own, in case nobody sees to it: of processor time, and of what it writes.

    It uses nothing but the shell itself, which counts files in blocks of 512 bytes.
    """
    if os.name == "nt":
        return command
    bounds = f"ulimit -t {ceil(seconds)} 2>/dev/null; ulimit -f {MOST_WRITTEN // 512} 2>/dev/null"
    what = f'"$@" && : > {mark}' if mark else 'exec "$@"'
    return ("/bin/sh", "-c", f"{bounds}; {what}", "sh", *command)


def _first(said: str) -> str:
    """The first lines, as one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    text = "; ".join(lines[:MOST_LINES])
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
