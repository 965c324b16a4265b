"""Draw zones in players' panels, where there is little room: as slips or, on a roomy table, as cards."""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from rulewright.interpreter.views.view import ZoneView
from rulewright.tools.browser.drawing.model import CardDrawing, Slip, ZoneDrawing
from rulewright.tools.browser.drawing.zones import Zones

FEW_CARDS = 4
"""Cards of a zone that are drawn as cards if there is room for them."""


def in_panel(zones: Zones, zone: ZoneView, roomy: bool) -> ZoneDrawing:
    """Return a zone of another player. What is among the options is drawn as cards, also where there is no room."""
    drawn = zones.draw(zone, "panel")
    if zones.asked(zone):
        return drawn
    marks = zone.marks or ((),) * len(zone.cards)
    seen = Counter((card, carried) for card, carried in zip(zone.cards, marks, strict=True) if card is not None)
    backs = zone.cards.count(None)
    if zone.size is None or zones.info(zone).order == "pile":
        top, carried = (zone.cards[-1], marks[-1]) if zone.cards else (None, ())
        if top is None:
            return evolve(drawn, small="", cards=(), count=zone.size or 0)
        known = tuple(chip.name or chip.text for chip in zones.below(zone))
        slip = Slip(f"{zone.key}.top", zones.face(top), 1, zones.notes(carried), known)
        return evolve(drawn, small="", cards=(), slips=(slip,), count=zone.size or 0)
    if roomy and len(zone.cards) <= FEW_CARDS:
        cards = [
            CardDrawing(f"{zone.key}.{key}.{n}", zones.face(key), "s", "card", 0, "", notes=zones.notes(carried))
            for (key, carried), count in seen.items() for n in range(count)
        ]  # fmt: skip
        cards += [CardDrawing(f"{zone.key}.back-{n}", None, "s", "card", 0, drawn.label) for n in range(backs)]
        return evolve(drawn, small="", cards=tuple(cards), slips=())
    return evolve(drawn, small="", cards=(), slips=tuple(zones.slips(zone, seen)), count=zone.size if backs else 0)
