"""Non-ASCII characters used in tables, and their replacements on streams that cannot show them.

Streams with the error handler `PLAIN` replace each character missing from their encoding by a similar one.
"""

from __future__ import annotations

import codecs
import unicodedata

from attrs import frozen


@frozen
class Glyphs:
    """Characters of tables: `times` precedes a count, `nought` is a zero, `only` marks what others cannot see."""

    times: str
    nought: str
    only: str
    dot: str
    arrow: str
    asked: str
    dash: str


FULL = Glyphs("×", "·", "◦", "·", "›", "▸", "–")
ASCII = Glyphs("x", ".", "*", "-", ">", ">", "-")


def glyphs(encoding: str) -> Glyphs:
    """Return the characters for a stream with this encoding."""
    try:
        "".join(getattr(FULL, name) for name in ("times", "only", "arrow", "asked", "dash")).encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return FULL


PLAIN = "rulewright-plain"
"""The name of the error handler."""
_NEAR = {
    "·": "-",
    "–": "-",
    "—": "-",
    "─": "-",
    "…": "...",
    "×": "x",
    "›": ">",
    "▸": ">",
    "◦": "*",
    "¿": "",
    "¡": "",
}
_NEAR |= {"‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"'}


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace a character by its base letter, the nearest ASCII text, or a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    shown = ""
    for character in error.object[error.start : error.end]:
        near = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
        shown += _NEAR.get(character, near or "?")
    return shown, error.end


codecs.register_error(PLAIN, _plain)
