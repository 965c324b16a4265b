"""How much time a request may take in a worker, by its kind."""

from __future__ import annotations

from typing import Final

ANSWERING = 3.0
READING = 2.0
OPENING = 12.0
"""Seconds of processor time: to answer, to draw a page, and to compile a pack or replay a journal."""
KINDS: Final = {
    "answer": ANSWERING, "bots": ANSWERING, "undo": ANSWERING, "open": OPENING, "lobby": OPENING, "form": OPENING,
    "changes": OPENING,
}  # fmt: skip
SHARE = 0.1
"""Seconds after which bots that play at once let others have the worker."""


def seconds_of(do: str) -> float:
    """Return the processor time that a request may take."""
    return KINDS.get(do, READING)


def patience_of(do: str) -> float:
    """Return the real time after which a worker is stopped that has not kept its own limit."""
    return 2 * seconds_of(do) + 2
