"""Record the events of a run, and fold them into knowledge.

- An answer that names cards is seen by the seats that know all of these cards in their places, a private answer by
  its seat alone, if it knows them. So a seat that
  chooses a card it does not see learns nothing, and a seat that knows the card does.
- A shuffle is stored with the resulting order, which no seat sees: later folds need it to know the top card.
- A change of a card's own track is stored with the card, seen by the seats that see the card in its place.
- A message or step that names cards is seen by the seats that know all of these cards in their places; the others
  read of cards.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from interpreter.state.events import RawEvent
from interpreter.state.frames import read_list
from interpreter.state.indices import card_axis
from interpreter.views.knowledge import Folding, Knowledge, zone_contents
from interpreter.views.options import unfold
from interpreter.views.visibility import Sight
from ruleset.table.nodes import Site, TableProgram

OF_EVENT = 40
"""The memory of an event without numbers, in numbers."""


class TooMuchTold(Exception):  # noqa: N818 - nothing need be wrong with the rules
    """The events exceed the room for them."""


class Recorder(list[RawEvent]):
    """The events of one run, which begins in `state` with `knowledge`.

    `room` bounds the total of numbers and cards in all events, plus `OF_EVENT` for each; TooMuchTold is raised
    beyond it. It decreases by what the events use.
    """

    def __init__(
        self, program: TableProgram, state: Sequence[int], knowledge: Knowledge, room: int = sys.maxsize
    ) -> None:
        super().__init__()
        self.room = room
        self._program = program
        self._state = state
        self._folding = Folding(program, zone_contents(program, state), knowledge)

    @property
    def knowledge(self) -> Knowledge:
        """The knowledge of the seats after the events so far."""
        return self._folding.result()

    def append(self, raw: RawEvent) -> None:
        """Add one event."""
        kind, numbers, cards, audience, sees, at = raw
        if kind == "answered":
            site = self._program.sites[numbers[1]]
            named = cards_of_answer(site, cards)
            if named:
                sees = self._seers(named) & (sees if site.private else -1)
        elif kind == "shuffled":
            zone = self._program.zones[numbers[0]]
            cards, sees = tuple(read_list(self._state, zone.address)), 0
        elif kind == "changed":
            axis = card_axis(self._program, self._program.tracks[numbers[0]])
            if axis is not None:
                card = axis.member(numbers[1])
                cards, sees = (card,), sees & self._seers((card,))
        elif kind in ("announced", "reached") and cards:
            sees &= self._seers(cards)
        self.room -= OF_EVENT + len(numbers) + len(cards)
        if self.room < 0:
            raise TooMuchTold
        raw = (kind, numbers, cards, audience, sees, at)
        self._folding.add(raw)
        super().append(raw)

    def extend(self, raws: Iterable[RawEvent]) -> None:
        """Add several events of one moment."""
        for raw in raws:
            self.append(raw)

    def _seers(self, cards: Sequence[int]) -> int:
        """Return the mask of seats that know all of these cards in their present places."""
        known = Knowledge(tuple(self._folding.masks), ())
        mask = 0
        for seat in range(self._program.seats):
            sight = Sight(self._program, self._state, known, seat)
            if all(sight.sees(card) for card in cards):
                mask |= 1 << seat
        return mask


def cards_of_answer(site: Site, values: Sequence[int]) -> list[int]:
    """Return the cards that the values of an answer name."""
    if site.of == "card":
        return [value for value in values if value >= 0]
    cards: list[int] = []
    for value in values if site.of == "menu" else ():
        branch, members = unfold(site, value)
        named = zip(site.branches[branch].members, members, strict=True)
        cards.extend(member for of, member in named if of == "card")
    return cards
