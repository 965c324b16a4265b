"""Where cards are on a sheet of paper, and where to cut: in millimetres from the top left."""

from __future__ import annotations

import re

from attrs import frozen

from rulewright.tools.common.errors import Usage
from rulewright.tools.faces.looks import SIZE, Looks

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


# ------------------------------------------------------------------ imposition: the rest

MARGIN = 5.0
"""Printers leave this much paper blank at each edge, as a rule."""
MARK, MARK_GAP, LEAST_MARK = 6.0, 2.0, 2.0
"""The length of a cut mark, its distance from the cards, and the length below which it does not help."""


@frozen
class Line:
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

    def marks(self) -> tuple[Line, ...]:
        """Return the cut marks around the block: two for each edge of a column or row."""
        found: list[Line] = []
        width, height = self.paper.width, self.paper.height
        near, far = self.top - self.bleed - MARK_GAP, height - self.top + self.bleed + MARK_GAP
        for x in _edges(self.xs(), self.card.width):
            found += (Line(x, start, x, end) for start, end in _pair(near, far, height))
        near, far = self.left - self.bleed - MARK_GAP, width - self.left + self.bleed + MARK_GAP
        for y in _edges(self.ys(), self.card.height):
            found += (Line(start, y, end, y) for start, end in _pair(near, far, width))
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
