"""The content of a table as one seat sees it, in the groups of the pack's layout.

Every part has a key that stays the same from drawing to drawing, so that two drawings can be compared. Parts that
hold nothing (a row in which all players have zero, an empty zone) are there, too, with the flag `empty`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from attrs import define, evolve, field, frozen

from rulewright.interpreter.state.events import hidden, top_seen
from rulewright.interpreter.state.frames import card_axis
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import ListView, TrackView, View, ZoneView
from rulewright.interpreter.views.visibility import Mark, zone_member
from rulewright.ruleset.program.nodes import TableLayout, Texts
from rulewright.ruleset.table.nodes import TableProgram, TrackInfo, ZoneInfo
from rulewright.tools.common.display_texts import carried_text, figure_text, member_text, noun, value_text
from rulewright.tools.common.output import Glyphs

# ---- Arrange a view: by the pack's layout or, without one, in an order that suits any pack
#
# A table has groups of zones, tracks, and lists. Each is in one group; those that the layout does not mention
# come last, in a group without a name, and hidden ones are omitted. Tracks and lists of cards are shown with
# the cards.

KERNEL_KEYS = ("in-game", "winner", "living")
"""Tracks and lists of the kernel that are shown by their meaning, if at all."""

ThingSort = Literal["zone", "track", "list", "function"]


@frozen
class ArrangedThing:
    """A zone, track, list, or function; `told` means that a layout names it.

    `form` is that of a zone, and for a function who sees it (`ruleset.program.nodes.LayoutItem.shown`).

    `of` and `field` are for zones of definitions that a layout shows together (`ruleset.program.nodes.Placed`).
    """

    sort: ThingSort
    key: str
    form: str = ""
    told: bool = False
    of: str = ""
    field: str = ""


@frozen
class ArrangedGroup:
    """Things under an optional heading."""

    texts: Texts
    things: tuple[ArrangedThing, ...]


def arrange(program: TableProgram, layout: TableLayout | None) -> tuple[ArrangedGroup, ...]:
    """Return the groups of a table, in order."""
    known = {thing.key: thing for thing in _things(program)}
    if layout is None:
        return (ArrangedGroup((), tuple(known.values())),)
    groups = []
    for group in layout.groups:
        placed = [
            ArrangedThing("function", one.key, one.shown, True)
            if one.shown
            else ArrangedThing(known.pop(one.key).sort, one.key, one.form, True, one.of, one.field)
            for one in group.placed
            if one.shown or one.key in known
        ]
        groups.append(ArrangedGroup(group.texts, tuple(placed)))
    rest = tuple(thing for key, thing in known.items() if key not in layout.hidden)
    return tuple(group for group in (*groups, ArrangedGroup((), rest)) if group.things)


def _things(program: TableProgram) -> list[ArrangedThing]:
    """Return everything shown on its own: players' tracks, the game's zones, tracks, and lists; players' zones."""
    tracks = [
        track
        for track in program.tracks
        if "/" not in track.key and track.key not in KERNEL_KEYS and card_axis(program, track) is None
    ]
    lists = [
        info
        for info in program.state_lists
        if "/" not in info.key and info.key not in KERNEL_KEYS and card_axis(program, info) is None
    ]
    of_players = [zone.zone for zone in program.zones if zone.owner >= 0]
    of_game = [zone.zone for zone in program.zones if zone.owner < 0]
    return [
        *(ArrangedThing("track", track.key) for track in tracks if "player" in track.scope),
        *(ArrangedThing("zone", key) for key in dict.fromkeys(of_game)),
        *(ArrangedThing("track", track.key) for track in tracks if "player" not in track.scope),
        *(ArrangedThing("list", info.key) for info in lists),
        *(ArrangedThing("zone", key) for key in dict.fromkeys(of_players)),
    ]


# ---- What a table shows besides cards, whoever draws it: values of tracks and functions, piles, lists

