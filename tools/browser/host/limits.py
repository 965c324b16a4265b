"""How much time a request may take in a worker, by its kind."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.game.journal import Divergence, JournalError
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.untrusted import TimeLimitReached, bounded

ANSWERING = 3.0
READING = 2.0
OPENING = 12.0
SEARCHING = 20.0
PRINTING = 45.0
"""Seconds of processor time: to answer, to draw a page, to compile a pack or replay a journal, to find a moment, to
print."""
KINDS: Final = {
    "answer": ANSWERING, "bots": ANSWERING, "undo": ANSWERING, "open": OPENING, "folders": OPENING,
    "plain-table": OPENING, "no-moment": OPENING, "scenario-table": OPENING, "admit": OPENING, "next-step": OPENING,
    "renew": OPENING, "moment": SEARCHING, "replay_open": OPENING, "replay_page": OPENING, "replay_step": OPENING,
    "replay_look": OPENING, "replay_branch": OPENING, "replay_start": OPENING, "print-folders": OPENING,
    "balance-request": OPENING, "/print/preview": PRINTING, "/print/picture": PRINTING, "/print/file": PRINTING,
}  # fmt: skip
SHARE = 0.1
"""Seconds after which bots that play at once let others have the worker."""


def seconds_of(do: str) -> float:
    """Return the processor time that a request may take."""
    return KINDS.get(do, OPENING if do.startswith("/") else READING)


def patience_of(do: str) -> float:
    """Return the real time after which a worker is stopped that has not kept its own limit."""
    return 2 * seconds_of(do) + 2


# ---- Why a request could not be carried out, in a player's words

EXPLAINING = 1.0
"""Seconds of processor time to find out why a rule has failed."""


def told(error: Exception, language: str) -> str:
    """Say what has failed. Raises the error again if it is a fault of the program and faults are looked for."""
    words = words_of(language)
    if isinstance(error, Failure):
        return error.told(language)
    if isinstance(error, RuleFault):
        return _fault(error, language)
    if isinstance(error, Divergence | JournalError):
        spoken = error.spoken
        return spoken if isinstance(spoken, str) else spoken.text(language)
    if isinstance(error, TimeLimitReached):
        return words["too-long"]
    if isinstance(error, MemoryError | RecursionError):
        return words["too-much-memory"]
    if os.environ.get("RULEWRIGHT_DEBUG", "") not in ("", "0"):
        raise error
    return words["not-done"].format(error=type(error).__name__)


def _fault(fault: RuleFault, language: str) -> str:
    """Return a rule error with its explanation, if that can be found in time."""
    try:
        with bounded(EXPLAINING):
            return fault.told(language)
    except (TimeLimitReached, MemoryError):
        return fault.spoken.text(language)


@contextmanager
def named(pack: str, language: str) -> Iterator[None]:
    """Turn any error in reading a pack into a failure that names the pack. Findings stay as they are."""
    try:
        yield
    except Failure:
        raise
    except Exception as error:  # a pack can be wrong in any way
        raise Usage(f"{pack}: {told(error, language)}") from None


# ------------------------------------------------------------------ Frames between the server and its processes
#
# A frame is the length of a JSON text in bytes (four bytes, big-endian) and the text.

HEAD = 4
LONGEST = 64 * 1024 * 1024
"""Bytes of a frame."""
MEMORY = 3 * 1024 * 1024 * 1024
"""Bytes of address space of a process, where the system can bound it."""


def send(stream: BinaryIO, data: Any) -> None:
    """Write one frame."""
    stream.write(framed(data))
    stream.flush()


def framed(data: Any) -> bytes:
    """Return a frame."""
    text = json.dumps(data, separators=(",", ":")).encode()
    return len(text).to_bytes(HEAD, "big") + text


def receive(stream: BinaryIO) -> Any:
    """Read one frame; None at the end of the stream."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    size = int.from_bytes(head, "big")
    if size > LONGEST:
        return None
    text = stream.read(size)
    return json.loads(text) if len(text) == size else None


def bound_memory(most: int | None = MEMORY) -> None:
    """Bound the address space of this process and of those that it starts; None removes the bound."""
    if sys.platform != "linux":
        return
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard if most is None else most, hard))
