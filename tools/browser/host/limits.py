"""How much time a request may take in a worker, by its kind."""

from __future__ import annotations

from typing import Final

ANSWERING = 3.0
READING = 2.0
OPENING = 12.0
SEARCHING = 20.0
PRINTING = 45.0
"""Seconds of processor time: to answer, to draw a page, to compile a pack or replay a journal, to find a moment, to
print."""
KINDS: Final = {
    "answer": ANSWERING, "bots": ANSWERING, "undo": ANSWERING, "open": OPENING, "lobby": OPENING, "form": OPENING,
    "changes": OPENING, "gallery": OPENING, "gallery-card": OPENING, "folders": OPENING, "plain-table": OPENING,
    "no-moment": OPENING, "scenarios": OPENING, "outcomes": OPENING, "scenario-table": OPENING, "admit": OPENING,
    "next-step": OPENING, "renew": OPENING, "moment": SEARCHING, "replay_open": OPENING, "replay_page": OPENING,
    "replay_step": OPENING, "replay_look": OPENING, "replay_branch": OPENING, "replay_start": OPENING,
    "replay_list": OPENING, "print": OPENING, "print-form": OPENING, "print-folders": OPENING,
    "balance": OPENING, "balance-form": OPENING, "balance-request": OPENING, "print-preview": PRINTING,
    "print-picture": PRINTING, "print-file": PRINTING,
}  # fmt: skip
SHARE = 0.1
"""Seconds after which bots that play at once let others have the worker."""


def seconds_of(do: str) -> float:
    """Return the processor time that a request may take."""
    return KINDS.get(do, READING)


def patience_of(do: str) -> float:
    """Return the real time after which a worker is stopped that has not kept its own limit."""
    return 2 * seconds_of(do) + 2
