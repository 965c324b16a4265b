"""Zones that keep classes of cards (`optimiser.kept_cards`), for text that plays whole games.

Each zone is a list of classes: in its order, or in any order if it keeps counts. (CPython goes through a list of a
few numbers faster than through a count for each class.) A reference to a card is its class, and its zone shifted.
The meaning is that of `walker.zones`: equal cards that no rule tells apart are interchangeable, so what happens to
classes is what happens to cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from attrs import define, field, frozen

from interpreter.optimiser.kept_cards import Form, KeptCards
from interpreter.state.frames import write_list
from ruleset.table.nodes import TableProgram

NONE = -1


@frozen
class Dealt:
    """How cards lie when a game begins."""

    zones: list[list[int]]
    places: list[int]


@define(slots=False)
class ClassZones:
    """The zones of one program, for one game at a time. `zones` and `places` stay the same lists.

    `places` are the zones of classes with one card; those of others mean nothing. The number in `token` becomes -1
    when a zone of cards of one class becomes empty, or is no longer so (`remembered`).
    """

    program: TableProgram
    kept: KeptCards
    zones: list[list[int]]
    places: list[int]
    token: list[int] = field(factory=lambda: [NONE])

    def begin(self, start: Dealt) -> None:
        """Put cards into zones as a game begins."""
        self.zones[:] = map(list, start.zones)
        self.places[:] = start.places
        self.token[0] = NONE

    @property
    def numbers(self) -> tuple[bool, ...]:
        """Whether each zone has cards of one class only."""
        return tuple(form is Form.NUMBER for form in self.kept.forms)

    @property
    def individuals(self) -> bool:
        """Whether there is a class with one card."""
        return 1 in self.kept.copies

    @cached_property
    def mask(self) -> int:
        """The bits of a reference that are its class."""
        return (1 << self.kept.shift) - 1

    def in_order(self, zone: int) -> list[int]:
        """Return the classes of a zone, in its order. The list must not be changed."""
        held = self.zones[zone]
        return sorted(held) if self.kept.forms[zone] is Form.COUNTS else held

    @cached_property
    def zone_of(self) -> Callable[[int], int]:
        """The function from a reference to the zone of its card. Only a card of its own can have left it."""
        shift, mask, places = self.kept.shift, self.mask, self.places
        alone = tuple(copies == 1 for copies in self.kept.copies)

        def zone_of(ref: int) -> int:
            return places[ref & mask] if ref >= 0 and alone[ref & mask] else ref >> shift

        return zone_of if self.individuals else lambda ref: ref >> shift

    def dealt(self, start: Iterable[tuple[int, Sequence[int]]]) -> Dealt:
        """Return how cards lie at a start."""
        zones: list[list[int]] = [[] for _ in self.program.zones]
        places = [NONE] * len(self.places)
        for zone, cards in start:
            for card in cards:
                zones[zone].append(self.kept.class_of[card])
                places[self.kept.class_of[card]] = zone
        return Dealt(zones, places)

    def write(self, state: list[int]) -> None:
        """Write the cells that a state has for cards: of each class, cards in ascending order of their zones."""
        program, first = self.program, self.kept.first
        following = list(first)
        for number, zone in enumerate(program.zones):
            cards = []
            for one in self.in_order(number):
                cards.append(following[one])
                following[one] += 1
            write_list(state, zone.address, cards)
            for card in cards:
                state[program.layout.places + card] = number
        for track in program.tracks:
            if track.of == "card":
                for cell in range(track.address, track.address + track.count):
                    state[cell] = first[state[cell]] if state[cell] >= 0 else state[cell]
        for info in program.state_lists:
            if info.of == "card":
                for place in range(info.count):
                    start = info.address + place * (info.capacity + 1)
                    for cell in range(start + 1, start + 1 + state[start]):
                        state[cell] = first[state[cell]] if state[cell] >= 0 else state[cell]


def class_zones(program: TableProgram, kept: KeptCards) -> ClassZones:
    """Make the zones of a program over classes, all empty."""
    return ClassZones(program, kept, [[] for _ in program.zones], [NONE] * len(kept.first))
