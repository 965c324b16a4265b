"""Draw the result of a game: who wins, the last lines of the log, and the parts of each score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import define, field

from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.names import enumerated
from rulewright.interpreter.views.view import Result, View, ZoneView
from rulewright.tools.browser.drawing.eyes import Eyes
from rulewright.tools.browser.drawing.model import CardDrawing, Holding, ResultDrawing, ResultRow, Slip, ZoneDrawing
from rulewright.tools.browser.drawing.zones import ZoneDrawer
from rulewright.tools.display.game_log import GameLogLine
from rulewright.tools.display.screen import awards_of, extra_numbers
from rulewright.tools.display.table_content import ArrangedThing

# ---- Draw what lies open when a game is over: cards turned up at its end, and what each player has

MOST_CARDS = 24
"""Cards of a shared zone that are drawn as cards; more of them are slips."""


@define
class AtTheEnd:
    """Draws the zones of a finished game. `events` are all events, redacted for the reader."""

    eyes: Eyes
    view: View
    zones: ZoneDrawer
    things: Sequence[ArrangedThing]
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


# ---- Result

STORY = 6
"""Lines of the log above the table of scores, at most: those under the last heading, without points and winner."""
LONGEST = 140
"""Characters of such a line; longer ones are lists of cards."""


def draw_result(
    eyes: Eyes, result: Result, view: View, end: AtTheEnd, log: Sequence[GameLogLine], words: dict[str, str]
) -> ResultDrawing:
    """Return the result as a reader sees it."""
    awards, points = awards_of(end.events)
    hidden = eyes.naming.layout.hidden if eyes.naming.layout else ()
    extra = [one for one in extra_numbers(eyes.narrator, [view], hidden) if "?" not in one[1]]
    seats = range(eyes.game.program.seats)
    won, alive, scores = result.winners, result.alive, result.scores
    order = sorted(seats, key=lambda seat: (seat not in won, not alive[seat], -scores[seat], seat))
    rows = tuple(
        ResultRow(
            seat,
            eyes.names[seat],
            seat == eyes.seat,
            seat in result.winners,
            not result.alive[seat],
            tuple(str(points.get((award, seat), 0)) for award in awards),
            str(result.scores[seat]),
            tuple(values[seat] for _, values in extra),
        )
        for seat in order
    )
    named = tuple(eyes.narrator.name("award", eyes.program.sources[at].name, 1) for at in awards.values())
    scored = bool(awards) or any(result.scores)
    return ResultDrawing(
        headline(eyes, result, words), result.winners, _story(log, named), named, scored,
        tuple(name for name, _ in extra), rows, end.turned_up(), end.holdings(),
    )  # fmt: skip


def _story(log: Sequence[GameLogLine], awards: Sequence[str]) -> tuple[str, ...]:
    """Return the lines under the last heading; the very last one says who wins, as the headline does."""
    start = max((n for n, line in enumerate(log) if line.sort != "text"), default=-1) + 1
    lines = [line.text for line in log[start:-1] if len(line.text) <= LONGEST]
    titles = tuple(f"{name}: ".lower() for name in awards)
    return tuple([text for text in lines if not text.lower().startswith(titles)][-STORY:])


def headline(eyes: Eyes, result: Result, words: dict[str, str]) -> str:
    """Say who wins."""
    if not result.winners:
        return words["nobody"]
    names = enumerated([eyes.names[seat] for seat in result.winners], eyes.language)
    return words["wins" if len(result.winners) == 1 else "win"].format(names=names)