NOTHING = (0, "0", "no", "none")
"""Values that tell nothing where a layout does not name their track."""


@frozen
class TrackCell:
    """A value of a track in words; `text` is None if it is hidden from the reader.

    `place` is its order of arrival among equal values, from 1; 0 if that is not known or alone. It is worth telling
    once the value has `moved` from its start. `secret`: it is hidden from all others.
    """

    value: int | str | None
    text: str | None
    place: int = 0
    moved: bool = False
    secret: bool = False

    @property
    def nothing(self) -> bool:
        """Whether the value is known and tells nothing."""
        return self.value in NOTHING


@frozen
class TrackRow:
    """The values of a track for one combination of members of its scope, by seats if these are in it, too.

    `indices` are the places of the cells in the track.
    """

    members: tuple[str, ...]
    indices: tuple[int, ...]
    cells: tuple[TrackCell, ...]


@frozen
class TableNumbers:
    """Reads the numbers, piles, and lists of a view."""

    narrator: Narrator
    view: View

    def info(self, key: str) -> TrackInfo:
        """Return the declaration of a track."""
        return next(track for track in self.narrator.program.tracks if track.key == key)

    def rows(self, thing: ArrangedThing) -> list[TrackRow]:
        """Return a track in rows; none if it tells nothing and the layout does not name it."""
        track, info = self.view.track(thing.key), self.info(thing.key)
        if not thing.told and all(value in (None, *NOTHING) for value in track.values):
            return []
        members = [scope for scope in track.scope if scope not in ("player", "game")]
        rows: dict[tuple[str, ...], list[int]] = {}
        for index in range(len(track.values)):
            name = tuple(member_text(self.narrator, info, scope, index) for scope in members)
            rows.setdefault(name, []).append(index)
        return [
            TrackRow(name, tuple(indices), tuple(self.cell(track, info, index, indices) for index in indices))
            for name, indices in rows.items()
        ]

    def cell(self, track: TrackView, info: TrackInfo, index: int, row: Sequence[int] = ()) -> TrackCell:
        """Return a value of a track; its place is that among the values of these indices."""
        value = track.values[index]
        if value is None:
            return TrackCell(None, None)
        place = 0
        if track.arrival:
            equal = sorted({track.arrival[i] or 0 for i in row if track.values[i] == value})
            place = equal.index(track.arrival[index] or 0) + 1 if len(equal) > 1 else 0
        text, secret = value_text(self.narrator, info.of, value), self.only_here(info.seen[index])
        return TrackCell(value, text, place, value != info.start[index], secret)

    def only_here(self, seen: int) -> bool:
        """Whether those who see something (a bit for each seat) are the reader alone, at a table with others."""
        return seen == 1 << self.view.seat and self.narrator.program.seats > 1

    def lists(self, thing: ArrangedThing) -> list[tuple[str, tuple[str, ...]]]:
        """Return the items of a list in words, for each member of its scope, with its name."""
        items: ListView = next(one for one in self.view.lists if one.key == thing.key)
        info = next(one for one in self.narrator.program.state_lists if one.key == thing.key)
        alone = items.scope in ("", "game")
        return [
            (
                "" if alone else member_text(self.narrator, info, items.scope, number),
                tuple(value_text(self.narrator, info.of, member) for member in members),
            )
            for number, members in enumerate(items.items)
        ]

    def piles(self, thing: ArrangedThing) -> list[ZoneView]:
        """Return the zones of definitions that a layout shows together: those of its list, or all with cards."""
        zones = {zone.key: zone for zone in self.view.zones if zone.zone == thing.key}
        if not thing.of:
            return [zone for zone in zones.values() if zone.size != 0]
        named = next(one for one in self.view.lists if one.key == thing.of).items[0]
        return [zones[key] for member in named if (key := f"{thing.key}/{member}") in zones]


