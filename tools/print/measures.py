"""Sizes in millimetres: papers, cards, and how they are written on the command line."""

from __future__ import annotations

import re

from attrs import frozen

from rulewright.tools.common.errors import Usage
from rulewright.tools.faces.looks import SIZE, Looks


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
