"""Emblems and marks as SVG with their paths inline: a PDF has no sprite to refer to."""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from rulewright.tools.faces.emblem import Emblem
from rulewright.tools.faces.tones import GROUNDS
from rulewright.tools.pages.environment import sprite

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
