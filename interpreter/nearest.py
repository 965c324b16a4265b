"""The known name that an unknown one was perhaps meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar known name, or None when none is similar.

    >>> nearest("towr", ["sword", "tower"])
    'tower'
    """
    found = get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return found[0] if found else None