# ---- Describe the contents of a zone: visible cards by name, others as a count
#
# A zone has one of five forms, which a pack's layout may choose:
#
# - `cards`: all visible cards, equal ones together;
# - `line`: all cards on one line, in their order (those of a bag as in `cards`);
# - `places`: card by card, with places;
# - `top`: the top card and the number of cards;
# - `count`: only the number of cards.

MANY = 8
"""A larger pile in sight shows only its top; a bag with more different visible cards shows only their number."""
REMEMBERED = "remembered"
"""Marks contents with cards that the reader does not see but remembers."""
WORDS = {
    "en": {
        "on-top": "{count}, on top {card}",
        "known": "{count}; you remember {known}",
        "place": "place {n}: {card}",
        "top": "the top: {cards}",
        "from-top": "number {n} from the top: {card}",
        "beside": "{known}; among the others {more}",
        "then": "then",
        "under": "{card} on top; under it you remember {known}",
        "at-least": "you remember {known}",
    },
    "es": {
        "on-top": "{count}, encima {card}",
        "known": "{count}; recuerdas {known}",
        "place": "lugar {n}: {card}",
        "top": "la de arriba: {cards}",
        "from-top": "la número {n} desde arriba: {card}",
        "beside": "{known}; entre las demás {more}",
        "then": "luego",
        "under": "{card} encima; debajo recuerdas {known}",
        "at-least": "recuerdas {known}",
    },
}


