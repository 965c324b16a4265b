"""The pages of a deck's sheets, as HTML for print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from attrs import evolve, frozen
from markupsafe import Markup

from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.scenario import Picture
from rulewright.tools.faces import GROUNDS, TONES, Emblem, Face, Looks, emblem_of, pack_styles
from rulewright.tools.pages.environment import STATIC, page, sprite
from rulewright.tools.print.deck import About, PaperSheet, PlacedCard, PrintedCard, Sheets
from rulewright.tools.print.imposition import FRAME, Fit, Imposition, Size, card_size, fitted, typeface
from rulewright.tools.print.rule_parts import word
from rulewright.tools.print.typesetter import MM_PER_INCH, Stamp, Stamps

# ---- The backs of cards: kinds that can be hidden in one zone share a back, which reveals nothing

FIRST_TONE = 4


@frozen
class PrintedBack:
    """A back: its label, its tone, and its emblem; or a picture."""

    label: str
    tone: str
    emblem: Emblem
    picture: Picture | None = None


def backs_of(looks: Looks, kinds: Iterable[str], game: str, names: Mapping[str, str]) -> dict[str, PrintedBack]:
    """Return the back of each kind: the pack's own, or one for the kinds that share it.

    `names` are those of kinds for players; several kinds show the game's name.
    """
    program = looks.program
    groups = _groups(program, list(dict.fromkeys(kinds)))
    found: dict[str, PrintedBack] = {}
    for number, group in enumerate(groups):
        alone = len(groups) > 1 and len(group) == 1
        tone = str(1 + (FIRST_TONE - 1 + 5 * number) % TONES)
        label = names.get(group[0], game) if alone else game
        back = PrintedBack(label[:1].upper() + label[1:], tone, emblem_of("+".join((program.pack, *group))))
        for kind in group:
            own = looks.back(kind)
            found[kind] = evolve(back, tone=own.tone or back.tone, picture=own.picture)
    return found


def _groups(program: Program, kinds: list[str]) -> list[list[str]]:
    """Group the kinds by the zones in which not everybody sees every card."""
    groups = [[kind] for kind in kinds]
    for zone in program.zones:
        if zone.seen_by == "all" or zone.own:
            continue
        together = [group for group in groups if not zone.accepts or set(group) & set(zone.accepts)]
        if len(together) > 1:
            joined = [kind for group in together for kind in group]
            at = groups.index(together[0])
            groups = [group for group in groups if group not in together]
            groups.insert(at, joined)
    return groups


# ---- Emblems and marks as SVG with their paths inline: a PDF has no sprite to refer to

_SYMBOL = re.compile(r'<symbol id="([a-z0-9-]+)"[^>]*>(.*?)</symbol>', re.DOTALL)


@cache
def shape(name: str) -> Markup:
    """Return the paths of a symbol of the sprite. They are our own file."""
    return Markup(dict(_SYMBOL.findall(str(sprite())))[name])


@cache
def emblem_svg(one: Emblem, mark: int, colour: str) -> Markup:
    """Return an emblem, 100 units wide, around the middle. weasyprint gives the inside of SVG no style sheet."""
    ring = Markup('<circle r="48" fill="none" stroke="{}" stroke-width="1.4" opacity=".5"/>').format(colour)
    middle = Markup('<g transform="translate(-10 -10) scale(.8333)">{}</g>').format(shape(f"mark-{mark}"))
    return Markup(
        '<svg class="emblem" viewBox="-50 -50 100 100" fill="{}">{}<g opacity=".26">{}</g>{}{}</svg>'
    ).format(
        colour,
        ring if one.ring else "",
        _turned(one.under, one.turns_under),
        _turned(one.over, one.turns),
        middle,
    )


@cache
def mark_svg(mark: int, colour: str) -> Markup:
    """Return a mark alone."""
    return Markup('<svg class="mark" viewBox="0 0 24 24" fill="{}">{}</svg>').format(colour, shape(f"mark-{mark}"))


@cache
def lattice_svg(width: float, height: float, emblem: Emblem) -> Markup:
    """Return the drawing of a back of this size in millimetres: a lattice, and the emblem in the middle."""
    steps = [4.0 * number for number in range(1, int((width + height) / 4) + 1)]
    lines = [f"M{at:g} 0L0 {at:g}M{width - at:g} 0L{width:g} {at:g}" for at in steps]
    radius = min(width, height) * 0.34
    return Markup(
        '<svg width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}"><path d="{lines}" fill="none" stroke="#fff" '
        'stroke-width=".25" opacity=".28"/><rect x="1.6" y="1.6" width="{iw}" height="{ih}" rx="1" fill="none" '
        'stroke="#fff" stroke-width=".35" opacity=".8"/><circle cx="{x}" cy="{y}" r="{r}" fill="{paper}"/>'
        '<circle cx="{x}" cy="{y}" r="{r2}" fill="none" stroke="{line}" stroke-width=".35"/>'
        '<g transform="translate({x} {y}) scale({scale})" fill="{line}">'
        '<g opacity=".26">{under}</g>{over}</g></svg>'
    ).format(
        w=f"{width:g}", h=f"{height:g}", lines="".join(lines),
        iw=f"{width - 3.2:g}", ih=f"{height - 3.2:g}",
        x=f"{width / 2:g}", y=f"{height / 2:g}", r=f"{radius:g}", r2=f"{radius - 1:g}",
        paper=GROUNDS["light"], line="#3a3733", scale=f"{radius * 1.6 / 100:.4f}",
        under=_turned(emblem.under, emblem.turns_under), over=_turned(emblem.over, emblem.turns),
    )  # fmt: skip


def _turned(petal: int, turns: tuple[str, ...]) -> Markup:
    drawn = (Markup('<g transform="rotate({})">{}</g>').format(turn, shape(f"petal-{petal}")) for turn in turns)
    return Markup("").join(drawn)


# ---- Style sheets of printed cards: the sizes and places that only the models know, as classes

_FILL = re.compile(r'\[data-tone="([0-9a-z]+)"\] \{[^}]*--tone-fill: (#[0-9a-f]{6})')
EMBLEM, MARK = 0.62, 0.4
"""The width of an emblem and of a mark, as a part of the card's width, and at most `OF_ART` of the picture."""
OF_ART = 0.86
LABEL_STEPS = (15.0, 13.0, 11.0, 10.0, 8.5, 7.0)
LABEL_SIDES = 6.8
FOOT_STEPS = (6.5, 6.0, 5.5, 5.0, 4.5)
"""The type of the line beside the cards of a sheet."""


