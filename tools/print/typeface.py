"""The bundled typefaces: how wide a text is, and how it breaks into lines.

Advance widths come from the font files themselves (OpenType specification, tables `hmtx` and `cmap`). Kerning is
not known here, so lines are kept a little shorter than they may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from attrs import frozen

from rulewright.tools.pages.environment import STATIC

FONTS = STATIC / "fonts"
FACES = {
    "serif": ("source-serif-4-latin-400-normal", "source-serif-4-latin-ext-400-normal"),
    "serif-bold": ("source-serif-4-latin-600-normal", "source-serif-4-latin-ext-600-normal"),
    "sans": ("inter-latin-400-normal", "inter-latin-ext-400-normal"),
}
"""The files of each face; a character is taken from the first that has it."""
MM_PER_POINT = 25.4 / 72
SAFETY = 1.015
"""Lines are counted as this much wider, for kerning."""
WIDEST = 1.0
"""The width of an unknown character, in em: as wide as it is high."""
_BREAKS = re.compile(r"(?<=[-–—/])(?=\w)| +")


@frozen
class Typeface:
    """A face with the advance widths of its characters, in em."""

    widths: Mapping[str, float]

    def width(self, text: str, points: float) -> float:
        """Return the width of a text on one line, in millimetres."""
        em = sum(self.widths.get(char, WIDEST) for char in text)
        return em * points * MM_PER_POINT * SAFETY

    def lines(self, text: str, points: float, width: float) -> int:
        """Count the lines of a text in a column; a word that is wider than the column is broken anywhere."""
        count, room = 0, 0.0
        space = self.width(" ", points)
        for word, spaced in _words(text):
            needed = self.width(word, points)
            gap = space if spaced else 0.0
            if count and needed + gap <= room:
                room -= needed + gap
                continue
            whole, rest = self._broken(word, points, width) if needed > width else (0, needed)
            count += whole + 1
            room = width - rest
        return count

    def lacks(self, text: str) -> str:
        """Return the characters of a text that the face does not have."""
        return "".join(dict.fromkeys(char for char in text if char not in self.widths))

    def _broken(self, word: str, points: float, width: float) -> tuple[int, float]:
        """Return how many whole lines a long word fills, and the width of its rest."""
        whole, used = 0, 0.0
        for char in word:
            needed = self.width(char, points)
            if used + needed > width and used:
                whole, used = whole + 1, 0.0
            used += needed
        return whole, used


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts between which a line may break, and whether a space precedes them."""
    start, spaced = 0, False
    for found in _BREAKS.finditer(text):
        yield text[start : found.start()], spaced
        start, spaced = found.end(), bool(found.group())
    if text[start:] or not start:
        yield text[start:], spaced


@cache
def typeface(name: str) -> Typeface:
    """Return a face of `FACES`; its files are read once for each process."""
    widths: dict[str, float] = {}
    for file in reversed(FACES[name]):
        widths |= _widths(FONTS / f"{file}.woff2")
    return Typeface(widths)


def _widths(file: Path) -> dict[str, float]:
    from fontTools.ttLib import TTFont  # imported late: most commands print nothing

    with TTFont(file, lazy=True) as font:
        em, advances = font["head"].unitsPerEm, font["hmtx"]
        return {chr(code): advances[glyph][0] / em for code, glyph in font.getBestCmap().items()}
