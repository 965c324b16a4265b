"""Draw what lies open when a game is over: cards turned up at its end, and what each player has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import define, field

from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.view import View, ZoneView
from rulewright.tools.browser.drawing.eyes import Eyes
from rulewright.tools.browser.drawing.model import CardDrawing, Holding, Slip, ZoneDrawing
from rulewright.tools.browser.drawing.zones import Zones
from rulewright.tools.display.arrangement import Thing

MOST_CARDS = 24
"""Cards of a shared zone that are drawn as cards; more of them are slips."""


@define
class AtTheEnd:
    """Draws the zones of a finished game. `events` are all events, redacted for the reader."""

    eyes: Eyes
    view: View
    zones: Zones
    things: Sequence[Thing]
    events: Sequence[Event]
    _turned: dict[str, list[str]] = field(init=False)
    """Keys of zones, and of the cards that were turned up in them after the last answer and are still there."""

    def __attrs_post_init__(self) -> None:
        program = self.eyes.program
        turned = _turned_up(self.events)
        self._turned = {
            program.zones[zone].key: [program.cards[card].key for card in cards]
            for zone, cards in turned.items() if cards
        }  # fmt: skip

    def turned_up(self) -> tuple[ZoneDrawing, ...]:
        """Return the shared zones in which cards were turned up."""
        found = [zone for zone in self.view.zones if zone.owner < 0 and zone.key in self._turned]
        return tuple(self._shared(zone) for zone in found)

    def holdings(self) -> tuple[Holding, ...]:
        """Return what lies open before each player; nothing if no player has anything."""
        seats = range(self.eyes.program.seats)
        found = {seat: tuple(self._of_seat(seat)) for seat in seats}
        if not any(found.values()):
            return ()
        names, own = self.eyes.names, self.eyes.seat
        return tuple(Holding(seat, names[seat], seat == own, found[seat]) for seat in seats)

    def _shared(self, zone: ZoneView) -> ZoneDrawing:
        keys = self._turned[zone.key]
        name = self.zones.name(zone)
        if len(keys) > MOST_CARDS:
            return ZoneDrawing(zone.key, name, "", "row", slips=tuple(self._slips(zone, keys)))
        cards = tuple(
            CardDrawing(f"end.{zone.key}.{place}.{key}", self.zones.face(key), "s", "card", 0, "")
            for place, key in enumerate(keys)
        )
        return ZoneDrawing(zone.key, name, "", "row", cards)

    def _of_seat(self, seat: int) -> Iterator[ZoneDrawing]:
        shown = {thing.key for thing in self.things if thing.sort == "zone"}
        for zone in self.view.zones:
            if zone.owner != seat or (zone.zone not in shown and zone.key not in self._turned):
                continue
            keys = self._turned.get(zone.key) or [card for card in zone.cards if card is not None]
            if keys:
                yield ZoneDrawing(zone.key, self.zones.name(zone), "", "row", slips=tuple(self._slips(zone, keys)))

    def _slips(self, zone: ZoneView, keys: Sequence[str]) -> Iterator[Slip]:
        """Yield the cards of a zone, equal faces together."""
        faces = [self.zones.face(key) for key in keys]
        counts = Counter((face.kind, face.definition) for face in faces)
        for face in faces:
            count = counts.pop((face.kind, face.definition), 0)
            if count:
                yield Slip(f"end.{zone.key}.{face.kind}.{face.definition}", face, count)


def _turned_up(events: Sequence[Event]) -> dict[int, list[int]]:
    """Return the zones in which cards were turned up since the last answer, and those that are still there."""
    last = max((n for n, event in enumerate(events) if event.kind == "answered"), default=0)
    found: dict[int, list[int]] = {}
    for event in events[last:]:
        if event.kind == "revealed":
            for zone, card in zip(event.numbers[1:], event.cards, strict=True):
                if zone >= 0 and card >= 0 and card not in found.setdefault(zone, []):
                    found[zone].append(card)
        elif event.kind == "moved" and event.numbers[0] in found:
            left = [card for card in found[event.numbers[0]] if card not in event.cards]
            found[event.numbers[0]] = left if min(event.cards, default=0) >= 0 else []
    return found