@cache
def static(name: str) -> Markup:
    """Return one of our own style sheets, for a `style` element."""
    return Markup((STATIC / name).read_text("utf-8"))


def card_styles(looks: Looks, more: Markup) -> tuple[Markup, ...]:
    """Return the style sheets of a page of cards, with the rules that are its own."""
    return static("fonts.css"), static("tones.css"), own_tones(looks), static("print.css"), more


def own_tones(looks: Looks) -> Markup:
    """Return the tones of a pack. They are made of numbers and of the pack's key."""
    return Markup(pack_styles(looks.program))


def fills(looks: Looks) -> dict[str, str]:
    """Return the colour of each tone's shapes on paper, for SVG, which style sheets do not reach."""
    found: dict[str, str] = {}
    for name, colour in _FILL.findall(f"{static('tones.css')}\n{own_tones(looks)}"):
        found.setdefault(name, colour)  # later ones are for dark screens
    return found


def sheet_styles(laid: Imposition, fits: Sequence[Fit], labels: Sequence[str], foot: str) -> Markup:
    """Return the rules of sheets: the page, the places of cards, and the sizes of what is on them."""
    width = laid.card.height - 3
    points = next((one for one in FOOT_STEPS if typeface("sans").width(foot, one) <= width), FOOT_STEPS[-1])
    below = f".sheet-foot {{ width: {width:g}mm; font-size: {points:g}pt; }}"
    return Markup("\n".join((*card_rules(laid.card, fits), _plate(laid.card, labels), *_page_rule(laid), below)))


