"""The reference operations on cards and tracks, written for readability.

Bags are sorted ascending. Rows and piles keep their order; the end of the list is the top of a pile and the right
end of a row. A card that is -1 (none) is ignored. The cells `places` always hold each card's zone.

Refilling: all cards of the source go to the zone in ascending order and are shuffled. A refill never causes another
one. An eager zone refills when a statement leaves it empty: a draw at once, between two cards; a move after all its
cards have moved.

Events (`events` is None if they are not wanted): one `moved` for each run of cards from one zone (from, to, how
many, manner), `shuffled` (its cards are the zone's new order), `revealed` (with the zone of each card), `changed`.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Sequence

from rulewright.interpreter.state import chance
from rulewright.interpreter.state.events import RawEvent, cards_seen, order_seen, top_seen
from rulewright.interpreter.state.frames import NOWHERE, read_list, write_list
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table.nodes import (
    AS_A_BLOCK,
    COVERED,
    FROM_BOTTOM,
    ORDERED,
    UNDER,
    TableProgram,
)

NOBODY = -1


class WalkerZones:
    """The zones and tracks of one table program, as operations on a state."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program
        self.places = program.layout.places
        self.everyone = (1 << program.seats) - 1

    # -------------------------------------------------------------- reading and writing a zone

    def cards(self, state: Sequence[int], zone: int) -> list[int]:
        """Return the cards of a zone, in order."""
        return read_list(state, self.program.zones[zone].address)

    def _take_out(self, state: array[int], card: int) -> int:
        zone = state[self.places + card]
        if zone != NOWHERE:
            address = self.program.zones[zone].address
            top = address + state[address]
            place = state.index(card, address + 1)
            state[place:top] = state[place + 1 : top + 1]
            state[top] = 0
            state[address] -= 1
        return zone

    def _put(self, state: array[int], card: int, zone: int, bottom: bool, at: int) -> None:
        """Put a card that is in no zone on top of a zone, or under it. Raises rule error `full`."""
        info = self.program.zones[zone]
        first = info.address + 1
        end = first + state[info.address]
        if end - first == info.capacity:
            raise RuleError("full", at)
        place = bisect(state, card, first, end) if info.order == "bag" else first if bottom else end
        state[place + 1 : end + 1] = state[place:end]
        state[place] = card
        state[info.address] += 1
        state[self.places + card] = zone

    # -------------------------------------------------------------- statements

    def move(
        self,
        state: array[int],
        cards: Sequence[int],
        to: int,
        bottom: bool,
        place: int | None,
        at: int,
        events: list[RawEvent] | None = None,
        lowest: bool = False,
        chooser: int = NOBODY,
    ) -> None:
        """See `ruleset.table.nodes.Move`. `lowest`: these are the lowest cards of their zone, in order."""
        sources: list[int] = []
        told = _Moves(self, to, bottom, at, events, FROM_BOTTOM if lowest else 0, True, chooser)
        for card in cards:
            if card < 0 or (place not in (None, -1) and state[self.places + card] != place):
                continue
            source = self._take_out(state, card)
            self._put(state, card, to, bottom, at)
            told.add(source, card)
            if source not in sources:
                sources.append(source)
        told.tell()
        for source in sources:
            if source != NOWHERE:
                self._refill_at_once(state, source, at, events)

    def send_home(
        self,
        state: array[int],
        cards: Sequence[int],
        homes: Sequence[int],
        place: int | None,
        at: int,
        events: list[RawEvent] | None = None,
        lowest: bool = False,
    ) -> None:
        """See `ruleset.table.nodes.SendHome`. `homes` is the table of the cards' homes. `lowest` is as in
        `move_lowest`.

        If the cards have several homes, their former places are not visible.
        """
        going = [card for card in cards if card >= 0]
        found = sorted({homes[card] for card in going} - {NOWHERE})
        move = self.move_lowest if lowest and len({homes[card] for card in going}) == 1 else self.move
        for home in found:
            move(state, [card for card in going if homes[card] == home], home, False, place, at, events)

    def move_all(
        self,
        state: array[int],
        source: int,
        to: int,
        bottom: bool,
        at: int,
        events: list[RawEvent] | None = None,
    ) -> None:
        """See `ruleset.table.nodes.MoveAll`."""
        self.move(state, self.cards(state, source), to, bottom, None, at, events, lowest=True)

    def draw(
        self,
        state: array[int],
        source: int,
        count: int,
        to: int,
        bottom: bool,
        at: int,
        events: list[RawEvent] | None = None,
        lowest: bool = False,
    ) -> list[int]:
        """See `ruleset.table.nodes.Draw`, and with `lowest` `DrawBottom`. Returns the cards in the order drawn."""
        drawn: list[int] = []
        address = self.program.zones[source].address
        told = _Moves(self, to, bottom, at, events, FROM_BOTTOM if lowest else 0)
        for _ in range(min(count, len(self.program.cards))):
            if not state[address]:
                told.tell()
                if not self._refill(state, source, at, events):
                    break
            card = state[address + 1 if lowest else address + state[address]]
            self._take_out(state, card)
            self._put(state, card, to, bottom, at)
            drawn.append(card)
            told.add(source, card)
            if self.program.zones[source].eager and not state[address]:
                told.tell()
                self._refill_at_once(state, source, at, events)
        told.tell()
        return drawn

    def move_lowest(
        self,
        state: array[int],
        cards: Sequence[int],
        to: int,
        bottom: bool,
        place: int | None,
        at: int,
        events: list[RawEvent] | None = None,
    ) -> None:
        """Move cards that a rule named as the lowest of a zone (`designated`), and that may have left it since."""
        going = [card for card in cards if card >= 0 and place in (None, -1, state[self.places + card])]
        self.move(state, going, to, bottom, None, at, events, self._are_lowest(state, going))

    def _are_lowest(self, state: Sequence[int], cards: Sequence[int]) -> bool:
        """Return whether these are the lowest cards of one ordered zone, from the bottom on."""
        zone = state[self.places + cards[0]] if cards else NOWHERE
        ordered = zone != NOWHERE and self.program.zones[zone].order != "bag"
        return ordered and self.cards(state, zone)[: len(cards)] == list(cards)

    def shuffle(self, state: array[int], zone: int, at: int, events: list[RawEvent] | None = None) -> None:
        """See `ruleset.table.nodes.Shuffle`. A bag has no order: nothing happens, and no chance is used."""
        if self.program.zones[zone].order != "bag":
            self._reorder(state, zone, ())
            self._tell_order(state, zone, at, events)

    def prepare(
        self, state: array[int], zone: int, count: int, at: int, events: list[RawEvent] | None = None
    ) -> None:
        """See `ruleset.table.nodes.Prepare`. The refill goes under the present cards."""
        held = self.cards(state, zone)
        info = self.program.zones[zone]
        if len(held) >= count or info.refill == NOWHERE or not self.cards(state, info.refill):
            return
        write_list(state, info.address, ())
        self._refill(state, zone, at, events, under=held)

    def reveal(
        self,
        state: Sequence[int],
        cards: Sequence[int],
        seats: int,
        at: int,
        events: list[RawEvent],
        secret: bool = False,
    ) -> None:
        """See `ruleset.table.nodes.Reveal`. The event stores each card's zone, since rules may move it at once."""
        shown = tuple(card for card in cards if card >= 0)
        if not shown:
            return
        zones = (state[self.places + card] for card in shown)
        events.append(("revealed", (seats, *zones), shown, seats if secret else self.everyone, seats, at))

    # -------------------------------------------------------------- refilling

    def _refill_at_once(self, state: array[int], zone: int, at: int, events: list[RawEvent] | None) -> None:
        """Refill a zone if it is empty and eager."""
        if self.program.zones[zone].eager and not self.cards(state, zone):
            self._refill(state, zone, at, events)

    def _refill(
        self,
        state: array[int],
        zone: int,
        at: int,
        events: list[RawEvent] | None,
        under: Sequence[int] = (),
    ) -> bool:
        """Fill an empty zone from its source; `under` go back on top. Returns False if the source is empty."""
        info = self.program.zones[zone]
        if info.refill == NOWHERE:
            return False
        cards = sorted(self.cards(state, info.refill))
        if not cards:
            return False
        told = _Moves(self, zone, bool(under), at, events, AS_A_BLOCK)
        for card in cards:
            self._take_out(state, card)
            self._put(state, card, zone, False, at)
            told.add(info.refill, card)
        told.tell()
        if len(cards) + len(under) > info.capacity:
            raise RuleError("full", at)
        if info.order == "bag":
            write_list(state, info.address, sorted([*cards, *under]))
        else:
            self._reorder(state, zone, under)
            self._tell_order(state, zone, at, events)
        return True

    def _reorder(self, state: array[int], zone: int, under: Sequence[int]) -> None:
        """Shuffle the cards of a zone, and put others on top of them."""
        order, generator = chance.shuffled(self.cards(state, zone), chance.load(state))
        chance.store(state, generator)
        write_list(state, self.program.zones[zone].address, [*order, *under])

    def _tell_order(self, state: Sequence[int], zone: int, at: int, events: list[RawEvent] | None) -> None:
        """Emit to everyone that a zone was shuffled. No seat sees the new order in it: only knowledge needs it."""
        if events is not None:
            events.append(("shuffled", (zone,), tuple(self.cards(state, zone)), self.everyone, 0, at))

    # -------------------------------------------------------------- tracks

    def change(
        self,
        state: array[int],
        track: int,
        index: int,
        amount: int,
        at: int,
        events: list[RawEvent] | None = None,
    ) -> None:
        """See `ruleset.table.nodes.Change`."""
        before = state[self.program.tracks[track].address + index]
        self.assign(state, track, index, before + amount, at, events)

    def assign(
        self,
        state: array[int],
        track: int,
        index: int,
        value: int,
        at: int,
        events: list[RawEvent] | None = None,
    ) -> None:
        """See `ruleset.table.nodes.Assign`."""
        info = self.program.tracks[track]
        if not info.low <= value <= info.high:
            if not info.clamps:
                raise RuleError("bounds", at)
            value = max(info.low, min(info.high, value))
        moved = value - state[info.address + index]
        if moved == 0:
            return
        state[info.address + index] = value
        if info.arrival >= 0:
            state[info.arrival - 1] += 1
            state[info.arrival + index] = state[info.arrival - 1]
        if events is not None:
            heard = info.changes[index]
            events.append(("changed", (track, index, moved), (), heard, heard, at))


