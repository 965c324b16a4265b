"""Characters beyond ASCII: those that the table is drawn with, and what stands for them where they cannot be shown.

Streams that are opened with the error handler `PLAIN` show a near character for each that their encoding lacks.
"""

from __future__ import annotations

import codecs
import unicodedata

from attrs import frozen


@frozen
class Glyphs:
    """`times` stands before a count, `nought` for a zero, `only` marks what is hidden from all others."""

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
    """The characters for a stream of some encoding."""
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
    """A letter without its accent, a mark's nearest in ASCII, or a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    shown = ""
    for character in error.object[error.start : error.end]:
        near = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
        shown += _NEAR.get(character, near or "?")
    return shown, error.end


codecs.register_error(PLAIN, _plain)
