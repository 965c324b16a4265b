"""Texts as they can be shown: what acts on a terminal replaced, widths as a terminal has them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ruleset.diagnostic import Diagnostic

_TAB = "    "


def one_line(text: str) -> str:
    """The text without its line ends."""
    return " ".join(text.split())


def shown_line(text: str) -> str:
    """A line of source as it is shown."""
    return safe(text.replace("\t", _TAB)).rstrip()


_MOST_PLACES = 5


def like(more: Sequence[Diagnostic]) -> str:
    """One line for the other findings of a group: how many they are, and where the first of them are."""
    places = [safe(str(item.span)) for item in more[:_MOST_PLACES]]
    rest = "" if len(more) <= _MOST_PLACES else ", …"
    return f"and {len(more)} more like this: {', '.join(places)}{rest}"


def safe(text: str) -> str:
    """The text without characters that act on a terminal or turn its direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("\ufffd" if _acts(char) else char for char in text)


def _acts(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in _TURNING


_TURNING = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def width(text: str) -> int:
    """Columns that the text takes where it is shown."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if char == "\t":
        return len(_TAB)
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
