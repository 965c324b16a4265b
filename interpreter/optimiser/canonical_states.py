"""States up to interchangeable cards: two states are the same if their canonical forms are equal.

Whole games in native code keep classes of cards (`kept_cards`), so of equal cards that no rule tells apart they do
not know which is where, and of zones whose order nobody observes they do not know the order.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.optimiser.flow_facts import card_cells
from interpreter.optimiser.kept_cards import Form, choose
from interpreter.state.frames import read_list, write_list
from ruleset.table.nodes import TableProgram


def cells_of_cards(program: TableProgram) -> list[range]:
    """Return the cells that say where cards are, or which cards a rule remembers."""
    places = program.layout.places
    ranges = [range(places, places + len(program.cards))]
    ranges += [range(zone.address, zone.address + zone.capacity + 1) for zone in program.zones]
    return [*ranges, *(range(start, end) for start, end in card_cells(program))]


class CanonicalStates:
    """The canonical form of the states of one table."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self._kept = choose(program).kept

    def of(self, state: Sequence[int]) -> list[int]:
        """Return a state in which, of each class, cards lie in the order of their numbers, zone after zone."""
        cells, kept = list(state), self._kept
        if kept is None:
            return cells
        following = list(kept.first)
        for number, (zone, form) in enumerate(zip(self._program.zones, kept.forms, strict=True)):
            classes = [kept.class_of[card] for card in read_list(cells, zone.address)]
            if form is Form.COUNTS:
                classes.sort()
            cards = []
            for one in classes:
                cards.append(following[one])
                following[one] += 1
            write_list(cells, zone.address, cards)
            for card in cards:
                cells[self._program.layout.places + card] = number
        return cells
