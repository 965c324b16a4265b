"""One seat's sight of a state, and stable names of things from a seat's point of view.

Decisions, views and narration all name cards through this module, so that they agree on what a seat may read. A
seat sees a card if its zone shows it to the seat (`state.events`), or if the seat knows this very card
(`knowledge`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from attrs import define, field

from rulewright.interpreter.state.events import cards_seen, size_seen, top_seen
from rulewright.interpreter.state.frames import axes, card_axis, read_list
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.table.nodes import SEALED, ListInfo, TableProgram, TrackInfo

NONE = "none"
ALL_DEFINITIONS = "definition"

Mark: TypeAlias = tuple[str, int | str]
"""A difference between a card and its equals: a value kept for the card, or a place that points at it."""


def value_key(program: TableProgram, of: str, value: int) -> str:
    """Return the stable name of a value that is not a card: a seat, a definition, a member of an enumeration, a
    number. If the program lists all definitions together (as `definition`), values are indices of that list.
    """
    if of == "number":
        return str(value)
    if value < 0:
        return NONE
    if of == "boolean":
        return "yes" if value else "no"
    if of not in ("seat", "player") and not any(enumeration.key == of for enumeration in program.enumerations):
        of = next((kind for kind, _ in program.definitions if kind == ALL_DEFINITIONS), of)
    return member_key(program, of, value)


def member_key(program: TableProgram, scope: str, number: int) -> str:
    """Return the stable name of a member of a scope, by its number in the scope."""
    if scope in ("player", "seat"):
        return f"seat-{number + 1}"
    members: tuple[str, ...] = next((e.members for e in program.enumerations if e.key == scope), ())
    members = members or next((found for kind, found in program.definitions if kind == scope), ())
    return members[number] if number < len(members) else str(number)


def zone_member(program: TableProgram, zone: int) -> tuple[str, str] | None:
    """Return the enumeration and the member that a zone belongs to, or `definition` and the definition, if any."""
    own = program.zones[zone]
    if own.owner >= 0 or own.key == own.zone:
        return None
    start = len(own.zone) + 1
    members = tuple(one.key[start:] for one in program.zones if one.zone == own.zone)
    of = next((one.key for one in program.enumerations if one.members == members), ALL_DEFINITIONS)
    return of, own.key[start:]


@define
class SeatSight:
    """One seat's sight of an unchanging state. Without `knowledge` only declared visibility counts."""

    program: TableProgram
    state: Sequence[int]
    knowledge: Knowledge | None
    seat: int
    _marks: dict[int, list[Mark]] | None = field(init=False, default=None)

    def in_mask(self, mask: int) -> bool:
        """Return whether the seat is in a mask."""
        return bool(mask >> self.seat & 1)

    def zone_of(self, card: int) -> int:
        """Return the zone of a card, or -1."""
        return self.state[self.program.layout.places + card]

    def cards(self, zone: int) -> list[int]:
        """Return the cards of a zone, in order."""
        return read_list(self.state, self.program.zones[zone].address)

    def sees(self, card: int) -> bool:
        """Return whether the seat knows which card this is."""
        zone = self.zone_of(card)
        if zone < 0 or self.in_mask(cards_seen(self.program.zones[zone])):
            return True
        if self.knowledge is not None and self.in_mask(self.knowledge.masks[card]):
            return True
        info = self.program.zones[zone]
        address = info.address
        return self.in_mask(top_seen(info)) and self.state[address + self.state[address]] == card

    def place(self, card: int) -> int:
        """Return the position of a card in its ordered zone, from 1. The result is 0 in a bag, in no zone, and
        where the seat may not know how many cards are below it.
        """
        zone = self.zone_of(card)
        info = self.program.zones[zone]
        if zone < 0 or info.order == "bag" or not self.in_mask(size_seen(info)):
            return 0
        return self.cards(zone).index(card) + 1

    def reference(self, card: int) -> str:
        """Return the seat's name of a card that a track or a list points at."""
        if card < 0:
            return NONE
        zone = self.zone_of(card)
        key = self.program.cards[card].key if self.sees(card) else "unseen"
        if zone < 0:
            return key
        place = self.place(card)
        return f"{key}@{self.program.zones[zone].key}" + (f"/place-{place}" if place else "")

    def name(self, of: str, value: int) -> str:
        """Return the stable name of any value."""
        return self.reference(value) if of == "card" else value_key(self.program, of, value)

    def marks(self, card: int) -> tuple[Mark, ...]:
        """Return the visible differences between a card and its equals: values of its own tracks that differ from
        the start, its own lists, and the tracks and lists that point at it.
        """
        if self._marks is None:
            self._marks = {}
            for track in self.program.tracks:
                self._mark_by_track(track)
            for info in self.program.state_lists:
                if not info.key.startswith(SEALED):
                    self._mark_by_list(info)
        return tuple(self._marks.get(card, ()))

    def pointed_at(self) -> frozenset[int]:
        """Return the cards that the seat can tell from others by the tracks and lists that point at them."""
        program, found = self.program, set[int]()
        for track in program.tracks:
            if track.of == "card" and card_axis(program, track) is None:
                seen = (index for index in range(track.count) if self.in_mask(track.seen[index]))
                found.update(self.state[track.address + index] for index in seen)
        for info in program.state_lists:
            if info.of == "card" and card_axis(program, info) is None and not info.key.startswith(SEALED):
                for index in range(info.count):
                    found.update(read_list(self.state, info.address + index * (info.capacity + 1)))
        return frozenset(found)

    def _mark(self, card: int, mark: Mark) -> None:
        assert self._marks is not None
        self._marks.setdefault(card, []).append(mark)

    def _mark_by_track(self, track: TrackInfo) -> None:
        axis = card_axis(self.program, track)
        if axis is None and track.of != "card":
            return
        others = [other for other in axes(self.program, track) if other != axis]
        for index in range(track.count):
            value = self.state[track.address + index]
            if not self.in_mask(track.seen[index]):
                continue
            names = [member_key(self.program, other.name, other.member(index)) for other in others]
            key = "/".join([track.key, *names])
            if axis is None:
                self._mark(value, (key, "it"))
            elif value != track.start[index]:
                self._mark(axis.member(index), (key, self.track_value(track, index)))

    def _mark_by_list(self, info: ListInfo) -> None:
        axis = card_axis(self.program, info)
        if axis is None and info.of != "card":
            return
        for index in range(info.count):
            items = read_list(self.state, info.address + index * (info.capacity + 1))
            key = f"{info.key}/{index + 1}" if axis is None and info.count > 1 else info.key
            for place, item in enumerate(items, 1):
                if axis is None:
                    self._mark(item, (key, place))
                else:
                    self._mark(axis.member(index), (f"{key}/{place}", self.name(info.of, item)))

    def track_value(self, track: TrackInfo, index: int) -> int | str:
        """Return a number of a track as it is, and any other value by its name."""
        value = self.state[track.address + index]
        return value if track.of == "number" else self.name(track.of, value)

    def list_names(self, info: ListInfo, index: int) -> tuple[str, ...]:
        """Return the names of the members of one instance of a list."""
        items = read_list(self.state, info.address + index * (info.capacity + 1))
        return tuple(self.name(info.of, item) for item in items)
