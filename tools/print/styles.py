"""Style sheets of printed cards: the sizes and places that only the models know, as classes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markupsafe import Markup

from rulewright.tools.faces.looks import Looks, pack_styles
from rulewright.tools.pages.environment import STATIC
from rulewright.tools.print.fitting import FRAME, Fit
from rulewright.tools.print.imposition import Imposition
from rulewright.tools.print.measures import Size
from rulewright.tools.print.typeface import typeface

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
    return Markup("\n".join((*card_rules(laid.card, fits), _plate(laid.card, labels), *_page(laid), below)))


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


def _page(laid: Imposition) -> Iterator[str]:
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
