"""Print a pack as a PDF, as images, and as a saved object, for the command and the browser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from attrs import field, frozen

from rulewright.tools.common.errors import Usage
from rulewright.tools.faces import Face
from rulewright.tools.packs import loading
from rulewright.tools.print.deck import About, PrintedCard, PrintJob, deck
from rulewright.tools.print.imposition import PAPERS, Size, card_size

What = Literal["cards", "rules", "tabletop-simulator"]
TooLong = tuple[tuple[Face, tuple[str, ...]], ...]
_SAFE = re.compile(r"[^a-z0-9-]")


@frozen
class Order:
    """What is printed, and how. Without a `size`, cards have the pack's; `wanted` selects cards."""

    what: What = "cards"
    paper: str = "a4"
    size: Size | None = None
    bleed: float = 0.0
    backs: bool = False
    wanted: PrintJob = field(factory=PrintJob)


@frozen(eq=False)
class Printed:
    """A PDF, with the number of its cards and of what they are on: sheets of paper, or images.

    `too_long` are faces and their parts that do not fit. `grids` are the sheets of Tabletop Simulator; each is two
    pages: the faces, and the back.
    """

    pdf: bytes
    cards: int = 0
    sheets: int = 0
    too_long: TooLong = ()
    grids: tuple[Any, ...] = ()


def printed(about: About, order: Order) -> Printed:
    """Print what was ordered. Raises Usage if that is nothing, does not fit on the paper, or Pango is missing."""
    if order.what == "rules":
        return _rules(about, order)
    items = deck(about.program, about.table, about.texts, about.language, order.wanted)
    if not items:
        raise Usage(f"{about.program.pack} has no cards at this table, so there is nothing to print; try --rules")
    return _grids(about, order, items) if order.what == "tabletop-simulator" else _cards(about, order, items)


def _rules(about: About, order: Order) -> Printed:
    from rulewright.tools.print.rule_book import book_page, rule_book
    from rulewright.tools.print.typesetter import pdf

    loaded = loading.load_pack_set(about.compiled.packs, playable=False)
    return Printed(pdf([book_page(about, rule_book(about, loaded), PAPERS[order.paper])], about.pictures))


def _cards(about: About, order: Order, items: Sequence[PrintedCard]) -> Printed:
    """Print the sheets, those of each size of cards together."""
    from rulewright.tools.print.card_pages import sheets_pages
    from rulewright.tools.print.deck import sheets
    from rulewright.tools.print.imposition import imposition
    from rulewright.tools.print.typesetter import pdf

    by_size: dict[Size, list[PrintedCard]] = {}
    for item in items:
        by_size.setdefault(card_size(about.looks, item.face.kind, order.size), []).append(item)
    paper = PAPERS[order.paper]
    decks = [sheets(some, imposition(paper, size, order.bleed), order.backs) for size, some in by_size.items()]
    pages = sheets_pages(about, decks)
    return Printed(
        pdf(pages.documents, about.pictures, pages.stamps),
        sum(item.copies for item in items),
        sum(made.count for made in decks),
        tuple(one for made in decks for one in made.too_long),
    )


def _grids(about: About, order: Order, items: Sequence[PrintedCard]) -> Printed:
    from rulewright.tools.print.card_pages import grid_pages, grids
    from rulewright.tools.print.typesetter import pdf

    found = grids(about, items, order.size)
    pages, too_long = grid_pages(about, found)
    cards = sum(item.copies for item in items)
    return Printed(pdf(pages, about.pictures), cards, len(found), too_long, found)


def image_names(stem: str, made: Printed) -> tuple[tuple[str, str], ...]:
    """Return the names of the files of each image: faces and back. They are numbered if there are several."""
    numbers = [f"-{n + 1}" if len(made.grids) > 1 else "" for n in range(len(made.grids))]
    return tuple((f"{stem}{number}.png", f"{stem}{number}-back.png") for number in numbers)


def images(made: Printed) -> Iterator[bytes]:
    """Yield the images for Tabletop Simulator: the faces and the back of each grid."""
    from rulewright.tools.print.card_pages import resolution
    from rulewright.tools.print.typesetter import png_pages

    return png_pages(made.pdf, resolution(made.grids))


def saved_object(about: About, made: Printed, addresses: Sequence[tuple[str, str]]) -> bytes:
    """Return the saved object as JSON. `addresses` are those of the faces and the back of each image."""
    from rulewright.ruleset.common.terminal_text import json_text
    from rulewright.tools.print import card_pages

    return f"{json_text(card_pages.saved_object(about, made.grids, addresses))}\n".encode()


def safe_name(about: About) -> str:
    """Return the name of a pack for a file: lower-case letters, digits, and hyphens."""
    return _SAFE.sub("", about.key.lower())[:60].strip("-") or "pack"
