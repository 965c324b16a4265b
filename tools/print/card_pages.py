"""The pages of a deck's sheets, as HTML for print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen
from markupsafe import Markup

from rulewright.tools.faces.face import Face
from rulewright.tools.pages.environment import page
from rulewright.tools.print.about import About
from rulewright.tools.print.backs import Back, backs_of
from rulewright.tools.print.fitting import FRAME
from rulewright.tools.print.imposition import Imposition
from rulewright.tools.print.measures import Size
from rulewright.tools.print.shapes import emblem_svg, lattice_svg, mark_svg
from rulewright.tools.print.sheets import Placed, Sheet, Sheets
from rulewright.tools.print.stamps import Stamp, Stamps
from rulewright.tools.print.styles import card_styles, fills, sheet_styles
from rulewright.tools.print.words import word

Single = tuple[Face, int] | Back
"""What is typeset once: a face and the number of its fit, or a back."""


@frozen
class Pages:
    """The pages of a deck: HTML documents, and which of their pages are drawn on which."""

    documents: tuple[str, ...]
    stamps: Stamps


def sheets_pages(about: About, decks: Sequence[Sheets]) -> Pages:
    """Return a document for the cards of each size: each card and back once, then the sheets."""
    faces = [one.face for made in decks for side in made.sides for one in side.cards]
    backs, count, first, start = deck_backs(about, faces), sum(made.count for made in decks), 0, 0
    documents: list[str] = []
    stamps: dict[int, tuple[Stamp, ...]] = {}
    for made in decks:
        singles = _singles(made, backs)
        documents.append(_page(about, made, (singles, backs), (first, count)))
        places = {one: start + n for n, one in enumerate(singles)}
        start += len(singles)
        for side in made.sides:
            stamps[start] = tuple(_stamp(made, places[_single(side, one, backs)], one) for one in side.cards)
            start += 1
        first += made.count
    return Pages(tuple(documents), stamps)


def _single(side: Sheet, one: Placed, backs: Mapping[str, Back]) -> Single:
    return backs[one.face.kind] if side.back else (one.face, one.fit)


def _singles(made: Sheets, backs: Mapping[str, Back]) -> tuple[Single, ...]:
    """Return the different faces and backs on sheets, in the order in which they come."""
    return tuple(dict.fromkeys(_single(side, one, backs) for side in made.sides for one in side.cards))


def _stamp(made: Sheets, page: int, one: Placed) -> Stamp:
    bleed = made.imposition.bleed
    return Stamp(page, one.x - bleed, one.y - bleed)


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


def _page(
    about: About, made: Sheets, shown: tuple[Sequence[Single], Mapping[str, Back]], of: tuple[int, int]
) -> str:
    """Return the document of a size. `shown` are its cards and all backs, `of` the sheets before it and of all."""
    laid, language, (singles, backs), (first, count) = made.imposition, about.language, shown, of
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
        singles=[(None, one) if isinstance(one, Back) else (one, None) for one in singles],
        sides=made.sides,
        marks=_marks(laid),
        feet=feet,
        back_svg=lambda back: back_drawing(laid.card, back),
        **shapes(about),
    )


def _marks(laid: Imposition) -> Markup:
    drawn = "".join(f"M{line.x1:g} {line.y1:g}L{line.x2:g} {line.y2:g}" for line in laid.marks())
    return Markup('<svg class="cut" viewBox="0 0 {:g} {:g}"><path d="{}"/></svg>').format(
        laid.paper.width, laid.paper.height, drawn
    )
