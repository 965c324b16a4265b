"""The pages of a deck's sheets, as HTML for print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from tools.faces.face import Face
from tools.pages.environment import page
from tools.print.about import About
from tools.print.backs import Back, backs_of
from tools.print.fitting import FRAME
from tools.print.imposition import Imposition
from tools.print.measures import Size
from tools.print.shapes import emblem_svg, lattice_svg, mark_svg
from tools.print.sheets import Sheets
from tools.print.styles import card_styles, fills, place_of, sheet_styles
from tools.print.words import word


def sheets_pages(about: About, decks: Sequence[Sheets]) -> list[str]:
    """Return a page for the cards of each size."""
    faces = [one.face for made in decks for side in made.sides for one in side.cards]
    backs, count, first = deck_backs(about, faces), sum(made.count for made in decks), 0
    pages = []
    for made in decks:
        pages.append(_page(about, made, backs, first, count))
        first += made.count
    return pages


def deck_backs(about: About, faces: Iterable[Face]) -> dict[str, Back]:
    """Return the back of each kind of these cards."""
    names = {face.kind: face.kind_name for face in faces}
    return backs_of(about.looks, names, about.game, names)


def shapes(about: About) -> dict[str, object]:
    """Return the drawings and pictures that the template of a card needs."""
    return {
        "emblem_svg": emblem_svg,
        "mark_svg": mark_svg,
        "fills": fills(about.looks),
        "picture_address": about.pictures.address,
        "pack": about.program.pack,
    }


def back_drawing(card: Size, back: Back) -> Markup:
    """Return the drawing of a back, inside of the frame of a card."""
    return lattice_svg(card.width - 2 * FRAME, card.height - 2 * FRAME, back.emblem)


def _page(about: About, made: Sheets, backs: dict[str, Back], first: int, count: int) -> str:
    laid, language = made.imposition, about.language
    width, height = f"{laid.card.width:g}", f"{laid.card.height:g}"
    feet = [
        word(
            language, "sheet", game=about.game, version=about.version, number=number, count=count,
            width=width, height=height,
        )
        for number in range(first + 1, first + made.count + 1)
    ]  # fmt: skip
    labels = sorted({back.label for back in backs.values()})
    return page(
        "print_sheets.html",
        language=language,
        title=word(language, "cards", game=about.game),
        styles=card_styles(about.looks, sheet_styles(laid, made.fits, labels, max(feet, key=len))),
        sides=made.sides,
        marks=_marks(laid),
        feet=feet,
        place_of=lambda one: place_of(laid, one),
        backs=backs,
        back_svg=lambda back: back_drawing(laid.card, back),
        **shapes(about),
    )


def _marks(laid: Imposition) -> Markup:
    drawn = "".join(f"M{line.x1:g} {line.y1:g}L{line.x2:g} {line.y2:g}" for line in laid.marks())
    return Markup('<svg class="cut" viewBox="0 0 {:g} {:g}"><path d="{}"/></svg>').format(
        laid.paper.width, laid.paper.height, drawn
    )