def grid_styles(card: Size, fits: Sequence[Fit], label: str, columns: int, rows: int) -> Markup:
    """Return the rules of a grid of cards without gaps, and of a page for the back."""
    made = [*card_rules(card, fits), _plate(card, [label])]
    whole = columns * card.width, rows * card.height
    for name, width, height in (("grid", *whole), ("one", card.width, card.height)):
        made.append(f"@page {name} {{ {_paper(width, height)} }}")
        made.append(f".{name} {{ page: {name}; width: {width:g}mm; height: {height:g}mm; }}")
    made += (f".column-{number} {{ left: {number * card.width:g}mm; }}" for number in range(columns))
    made += (f".row-{number} {{ top: {number * card.height:g}mm; }}" for number in range(rows))
    return Markup("\n".join(made))


def _paper(width: float, height: float) -> str:
    return f"size: {width:g}mm {height:g}mm; margin: 0;"


def _plate(card: Size, labels: Sequence[str]) -> str:
    points = min((label_size(label, card) for label in labels), default=LABEL_STEPS[0])
    return f".back-plate {{ font-size: {points:g}pt; }}"


def label_size(label: str, card: Size) -> float:
    """Return the type in which the label of a back has room: one line, or a few smaller ones."""
    face, width = typeface("serif-bold"), card.width - 2 * FRAME - LABEL_SIDES
    for points, lines in zip(LABEL_STEPS, (1, 1, 1, 2, 2, 3), strict=True):
        if face.lines(label, points, width) <= lines:
            return points
    return LABEL_STEPS[-1]


def card_rules(card: Size, fits: Sequence[Fit]) -> Iterator[str]:
    """Yield the rules of a card of this size, and of each fit."""
    yield f".card {{ width: {card.width:g}mm; height: {card.height:g}mm; }}"
    inner = card.width - 2 * FRAME
    for number, fit in enumerate(fits):
        of = f".fit-{number}"
        yield f"{of} .band {{ height: {fit.band:g}mm; padding-top: {fit.above:g}mm; font-size: {fit.name:g}pt; }}"
        yield f"{of} .words {{ font-size: {fit.text:g}pt; }}"
        yield f"{of} .foot {{ font-size: {fit.foot:g}pt; }}"
        yield f"{of} .art {{ {f'height: {fit.art:g}mm;' if fit.art else 'display: none;'} }}"
        for name, part in (("emblem", EMBLEM), ("mark", MARK)):
            yield _middle(f"{of} .{name}", min(card.width * part, fit.art * OF_ART), inner - 0.6, fit.art - 0.6)


def _page_rule(laid: Imposition) -> Iterator[str]:
    paper, card, bleed = laid.paper, laid.card, laid.bleed
    yield f"@page {{ {_paper(paper.width, paper.height)} }}"
    yield f".sheet, .cut {{ width: {paper.width:g}mm; height: {paper.height:g}mm; }}"
    whole = card.width + 2 * bleed, card.height + 2 * bleed
    yield "html, body { background: none; } .sheet { background: #fff; }"
    yield ".single { background: none; }"  # white would lighten the edge of the card beside it
    yield f"@page single {{ {_paper(*whole)} }}"
    yield f".single {{ page: single; width: {whole[0]:g}mm; height: {whole[1]:g}mm; }}"
    yield f".single .place {{ left: {bleed:g}mm; top: {bleed:g}mm; }}"
    left, bottom = laid.left - bleed - 4.2, laid.ys()[-1] + card.height - 1.5
    yield f".sheet-foot {{ left: {left:g}mm; top: {bottom:g}mm; }}"
    if bleed:  # the ground of a card goes on beyond its edge
        width, height = card.width - 2 * FRAME, card.height - 2 * FRAME
        yield f".card {{ box-sizing: content-box; width: {width:g}mm; height: {height:g}mm; }}"
        yield f".card {{ left: {-bleed:g}mm; top: {-bleed:g}mm; border: {bleed:g}mm solid var(--tone-wash); }}"
        yield ".card { background: var(--tone-wash); }"
        yield ".card-back { background: var(--tone-fill); border-color: var(--tone-fill); }"


