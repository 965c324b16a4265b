"""Hints for unknown names."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.ruleset.common.listing import MOST_LISTED, listed
from rulewright.ruleset.common.nearest import alike, nearest


def meant(word: str, names: Iterable[str], what: str) -> str | None:
    """Suggest the nearest name; if none is near enough, list them, or of many those that are like the word."""
    known = list(dict.fromkeys(names))
    near = nearest(word, known)
    if near:
        return f"did you mean `{near}`?"
    if len(known) > MOST_LISTED:
        known = [*alike(word, known), *known]
    return f"{what}: {listed(known)}" if known else None