class _Moves:
    """The cards that one statement moves, emitted as one event for each run of cards from one zone.

    `at_once`: several cards of an ordered zone leave it together, so no seat sees one after the other on top of it.
    `chooser`: the seat that has chosen their order.
    """

    def __init__(
        self,
        zones: WalkerZones,
        to: int,
        bottom: bool,
        at: int,
        events: list[RawEvent] | None,
        manner: int,
        at_once: bool = False,
        chooser: int = NOBODY,
    ) -> None:
        self.zones, self.to, self.bottom, self.at, self.events = zones, to, bottom, at, events
        self.manner = manner | (UNDER if bottom else 0)
        self.at_once = at_once
        self.chooser = chooser if 0 <= chooser < zones.program.seats else NOBODY
        self.source = NOWHERE
        self.cards: list[int] = []

    def add(self, source: int, card: int) -> None:
        if source != self.source:
            self.tell()
        self.source = source
        self.cards.append(card)

    def tell(self) -> None:
        """Emit the collected cards, if any; they are seen by the seats that see either zone."""
        if self.events is not None and self.cards:
            infos = self.zones.program.zones
            target = infos[self.to]
            sees = cards_seen(target)
            if self.source != NOWHERE:
                sees |= cards_seen(infos[self.source])
            top = sees if self.bottom else sees | top_seen(target)
            ordered = self.source != NOWHERE and infos[self.source].order != "bag"
            together = self.at_once and ordered and len(self.cards) > 1
            manner = self.manner | (AS_A_BLOCK if together else 0)
            manner |= ORDERED if self.chooser != NOBODY and len(self.cards) > 1 else 0
            split = top != sees and not manner & ORDERED  # the order of the others would show
            whole, last = (self.cards[:-1], self.cards[-1:]) if split else ((), self.cards)
            top = top if split or len(last) == 1 else sees
            if whole:  # put down at once: only the last is seen, on top
                self._tell(whole, sees, manner | COVERED, self.events)
            self._tell(last, top, manner, self.events)
        self.cards = []

    def _tell(self, cards: Sequence[int], sees: int, manner: int, events: list[RawEvent]) -> None:
        numbers: tuple[int, ...] = (self.source, self.to, len(cards), manner)
        if manner & ORDERED:
            numbers = (*numbers, self.chooser, order_seen(self.zones.program.zones[self.to]) | 1 << self.chooser)
        events.append(("moved", numbers, tuple(cards), self.zones.everyone, sees, self.at))
