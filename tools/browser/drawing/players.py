"""Draw the panels of players: names, marks, numbers, and what lies open before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from attrs import define, evolve

from rulewright.interpreter.state.zone_visibility import hidden
from rulewright.interpreter.views.view import AskedView, TrackView, View, ZoneView
from rulewright.ruleset.table.nodes import TrackInfo
from rulewright.tools.browser.drawing.eyes import Eyes
from rulewright.tools.browser.drawing.model import CardDrawing, Count, Player, Slip, ZoneDrawing
from rulewright.tools.browser.drawing.offers import Offers
from rulewright.tools.browser.drawing.zones import SPREAD, Zones
from rulewright.tools.common.display_texts import figure_text, noun, value_text
from rulewright.tools.display.table_content import Figures, Thing

# ---- Draw zones in players' panels, where there is little room: as slips or, on a roomy table, as cards

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


# ------------------------------------------------------------------ players: the rest

IN_A_ROW = 6
"""Players whose panels are beside each other; those of more are in two rows or more, which have to be low."""
MOST_BACKS = 5
"""Backs drawn beside the number of cards of a zone."""
NOTHING = (0, "0", "no", "none")


@define
class Panels:
    """Draws the players of one view. `things` are those of the layout, in its order."""

    eyes: Eyes
    view: View
    zones: Zones
    offers: Offers
    things: Sequence[Thing]
    played_by: Sequence[str]
    """What is said beside the name of each seat: the bot that plays it."""
    turn: int
    figures: Figures
    roomy: bool = False
    """Whether cards are drawn as such: only as long as each player has few of them."""

    def __attrs_post_init__(self) -> None:
        seats = range(self.eyes.program.seats)
        few = len(seats) <= IN_A_ROW and all(self._cards(seat) <= FEW_CARDS for seat in seats)
        self.roomy = self.roomy and few

    def _cards(self, seat: int) -> int:
        """Return how many cards a player has in zones that can be drawn card by card."""
        keys = [thing.key for thing in self.things if thing.sort == "zone" and thing.form != "count"]
        zones = [zone for key in keys for zone in self._of_seat(key, seat)]
        return sum(len(zone.cards) for zone in zones if self.zones.info(zone).order != "pile")

    def draw(self) -> tuple[Player, ...]:
        """Return the panels of all seats in their order."""
        asked = {one.seat: one for one in self.view.asked}
        out = self.view.track("in-game").values
        badges = self._badges()
        return tuple(
            Player(
                seat,
                self.eyes.names[seat],
                self.played_by[seat],
                seat == self.eyes.seat,
                self._state(seat, asked),
                out[seat] in (0, "no"),
                tuple(badges.get(seat, ())),
                tuple(self._counts(seat)),
                tuple(self._open(seat)),
                self.offers.take(("seat", seat)),
            )
            for seat in range(self.eyes.program.seats)
        )

    def _state(self, seat: int, asked: Mapping[int, AskedView]) -> Literal["", "deciding", "chosen", "turn"]:
        if seat in asked:
            return "chosen" if asked[seat].answered else "deciding"
        return "turn" if seat == self.turn else ""

    def _badges(self) -> dict[int, list[str]]:
        """Return the names of markers of the game that point at a seat, as far as the layout shows them."""
        found: dict[int, list[str]] = {}
        shown = {thing.key for thing in self.things if thing.sort == "track"}
        for track in self.view.tracks:
            info = self._info(track.key)
            if info.of in ("seat", "player") and track.scope in ((), ("game",)) and track.key in shown:
                for value in track.values:
                    if isinstance(value, str) and value.startswith("seat-"):
                        name = noun(self.eyes.narrator, "track", track.key)
                        found.setdefault(int(value.removeprefix("seat-")) - 1, []).append(name)
        return found

    # -------------------------------------------------------------- numbers

    def _counts(self, seat: int) -> Iterator[Count]:
        for thing in self.things:
            if thing.sort == "zone":
                yield from self._sizes(thing, seat)
            elif thing.sort == "track":
                track = self.view.track(thing.key)
                if track.scope == ("player",):
                    yield from self._number(thing, track, seat)
            elif thing.sort == "function" and thing.form != "game":
                yield from self._figure(thing, seat)

    def _sizes(self, thing: Thing, seat: int) -> Iterator[Count]:
        for zone in self._of_seat(thing.key, seat):
            label = self._zone_label(zone)
            if zone.size is None and not zone.cards and not self.zones.seems_empty(zone):
                yield Count(label, "?", hidden=True)
            elif zone.size and (seat == self.eyes.seat or not self._shows(zone, thing)):
                covered = hidden(self.zones.info(zone), self.eyes.seat) or seat == self.eyes.seat
                yield Count(label, str(zone.size), min(zone.size, MOST_BACKS) if covered else 0)

    def _number(self, thing: Thing, track: TrackView, seat: int) -> Iterator[Count]:
        info = self._info(track.key)
        value = track.values[seat]
        label = _lower(noun(self.eyes.narrator, "track", track.key))
        if value is None:
            yield Count(label, "?", hidden=True)
        elif thing.told or value not in NOTHING:
            secret = info.seen[seat] == 1 << self.eyes.seat and self.eyes.program.seats > 1
            yield Count(label, value_text(self.eyes.narrator, info.of, value), secret=secret)

    def _figure(self, thing: Thing, seat: int) -> Iterator[Count]:
        values = self.figures.get(thing.key)
        if values is None or seat >= len(values):
            return
        value = values[seat]
        label = _lower(noun(self.eyes.narrator, "function", thing.key))
        if value is None:
            yield Count(label, "?", hidden=True)
        else:
            yield Count(label, figure_text(self.eyes.narrator, value), secret=thing.form == "owner")

    # -------------------------------------------------------------- open cards

    def _open(self, seat: int) -> Iterator[ZoneDrawing]:
        """Yield what lies open before a player, and what is among the options; the reader's own is in the dock."""
        if seat == self.eyes.seat:
            return
        for thing in self.things:
            for zone in self._of_seat(thing.key, seat) if thing.sort == "zone" else ():
                if zone.size != 0 and (self._shows(zone, thing) or self.zones.asked(zone)):
                    spread = self.eyes.sees_all and self.roomy and len(zone.cards) <= FEW_CARDS
                    draws = self.zones.draw(zone, "panel", SPREAD) if spread else None
                    yield draws or in_panel(self.zones, zone, self.roomy)

    def _shows(self, zone: ZoneView, thing: Thing) -> bool:
        """Whether cards of a zone are drawn: open ones; on a roomy table also a few backs."""
        if zone.owner == self.eyes.seat or thing.form == "count":
            return False
        few = self.roomy and 0 < len(zone.cards) <= FEW_CARDS and self.zones.info(zone).order != "pile"
        return few or any(card is not None for card in zone.cards)

    def _of_seat(self, key: str, seat: int) -> list[ZoneView]:
        return [zone for zone in self.view.zones if zone.zone == key and zone.owner == seat]

    def _zone_label(self, zone: ZoneView) -> str:
        return _lower(self.zones.name(zone))

    def _info(self, key: str) -> TrackInfo:
        return next(track for track in self.eyes.program.tracks if track.key == key)


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]
