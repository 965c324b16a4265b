"""Dealing anew the cards that a seat does not see, within what it knows and what places allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from interpreter.state.chance import Stream
from interpreter.state.indices import Axis, card_axis, entries
from interpreter.state.zone_visibility import hidden
from interpreter.views.knowledge import Knowledge
from interpreter.views.visibility import Sight
from ruleset.table.nodes import ListInfo, TableProgram, TrackInfo

PASSES = 8
"""How often the cards are mixed where bounds or places of several sorts restrict them; else once is exact."""


@frozen
class Place:
    """Where a card lies that a seat does not see: whose place it is now, its zone, which cards may lie there."""

    card: int
    zone: int
    allowed: frozenset[int]


def shuffle_hidden(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> list[int]:
    """Per card, the card that takes its place: a random deal of what the seat does not see.

    It begins with a deal that is the same in all states which are equal for the seat, so that with equal chance
    equal worlds follow, and nothing of the true one shows. Then random swaps: among places that may hold the same
    cards and, where other places share some of these, among all. A swap that would break a restriction is not made.
    So all deals that swaps can reach are equally likely in the long run.
    """
    places = _places(program, Sight(program, state, knowledge, seat))
    least = {(zone, face): count for zone, s, face, count in knowledge.bounds if s == seat}
    faces = [card.face for card in program.cards]
    at = _first_deal(places, least, faces)
    mixing = _Mixing(places, at, least, faces)
    groups = _groups(places)
    apart = sum(len(allowed) for allowed in groups) == len({card for allowed in groups for card in allowed})
    for _ in range(1 if apart and not least else PASSES):
        for group in groups.values():
            mixing.mix(group, stream)
        if not apart:
            mixing.mix(range(len(at)), stream)
    deal = list(range(len(program.cards)))
    for place, taker in zip(places, at, strict=True):
        deal[place.card] = taker
    return deal


class _Mixing:
    """Cards that change places: `at` says which card is at each of the places."""

    def __init__(
        self, places: Sequence[Place], at: list[int], least: Mapping[tuple[int, int], int], faces: Sequence[int]
    ) -> None:
        self._places, self._at, self._least, self._faces = places, at, least, faces
        self._have = Counter((place.zone, faces[card]) for place, card in zip(places, at, strict=True))

    def mix(self, group: Sequence[int], stream: Stream) -> None:
        """Swaps at random among some of the places: each arrangement is equally likely if no swap is refused."""
        for i in range(len(group) - 1, 0, -1):
            self._swap(group[i], group[stream.below(i + 1)])

    def _swap(self, i: int, j: int) -> None:
        at, faces, here, there = self._at, self._faces, self._places[i], self._places[j]
        one, other = at[i], at[j]
        if other not in here.allowed or one not in there.allowed:
            return
        if here.zone != there.zone and faces[one] != faces[other]:
            leaving = ((here.zone, faces[one]), (there.zone, faces[other]))
            if any(self._have[place] <= self._least.get(place, 0) for place in leaving):
                return
            self._have.subtract(leaving)
            self._have.update(((here.zone, faces[other]), (there.zone, faces[one])))
        at[i], at[j] = other, one


def _groups(places: Sequence[Place]) -> dict[frozenset[int], list[int]]:
    """The places by what may lie there."""
    groups: dict[frozenset[int], list[int]] = {}
    for number, place in enumerate(places):
        groups.setdefault(place.allowed, []).append(number)
    return groups


def _first_deal(places: Sequence[Place], least: Mapping[tuple[int, int], int], faces: Sequence[int]) -> list[int]:
    """A deal within the restrictions that depends on them and on the cards alone, not on where these are.

    The places with the fewest possibilities come first, and each takes the first card by face that is left. Where
    what places may hold overlaps without one holding all of the other's, that can fail: then it is the true deal.
    """
    wanted = [(zone, face) for (zone, face), count in sorted(least.items()) for _ in range(count)]
    possible: list[frozenset[int]] = [place.allowed for place in places]
    free: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        free.setdefault(place.zone, []).append(number)
    for zone, face in wanted:
        if not free.get(zone):
            return [place.card for place in places]
        number = free[zone].pop()
        possible[number] = frozenset(card for card in possible[number] if faces[card] == face)
    order = sorted({place.card for place in places}, key=lambda card: (faces[card], card))
    at = [-1] * len(places)
    queues: dict[frozenset[int], Iterator[int]] = {}
    used: set[int] = set()
    for number in sorted(range(len(places)), key=lambda number: (len(possible[number]), number)):
        allowed = possible[number]
        queue = queues.setdefault(allowed, iter([card for card in order if card in allowed]))
        card = next((card for card in queue if card not in used), None)
        if card is None:
            return [place.card for place in places]
        used.add(card)
        at[number] = card
    return at


def _places(program: TableProgram, sight: Sight) -> list[Place]:
    """The places of the cards that a seat does not see. An empty `accepts` accepts all cards."""
    loose = [
        (card, number)
        for number, zone in enumerate(program.zones)
        if hidden(zone, sight.seat)
        for card in sight.cards(number)
        if not sight.sees(card)
    ]
    everything = frozenset(card for card, _ in loose)
    kept = list(_kept_for_some(program))
    accepted = {number: frozenset(program.zones[number].accepts) & everything or everything for _, number in loose}
    places = []
    for card, number in loose:
        allowed = accepted[number]
        for info, axis in kept:
            if axis.holds(card) and _used(sight.state, info, axis, card):
                allowed &= frozenset(range(axis.first, axis.first + axis.size))
        places.append(Place(card, number, allowed))
    return places


def _kept_for_some(program: TableProgram) -> Iterator[tuple[TrackInfo | ListInfo, Axis]]:
    """Tracks and lists that are kept for some cards only: no other card can carry what is on one of those."""
    for info in entries(program):
        axis = card_axis(program, info)
        if axis is not None and axis.size < len(program.cards):
            yield info, axis


def _used(state: Sequence[int], info: TrackInfo | ListInfo, axis: Axis, card: int) -> bool:
    """Whether anything is on a card in a track or list."""
    indices = [index for index in range(info.count) if axis.member(index) == card]
    if isinstance(info, ListInfo):
        return any(state[info.address + index * (info.capacity + 1)] for index in indices)
    stamps = any(state[info.arrival + index] for index in indices) if info.arrival >= 0 else False
    return stamps or any(state[info.address + index] != info.start[index] for index in indices)
