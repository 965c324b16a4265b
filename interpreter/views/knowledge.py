"""What the seats know beyond what they see, folded from the events of narration.

Rules never read knowledge, so fast builds need none. It has two parts:

- *masks*: per card, the seats that know this very element, in an ordered zone that hides it from them;
- *bounds*: per zone, seat and face, how many such cards are there at least, in a zone that hides its cards
  from the seat, the individually known ones not counted.

Invariants (`tests/interpreter/views/test_knowledge.py` checks them along random games):
- a mask bit stands only on a card in an ordered zone that hides it from that seat;
- a bound is at least 1 and at most the true count of such cards that the seat does not know individually;
- what is folded depends on nothing that the seat could not observe.

Everybody sees from which end of a pile a sentence takes cards. So what is known of the others stays, and so does
what is known of those that are taken: `move bottom of Z to top of Z` brings a known card to the top.

How a seat learns and forgets, with m of n individually unknown cards leaving a zone unseen: at least b - (n -
m) of the b are among them, so the target gains that many; at least b - m stay. A card that leaves in sight
lowers the bound of its face by one. A card that arrives in sight becomes known where it lies (ordered zone)
or raises the bound of its face (bag). A shuffle turns what was known by place into bounds. When cards leave a
pile from elsewhere than an end, a seat that does not see the pile cannot tell from where: its places become
bounds first. Cards revealed inside a hidden bag raise the bound of their face to their number; by place they
are never known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import frozen

from interpreter.state.events import RawEvent
from interpreter.state.zone_visibility import hidden, top_seen
from ruleset.table.nodes import AS_A_BLOCK, COVERED, FROM_BOTTOM, UNDER, TableProgram

Bound = tuple[int, int, int, int]
"""Zone, seat, face, at least this many."""


@frozen
class Knowledge:
    """Masks per card, and the bounds that are not zero, sorted."""

    masks: tuple[int, ...]
    bounds: tuple[Bound, ...]

    def encode(self) -> tuple[int, ...]:
        """All of it as integers: the masks, the number of bounds, the bounds."""
        return (*self.masks, len(self.bounds), *(number for bound in self.bounds for number in bound))

    def known(self, zone: int, seat: int) -> dict[int, int]:
        """The bounds of one seat for one zone, by face."""
        return {face: count for z, s, face, count in self.bounds if (z, s) == (zone, seat)}


def decode(numbers: Sequence[int], cards: int) -> Knowledge:
    """The knowledge of `Knowledge.encode`. Raises ValueError on anything else."""
    if len(numbers) <= cards or len(numbers) != cards + 1 + 4 * numbers[cards]:
        raise ValueError("the knowledge has the wrong length")
    rest = numbers[cards + 1 :]
    bounds = tuple((rest[i], rest[i + 1], rest[i + 2], rest[i + 3]) for i in range(0, len(rest), 4))
    return Knowledge(tuple(numbers[:cards]), bounds)


def initial(program: TableProgram) -> Knowledge:
    """Before the game: the table program says where every card lies, so all seats know it; unless the game begins
    in its middle, where they know only what they see, and will remember the tops that they see."""
    folding = Folding(program, start_contents(program), Knowledge((0,) * len(program.cards), ()))
    if program.position is not None:
        for zone in range(len(program.zones)):
            folding.show_top(zone)
        return folding.result()
    everyone = (1 << program.seats) - 1
    for zone in range(len(program.zones)):
        folding.reveal(everyone, folding.contents[zone])
    return folding.result()


def start_contents(program: TableProgram) -> list[list[int]]:
    """Per zone, the cards in it before the game, in order."""
    contents: list[list[int]] = [[] for _ in program.zones]
    for zone, cards in program.start:
        contents[zone].extend(cards)
        if program.zones[zone].order == "bag":
            contents[zone].sort()
    return contents


def zone_contents(program: TableProgram, state: Sequence[int]) -> list[list[int]]:
    """Per zone, the cards in it, in order."""
    return [list(state[z.address + 1 : z.address + 1 + state[z.address]]) for z in program.zones]


def fold(
    program: TableProgram, before: Sequence[int], knowledge: Knowledge, events: Iterable[RawEvent]
) -> Knowledge:
    """Knowledge after events that began in the state `before`."""
    folding = Folding(program, zone_contents(program, before), knowledge)
    for event in events:
        folding.add(event)
    return folding.result()


class Folding:
    """A fold in progress: where every card lies, who knows it there, and the bounds."""

    def __init__(self, program: TableProgram, contents: list[list[int]], knowledge: Knowledge) -> None:
        self.program = program
        self.contents = contents
        self.where = {card: zone for zone, cards in enumerate(contents) for card in cards}
        self.masks = list(knowledge.masks)
        self.bounds = {(zone, seat, face): count for zone, seat, face, count in knowledge.bounds}

    def result(self) -> Knowledge:
        bounds = sorted((*place, count) for place, count in self.bounds.items() if count > 0)
        return Knowledge(tuple(self.masks), tuple(bounds))

    def add(self, event: RawEvent) -> None:
        """Folds one event; kinds that tell nothing about cards are passed over."""
        kind, numbers, cards, audience, sees, _ = event
        if kind == "moved":
            manner = numbers[3] if len(numbers) > 3 else 0
            self.move(numbers[0], numbers[1], cards, audience & sees, manner)
        elif kind == "shuffled":
            self.shuffle(numbers[0], cards)
        elif kind == "revealed":
            self.reveal(numbers[0], cards)

    # -------------------------------------------------------------- the three kinds

    def move(self, source: int, target: int, cards: Sequence[int], sees: int, manner: int) -> None:
        """Cards go from one zone to another, in order; the seats of `sees` were shown them."""
        zones = self.program.zones
        if not cards or (source == target and zones[source].order == "bag"):
            return
        if len(set(cards)) < len(cards):
            for card in cards:
                self.move(source, target, (card,), sees, manner)
            return
        from_top = source >= 0 and self._from_top(source, cards)
        for seat in range(self.program.seats):
            self._follow(seat, source, target, cards, sees, from_top, manner)
        for card in cards:
            if source >= 0:
                self.contents[source].remove(card)
            if manner & UNDER:
                self.contents[target].insert(0, card)
            else:
                self.contents[target].append(card)
            self.where[card] = target
        if zones[target].order == "bag":
            self.contents[target].sort()
        for zone in {source, target} - {-1, target if manner & COVERED else -1}:
            self.show_top(zone)

    def shuffle(self, zone: int, cards: Sequence[int]) -> None:
        """Places of these cards in a zone are no longer known; they lie in this order, under any others."""
        if self.program.zones[zone].order == "bag":
            return
        for seat in range(self.program.seats):
            self._forget_places(zone, seat, cards)
        above = [card for card in self.contents[zone] if card not in cards]
        self.contents[zone] = [*cards, *above]
        self.show_top(zone)

    def reveal(self, seats: int, cards: Sequence[int]) -> None:
        """The seats of a mask learn these cards where they lie."""
        for seat in range(self.program.seats):
            if not seats >> seat & 1:
                continue
            bags: Counter[tuple[int, int, int]] = Counter()
            for card in dict.fromkeys(card for card in cards if card in self.where):
                zone = self.where[card]
                if self.program.zones[zone].order == "bag":
                    bags[zone, seat, self._face(card)] += 1
                else:
                    self._learn_place(zone, seat, card)
            for place, count in bags.items():
                if self._hides(place[0], seat):
                    self.bounds[place] = max(self.bounds.get(place, 0), count)

    # -------------------------------------------------------------- one seat

    def _follow(
        self, seat: int, source: int, target: int, cards: Sequence[int], sees: int, from_top: bool, manner: int
    ) -> None:
        """What one seat makes of a move, before the cards have moved."""
        shown = bool(sees >> seat & 1)
        hidden_source, hidden_target = self._hides(source, seat), self._hides(target, seat)
        told = shown or not hidden_source or not hidden_target
        order = self.program.zones[source].order if source >= 0 else "bag"
        place_told = order != "bag" and (from_top or order == "row" or bool(manner & FROM_BOTTOM))
        if hidden_source and order != "bag":
            if not place_told:
                self._forget_places(source, seat, self.contents[source])
            elif from_top and not manner & (AS_A_BLOCK | FROM_BOTTOM) and self._sees_top(source, seat):
                told = True  # each was on top for a moment
        known = [card for card in cards if told or (self.masks[card] >> seat & 1)]
        if hidden_source:
            self._leave(seat, source, target, cards, known)
        if hidden_target:
            in_order = shown or len(cards) == 1 or place_told or len({self._face(card) for card in cards}) == 1
            for card in known:
                self._arrive(seat, target, card, in_order)

    def _leave(self, seat: int, source: int, target: int, cards: Sequence[int], known: Sequence[int]) -> None:
        bit = 1 << seat
        loose = sum(1 for card in self.contents[source] if not self.masks[card] & bit)
        for card in known:
            if self.masks[card] & bit:
                self.masks[card] &= ~bit
            else:
                self._lower(source, seat, self._face(card))
                loose -= 1
        gone = len(cards) - len(known)
        if not gone or source == target:  # cards that stay in their zone are among its cards as before
            return
        for zone, owner, face in list(self.bounds):
            if (zone, owner) != (source, seat):
                continue
            bound = self.bounds[zone, owner, face]
            self.bounds[zone, owner, face] = max(0, bound - gone)
            if self._hides(target, seat) and bound + gone > loose:
                self._raise(target, seat, face, bound + gone - loose)

    def _arrive(self, seat: int, target: int, card: int, in_order: bool) -> None:
        if in_order and self.program.zones[target].order != "bag":
            self.masks[card] |= 1 << seat
        else:
            self._raise(target, seat, self._face(card), 1)

    def _learn_place(self, zone: int, seat: int, card: int) -> None:
        bit = 1 << seat
        if self._hides(zone, seat) and not self.masks[card] & bit:
            self.masks[card] |= bit
            self._lower(zone, seat, self._face(card))

    def _forget_places(self, zone: int, seat: int, cards: Iterable[int]) -> None:
        bit = 1 << seat
        for card in cards:
            if self.masks[card] & bit:
                self.masks[card] &= ~bit
                self._raise(zone, seat, self._face(card), 1)

    # -------------------------------------------------------------- small things

    def show_top(self, zone: int) -> None:
        """Seats that see a zone's top know it from now on, also when it is covered."""
        if self.contents[zone]:
            for seat in range(self.program.seats):
                if self._sees_top(zone, seat):
                    self._learn_place(zone, seat, self.contents[zone][-1])

    def _sees_top(self, zone: int, seat: int) -> bool:
        return bool(top_seen(self.program.zones[zone]) >> seat & 1)

    def _from_top(self, source: int, cards: Sequence[int]) -> bool:
        """Whether the cards are the last ones of an ordered zone, whichever way they are told."""
        zone = self.contents[source]
        return self.program.zones[source].order != "bag" and set(zone[len(zone) - len(cards) :]) == set(cards)

    def _hides(self, zone: int, seat: int) -> bool:
        return zone >= 0 and hidden(self.program.zones[zone], seat)

    def _face(self, card: int) -> int:
        return self.program.cards[card].face

    def _raise(self, zone: int, seat: int, face: int, by: int) -> None:
        self.bounds[zone, seat, face] = self.bounds.get((zone, seat, face), 0) + by

    def _lower(self, zone: int, seat: int, face: int) -> None:
        count = self.bounds.get((zone, seat, face), 0)
        if count:
            self.bounds[zone, seat, face] = count - 1
