"""Where cards are on a sheet of paper, and where to cut: in millimetres from the top left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from attrs import frozen

from rulewright.tools.common.errors import Usage
from rulewright.tools.faces import SIZE, Face, Looks
from rulewright.tools.pages.environment import STATIC

# ---- Sizes in millimetres: papers, cards, and how they are written on the command line

@frozen
class Size:
    """Width and height in millimetres."""

    width: float
    height: float

    @property
    def turned(self) -> Size:
        """The size in the other orientation."""
        return Size(self.height, self.width)

    def __str__(self) -> str:
        return f"{self.width:g} × {self.height:g} mm"


PAPERS = {"a4": Size(210, 297), "letter": Size(215.9, 279.4)}
CARD = Size(*SIZE)
"""The size of a card whose pack says nothing else."""
LEAST, MOST = 30.0, 200.0
MOST_BLEED = 10.0
_SIZE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,2})?)x([0-9]{1,3}(?:\.[0-9]{1,2})?)")
_LENGTH = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2})?")


def size_of(text: str) -> Size:
    """Parse `63x88`. Raises Usage."""
    found = _SIZE.fullmatch(text)
    size = Size(float(found[1]), float(found[2])) if found is not None else None
    if size is None or not (LEAST <= size.width <= MOST and LEAST <= size.height <= MOST):
        between = f"{LEAST:g} to {MOST:g}"
        raise Usage(f"--size takes width and height in mm, {between} each, such as 63x88, not {text!r}")
    return size


def card_size(looks: Looks, kind: str, wanted: Size | None) -> Size:
    """Return the size of the cards of a kind: the wanted one, or else the pack's."""
    return wanted if wanted is not None else Size(*looks.size(kind))


def bleed_of(text: str) -> float:
    """Parse a bleed in millimetres. Raises Usage."""
    if _LENGTH.fullmatch(text) is None or float(text) > MOST_BLEED:
        raise Usage(f"--bleed takes 0 to {MOST_BLEED:g} mm, such as 3, not {text!r}")
    return float(text)


# ---- Imposition

MARGIN = 5.0
"""Printers leave this much paper blank at each edge, as a rule."""
MARK, MARK_GAP, LEAST_MARK = 6.0, 2.0, 2.0
"""The length of a cut mark, its distance from the cards, and the length below which it does not help."""


