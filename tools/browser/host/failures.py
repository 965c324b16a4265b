"""Why a request could not be carried out, in a player's words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.game.journal import Divergence, JournalError
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.untrusted import TooLong, bounded

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
    if isinstance(error, TooLong):
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
    except (TooLong, MemoryError):
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
