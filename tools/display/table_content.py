"""The content of a table as one seat sees it, in the groups of the pack's layout.

Every part has a key that stays the same from drawing to drawing, so that two drawings can be compared. Parts that
hold nothing (a row in which all players have zero, an empty zone) are there, too, with the flag `empty`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from attrs import define, field, frozen

from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import ListView, TrackView, View, ZoneView
from rulewright.interpreter.views.visibility import zone_member
from rulewright.ruleset.program.nodes import TableLayout, Texts
from rulewright.ruleset.table.nodes import TrackInfo
from rulewright.tools.common.glyphs import Glyphs
from rulewright.tools.common.value_names import figure_text, member_text, noun, value_text
from rulewright.tools.display.arrangement import Group, Thing, arrange
from rulewright.tools.display.zone_text import REMEMBERED, ZoneText

Figures = Mapping[str, Sequence[int | bool | str | None]]
"""The values of the functions that a layout shows, by seat or alone; None is hidden, empty cannot be worked out."""
Sort = Literal["row", "pile", "line"]
ONLY, HIDDEN, ORDER = "only", "?", "order"
"""Marks that a legend explains: hidden from the others, hidden from the reader, order of arrival."""
_WORDS = {"en": {"ordinal": "{n}."}, "es": {"ordinal": "{n}.º"}}
_ENGLISH_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th", "11th", "12th")
_TELLS_NOTHING = ("0", "no", "none")


@frozen
class Part:
    """A row of the players' numbers, a pile of a definition, or a line with the contents of something.

    `thing` is the zone, track, or list that it belongs to. `texts` are a row's values by seat, or the contents of a
    line. `under` is the name of a track whose members have rows of their own. `own` is for parts about the reader's
    own zones.
    """

    sort: Sort
    key: str
    thing: str
    name: str
    texts: tuple[str, ...]
    marks: frozenset[str] = field(eq=False)
    empty: bool = False
    under: str = ""
    own: bool = False


@frozen
class Block:
    """A group of the layout with its parts."""

    texts: Texts
    parts: tuple[Part, ...]


@frozen
class Sheet:
    """A whole table."""

    blocks: tuple[Block, ...]

    @property
    def parts(self) -> dict[str, Part]:
        """All parts by their keys."""
        return {part.key: part for block in self.blocks for part in block.parts}


def sheet_of(
    narrator: Narrator, marks: Glyphs, view: View, layout: TableLayout | None, figures: Figures | None = None
) -> Sheet:
    """Return the content of a seat's table. `figures` are the values of functions."""
    content = Content(narrator, marks, view, frozenset(layout.hidden if layout else ()), figures or {})
    groups = arrange(narrator.program, layout)
    return Sheet(tuple(Block(group.texts, tuple(content.parts(group))) for group in groups))


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
    tracks: dict[str, TrackInfo] = field(init=False)
    words: dict[str, str] = field(init=False)
    used: set[str] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        self.text = ZoneText(self.narrator, self.marks, self.hidden)
        self.tracks = {track.key: track for track in self.narrator.program.tracks}
        self.words = _WORDS[self.narrator.language]

    def parts(self, group: Group) -> Iterator[Part]:
        """Yield the parts of a group: rows, piles, then lines."""
        for thing in group.things:
            yield from self._rows(thing)
        for thing in group.things:
            if thing.of or thing.field:
                yield from self._piles(thing)
        for thing in group.things:
            yield from self._lines(thing)

    def _part(
        self, sort: Sort, key: str, thing: Thing, name: str, texts: Sequence[str], *,
        empty: bool = False, under: str = "", own: bool = False,
    ) -> Part:  # fmt: skip
        marks, self.used = frozenset(self.used), set()
        return Part(sort, f"{sort}/{key}", thing.key, name, tuple(texts), marks, empty, under, own)

    # -------------------------------------------------------------- numbers of players

    def _rows(self, thing: Thing) -> Iterator[Part]:
        """Yield a track of players or the sizes of their zones, one row for each other member of its scope."""
        if thing.sort == "track" and "player" in self.tracks[thing.key].scope:
            yield from self._track_rows(thing, self.view.track(thing.key))
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

    def _figure(self, thing: Thing, sort: Sort) -> Iterator[Part]:
        """Yield the values of a function: one for each player, or a single one."""
        values = self.figures.get(thing.key)
        if values is None:
            return
        shown = [self._shown(self._told(value)) for value in values]
        if thing.form == "owner":
            shown[self.view.seat] += self._only(1 << self.view.seat)
        name = noun(self.narrator, "function", thing.key)
        yield self._part(sort, thing.key, thing, name, shown, empty=not any(values))

    def _told(self, value: int | bool | str | None) -> str:
        return HIDDEN if value is None else figure_text(self.narrator, value, self.marks.dash)

    def _track_rows(self, thing: Thing, track: TrackView) -> Iterator[Part]:
        info = self.tracks[track.key]
        if not thing.told and all(value in (None, *_TELLS_NOTHING, 0) for value in track.values):
            return
        name = noun(self.narrator, "track", track.key)
        rows: dict[tuple[str, ...], list[int]] = {}
        for index in range(len(track.values)):
            others = tuple(
                member_text(self.narrator, info, scope, index)
                for scope in track.scope
                if scope not in ("player", "game")
            )
            rows.setdefault(others, []).append(index)
        for others, indices in rows.items():
            values = [self._value(track, info, index, indices) for index in indices]
            empty = all(track.values[index] in (*_TELLS_NOTHING, 0) for index in indices)
            key, label = ",".join((track.key, *others)), ", ".join(others) or name
            under = name if len(rows) > 1 else ""
            yield self._part("row", key, thing, label, values, empty=empty, under=under)

    def _value(self, track: TrackView, info: TrackInfo, index: int, row: Sequence[int]) -> str:
        value = track.values[index]
        if value is None:
            return self._shown(HIDDEN)
        text = self._shown(value_text(self.narrator, info.of, value))
        if track.arrival:
            equal = sorted({track.arrival[i] or 0 for i in row if track.values[i] == value})
            if len(equal) > 1 and value != info.start[index]:
                self.used.add(ORDER)
                text += f" ({self._ordinal(equal.index(track.arrival[index] or 0) + 1)})"
        return text + self._only(info.seen[index])

    def _ordinal(self, number: int) -> str:
        if self.narrator.language == "en" and number <= len(_ENGLISH_ORDINALS):
            return _ENGLISH_ORDINALS[number - 1]
        return self.words["ordinal"].format(n=number)

    def _shown(self, value: str) -> str:
        if value == HIDDEN:
            self.used.add(HIDDEN)
        return self.marks.nought if value == "0" else value

    def _only(self, seen: int) -> str:
        """Return the mark of what is hidden from all others; they may still know what was shown earlier."""
        if seen != 1 << self.view.seat or self.narrator.program.seats == 1:
            return ""
        self.used.add(ONLY)
        return f" {self.marks.only}"

    # -------------------------------------------------------------- zones of definitions

    def _piles(self, thing: Thing) -> Iterator[Part]:
        """Yield zones of definitions, those in a list or all that are not empty: size, name, and field."""
        zones = {zone.key: zone for zone in self.view.zones if zone.zone == thing.key}
        keys = [key for key, zone in zones.items() if zone.size != 0]
        if thing.of:
            named = next(one for one in self.view.lists if one.key == thing.of).items[0]
            keys = [key for key in (f"{thing.key}/{member}" for member in named) if key in zones]
        sizes = {key: HIDDEN if zones[key].size is None else str(zones[key].size) for key in keys}
        most = max(map(len, sizes.values()), default=0)
        for key in keys:
            member = key.removeprefix(f"{thing.key}/")
            text = f"{sizes[key]:>{most}} {self.marks.times} {self.narrator.name('definition', member, 1)}"
            value = self.narrator.texts.name(self.narrator.language, "field", f"{member}.{thing.field}")
            text = text if value is None else f"{text} ({value})"
            yield self._part("pile", key, thing, noun(self.narrator, "zone", thing.key), [text])

    # -------------------------------------------------------------- zones, and other state

    def _lines(self, thing: Thing) -> Iterator[Part]:
        if thing.sort == "zone":
            yield from self._zones(thing)
        elif thing.sort == "track" and "player" not in self.tracks[thing.key].scope:
            yield from self._fact(thing, self.view.track(thing.key))
        elif thing.sort == "function" and thing.form == "game":
            yield from self._figure(thing, "line")
        elif thing.sort == "list":
            yield from self._list(thing, next(one for one in self.view.lists if one.key == thing.key))

    def _zones(self, thing: Thing) -> Iterator[Part]:
        """Yield a zone of the game, or of players' zones those with visible contents, the reader's last."""
        if thing.of or thing.field:
            return
        zones = [zone for zone in self.view.zones if zone.zone == thing.key]
        for zone in sorted(zones, key=lambda one: one.owner == self.view.seat):
            shows = any(card is not None for card in zone.cards) or bool(zone.known)
            if zone.owner < 0 or zone.size == 0 or (shows and thing.form != "count"):
                yield self.zone(thing, zone, self.text.lines(zone, thing.form))

    def zone(self, thing: Thing, zone: ZoneView, contents: Sequence[str]) -> Part:
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
        mark = self._only(program.zones[number].sees) if zone.size else ""
        return name[:1].upper() + name[1:] + mark

    def _which(self, zone: int) -> str:
        """Return the definition, or the member of an enumeration, that a zone belongs to."""
        of = zone_member(self.narrator.program, zone)
        return f" ({self.narrator.name(*of, 1)})" if of else ""

    def _fact(self, thing: Thing, track: TrackView) -> Iterator[Part]:
        info = self.tracks[track.key]
        told = thing.told and not set(track.scope) - {"game"}
        shown = []
        for index, value in enumerate(track.values):
            if value is None or (not told and str(value) in _TELLS_NOTHING):
                continue
            scopes = [scope for scope in track.scope if scope != "game"]
            which = ", ".join(member_text(self.narrator, info, scope, index) for scope in scopes)
            text = value_text(self.narrator, info.of, value)
            shown.append((f"{which} {text}" if which else text) + self._only(info.seen[index]))
        if shown:
            yield self._part("line", track.key, thing, noun(self.narrator, "track", track.key), [", ".join(shown)])

    def _list(self, thing: Thing, items: ListView) -> Iterator[Part]:
        info = next(one for one in self.narrator.program.state_lists if one.key == items.key)
        for number, members in enumerate(items.items):
            named = [value_text(self.narrator, info.of, member) for member in members]
            name = noun(self.narrator, "list", items.key)
            if items.scope == "player":
                name += f" ({self.narrator.who(number)['seat']})"
            elif items.scope in (one.key for one in self.narrator.program.enumerations):
                name += f" ({member_text(self.narrator, info, items.scope, number)})"
            contents = [", ".join(named) or self.marks.dash]
            yield self._part("line", f"{items.key}/{number}", thing, name, contents, empty=not members)