@frozen
class CutMark:
    """A cut mark: from one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float


@frozen
class Imposition:
    """A sheet: its paper, a card's size and bleed, and the number of columns and rows of cards.

    Cards with bleed have twice the bleed between them, and each is cut alone; without bleed neighbours share a cut.
    """

    paper: Size
    card: Size
    bleed: float
    columns: int
    rows: int

    @property
    def per_sheet(self) -> int:
        return self.columns * self.rows

    @property
    def left(self) -> float:
        """The left edge of the first card, without its bleed: the block is in the middle of the paper."""
        return round((self.paper.width - self._block(self.columns, self.card.width)) / 2, 3)

    @property
    def top(self) -> float:
        return round((self.paper.height - self._block(self.rows, self.card.height)) / 2, 3)

    def xs(self) -> tuple[float, ...]:
        """Return the left edges of the columns."""
        return tuple(round(self.left + n * (self.card.width + 2 * self.bleed), 3) for n in range(self.columns))

    def ys(self) -> tuple[float, ...]:
        """Return the top edges of the rows."""
        return tuple(round(self.top + n * (self.card.height + 2 * self.bleed), 3) for n in range(self.rows))

    def place(self, number: int) -> tuple[float, float]:
        """Return the top left corner of a card on the front, row by row."""
        return self.xs()[number % self.columns], self.ys()[number // self.columns]

    def place_on_back(self, number: int) -> tuple[float, float]:
        """Return the corner of its back on the other side of the paper, which is turned over its long edge.

        On landscape paper, turning over the long edge swaps top and bottom instead of left and right.
        """
        column, row = number % self.columns, number // self.columns
        if self.paper.width > self.paper.height:
            return self.xs()[column], self.ys()[self.rows - 1 - row]
        return self.xs()[self.columns - 1 - column], self.ys()[row]

    def marks(self) -> tuple[CutMark, ...]:
        """Return the cut marks around the block: two for each edge of a column or row."""
        found: list[CutMark] = []
        width, height = self.paper.width, self.paper.height
        near, far = self.top - self.bleed - MARK_GAP, height - self.top + self.bleed + MARK_GAP
        for x in _edges(self.xs(), self.card.width):
            found += (CutMark(x, start, x, end) for start, end in _pair(near, far, height))
        near, far = self.left - self.bleed - MARK_GAP, width - self.left + self.bleed + MARK_GAP
        for y in _edges(self.ys(), self.card.height):
            found += (CutMark(start, y, end, y) for start, end in _pair(near, far, width))
        return tuple(found)

    def _block(self, count: int, length: float) -> float:
        return count * length + (count - 1) * 2 * self.bleed


def imposition(paper: Size, card: Size, bleed: float) -> Imposition:
    """Place as many cards as possible on a sheet, in the better orientation. Raises Usage if none fits."""
    found = max((_on(one, card, bleed) for one in (paper, paper.turned)), key=lambda one: one.per_sheet)
    if not found.per_sheet:
        with_bleed = f" with {bleed:g} mm of bleed" if bleed else ""
        raise Usage(f"a card of {card}{with_bleed} does not fit on {paper}; use smaller cards or less bleed")
    return found


def _on(paper: Size, card: Size, bleed: float) -> Imposition:
    return Imposition(
        paper, card, bleed, _fitting(paper.width, card.width, bleed), _fitting(paper.height, card.height, bleed)
    )


def _fitting(paper: float, card: float, bleed: float) -> int:
    """Count the cards in a row, each with bleed on both sides, between the margins."""
    return int((paper - 2 * MARGIN) // (card + 2 * bleed))


def _edges(starts: tuple[float, ...], length: float) -> list[float]:
    return sorted({round(edge, 3) for start in starts for edge in (start, start + length)})


def _pair(near: float, far: float, end: float) -> list[tuple[float, float]]:
    """Return where the marks before and after the block start and end; none if there is too little room."""
    length = min(MARK, near - 1)
    if length < LEAST_MARK:
        return []
    return [(round(near - length, 3), round(near, 3)), (round(far, 3), round(min(far + length, end), 3))]


# ---- The bundled typefaces: how wide a text is, and how it breaks into lines
#
# Advance widths come from the font files themselves (OpenType specification, tables `hmtx` and `cmap`).
# Kerning is not known here, so lines are kept a little shorter than they may be.

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


# ---- Fit the texts of a face onto a card: type and picture shrink step by step
#
# Lengths are in millimetres, type in points. The result is what the style sheet of a page needs; many cards
# have the same `Fit`.

FRAME = 2.5
"""The border around everything, so that an inexact cut does no harm."""
NAME_STEPS = (12.5, 11.5, 10.5, 9.5, 8.5, 7.5, 6.5)
TEXT_STEPS = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
FOOT_STEPS = (7.0, 6.5, 6.0, 5.5)
LEAST_NAME, LEAST_TEXT = 6.5, 6.0
"""Smaller type is not readable at arm's length."""
NAME_LINES = (1, 2, 2, 2, 3, 3, 12)
"""How many lines a name may have, by step; at last as many as it needs."""
NAME_LEADING, TEXT_LEADING = 1.13, 1.32
BAND_PADDING, NAME_SIDE = 1.0, 2.2
BAND = 9.0
TEXT_SIDE, TEXT_TOP, BETWEEN = 0.8, 2.0, 2.0
USUAL_TEXT = 24.0
"""Pictures of cards with a text are equally high, unless a text needs more room than this."""
FOOT, GAP, STRIPES = 4.6, 1.2, 1.2
GOOD_ART, SMALL_ART = 26.0, 15.0
"""The picture keeps this height until type is at its third step; then this one; at last it gives way."""


