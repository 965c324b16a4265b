"""Run a compiler with limits of time and output, and report its error as one line."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from multiprocessing.util import Finalize

MOST_LINES = 6
MOST_CHARACTERS = 600
"""Of what a compiler complains about."""
MOST_READ = 64 * 1024
"""Bytes of what it prints; the rest is not read."""
MOST_WRITTEN = 64 * 1024 * 1024
"""Bytes of each file that it writes: some hundred times those of a large library. Windows has no such bound."""


class CompilerError(Exception):
    """A compiler could not be run, failed or took too long; the message is what it said first."""


def run(command: Sequence[str], place: str, seconds: float) -> str:
    """Runs a command in a folder, for at most `seconds`, and gives what it printed. Raises CompilerError.

    It is ended, with the processes that it has started, when its time is up, when somebody interrupts us, and when
    this process ends, which a thread that waits here does not prevent.
    """
    try:
        said = tempfile.TemporaryFile()  # noqa: SIM115 - closed below; a pipe would need a reader
    except OSError as error:
        raise CompilerError(f"there is no temporary folder: {error.strerror or error}") from None
    with said:
        try:
            process = subprocess.Popen(
                _bounded(command, seconds),
                cwd=place,
                env={**os.environ, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise CompilerError(f"it cannot be started: {getattr(error, 'strerror', None) or error}") from None
        end = Finalize(None, _end, (process,), exitpriority=1)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise CompilerError(f"it did not end within {seconds:g} seconds") from None
        finally:
            end()
        said.seek(0)
        told = said.read(MOST_READ).decode("utf-8", "replace")
    if process.returncode:
        raise CompilerError(_first(told) or f"it ended with {process.returncode} and said nothing")
    return told


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process, if it has not ended, with those that it has started."""
    if process.poll() is None:
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()


def _bounded(command: Sequence[str], seconds: float) -> Sequence[str]:
    """The command with bounds of its own, in case nobody sees to it: of processor time, and of what it writes.

    It uses nothing but the shell itself, which counts files in blocks of 512 bytes.
    """
    if os.name == "nt":
        return command
    bounds = f"ulimit -t {ceil(seconds)} 2>/dev/null; ulimit -f {MOST_WRITTEN // 512} 2>/dev/null"
    return ("/bin/sh", "-c", f'{bounds}; exec "$@"', "sh", *command)


def _first(said: str) -> str:
    """The first lines, as one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    text = "; ".join(lines[:MOST_LINES])
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