class ZoneText:
    """Describes zones to one reader."""

    def __init__(self, narrator: Narrator, glyphs: Glyphs, unmarked: frozenset[str] = frozenset()) -> None:
        """`unmarked` are tracks and lists that are not mentioned beside cards."""
        self.narrator = narrator
        self.glyphs = glyphs
        self.unmarked = unmarked
        self.words = WORDS[narrator.language]
        self.infos = {zone.key: zone for zone in narrator.program.zones}

    def lines(self, zone: ZoneView, form: str = "") -> list[str]:
        """Describe a zone in the given form, or the most suitable one: one line, or one per place."""
        zone = self._without_unmarked(zone)
        form = form or self._form(zone)
        if zone.size is None:
            return [self._uncounted(zone, form)]
        if zone.size == 0:
            return [self.glyphs.dash]
        count = self._count(len(zone.cards))
        if form == "count":
            return [count]
        if form == "top" and zone.cards and zone.cards[-1] is not None:
            if len(zone.cards) == 1:
                return [self._named(zone.cards[-1], 1)]
            return [self.words["on-top"].format(count=count, card=self._named(zone.cards[-1], 1))]
        if not any(card is not None for card in zone.cards):
            return [self._backs(zone, count, zone.known)]
        info = self.infos[zone.key]
        if info.order != "bag" and (None in zone.cards or hidden(info, self.narrator.reader or 0)):
            return [self._partly(zone, count)]
        if form == "places":
            return self._places(zone)
        if form == "line" and info.order != "bag":
            return [", ".join(self._one_by_one(zone))]
        return [self._cards(zone)]

    def full(self, zone: ZoneView) -> list[str]:
        """Describe a zone completely."""
        ordered = self.infos[zone.key].order == "row"
        return self.lines(zone, "places" if ordered else "cards")

    def _without_unmarked(self, zone: ZoneView) -> ZoneView:
        if not self.unmarked:
            return zone
        marks = tuple(
            tuple(mark for mark in carried if mark[0].partition("/")[0] not in self.unmarked)
            for carried in zone.marks
        )
        return evolve(zone, marks=marks)

    def recalls(self, zone: ZoneView, form: str = "") -> bool:
        """Whether the description of a zone contains cards that the reader remembers and does not see."""
        form = form or self._form(zone)
        if form == "count" or (form == "top" and zone.cards and zone.cards[-1] is not None):
            return False
        if zone.known:
            return True
        info, seen = self.infos[zone.key], zone.cards
        if info.order == "bag" or not hidden(info, self.narrator.reader or 0):
            return False
        return any(card is not None for card in (seen[:-1] if self._sees_top(zone) else seen))

    def _sees_top(self, zone: ZoneView) -> bool:
        """Whether the reader sees the top card of a pile, which need not be remembered."""
        return self.infos[zone.key].order == "pile" and bool(
            top_seen(self.infos[zone.key]) >> (self.narrator.reader or 0) & 1
        )

    # -------------------------------------------------------------- forms

    def _uncounted(self, zone: ZoneView, form: str) -> str:
        """Describe a zone whose cards the reader may not count: its top, and what the reader remembers."""
        info = self.infos[zone.key]
        if not zone.cards and info.order == "pile" and top_seen(info) >> (self.narrator.reader or 0) & 1:
            return self.glyphs.dash  # a top card would be visible
        if form == "count" or not (zone.cards or zone.known):
            return "?"
        top = "" if not zone.cards else self._named(zone.cards[0], 1)
        if (form == "top" and top) or not zone.known:
            return top
        return self.words["under" if top else "at-least"].format(card=top, known=self._known(zone.known))

    def _form(self, zone: ZoneView) -> str:
        info: ZoneInfo = self.infos[zone.key]
        seen = sum(card is not None for card in zone.cards)
        shows = any(zone.marks) or len(zone.cards) == seen > 0
        if info.order == "row" and shows and len(zone.cards) <= MANY:
            return "places"
        if info.order == "pile" and seen == len(zone.cards) > 1:
            return "top"
        if info.owner < 0 and len({card for card in zone.cards if card is not None}) > MANY:
            return "count"
        return "cards"

    def _cards(self, zone: ZoneView) -> str:
        marks = zone.marks or ((),) * len(zone.cards)
        seen: Counter[tuple[str, tuple[Mark, ...]]] = Counter(
            (card, carried) for card, carried in zip(zone.cards, marks, strict=True) if card is not None
        )
        parts = [self._named(card, count) + self._marks(carried) for (card, carried), count in seen.items()]
        backs = sum(1 for card in zone.cards if card is None)
        if backs:
            parts.append(self._backs(zone, self._count(backs), zone.known))
        return ", ".join(parts)

    def _places(self, zone: ZoneView) -> list[str]:
        width = len(str(len(zone.cards)))
        return [f"{place:>{width}}. {card}" for place, card in enumerate(self._one_by_one(zone), 1)]

    def _one_by_one(self, zone: ZoneView) -> list[str]:
        """Name each card, with what it carries, in their order."""
        marks = zone.marks or ((),) * len(zone.cards)
        back = self.narrator.phrase("cards", count=1)
        return [
            (back if card is None else self._named(card, 1)) + self._marks(carried)
            for card, carried in zip(zone.cards, marks, strict=True)
        ]

    def _backs(self, zone: ZoneView, count: str, known: Sequence[tuple[str, int]]) -> str:
        if not known:
            return count
        return self.words["known"].format(count=count, known=self._known(known))

    def _known(self, known: Sequence[tuple[str, int]]) -> str:
        """List the cards known to be among the hidden ones, with minimum counts."""
        return ", ".join(self._named(card, count) for card, count in known)

    def _partly(self, zone: ZoneView, count: str) -> str:
        """Describe an ordered zone of which some places are known: a pile from its top, a row by its places."""
        pile = self.infos[zone.key].order == "pile"
        parts: list[str] = []
        if pile:
            top: list[str] = []
            rest = list(enumerate(reversed(zone.cards), 1))
            if self._sees_top(zone):
                count = self.words["on-top"].format(count=count, card=self._named(rest.pop(0)[1], 1))
            while rest and rest[0][1] is not None:
                top.append(self._named(rest.pop(0)[1] or "", 1))
            if top:
                parts.append(self.words["top"].format(cards=f", {self.words['then']} ".join(top)))
            parts += [
                self.words["from-top"].format(n=place, card=self._named(card, 1)) for place, card in rest if card
            ]
        else:
            parts = [
                self.words["place"].format(n=place, card=self._named(card, 1))
                for place, card in enumerate(zone.cards, 1)
                if card is not None
            ]
        if not parts:
            return self.words["known"].format(count=count, known=self._known(zone.known)) if zone.known else count
        told = self.words["known"].format(count=count, known="; ".join(parts))
        return self.words["beside"].format(known=told, more=self._known(zone.known)) if zone.known else told

    # -------------------------------------------------------------- pieces

    def _count(self, number: int) -> str:
        return self.narrator.phrase("cards", count=number)

    def _named(self, card: str | None, count: int) -> str:
        return self.narrator.several("card", card or "", count).replace("×", self.glyphs.times)

    def _marks(self, marks: Sequence[Mark]) -> str:
        """Describe a card's tracks and lists, and what refers to it."""
        return f" [{carried_text(self.narrator, marks)}]" if marks else ""


