"""Cards for Tabletop Simulator: images with a grid of faces, and a saved object with decks.

The format is that of https://kb.tabletopsimulator.com/custom-content/save-file-format/ (a save file whose outer
fields are empty is a saved object) and https://kb.tabletopsimulator.com/custom-content/custom-deck/ (a sheet has at
most 10 columns and 7 rows, and its last place is for the face that others see of a card in a hand). A card's id is
100 times the number of its sheet in `CustomDeck`, plus its place on the sheet, row by row from 0. With
`BackIsHidden` the back is what others see of a card in a hand; `UniqueBack` would make the back a grid, too. Cards
that are wider than high are `SidewaysCard`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from rulewright.tools.faces.face import Face
from rulewright.tools.pages.environment import page
from rulewright.tools.print.about import About
from rulewright.tools.print.card_pages import Back, back_drawing, card_styles, deck_backs, grid_styles, shapes
from rulewright.tools.print.deck import Item
from rulewright.tools.print.fitting import Fit, fitted
from rulewright.tools.print.imposition import Size, card_size
from rulewright.tools.print.typesetter import MM_PER_INCH

COLUMNS, ROWS = 10, 7
MOST = COLUMNS * ROWS - 1
"""The last place of a full sheet is for the hidden face."""
DOTS_PER_INCH, MOST_DOTS = 150, 4096
"""The resolution of images, and the most dots in a row or column."""
TooLong = tuple[tuple[Face, tuple[str, ...]], ...]


@frozen
class Grid:
    """A sheet of cards of a size and with a back. `cards` are row by row; the last place shows the back."""

    back: Back
    size: Size
    columns: int
    rows: int
    cards: tuple[Item, ...]


def grids(about: About, items: Sequence[Item], size: Size | None) -> tuple[Grid, ...]:
    """Divide cards into sheets, by their backs and sizes. Each different card is on a sheet once."""
    backs = deck_backs(about, [item.face for item in items])
    by_back: dict[tuple[Back, Size], list[Item]] = {}
    for item in items:
        by_back.setdefault((backs[item.face.kind], card_size(about.looks, item.face.kind, size)), []).append(item)
    return tuple(
        _grid(*which, of_back[start : start + MOST])
        for which, of_back in by_back.items()
        for start in range(0, len(of_back), MOST)
    )


def _grid(back: Back, size: Size, cards: Sequence[Item]) -> Grid:
    """Return a sheet as small as possible, of at least 2 × 2 places."""
    columns = min(COLUMNS, max(2, len(cards) + 1))
    return Grid(back, size, columns, max(2, -(-(len(cards) + 1) // columns)), tuple(cards))


def grid_pages(about: About, found: Sequence[Grid]) -> tuple[list[str], TooLong]:
    """Return a page for each sheet with its back, and the faces with parts that do not fit."""
    too_long: list[tuple[Face, tuple[str, ...]]] = []
    pages = []
    for grid in found:
        fits: dict[Fit, int] = {}
        cards = []
        for item in grid.cards:
            made = fitted(item.face, grid.size)
            cards.append((item.face, fits.setdefault(made.fit, len(fits))))
            if made.too_long:
                too_long.append((item.face, made.too_long))
        pages.append(_page(about, grid, cards, [*fits]))
    return pages, tuple(too_long)


def _page(about: About, grid: Grid, cards: Sequence[tuple[Face, int]], fits: Sequence[Fit]) -> str:
    return page(
        "print_grid.html",
        language=about.language,
        title=about.game,
        styles=card_styles(about.looks, grid_styles(grid.size, fits, grid.back.label, grid.columns, grid.rows)),
        grid=grid,
        cards=cards,
        back_svg=lambda back: back_drawing(grid.size, back),
        **shapes(about),
    )


def resolution(found: Sequence[Grid]) -> int:
    """Return the dots per inch at which no image is too big."""
    longest = max(max(grid.columns * grid.size.width, grid.rows * grid.size.height) for grid in found)
    return min(DOTS_PER_INCH, int(MOST_DOTS * MM_PER_INCH / longest))


def saved_object(about: About, found: Sequence[Grid], files: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return the saved object. `files` are the addresses of the face and the back of each sheet."""
    decks = {
        str(number): {
            "FaceURL": face,
            "BackURL": back,
            "NumWidth": grid.columns,
            "NumHeight": grid.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": 0,
        }
        for number, (grid, (face, back)) in enumerate(zip(found, files, strict=True), 1)
    }
    by_look: dict[tuple[Back, Size], list[tuple[int, Face]]] = {}
    for number, grid in enumerate(found, 1):
        for place, item in enumerate(grid.cards):
            cards = by_look.setdefault((grid.back, grid.size), [])
            cards += [(100 * number + place, item.face)] * item.copies
    objects = [_object(look, cards, decks, at) for at, (look, cards) in enumerate(by_look.items())]
    return {
        "SaveName": "",
        "GameMode": "",
        "Date": "",
        "Table": "",
        "Sky": "",
        "Note": "",
        "Rules": "",
        "PlayerTurn": "",
        "ObjectStates": objects,
    }


def _object(
    look: tuple[Back, Size], cards: Sequence[tuple[int, Face]], decks: Mapping[str, Mapping[str, Any]], at: int
) -> dict[str, Any]:
    """Return the deck of all cards with a back and a size; a single card is no deck."""
    back, size = look
    sideways = size.width > size.height
    single = [_card(number, face, decks, sideways) for number, face in cards]
    if len(single) == 1:
        return {**single[0], "Transform": _transform(3 * at)}
    ids = [number for number, _ in cards]
    return {
        "Name": "DeckCustom",
        "Transform": _transform(3 * at),
        "Nickname": back.label,
        "Description": "",
        "SidewaysCard": sideways,
        "DeckIDs": ids,
        "CustomDeck": {key: decks[key] for key in dict.fromkeys(str(number // 100) for number in ids)},
        "ContainedObjects": single,
    }


def _card(number: int, face: Face, decks: Mapping[str, Mapping[str, Any]], sideways: bool) -> dict[str, Any]:
    """Return a card. One that is drawn from a sheet is a `Card`; `CardCustom` has an image of its own."""
    key = str(number // 100)
    return {
        "Name": "Card",
        "Transform": _transform(0),
        "Nickname": face.name,
        "Description": "\n\n".join((*face.paragraphs, *face.notes)),
        "CardID": number,
        "SidewaysCard": sideways,
        "CustomDeck": {key: decks[key]},
    }


def _transform(x: float) -> dict[str, float]:
    """Return a place on the table, face down."""
    place = {"posX": float(x), "posY": 1.0, "posZ": 0.0}
    return {**place, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}
