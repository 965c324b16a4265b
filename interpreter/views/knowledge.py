"""Knowledge of the seats beyond what they see, folded from the events of narration.

Rules never read knowledge, so fast builds need none. It has two parts:

- *masks*: per card, the seats that its zone hides it from but that know this very card;
- *bounds*: per zone, seat and face, a lower bound of the number of such cards in a zone that hides its cards from
  the seat, without the individually known ones.

Invariants (`tests/interpreter/views/test_knowledge.py` checks them along random games):
- a mask bit is set only for a card in a zone that hides it from that seat;
- a bound is at least 1 and at most the true count of such cards that the seat does not know individually;
- the result depends on nothing that the seat could not observe.

Everybody sees from which end of a pile a sentence takes cards. So knowledge of the other cards stays, and so does
knowledge of the cards taken: `move bottom of Z to top of Z` brings a known card to the top.

Rules of learning and forgetting: if m of n individually unknown cards leave a zone unseen, a bound b becomes b -
m, and the target gains b - (n - m), the least number of the b that must be among them (neither is less than 0). A
card that leaves in sight lowers the bound of its face by one. A card that arrives in sight becomes known in its
place (ordered zone) or raises the bound of its face (bag). A shuffle turns knowledge of places into bounds. If
cards leave a pile from elsewhere than an end, a seat that does not see the pile cannot tell from where, so the
places it knew become bounds first; unless it knew these cards in their places, has read that they were chosen, and
sees them.

A bag has no places. A seat that is shown cards of a hidden bag knows these very cards while it looks at them: until
other cards of the bag are shown to it, cards leave that it has not chosen, another seat chooses cards of the bag,
the bag is shuffled, or the next step or effect begins. Then the cards are known by number only, except a card
that the seat can tell from the others, since it sees a track or list that points at it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import TypeAlias

from attrs import evolve, frozen

from rulewright.interpreter.state.decision_slots import cards_of_answer
from rulewright.interpreter.state.events import RawEvent, cards_seen, top_seen
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table.nodes import AS_A_BLOCK, COVERED, FROM_BOTTOM, ORDERED, UNDER, TableProgram

Bound = tuple[int, int, int, int]
"""Zone, seat, face, lower bound."""


@frozen
class Knowledge:
    """Masks per card, and the bounds that are not zero, sorted."""

    masks: tuple[int, ...]
    bounds: tuple[Bound, ...]

    def encode(self) -> tuple[int, ...]:
        """Encode as integers: the masks, the number of bounds, the bounds."""
        return (*self.masks, len(self.bounds), *(number for bound in self.bounds for number in bound))

    def known(self, zone: int, seat: int) -> dict[int, int]:
        """Return the bounds of one seat for one zone, by face."""
        return {face: count for z, s, face, count in self.bounds if (z, s) == (zone, seat)}


def decode(numbers: Sequence[int], cards: int) -> Knowledge:
    """Decode the result of `Knowledge.encode`. Raises ValueError on anything else."""
    if len(numbers) <= cards or len(numbers) != cards + 1 + 4 * numbers[cards]:
        raise ValueError("the knowledge has the wrong length")
    rest = numbers[cards + 1 :]
    bounds = tuple((rest[i], rest[i + 1], rest[i + 2], rest[i + 3]) for i in range(0, len(rest), 4))
    return Knowledge(tuple(numbers[:cards]), bounds)


@once
def initial(program: TableProgram) -> Knowledge:
    """Return the knowledge before the game: all seats know all cards, since the table program contains their
    places. If the game begins in the middle, they know only what they see, and will remember the tops that they
    see.
    """
    folding = Folding(program, start_contents(program), Knowledge((0,) * len(program.cards), ()))
    if program.position is not None:
        for zone in range(len(program.zones)):
            folding.show_top(zone)
        return folding.result()
    everyone = (1 << program.seats) - 1
    for zone in range(len(program.zones)):
        folding.reveal(everyone, folding.contents[zone])
    folding.look_away()
    return folding.result()


def start_contents(program: TableProgram) -> list[list[int]]:
    """Return the cards in each zone before the game, in order."""
    contents: list[list[int]] = [[] for _ in program.zones]
    for zone, cards in program.start:
        contents[zone].extend(cards)
        if program.zones[zone].order == "bag":
            contents[zone].sort()
    return contents


def zone_contents(program: TableProgram, state: Sequence[int]) -> list[list[int]]:
    """Return the cards in each zone, in order."""
    return [list(state[z.address + 1 : z.address + 1 + state[z.address]]) for z in program.zones]


PointedAt: TypeAlias = Callable[[int], Container[int]]
"""The cards that a seat can tell from others of the same bag, by the tracks and lists that point at them."""


class Folding:
    """A fold in progress: the place of every card, masks and bounds. `pointed_at` reads the state of the moment."""

    def __init__(
        self,
        program: TableProgram,
        contents: list[list[int]],
        knowledge: Knowledge,
        pointed_at: PointedAt = lambda _: frozenset(),
    ) -> None:
        self.program = program
        self.pointed_at = pointed_at
        self._bags = [zone for zone, info in enumerate(program.zones) if info.order == "bag"]
        self._seen = [cards_seen(zone) for zone in program.zones]
        self._begin(contents, knowledge)

    def _begin(self, contents: list[list[int]], knowledge: Knowledge) -> None:
        self.contents = contents
        self.where = {card: zone for zone, cards in enumerate(contents) for card in cards}
        self.masks = list(knowledge.masks)
        self.chosen: dict[int, int] = {}
        """Chosen cards that have not moved since, with the seats that know which card was chosen."""
        self.bounds = {(zone, seat, face): count for zone, seat, face, count in knowledge.bounds}

    def result(self) -> Knowledge:
        """Return the knowledge after the events so far."""
        bounds = sorted((*place, count) for place, count in self.bounds.items() if count > 0)
        return Knowledge(tuple(self.masks), tuple(bounds))

    def add(self, event: RawEvent) -> None:
        """Fold one event; kinds that reveal nothing about cards are ignored."""
        kind, numbers, cards, audience, sees, _ = event
        if kind == "moved":
            manner = numbers[3] if len(numbers) > 3 else 0
            ordered = numbers[4:6] if manner & ORDERED else ()
            self.move(numbers[0], numbers[1], cards, audience & sees, manner, ordered)
        elif kind == "shuffled":
            self.shuffle(numbers[0], cards)
        elif kind == "revealed":
            self.reveal(numbers[0], cards)
        elif kind == "restarted":
            self._restart()
        elif kind == "answered":
            site = self.program.sites[numbers[1]]
            self._chosen_by_another(numbers[0], audience, cards_of_answer(site, cards))
            if site.of == "card":
                self.chosen.update(dict.fromkeys(cards, audience & sees))
        elif kind in ("reached", "performed"):
            self.look_away()

    def _restart(self) -> None:
        """Forget everything: the next game of a series begins, and all seats know where cards lie before it."""
        following = self.program.next_game
        assert following is not None, "only a series has a next game"
        program = evolve(self.program, start=following.start, position=None)
        self._begin(start_contents(program), initial(program))

    # -------------------------------------------------------------- the three kinds

    def move(
        self,
        source: int,
        target: int,
        cards: Sequence[int],
        sees: int,
        manner: int,
        ordered: Sequence[int] = (),
    ) -> None:
        """Move cards from one zone to another, in order; the seats of `sees` were shown them.

        `ordered`: the seat that chose the order, and the mask of the seats that learn it.
        """
        zones = self.program.zones
        if not cards or (source == target and zones[source].order == "bag"):
            return
        if len(set(cards)) < len(cards):
            for card in cards:
                self.move(source, target, (card,), sees, manner, ordered)
            return
        from_top = source >= 0 and self._from_top(source, cards)
        for seat in range(self.program.seats):
            chose = bool(ordered) and ordered[0] == seat
            learns = not ordered or bool(ordered[1] >> seat & 1)
            self._follow(seat, source, target, cards, sees, from_top, manner, chose, learns)
        for card in cards:
            self.chosen.pop(card, None)
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
        """Forget the places of these cards of a zone; they are now in this order, below any others."""
        bag = self.program.zones[zone].order == "bag"
        for seat in range(self.program.seats):
            self._forget_places(zone, seat, self.contents[zone] if bag else cards)
        if bag:
            return
        above = [card for card in self.contents[zone] if card not in cards]
        self.contents[zone] = [*cards, *above]
        self.show_top(zone)

    def reveal(self, seats: int, cards: Sequence[int]) -> None:
        """Let the seats of a mask learn these cards in their places."""
        shown = [card for card in dict.fromkeys(cards) if card in self.where]
        bags = {zone for card in shown if self.program.zones[zone := self.where[card]].order == "bag"}
        for seat in range(self.program.seats):
            if not seats >> seat & 1:
                continue
            for zone in bags:
                if any(self.where[card] == zone and not self._saw_chosen(seat, card) for card in shown):
                    self._forget_places(zone, seat, self.contents[zone])
            for card in shown:
                self._learn_place(self.where[card], seat, card)

    def look_away(self) -> None:
        """Nobody looks at cards of hidden bags any longer: they are known by number only."""
        for zone in self._bags:
            known = reduce(or_, map(self.masks.__getitem__, self.contents[zone]), 0)
            for seat in range(self.program.seats if known else 0):
                self._forget_places(zone, seat, self.contents[zone])

    def _chosen_by_another(self, chooser: int, audience: int, cards: Sequence[int]) -> None:
        """Seats that learn of an answer cannot tell which cards of a bag another seat has chosen."""
        for zone in {self.where[card] for card in cards if card in self.where}:
            if self.program.zones[zone].order == "bag":
                for seat in range(self.program.seats):
                    if seat != chooser and audience >> seat & 1:
                        self._forget_places(zone, seat, self.contents[zone])

    # -------------------------------------------------------------- one seat

    def _follow(
        self, seat: int, source: int, target: int, cards: Sequence[int], sees: int, from_top: bool, manner: int,
        chose: bool, learns: bool,
    ) -> None:  # fmt: skip
        """Update one seat's knowledge for a move, before the cards have moved.

        `chose`: the seat chose the order of the cards, so it knows where they were. `learns`: it learns the order.
        """
        shown = bool(sees >> seat & 1)
        hidden_source, hidden_target = self._hides(source, seat), self._hides(target, seat)
        told = shown or not hidden_source or not hidden_target
        order = self.program.zones[source].order if source >= 0 else "bag"
        place_told = order != "bag" and (from_top or order == "row" or bool(manner & FROM_BOTTOM))
        if hidden_source:
            chose = chose or (told and all(self._saw_chosen(seat, card) for card in cards))
            if not place_told and not chose:
                self._forget_places(source, seat, self.contents[source])
            elif from_top and not manner & (AS_A_BLOCK | FROM_BOTTOM) and self._sees_top(source, seat):
                told = True  # each was on top for a moment
        known = [card for card in cards if told or (self.masks[card] >> seat & 1)]
        if hidden_source:
            self._leave(seat, source, target, cards, known)
        if hidden_target:
            alike = len(known) == len(cards) and len({self._face(card) for card in cards}) == 1
            in_order = alike or (learns and (shown or place_told or chose or len(cards) == 1))
            for card in known:
                self._arrive(seat, target, card, in_order)

    def _saw_chosen(self, seat: int, card: int) -> bool:
        """Whether a seat knows a card in its place and knows that it was chosen there."""
        return bool((self.chosen.get(card, 0) & self.masks[card]) >> seat & 1)

    def _leave(self, seat: int, source: int, target: int, cards: Sequence[int], known: Sequence[int]) -> None:
        bit = 1 << seat
        gone = len(cards) - len(known)
        if source == target:  # the zone's set of cards stays the same
            gone = 0
        loose = sum(1 for card in self.contents[source] if not self.masks[card] & bit) if gone else 0
        for card in known:
            if self.masks[card] & bit:
                self.masks[card] &= ~bit
            else:
                self._lower(source, seat, self._face(card))
                loose -= 1
        if not gone:
            return
        for face in sorted({self._face(card) for card in self.contents[source]}):
            bound = self.bounds.get((source, seat, face), 0)
            if not bound:
                continue
            self.bounds[source, seat, face] = max(0, bound - gone)
            if self._hides(target, seat) and bound + gone > loose:
                self._raise(target, seat, face, bound + gone - loose)

    def _arrive(self, seat: int, target: int, card: int, in_order: bool) -> None:
        if in_order and self.program.zones[target].order != "bag":
            self.masks[card] |= 1 << seat
        else:
            self._raise(target, seat, self._face(card), 1)

    def _learn_place(self, zone: int, seat: int, card: int) -> None:
        bit = 1 << seat
        if not self.masks[card] & bit and self._hides(zone, seat):
            self.masks[card] |= bit
            self._lower(zone, seat, self._face(card))

    def _forget_places(self, zone: int, seat: int, cards: Iterable[int]) -> None:
        bit = 1 << seat
        known = [card for card in cards if self.masks[card] & bit]
        told = self.pointed_at(seat) if known and self.program.zones[zone].order == "bag" else ()
        for card in known:
            if card not in told:
                self.masks[card] &= ~bit
                self._raise(zone, seat, self._face(card), 1)

    # -------------------------------------------------------------- helpers

    def show_top(self, zone: int) -> None:
        """Let seats that see a zone's top know that card from now on, even once it is covered."""
        if self.contents[zone]:
            for seat in range(self.program.seats):
                if self._sees_top(zone, seat):
                    self._learn_place(zone, seat, self.contents[zone][-1])

    def _sees_top(self, zone: int, seat: int) -> bool:
        return bool(top_seen(self.program.zones[zone]) >> seat & 1)

    def _from_top(self, source: int, cards: Sequence[int]) -> bool:
        """Return whether the cards are the last ones of an ordered zone, in any order."""
        zone = self.contents[source]
        return self.program.zones[source].order != "bag" and set(zone[len(zone) - len(cards) :]) == set(cards)

    def _hides(self, zone: int, seat: int) -> bool:
        return zone >= 0 and not self._seen[zone] >> seat & 1

    def _face(self, card: int) -> int:
        return self.program.cards[card].face

    def _raise(self, zone: int, seat: int, face: int, by: int) -> None:
        self.bounds[zone, seat, face] = self.bounds.get((zone, seat, face), 0) + by

    def _lower(self, zone: int, seat: int, face: int) -> None:
        count = self.bounds.get((zone, seat, face), 0)
        if count:
            self.bounds[zone, seat, face] = count - 1
