"""What one seat sees of a state, and the stable names of things in a seat's eyes.

Decisions, views and narration name cards through this module alone, so that they never disagree about what a
seat may read. A card is seen where its zone shows it to the seat, where it is the top of a zone that shows
its top, or where the seat knows this very element (`knowledge`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from attrs import define, field

from interpreter.frames import read_list
from interpreter.indices import index_of, track_scopes
from interpreter.knowledge import Knowledge
from ruleset.table import ListInfo, TableProgram, TrackInfo, ZoneInfo

NONE = "none"

Mark: TypeAlias = tuple[str, int | str]
"""Something that tells a card from its equals: a value on the card itself, or a place that points at it."""


def value_key(program: TableProgram, of: str, value: int) -> str:
    """The stable name of a value that is not a card: a seat, a definition, a member of an enumeration, a
    number.
    """
    if of == "number":
        return str(value)
    if value < 0:
        return NONE
    if of == "boolean":
        return "yes" if value else "no"
    if of in ("seat", "player"):
        return f"seat-{value + 1}"
    for enumeration in program.enumerations:
        if enumeration.key == of:
            return enumeration.members[value]
    for kind, members in program.definitions:
        if kind == of:
            return members[value]
    return str(value)


@define
class Sight:
    """One seat's eyes on one state, which must not change meanwhile. Without `knowledge` only declared
    visibility counts.
    """

    program: TableProgram
    state: Sequence[int]
    knowledge: Knowledge | None
    seat: int
    _pointed: dict[int, list[Mark]] | None = field(init=False, default=None)

    def in_mask(self, mask: int) -> bool:
        return bool(mask >> self.seat & 1)

    def zone_of(self, card: int) -> int:
        """The zone a card is in, or -1."""
        return self.state[self.program.layout.places + card]

    def cards(self, zone: int) -> list[int]:
        """The cards of a zone, in order."""
        return read_list(self.state, self.program.zones[zone].address)

    def sees(self, card: int) -> bool:
        """Whether the seat can tell which card this is."""
        zone = self.zone_of(card)
        if zone < 0 or self.in_mask(self.program.zones[zone].sees):
            return True
        if self.knowledge is not None and self.in_mask(self.knowledge.masks[card]):
            return True
        info = self.program.zones[zone]
        address = info.address
        return self.in_mask(info.top) and self.state[address + self.state[address]] == card

    def place(self, card: int) -> int:
        """The position of a card in its ordered zone, from 1; 0 in a bag or in no zone."""
        zone = self.zone_of(card)
        if zone < 0 or self.program.zones[zone].order == "bag":
            return 0
        return self.cards(zone).index(card) + 1

    def reference(self, card: int) -> str:
        """What the seat calls a card that a track or a list points at."""
        if card < 0:
            return NONE
        zone = self.zone_of(card)
        key = self.program.cards[card].key if self.sees(card) else "unseen"
        if zone < 0:
            return key
        place = self.place(card)
        return f"{key}@{self.program.zones[zone].key}" + (f"/place-{place}" if place else "")

    def name(self, of: str, value: int) -> str:
        """The stable name of any value."""
        return self.reference(value) if of == "card" else value_key(self.program, of, value)

    def marks(self, card: int) -> tuple[Mark, ...]:
        """What tells a card from its equals: its own tracks and lists, as far as the seat sees them and they
        differ from the start, and the tracks and lists that point at it.
        """
        found: list[Mark] = []
        for track in self.program.tracks:
            if "card" in track.scope:
                found.extend(self._track_marks(track, card))
        for info in self.program.state_lists:
            if info.scope == "card":
                items = self.list_names(info, card)
                found.extend((f"{info.key}/{number}", item) for number, item in enumerate(items, 1))
        if self._pointed is None:
            self._pointed = self._pointers()
        return (*found, *self._pointed.get(card, ()))

    def _pointers(self) -> dict[int, list[Mark]]:
        """Per card, the places in tracks and lists that point at it and are kept for no card."""
        found: dict[int, list[Mark]] = {}
        for track in self.program.tracks:
            if track.of == "card" and "card" not in track.scope:
                for index in range(track.count):
                    if self.in_mask(track.seen[index]):
                        mark = (track.key, index + 1)
                        found.setdefault(self.state[track.address + index], []).append(mark)
        for info in self.program.state_lists:
            if info.of == "card" and info.scope != "card":
                for index in range(info.count):
                    key = f"{info.key}/{index + 1}" if info.count > 1 else info.key
                    start = info.address + index * (info.capacity + 1)
                    for place, card in enumerate(read_list(self.state, start), 1):
                        found.setdefault(card, []).append((key, place))
        return found

    def _track_marks(self, track: TrackInfo, card: int) -> list[Mark]:
        scopes = [name for name, _, _ in track_scopes(self.program, track) if name != "card"]
        found: list[Mark] = []
        for index in range(track.count):
            value = self.state[track.address + index]
            if index_of(self.program, track, "card", index) != card or value == track.start[index]:
                continue
            if self.in_mask(track.seen[index]):
                others = [
                    value_key(self.program, scope, index_of(self.program, track, scope, index))
                    for scope in scopes
                ]
                found.append(("/".join([track.key, *others]), self.track_value(track, index)))
        return found

    def track_value(self, track: TrackInfo, index: int) -> int | str:
        value = self.state[track.address + index]
        return value if track.of == "number" else self.name(track.of, value)

    def list_names(self, info: ListInfo, index: int) -> tuple[str, ...]:
        items = read_list(self.state, info.address + index * (info.capacity + 1))
        return tuple(self.name(info.of, item) for item in items)


def hidden(zone: ZoneInfo, seat: int) -> bool:
    """Whether a zone hides its cards from a seat (its top may be seen all the same)."""
    return not zone.sees >> seat & 1
