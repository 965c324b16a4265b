"""Draw a seat's view of the table in groups: numbers of all players side by side, then the contents of zones.

Marks show visibility: `Glyphs.only` follows a number or zone that is hidden from all others, and `?` replaces one
that is hidden from the reader; everything else is public. Equal values of a track that remembers arrival are
followed by their order of arrival. Empty zones and zeros are omitted unless a layout names them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field
from rich.text import Text

from interpreter.views.narration import Narrator
from interpreter.views.view import ListView, TrackView, View, ZoneView
from ruleset.common.terminal_text import harmless
from ruleset.program.nodes import TableLayout
from ruleset.table.nodes import TrackInfo
from tools.common.glyphs import Glyphs
from tools.display.arrangement import Group, Thing, arrange
from tools.display.screen import Screen
from tools.display.value_names import member_text, noun, value_text
from tools.display.zone_text import ZoneText

_WORDS = {
    "en": {
        "you": "you",
        "out": "out",
        "only": "hidden from the others",
        "hidden": "hidden from you",
        "order": "1st, 2nd, …: who came first to an equal number",
        "ordinal": "{n}.",
    },
    "es": {
        "you": "tú",
        "out": "fuera",
        "only": "oculto para los demás",
        "hidden": "oculto para ti",
        "order": "1.º, 2.º, …: quién llegó antes a un número igual",
        "ordinal": "{n}.º",
    },
}
WIDEST_NAME = 28
"""Maximum width, in characters, of the column of names of zones."""
_ENGLISH_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th", "11th", "12th")
_TELLS_NOTHING = ("0", "no", "none")


def draw(screen: Screen, view: View, layout: TableLayout | None = None) -> None:
    """Print the view of a seat."""
    table = _Drawing(screen, view)
    for group in arrange(screen.program, layout):
        table.group(group)
    table.legend()


def draw_zone(screen: Screen, view: View, typed: str) -> bool:
    """Print the zones whose name or key begins with `typed`, in full; return False if there are none."""
    drawing = _Drawing(screen, view)
    wanted = typed.lower()
    found = [
        zone
        for zone in view.zones
        if any(name.lower().startswith(wanted) for name in (noun(screen.narrator, "zone", zone.zone), zone.zone))
    ]
    drawing.places([(drawing.place_name(zone), drawing.text.full(zone)) for zone in found])
    return bool(found)


@define
class _Drawing:
    """A view being drawn; `used` collects the marks that the legend has to explain."""

    screen: Screen
    view: View
    used: set[str] = field(init=False, factory=set)
    text: ZoneText = field(init=False)
    marks: Glyphs = field(init=False)
    words: dict[str, str] = field(init=False)
    tracks: dict[str, TrackInfo] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.marks = self.screen.glyphs
        self.text = ZoneText(self.narrator, self.marks)
        self.words = _WORDS[self.narrator.language]
        self.tracks = {track.key: track for track in self.narrator.program.tracks}

    @property
    def narrator(self) -> Narrator:
        return self.screen.narrator

    def group(self, group: Group) -> None:
        """Print a group: its heading, numbers, and zones; nothing if it is empty."""
        rows = [row for thing in group.things for row in self._rows(thing)]
        lines = [line for thing in group.things for line in self._lines(thing)]
        piles = [pile for thing in group.things if thing.of or thing.field for pile in self._piles(thing)]
        if not rows and not lines and not piles:
            return
        console = self.screen.console
        console.print()
        texts = dict(group.texts)
        if texts:
            title = texts.get(self.narrator.language) or next(iter(texts.values()))
            console.print(Text(harmless(title), "bold underline" if console.is_terminal else "bold"))
        self._side_by_side(piles)
        if piles and rows:
            console.print()
        if rows:
            self._numbers(rows)
        if (rows or piles) and lines:
            console.print()
        self.places(lines)

    def legend(self) -> None:
        """Explain the marks that were used."""
        told = []
        if "only" in self.used:
            told.append(f"{self.marks.only} {self.words['only']}")
        if "?" in self.used:
            told.append(f"? {self.words['hidden']}")
        if "order" in self.used:
            told.append(self.words["order"])
        if told:
            self.screen.console.print()
            self.screen.hanging(f" {self.marks.dot} ".join(told), indent=2, style="dim")

    # -------------------------------------------------------------- numbers of players

    def _numbers(self, rows: Sequence[tuple[str, list[str]]]) -> None:
        """Print rows with a column for each player, in as many blocks as the terminal's width requires."""
        seats = list(range(len(self.screen.names)))
        width = self.screen.console.width
        label = min(max((len(name) for name, _ in rows), default=0), max(14, width // 3))
        heads = [self._head(seat) for seat in seats]
        least = [_widest(head.split(), rows, seat) for seat, head in enumerate(heads)]
        at_once = max(1, (width - label) // (max(least) + 2))
        if at_once < len(seats):
            at_once = -(-len(seats) // -(-len(seats) // at_once))  # blocks of about the same size
        for first in range(0, len(seats), at_once):
            if first:
                self.screen.console.print()
            self._columns(rows, label, seats[first : first + at_once], heads)

    def _head(self, seat: int) -> str:
        out = self.view.track("in-game").values
        notes = [self.words["you"]] if seat == self.view.seat else []
        notes += [self.words["out"]] if out[seat] in (0, "no") else []
        return self.screen.names[seat] + (f" ({', '.join(notes)})" if notes else "")

    def _columns(
        self, rows: Sequence[tuple[str, list[str]]], label: int, seats: Sequence[int], heads: Sequence[str]
    ) -> None:
        """Print a block of the table of numbers; names wrap if the terminal is narrow."""
        widths = {seat: _widest([heads[seat]], rows, seat) for seat in seats}
        if label + sum(widths.values()) + 2 * len(seats) > self.screen.console.width:
            widths = {seat: _widest(heads[seat].split(), rows, seat) for seat in seats}
        columns = {seat: textwrap.wrap(heads[seat], widths[seat]) for seat in seats}
        tall = max(len(lines) for lines in columns.values())
        for line in range(tall):
            shown = Text(" " * label)
            for seat, lines in columns.items():
                word = lines[line - tall + len(lines)] if line >= tall - len(lines) else ""
                shown.append(f"  {word:>{widths[seat]}}", self.screen.colour(seat) + " bold")
            shown.rstrip()
            self.screen.console.print(shown, soft_wrap=True)
        for name, values in rows:
            shown = Text(textwrap.shorten(name, label, placeholder="…") if len(name) > label else name)
            if values:
                shown.pad_right(label - len(shown))
                for seat in seats:
                    style = "dim" if values[seat] == self.marks.nought else ""
                    shown.append(f"  {values[seat]:>{widths[seat]}}", style)
            self.screen.console.print(shown, soft_wrap=True)

    def _rows(self, thing: Thing) -> Iterator[tuple[str, list[str]]]:
        """Yield a track of players or the sizes of their zones, one row for each other member of its scope."""
        if thing.sort == "track" and "player" in self.tracks[thing.key].scope:
            yield from self._track_rows(self.view.track(thing.key), thing.told)
        elif thing.sort == "zone":
            zones = [zone for zone in self.view.zones if zone.zone == thing.key and zone.owner >= 0]
            # In other forms the contents of non-empty zones are shown, so that zeros would be redundant.
            sizes = thing.form in ("", "count")
            worth = any(zone.size != 0 if sizes else zone.size for zone in zones)
            if zones and (worth or (sizes and thing.told)):
                shown = [self._shown("?" if zone.size is None else str(zone.size)) for zone in zones]
                yield noun(self.narrator, "zone", thing.key), shown

    def _track_rows(self, track: TrackView, told: bool) -> Iterator[tuple[str, list[str]]]:
        info = self.tracks[track.key]
        if not told and all(value in (None, *_TELLS_NOTHING, 0) for value in track.values):
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
        if len(rows) > 1:
            yield name, []
        for others, indices in rows.items():
            label = f"  {', '.join(others)}" if others else name
            yield label, [self._value(track, info, index, indices) for index in indices]

    def _value(self, track: TrackView, info: TrackInfo, index: int, row: Sequence[int]) -> str:
        value = track.values[index]
        if value is None:
            return self._shown("?")
        text = self._shown(value_text(self.narrator, info.of, value))
        if track.arrival:
            equal = sorted({track.arrival[i] or 0 for i in row if track.values[i] == value})
            if len(equal) > 1 and value != info.start[index]:
                self.used.add("order")
                text += f" ({self._ordinal(equal.index(track.arrival[index] or 0) + 1)})"
        return text + self._only(info.seen[index])

    def _ordinal(self, number: int) -> str:
        if self.narrator.language == "en" and number <= len(_ENGLISH_ORDINALS):
            return _ENGLISH_ORDINALS[number - 1]
        return self.words["ordinal"].format(n=number)

    def _shown(self, value: str) -> str:
        if value == "?":
            self.used.add("?")
        return self.marks.nought if value == "0" else value

    def _only(self, seen: int) -> str:
        """Return the mark of what is hidden from all others; they may still know what was shown earlier."""
        if seen != 1 << self.view.seat or self.narrator.program.seats == 1:
            return ""
        self.used.add("only")
        return f" {self.marks.only}"

    # -------------------------------------------------------------- zones of definitions

    def _piles(self, thing: Thing) -> Iterator[str]:
        """Yield zones of definitions, those in a list or all that are not empty: size, name, and field."""
        zones = {zone.key: zone for zone in self.view.zones if zone.zone == thing.key}
        keys = [key for key, zone in zones.items() if zone.size != 0]
        if thing.of:
            named = next(one for one in self.view.lists if one.key == thing.of).items[0]
            keys = [key for key in (f"{thing.key}/{member}" for member in named) if key in zones]
        sizes = {key: "?" if zones[key].size is None else str(zones[key].size) for key in keys}
        most = max(map(len, sizes.values()), default=0)
        for key in keys:
            member = key.removeprefix(f"{thing.key}/")
            text = f"{sizes[key]:>{most}} {self.marks.times} {self.narrator.name('definition', member, 1)}"
            value = self.narrator.texts.name(self.narrator.language, "field", f"{member}.{thing.field}")
            yield text if value is None else f"{text} ({value})"

    def _side_by_side(self, parts: Sequence[str]) -> None:
        """Print short texts in columns, row by row."""
        if not parts:
            return
        wide = max(len(part) for part in parts)
        columns = max(1, (max(self.screen.console.width, 40) + 2) // (wide + 2))
        for first in range(0, len(parts), columns):
            row = "  ".join(f"{part:<{wide}}" for part in parts[first : first + columns]).rstrip()
            self.screen.console.print(Text(row), soft_wrap=True)

    # -------------------------------------------------------------- zones, and other state

    def places(self, lines: Iterable[tuple[str, list[str]]]) -> None:
        """Print the contents of zones: a name, then one or more lines."""
        told = list(lines)
        widest = max((len(name) for name, _ in told), default=0)
        width = min(widest, max(14, min(WIDEST_NAME, self.screen.console.width // 3)))
        for name, contents in told:
            self.screen.beside(name, contents, width)

    def _lines(self, thing: Thing) -> Iterator[tuple[str, list[str]]]:
        if thing.sort == "zone":
            yield from self._zones(thing)
        elif thing.sort == "track" and "player" not in self.tracks[thing.key].scope:
            yield from self._fact(self.view.track(thing.key), thing.told)
        elif thing.sort == "list":
            yield from self._list(next(one for one in self.view.lists if one.key == thing.key), thing.told)

    def _zones(self, thing: Thing) -> Iterator[tuple[str, list[str]]]:
        """Yield a zone of the game, or of players' zones those with visible contents, the reader's last."""
        if thing.of or thing.field:
            return
        zones = [zone for zone in self.view.zones if zone.zone == thing.key]
        for zone in sorted(zones, key=lambda one: one.owner == self.view.seat):
            shows = any(card is not None for card in zone.cards) or bool(zone.known)
            if zone.owner < 0:
                worth = zone.size != 0 or thing.told
            else:
                worth = shows and thing.form != "count"
            if worth:
                yield self.place_name(zone), self.text.lines(zone, thing.form)

    def place_name(self, zone: ZoneView) -> str:
        """Return a zone's name and owner, marked if it is hidden from all others."""
        program = self.narrator.program
        number = next(n for n, info in enumerate(program.zones) if info.key == zone.key)
        if zone.owner < 0:
            name = noun(self.narrator, "zone", zone.zone)
            if program.zones[number].key != program.zones[number].zone:
                name += self._which(zone)
        else:
            name = self.narrator.zone(number)
        mark = self._only(program.zones[number].sees) if zone.size else ""
        return name[:1].upper() + name[1:] + mark

    def _which(self, zone: ZoneView) -> str:
        """Return the definition of a zone, if each definition has one."""
        member = zone.key.removeprefix(f"{zone.zone}/")
        return f" ({self.narrator.name('definition', member, 1)})" if member != zone.key else ""

    def _fact(self, track: TrackView, told: bool) -> Iterator[tuple[str, list[str]]]:
        info = self.tracks[track.key]
        told = told and not set(track.scope) - {"game"}
        shown = []
        for index, value in enumerate(track.values):
            if value is None or (not told and str(value) in _TELLS_NOTHING):
                continue
            scopes = [scope for scope in track.scope if scope != "game"]
            which = ", ".join(member_text(self.narrator, info, scope, index) for scope in scopes)
            text = value_text(self.narrator, info.of, value)
            shown.append((f"{which} {text}" if which else text) + self._only(info.seen[index]))
        if shown:
            yield noun(self.narrator, "track", track.key), [", ".join(shown)]

    def _list(self, items: ListView, told: bool) -> Iterator[tuple[str, list[str]]]:
        info = next(one for one in self.narrator.program.state_lists if one.key == items.key)
        for number, members in enumerate(items.items):
            if not members and not told:
                continue
            named = [value_text(self.narrator, info.of, member) for member in members]
            name = noun(self.narrator, "list", items.key)
            if items.scope == "player":
                name += f" ({self.screen.names[number]})"
            yield name, [", ".join(named) or self.marks.dash]


def heading(screen: Screen, text: str) -> None:
    """Print a highlighted line."""
    screen.console.print()
    screen.console.print(Text(text, "bold reverse"))


def _widest(words: Sequence[str], rows: Sequence[tuple[str, list[str]]], seat: int) -> int:
    """Return the width of a player's column with these headings."""
    return max(*(len(word) for word in words), *(len(values[seat]) for _, values in rows if values), 1)
