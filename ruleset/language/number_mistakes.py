"""Explain numbers that are not written as whole numbers: `4.5`, `010`, `0x10`, `1_000`, `.inf`."""

from __future__ import annotations

import re

from rulewright.ruleset.common.whole_numbers import WHOLE, number_hint
from rulewright.ruleset.language.syntax_errors import Mistake

_LIKE = re.compile(r"(?<![\w.,-])(?:\.?\d|\.inf(?!\w))(?:\w|[.,](?=\w))*")


def number_mistake(text: str, refused: Mistake) -> Mistake | None:
    """Return the mistake about a number at the place where parsing stopped; None if it is about something else."""
    for found in _LIKE.finditer(text):
        if found.start() <= refused.end and refused.start <= found.end() and WHOLE.fullmatch(found[0]) is None:
            hint = number_hint(found[0])
            return not_whole(found[0], found.start(), found.end()) if hint is not None else None
    return None


def not_whole(word: str, start: int, end: int) -> Mistake:
    """Return the mistake about a word that means a number and is not written as a whole one."""
    return Mistake("RW414", start, end, f"`{word}` is not a whole number", number_hint(word))
