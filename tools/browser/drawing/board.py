"""Draw the middle of the table: shared zones, and numbers.

In up to four parts: piles of definitions over the whole width; open cards; face-down rows, piles, and bags; tables
and tiles of numbers. Groups and their order are those of the pack's layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from attrs import define, evolve, field

from rulewright.interpreter.state.events import hidden
from rulewright.interpreter.state.frames import index_of
from rulewright.interpreter.views.view import AskedView, TrackView, View, ZoneView
from rulewright.interpreter.views.visibility import value_key, zone_member
from rulewright.ruleset.program.nodes import Texts
from rulewright.tools.browser.drawing.eyes import Eyes, OfferedThings
from rulewright.tools.browser.drawing.model import (
    BoardPart,
    CardDrawing,
    NumberCell,
    NumberRow,
    PanelCount,
    PlayerPanel,
    Slip,
    Tile,
    Tiles,
    TrackTable,
    ZoneDrawing,
)
from rulewright.tools.browser.drawing.zones import SPREAD, ZoneDrawer, few_chips
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.display_texts import figure_text, noun
from rulewright.tools.display.table_content import (
    ArrangedGroup,
    ArrangedThing,
    Figures,
    TableNumbers,
    TrackCell,
    TrackRow,
)

ROOMY = 6
"""With at most so many cards in the middle, these and the cards before players are drawn larger."""
MOST_CHIPS = 6
"""Chips beside a pile that has a place of its own."""
_ORDINALS = {"en": ("1st", "2nd", "3rd"), "es": ("1.º", "2.º", "3.º")}


@define
class Board:
    """Draws the shared things of one view."""

    eyes: Eyes
    view: View
    zones: ZoneDrawer
    figures: Figures
    numbers: TableNumbers = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.numbers = TableNumbers(self.eyes.narrator, self.view)

    def draw(self, groups: Sequence[ArrangedGroup]) -> tuple[BoardPart, ...]:
        """Return the parts of the middle that show something."""
        wide: list[ZoneDrawing] = []
        spread: list[ZoneDrawing] = []
        stock: list[ZoneDrawing] = []
        supplies: list[ZoneDrawing] = []
        piles: list[tuple[ArrangedGroup, ZoneDrawing]] = []
        tables: list[TrackTable] = []
        tiles: list[Tiles] = []
        for group in groups:
            for thing in group.things:
                if thing.sort == "zone":
                    for zone, drawn in self._zones(thing, group):
                        if self._one_pile(zone, drawn):
                            piles.append((group, drawn))
                        else:
                            place = spread if self._lies_open(zone) else supplies if drawn.slips else stock
                            (wide if drawn.order == "grid" else place).append(drawn)
                elif thing.sort == "track":
                    tables += self._table(thing)
            tiles += self._tiles(group)
        tiles += self._lists(groups)
        stock += self._together(piles)
        if not tables:
            stock, supplies = [*supplies, *stock], []
        if wide:
            spread = [_as_slips(zone) for zone in spread]
        if sum(len(zone.cards) for zone in (*wide, *spread, *stock)) <= ROOMY:
            stock = [_larger(zone) for zone in stock]
        alike = not tables and len(tiles) == 1 and bool(stock) and stock[-1].label == tiles[0].label
        under = (evolve(tiles[0], label=""),) if alike else ()
        parts = (
            BoardPart("wide", tuple(wide)),
            BoardPart("", tuple(spread)),
            BoardPart("", tuple(stock), (), under),
            BoardPart("tracks" if tables else "", tuple(supplies), tuple(tables), () if alike else tuple(tiles)),
        )
        return tuple(part for part in parts if part.zones or part.tables or part.tiles)

    def _one_pile(self, zone: ZoneView, drawn: ZoneDrawing) -> bool:
        """Whether a zone is drawn as one pile or as the place of one."""
        if drawn.order == "grid" or self.zones.info(zone).order != "pile" or self.zones.asked(zone):
            return False
        return drawn.empty or (drawn.tight and len(drawn.cards) == 1)

    def _together(self, piles: Sequence[tuple[ArrangedGroup, ZoneDrawing]]) -> Iterator[ZoneDrawing]:
        """Yield zones that are one pile each as one group, with their names below them."""
        if len(piles) < 2:
            yield from (_with_few_chips(drawn) for _, drawn in piles)
            return
        titles = {_title(group.texts, self.eyes.language) for group, _ in piles}
        title = titles.pop() if len(titles) == 1 else ""
        cards = []
        for _, drawn in piles:
            card = drawn.cards[0] if drawn.cards else CardDrawing(f"{drawn.key}.empty", None, "xs", "empty", 0, "")
            cards.append(evolve(card, caption=drawn.label, zone=drawn.key, chips=few_chips(card.chips, 2)))
        label = title or words_of(self.eyes.language)["stock"]
        yield ZoneDrawing("", label, "", "row", tuple(cards), tight=True)

    # -------------------------------------------------------------- zones

    def _zones(self, thing: ArrangedThing, group: ArrangedGroup) -> Iterator[tuple[ZoneView, ZoneDrawing]]:
        """Yield shared zones with their drawings: piles of definitions together, empty ones of these not at all."""
        found = [zone for zone in self.view.zones if zone.zone == thing.key and zone.owner < 0]
        if thing.of or thing.field or self._of_definitions(found):
            piles = [zone for zone in self.numbers.piles(thing) if zone.owner < 0]
            if piles:
                title = _title(group.texts, self.eyes.language)
                drawn = self.zones.piles(title or self.zones.name(piles[0]), piles, thing.field)
                yield piles[0], evolve(drawn, small="") if title else drawn
            return
        for zone in found:
            drawn = self.zones.draw(zone, "board", thing.form)
            if zone.size != 0 or len(found) == 1:
                member = zone_member(self.eyes.program, self.eyes.program.zones.index(self.zones.info(zone)))
                if member is not None:
                    name = self.eyes.narrator.name(*member, 1)
                    drawn = evolve(drawn, label=f"{drawn.label}: {name}")
                yield zone, drawn

    def _of_definitions(self, zones: Sequence[ZoneView]) -> bool:
        """Whether these are zones of definitions, in which each lies in sight with equal cards."""
        if len(zones) < 2:
            return False
        member = zone_member(self.eyes.program, self.eyes.program.zones.index(self.zones.info(zones[0])))
        if member is None or member[0] != "definition":
            return False
        keys = [zone.key.removeprefix(f"{zone.zone}/") for zone in zones]
        cards = {card.key: card.definition for card in self.eyes.program.cards}
        pairs = ((card, key) for zone, key in zip(zones, keys, strict=True) for card in zone.cards)
        return all(card is not None and cards[card] == key for card, key in pairs)

    def _lies_open(self, zone: ZoneView) -> bool:
        info = self.zones.info(zone)
        return info.order != "pile" and not hidden(info, self.eyes.seat) and not self._is_stock(zone)

    def _is_stock(self, zone: ZoneView) -> bool:
        """Whether a bag is drawn as slips: it is a supply and not a display."""
        return self.zones.info(zone).order == "bag" and not self.zones.asked(zone)

    # -------------------------------------------------------------- numbers

    def _table(self, thing: ArrangedThing) -> Iterator[TrackTable]:
        """Yield a track by players and members of an enumeration, or only by members."""
        scope = next((one for one in self.numbers.info(thing.key).scope if one not in ("player", "game")), None)
        rows = self.numbers.rows(thing) if scope is not None else []
        if scope is None or not rows:
            return
        drawn = tuple(self._row(thing.key, scope, row) for row in rows)
        ranked = any(cell.rank for row in drawn for cell in row.cells)
        label = noun(self.eyes.narrator, "track", thing.key)
        yield TrackTable(thing.key, label, "arrival" if ranked else "", drawn)

    def _row(self, key: str, scope: str, row: TrackRow) -> NumberRow:
        program, faces = self.eyes.program, self.eyes.faces
        member = value_key(program, scope, index_of(program, self.numbers.info(key), scope, row.indices[0]))
        numbers = [cell.value for cell in row.cells if isinstance(cell.value, int)]
        best = max(numbers, default=0)
        firsts = [cell for cell in row.cells if cell.value == best and best > 0]
        firsts = [cell for cell in firsts if cell.place in (0, 1)]
        leads = len(row.cells) > 1 and len(firsts) == 1
        cells = tuple(self._cell(cell, leads and cell is firsts[0]) for cell in row.cells)
        title = ", ".join(row.members)
        tone, mark = faces.tone_of_member(scope, member), faces.mark_of_member(scope, member)
        return NumberRow(title[:1].upper() + title[1:], tone, mark, cells)

    def _cell(self, cell: TrackCell, leads: bool) -> NumberCell:
        if cell.text is None:
            return NumberCell("?", hidden=True)
        known = _ORDINALS.get(self.eyes.language, _ORDINALS["en"])
        rank = known[cell.place - 1] if cell.place <= len(known) else f"{cell.place}."
        rank = rank if cell.place and cell.moved else ""
        return NumberCell(cell.text, rank, cell.nothing, leads, secret=cell.secret)

    def _tiles(self, group: ArrangedGroup) -> Iterator[Tiles]:
        """Yield the single values of a group."""
        tiles = [tile for thing in group.things for tile in self._tile(thing)]
        if tiles:
            yield Tiles(group.things[0].key, _title(group.texts, self.eyes.language), tuple(tiles))

    def _tile(self, thing: ArrangedThing) -> Iterator[Tile]:
        narrator = self.eyes.narrator
        if thing.sort == "function" and thing.form == "game":
            for value in self.figures.get(thing.key, ()):
                if value is not None:
                    yield Tile(noun(narrator, "function", thing.key), figure_text(narrator, value), not value)
        elif thing.sort == "track":
            track, info = self.view.track(thing.key), self.numbers.info(thing.key)
            cell = self.numbers.cell(track, info, 0)
            alone = not set(track.scope) - {"game"} and info.of not in ("seat", "player")
            if alone and cell.text is not None and (thing.told or not cell.nothing):
                yield Tile(noun(narrator, "track", thing.key), cell.text, cell.nothing)

    def _lists(self, groups: Sequence[ArrangedGroup]) -> Iterator[Tiles]:
        """Yield lists that are not kept for cards, one tile for each that holds something."""
        for thing in (thing for group in groups for thing in group.things if thing.sort == "list"):
            tiles = [Tile(name, ", ".join(texts), False) for name, texts in self.numbers.lists(thing) if texts]
            if tiles:
                yield Tiles(thing.key, noun(self.eyes.narrator, "list", thing.key), tuple(tiles))


def _title(texts: Texts, language: str) -> str:
    known = dict(texts)
    return known.get(language) or next(iter(known.values()), "")


def _with_few_chips(zone: ZoneDrawing) -> ZoneDrawing:
    cards = tuple(evolve(card, chips=few_chips(card.chips, MOST_CHIPS)) for card in zone.cards)
    return evolve(zone, cards=cards)


def _as_slips(zone: ZoneDrawing) -> ZoneDrawing:
    """Return a zone beside many piles with slips in place of its cards, unless one of them can be chosen."""
    if any(card.offer or card.why or card.face is None for card in zone.cards):
        return zone
    slips = tuple(Slip(card.id, card.face, card.count or 1, card.notes) for card in zone.cards if card.face)
    return evolve(zone, small="", cards=(), slips=slips)


def _larger(zone: ZoneDrawing) -> ZoneDrawing:
    """Return a zone with larger piles."""
    return evolve(zone, cards=tuple(evolve(card, size="s") for card in zone.cards), tight=False)


# ---- Draw zones in players' panels, where there is little room: as slips or, on a roomy table, as cards

FEW_CARDS = 4
"""Cards of a zone that are drawn as cards if there is room for them."""


def in_panel(zones: ZoneDrawer, zone: ZoneView, roomy: bool) -> ZoneDrawing:
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


IN_A_ROW = 6
"""Players whose panels are beside each other; those of more are in two rows or more, which have to be low."""
MOST_BACKS = 5
"""Backs drawn beside the number of cards of a zone."""
@define
class Panels:
    """Draws the players of one view. `things` are those of the layout, in its order."""

    eyes: Eyes
    view: View
    zones: ZoneDrawer
    offers: OfferedThings
    things: Sequence[ArrangedThing]
    played_by: Sequence[str]
    """What is said beside the name of each seat: the bot that plays it."""
    turn: int
    figures: Figures
    roomy: bool = False
    """Whether cards are drawn as such: only as long as each player has few of them."""
    numbers: TableNumbers = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.numbers = TableNumbers(self.eyes.narrator, self.view)
        seats = range(self.eyes.program.seats)
        few = len(seats) <= IN_A_ROW and all(self._cards(seat) <= FEW_CARDS for seat in seats)
        self.roomy = self.roomy and few

    def _cards(self, seat: int) -> int:
        """Return how many cards a player has in zones that can be drawn card by card."""
        keys = [thing.key for thing in self.things if thing.sort == "zone" and thing.form != "count"]
        zones = [zone for key in keys for zone in self._of_seat(key, seat)]
        return sum(len(zone.cards) for zone in zones if self.zones.info(zone).order != "pile")

    def draw(self) -> tuple[PlayerPanel, ...]:
        """Return the panels of all seats in their order."""
        asked = {one.seat: one for one in self.view.asked}
        out = self.view.track("in-game").values
        badges = self._badges()
        return tuple(
            PlayerPanel(
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
            info = self.numbers.info(track.key)
            if info.of in ("seat", "player") and track.scope in ((), ("game",)) and track.key in shown:
                for value in track.values:
                    if isinstance(value, str) and value.startswith("seat-"):
                        name = noun(self.eyes.narrator, "track", track.key)
                        found.setdefault(int(value.removeprefix("seat-")) - 1, []).append(name)
        return found

    # -------------------------------------------------------------- numbers

    def _counts(self, seat: int) -> Iterator[PanelCount]:
        for thing in self.things:
            if thing.sort == "zone":
                yield from self._sizes(thing, seat)
            elif thing.sort == "track":
                track = self.view.track(thing.key)
                if track.scope == ("player",):
                    yield from self._number(thing, track, seat)
            elif thing.sort == "function" and thing.form != "game":
                yield from self._figure(thing, seat)

    def _sizes(self, thing: ArrangedThing, seat: int) -> Iterator[PanelCount]:
        for zone in self._of_seat(thing.key, seat):
            label = self._zone_label(zone)
            if zone.size is None and not zone.cards and not self.zones.seems_empty(zone):
                yield PanelCount(label, "?", hidden=True)
            elif zone.size and (seat == self.eyes.seat or not self._shows(zone, thing)):
                covered = hidden(self.zones.info(zone), self.eyes.seat) or seat == self.eyes.seat
                yield PanelCount(label, str(zone.size), min(zone.size, MOST_BACKS) if covered else 0)

    def _number(self, thing: ArrangedThing, track: TrackView, seat: int) -> Iterator[PanelCount]:
        cell = self.numbers.cell(track, self.numbers.info(track.key), seat)
        label = _lower(noun(self.eyes.narrator, "track", track.key))
        if cell.text is None:
            yield PanelCount(label, "?", hidden=True)
        elif thing.told or not cell.nothing:
            yield PanelCount(label, cell.text, secret=cell.secret)

    def _figure(self, thing: ArrangedThing, seat: int) -> Iterator[PanelCount]:
        values = self.figures.get(thing.key)
        if values is None or seat >= len(values):
            return
        value = values[seat]
        label = _lower(noun(self.eyes.narrator, "function", thing.key))
        if value is None:
            yield PanelCount(label, "?", hidden=True)
        else:
            yield PanelCount(label, figure_text(self.eyes.narrator, value), secret=thing.form == "owner")

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

    def _shows(self, zone: ZoneView, thing: ArrangedThing) -> bool:
        """Whether cards of a zone are drawn: open ones; on a roomy table also a few backs."""
        if zone.owner == self.eyes.seat or thing.form == "count":
            return False
        few = self.roomy and 0 < len(zone.cards) <= FEW_CARDS and self.zones.info(zone).order != "pile"
        return few or any(card is not None for card in zone.cards)

    def _of_seat(self, key: str, seat: int) -> list[ZoneView]:
        return [zone for zone in self.view.zones if zone.zone == key and zone.owner == seat]

    def _zone_label(self, zone: ZoneView) -> str:
        return _lower(self.zones.name(zone))


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]
