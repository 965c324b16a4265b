"""Lists of names in messages."""

from __future__ import annotations

from collections.abc import Iterable

_MOST = 8


def listed(words: Iterable[str], last: str = "and", *, quoted: bool = True) -> str:
    """Join words without duplicates, as in `a`, `b` or `c`; long lists are shortened."""
    shown = list(dict.fromkeys(f"`{word}`" if quoted else word for word in words))
    if len(shown) > _MOST:
        return ", ".join(shown[:_MOST]) + f" {last} {len(shown) - _MOST} more"
    if len(shown) < 2:
        return "".join(shown)
    return ", ".join(shown[:-1]) + f" {last} {shown[-1]}"