def _middle(selector: str, size: float, width: float, height: float) -> str:
    size = max(0.0, size)
    left, top = (width - size) / 2, (height - size) / 2
    return f"{selector} {{ width: {size:.2f}mm; height: {size:.2f}mm; left: {left:.2f}mm; top: {top:.2f}mm; }}"


# ---- Card pages

Single = tuple[Face, int] | PrintedBack
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


def _single(side: PaperSheet, one: PlacedCard, backs: Mapping[str, PrintedBack]) -> Single:
    return backs[one.face.kind] if side.back else (one.face, one.fit)


def _singles(made: Sheets, backs: Mapping[str, PrintedBack]) -> tuple[Single, ...]:
    """Return the different faces and backs on sheets, in the order in which they come."""
    return tuple(dict.fromkeys(_single(side, one, backs) for side in made.sides for one in side.cards))


def _stamp(made: Sheets, page: int, one: PlacedCard) -> Stamp:
    bleed = made.imposition.bleed
    return Stamp(page, one.x - bleed, one.y - bleed)


def deck_backs(about: About, faces: Iterable[Face]) -> dict[str, PrintedBack]:
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


def back_drawing(card: Size, back: PrintedBack) -> Markup:
    """Return the drawing of a back, inside of the frame of a card."""
    return lattice_svg(card.width - 2 * FRAME, card.height - 2 * FRAME, back.emblem)


def _page(
    about: About, made: Sheets, shown: tuple[Sequence[Single], Mapping[str, PrintedBack]], of: tuple[int, int]
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
        singles=[(None, one) if isinstance(one, PrintedBack) else (one, None) for one in singles],
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


# ---- Cards for Tabletop Simulator: images with a grid of faces, and a saved object with decks
#
# The format is that of https://kb.tabletopsimulator.com/custom-content/save-file-format/ (a save file whose outer
# fields are empty is a saved object) and https://kb.tabletopsimulator.com/custom-content/custom-deck/ (a sheet has
# at
# most 10 columns and 7 rows, and its last place is for the face that others see of a card in a hand). A card's id
# is 100 times the number of its sheet in `CustomDeck`, plus its place on the sheet, row by row from 0. With
# `BackIsHidden` the back is what others see of a card in a hand; `UniqueBack` would make the back a grid, too.
# Cards that are wider than high are `SidewaysCard`.

COLUMNS, ROWS = 10, 7
MOST = COLUMNS * ROWS - 1
"""The last place of a full sheet is for the hidden face."""
DOTS_PER_INCH, MOST_DOTS = 150, 4096
"""The resolution of images, and the most dots in a row or column."""
TooLong = tuple[tuple[Face, tuple[str, ...]], ...]


@frozen
class Grid:
    """A sheet of cards of a size and with a back. `cards` are row by row; the last place shows the back."""

    back: PrintedBack
    size: Size
    columns: int
    rows: int
    cards: tuple[PrintedCard, ...]


def grids(about: About, items: Sequence[PrintedCard], size: Size | None) -> tuple[Grid, ...]:
    """Divide cards into sheets, by their backs and sizes. Each different card is on a sheet once."""
    backs = deck_backs(about, [item.face for item in items])
    by_back: dict[tuple[PrintedBack, Size], list[PrintedCard]] = {}
    for item in items:
        by_back.setdefault((backs[item.face.kind], card_size(about.looks, item.face.kind, size)), []).append(item)
    return tuple(
        _grid(*which, of_back[start : start + MOST])
        for which, of_back in by_back.items()
        for start in range(0, len(of_back), MOST)
    )


def _grid(back: PrintedBack, size: Size, cards: Sequence[PrintedCard]) -> Grid:
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
        pages.append(_deck_page(about, grid, cards, [*fits]))
    return pages, tuple(too_long)


def _deck_page(about: About, grid: Grid, cards: Sequence[tuple[Face, int]], fits: Sequence[Fit]) -> str:
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
    by_look: dict[tuple[PrintedBack, Size], list[tuple[int, Face]]] = {}
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
    look: tuple[PrintedBack, Size],
    cards: Sequence[tuple[int, Face]],
    decks: Mapping[str, Mapping[str, Any]],
    at: int,
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