# ---- Table content

Figures = Mapping[str, Sequence[int | bool | str | None]]
"""The values of the functions that a layout shows, by seat or alone; None is hidden, empty cannot be worked out."""
PartSort = Literal["row", "pile", "line"]
ONLY, HIDDEN, ORDER = "only", "?", "order"
"""Marks that a legend explains: hidden from the others, hidden from the reader, order of arrival."""
_WORDS = {"en": {"ordinal": "{n}."}, "es": {"ordinal": "{n}.º"}}
_ENGLISH_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th", "11th", "12th")


@frozen
class TablePart:
    """A row of the players' numbers, a pile of a definition, or a line with the contents of something.

    `thing` is the zone, track, or list that it belongs to. `texts` are a row's values by seat, or the contents of a
    line. `under` is the name of a track whose members have rows of their own. `own` is for parts about the reader's
    own zones.
    """

    sort: PartSort
    key: str
    thing: str
    name: str
    texts: tuple[str, ...]
    marks: frozenset[str] = field(eq=False)
    empty: bool = False
    under: str = ""
    own: bool = False


@frozen
class TableGroup:
    """A group of the layout with its parts."""

    texts: Texts
    parts: tuple[TablePart, ...]


@frozen
class TableContent:
    """A whole table."""

    blocks: tuple[TableGroup, ...]

    @property
    def parts(self) -> dict[str, TablePart]:
        """All parts by their keys."""
        return {part.key: part for block in self.blocks for part in block.parts}


def sheet_of(
    narrator: Narrator, marks: Glyphs, view: View, layout: TableLayout | None, figures: Figures | None = None
) -> TableContent:
    """Return the content of a seat's table. `figures` are the values of functions."""
    content = Content(narrator, marks, view, frozenset(layout.hidden if layout else ()), figures or {})
    groups = arrange(narrator.program, layout)
    return TableContent(tuple(TableGroup(group.texts, tuple(content.parts(group))) for group in groups))


