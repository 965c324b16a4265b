"""Hints for unknown names."""

from __future__ import annotations

from collections.abc import Iterable

from ruleset.common.listing import listed
from ruleset.common.nearest import nearest


def meant(word: str, names: Iterable[str], what: str) -> str | None:
    """Suggest the nearest name, or list the first few."""
    known = list(names)
    near = nearest(word, known)
    if near:
        return f"did you mean `{near}`?"
    return f"{what}: {listed(known)}" if known else None
