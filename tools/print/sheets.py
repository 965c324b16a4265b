"""The sheets of a deck as models: which card is where, how it is fitted, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulewright.tools.faces.face import Face
from rulewright.tools.print.deck import Item
from rulewright.tools.print.fitting import Fit, fitted
from rulewright.tools.print.imposition import Imposition


@frozen
class Placed:
    """A card on a sheet, by the number of its fit, and its top left corner in millimetres."""

    face: Face
    fit: int
    x: float
    y: float


@frozen
class Sheet:
    """One side of a sheet of paper. `number` counts from 1; backs have the number of their front."""

    number: int
    back: bool
    cards: tuple[Placed, ...]


@frozen
class Sheets:
    """All sides, in the order of printing, and the fits of their cards. `too_long` are a face and its parts."""

    imposition: Imposition
    sides: tuple[Sheet, ...]
    fits: tuple[Fit, ...]
    count: int
    too_long: tuple[tuple[Face, tuple[str, ...]], ...]


def sheets(items: Sequence[Item], laid: Imposition, backs: bool) -> Sheets:
    """Place the cards on sheets, each with its back after it if `backs`."""
    fits: dict[Fit, int] = {}
    too_long: list[tuple[Face, tuple[str, ...]]] = []
    cards: list[tuple[Face, int]] = []
    for item in items:
        found = fitted(item.face, laid.card)
        number = fits.setdefault(found.fit, len(fits))
        cards += [(item.face, number)] * item.copies
        if found.too_long:
            too_long.append((item.face, found.too_long))
    sides = tuple(_sides(cards, laid, backs))
    return Sheets(laid, sides, tuple(fits), -(-len(cards) // laid.per_sheet), tuple(too_long))


def _sides(cards: Sequence[tuple[Face, int]], laid: Imposition, backs: bool) -> Iterator[Sheet]:
    places = [laid.place(number) for number in range(laid.per_sheet)]
    behind = [laid.place_on_back(number) for number in range(laid.per_sheet)]
    for number in range(-(-len(cards) // laid.per_sheet)):
        part = cards[number * laid.per_sheet : (number + 1) * laid.per_sheet]
        for back in (False, True) if backs else (False,):
            corners = behind if back else places
            placed = (Placed(face, fit, x, y) for (face, fit), (x, y) in zip(part, corners, strict=False))
            yield Sheet(number + 1, back, tuple(placed))