@define
class Content:
    """Describes a view. `used` collects the marks of the part that is being described; `hidden` tracks and lists
    are not mentioned beside cards.
    """

    narrator: Narrator
    marks: Glyphs
    view: View
    hidden: frozenset[str] = frozenset()
    figures: Figures = field(factory=dict)
    text: ZoneText = field(init=False)
    numbers: TableNumbers = field(init=False)
    words: dict[str, str] = field(init=False)
    used: set[str] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        self.text = ZoneText(self.narrator, self.marks, self.hidden)
        self.numbers = TableNumbers(self.narrator, self.view)
        self.words = _WORDS[self.narrator.language]

    def parts(self, group: ArrangedGroup) -> Iterator[TablePart]:
        """Yield the parts of a group: rows, piles, then lines."""
        for thing in group.things:
            yield from self._rows(thing)
        for thing in group.things:
            if thing.of or thing.field:
                yield from self._piles(thing)
        for thing in group.things:
            yield from self._lines(thing)

    def _part(
        self, sort: PartSort, key: str, thing: ArrangedThing, name: str, texts: Sequence[str], *,
        empty: bool = False, under: str = "", own: bool = False,
    ) -> TablePart:  # fmt: skip
        marks, self.used = frozenset(self.used), set()
        return TablePart(sort, f"{sort}/{key}", thing.key, name, tuple(texts), marks, empty, under, own)

    # -------------------------------------------------------------- numbers of players

    def _rows(self, thing: ArrangedThing) -> Iterator[TablePart]:
        """Yield a track of players or the sizes of their zones, one row for each other member of its scope."""
        if thing.sort == "track" and "player" in self.numbers.info(thing.key).scope:
            yield from self._track_rows(thing)
        elif thing.sort == "function" and thing.form != "game":
            yield from self._figure(thing, "row")
        elif thing.sort == "zone":
            zones = [zone for zone in self.view.zones if zone.zone == thing.key and zone.owner >= 0]
            # In other forms the contents of non-empty zones are shown, so that zeros would be redundant.
            worth = thing.form in ("", "count") or any(zone.size for zone in zones)
            if zones and worth:
                shown = [self._shown(HIDDEN if zone.size is None else str(zone.size)) for zone in zones]
                empty = all(zone.size == 0 for zone in zones)
                name = noun(self.narrator, "zone", thing.key)
                yield self._part("row", thing.key, thing, name, shown, empty=empty)

    def _figure(self, thing: ArrangedThing, sort: PartSort) -> Iterator[TablePart]:
        """Yield the values of a function: one for each player, or a single one."""
        values = self.figures.get(thing.key)
        if values is None:
            return
        shown = [self._shown(self._told(value)) for value in values]
        if thing.form == "owner":
            shown[self.view.seat] += self._only(self.numbers.only_here(1 << self.view.seat))
        name = noun(self.narrator, "function", thing.key)
        yield self._part(sort, thing.key, thing, name, shown, empty=not any(values))

    def _told(self, value: int | bool | str | None) -> str:
        return HIDDEN if value is None else figure_text(self.narrator, value, self.marks.dash)

    def _track_rows(self, thing: ArrangedThing) -> Iterator[TablePart]:
        name = noun(self.narrator, "track", thing.key)
        rows = self.numbers.rows(thing)
        for row in rows:
            values = [self._value(cell) for cell in row.cells]
            key, label = ",".join((thing.key, *row.members)), ", ".join(row.members) or name
            under, empty = name if len(rows) > 1 else "", all(cell.nothing for cell in row.cells)
            yield self._part("row", key, thing, label, values, empty=empty, under=under)

    def _value(self, cell: TrackCell) -> str:
        if cell.text is None:
            return self._shown(HIDDEN)
        text = self._shown(cell.text)
        if cell.place and cell.moved:
            self.used.add(ORDER)
            text += f" ({self._ordinal(cell.place)})"
        return text + self._only(cell.secret)

    def _ordinal(self, number: int) -> str:
        if self.narrator.language == "en" and number <= len(_ENGLISH_ORDINALS):
            return _ENGLISH_ORDINALS[number - 1]
        return self.words["ordinal"].format(n=number)

    def _shown(self, value: str) -> str:
        if value == HIDDEN:
            self.used.add(HIDDEN)
        return self.marks.nought if value == "0" else value

    def _only(self, secret: bool) -> str:
        """Return the mark of what is hidden from all others; they may still know what was shown earlier."""
        if not secret:
            return ""
        self.used.add(ONLY)
        return f" {self.marks.only}"

    # -------------------------------------------------------------- zones of definitions

    def _piles(self, thing: ArrangedThing) -> Iterator[TablePart]:
        """Yield zones of definitions, those in a list or all that are not empty: size, name, and field."""
        sizes = {
            zone.key: HIDDEN if zone.size is None else str(zone.size) for zone in self.numbers.piles(thing)
        }
        most = max(map(len, sizes.values()), default=0)
        for key in sizes:
            member = key.removeprefix(f"{thing.key}/")
            text = f"{sizes[key]:>{most}} {self.marks.times} {self.narrator.name('definition', member, 1)}"
            value = self.narrator.texts.name(self.narrator.language, "field", f"{member}.{thing.field}")
            text = text if value is None else f"{text} ({value})"
            yield self._part("pile", key, thing, noun(self.narrator, "zone", thing.key), [text])

    # -------------------------------------------------------------- zones, and other state

    def _lines(self, thing: ArrangedThing) -> Iterator[TablePart]:
        if thing.sort == "zone":
            yield from self._zones(thing)
        elif thing.sort == "track" and "player" not in self.numbers.info(thing.key).scope:
            yield from self._fact(thing, self.view.track(thing.key))
        elif thing.sort == "function" and thing.form == "game":
            yield from self._figure(thing, "line")
        elif thing.sort == "list":
            yield from self._list(thing)

    def _zones(self, thing: ArrangedThing) -> Iterator[TablePart]:
        """Yield a zone of the game, or of players' zones those with visible contents, the reader's last."""
        if thing.of or thing.field:
            return
        zones = [zone for zone in self.view.zones if zone.zone == thing.key]
        for zone in sorted(zones, key=lambda one: one.owner == self.view.seat):
            shows = any(card is not None for card in zone.cards) or bool(zone.known)
            if zone.owner < 0 or zone.size == 0 or (shows and thing.form != "count"):
                yield self.zone(thing, zone, self.text.lines(zone, thing.form))

    def zone(self, thing: ArrangedThing, zone: ZoneView, contents: Sequence[str]) -> TablePart:
        """Return the line of a zone."""
        name = self._place_name(zone)
        own = zone.owner == self.view.seat
        if self.text.recalls(zone, thing.form):
            self.used.add(REMEMBERED)
        return self._part("line", zone.key, thing, name, contents, empty=zone.size == 0, own=own)

    def _place_name(self, zone: ZoneView) -> str:
        """Return a zone's name and owner, marked if it is hidden from all others."""
        program = self.narrator.program
        number = next(n for n, info in enumerate(program.zones) if info.key == zone.key)
        if zone.owner < 0:
            name = noun(self.narrator, "zone", zone.zone)
            if program.zones[number].key != program.zones[number].zone:
                name += self._which(number)
        else:
            name = self.narrator.zone(number)
        mark = self._only(self.numbers.only_here(program.zones[number].sees)) if zone.size else ""
        return name[:1].upper() + name[1:] + mark

    def _which(self, zone: int) -> str:
        """Return the definition, or the member of an enumeration, that a zone belongs to."""
        of = zone_member(self.narrator.program, zone)
        return f" ({self.narrator.name(*of, 1)})" if of else ""

    def _fact(self, thing: ArrangedThing, track: TrackView) -> Iterator[TablePart]:
        info = self.numbers.info(thing.key)
        told = thing.told and not set(track.scope) - {"game"}
        shown = []
        for index in range(len(track.values)):
            cell = self.numbers.cell(track, info, index)
            if cell.text is None or (not told and cell.nothing):
                continue
            scopes = [scope for scope in track.scope if scope != "game"]
            which = ", ".join(member_text(self.narrator, info, scope, index) for scope in scopes)
            shown.append((f"{which} {cell.text}" if which else cell.text) + self._only(cell.secret))
        if shown:
            yield self._part("line", track.key, thing, noun(self.narrator, "track", track.key), [", ".join(shown)])

    def _list(self, thing: ArrangedThing) -> Iterator[TablePart]:
        for number, (member, texts) in enumerate(self.numbers.lists(thing)):
            name = noun(self.narrator, "list", thing.key) + (f" ({member})" if member else "")
            contents = [", ".join(texts) or self.marks.dash]
            yield self._part("line", f"{thing.key}/{number}", thing, name, contents, empty=not texts)