@frozen
class Fit:
    """The sizes of what is on a card. `above` is the space above its name, `art` 0 if there is no room for one."""

    name: float
    above: float
    text: float
    foot: float
    band: float
    art: float


@frozen
class Fitted:
    """A fit, and what does not fit: `name`, `text`, or `foot`."""

    fit: Fit
    too_long: tuple[str, ...] = ()


def fitted(face: Face, card: Size) -> Fitted:
    """Fit a face onto a card of a size."""
    scale = min(1.6, max(0.6, min(card.width / CARD.width, card.height / CARD.height)))
    inner = Size(card.width - 2 * FRAME, card.height - 2 * FRAME)
    too_long: list[str] = []
    name, above, band, fits = _name(face.name, inner, scale)
    if not fits:
        too_long.append("name")
    room = inner.height - band - GAP - FOOT - (STRIPES if face.stripes else 0)
    text, art, fits = _text((*face.paragraphs, *face.notes), inner.width, room, scale)
    if not fits:
        too_long.append("text")
    foot, fits = _foot(face, inner.width)
    if not fits:
        too_long.append("foot")
    return Fitted(Fit(name, round(above, 2), text, foot, round(band, 2), round(art, 2)), tuple(too_long))


def text_height(texts: Sequence[str], points: float, width: float, face: Typeface) -> float:
    """Return the height of paragraphs in a column."""
    column = width - 2 * TEXT_SIDE
    lines = sum(face.lines(text, points, column) for text in texts)
    return TEXT_TOP + lines * points * TEXT_LEADING * MM_PER_POINT + max(0, len(texts) - 1) * BETWEEN


def _name(name: str, inner: Size, scale: float) -> tuple[float, float, float, bool]:
    """Return the type of a name, the space above it, the height of its band, and whether it fits."""
    face, width, most = typeface("serif-bold"), inner.width - 2 * NAME_SIDE, inner.height * 0.5
    points, above, band = 0.0, 0.0, 0.0
    for step, allowed in zip(NAME_STEPS, NAME_LINES, strict=True):
        points = max(LEAST_NAME, step * scale)
        lines = face.lines(name, points, width)
        height = lines * points * NAME_LEADING * MM_PER_POINT
        band = max(BAND * scale, 2 * BAND_PADDING + height)
        above = (band - height) / 2
        whole = all(face.width(word, points) <= width for word in name.split())
        if lines <= allowed and band <= most and (whole or points == LEAST_NAME):
            return points, above, band, True
    return points, above, min(band, most), False


def _text(texts: Sequence[str], width: float, room: float, scale: float) -> tuple[float, float, bool]:
    """Return the type of the texts, the height of the picture, and whether everything fits."""
    if not texts:
        return TEXT_STEPS[0], room, True
    face = typeface("sans")
    for pictures, steps in ((GOOD_ART, TEXT_STEPS[:3]), (SMALL_ART, TEXT_STEPS[2:]), (0.0, TEXT_STEPS[-1:])):
        for step in steps:
            points = max(LEAST_TEXT, step * scale)
            needed = text_height(texts, points, width, face)
            if needed + pictures * scale <= room:
                art = room - max(needed, USUAL_TEXT * scale)
                return points, art if art >= pictures * scale else room - needed, True
    return LEAST_TEXT, 0.0, False


def _foot(face: Face, width: float) -> tuple[float, bool]:
    """Return the type of the line at the foot, and whether it fits."""
    words = f"{face.kind_name}   {', '.join(face.members)}"
    for points in FOOT_STEPS:
        if typeface("sans").width(words, points) <= width - 2 * TEXT_SIDE:
            return points, True
    return FOOT_STEPS[-1], False
