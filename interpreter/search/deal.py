"""Deal the cards that a seat does not see at random, consistent with its knowledge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.indices import Axis, card_axis, entries
from rulewright.interpreter.state.zone_visibility import hidden
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.visibility import Sight
from rulewright.ruleset.table.nodes import ListInfo, TableProgram, TrackInfo

PASSES = 8
"""Times the cards are mixed if bounds or places of several types restrict them; else one time is exact."""


@frozen
class Place:
    """The place of a card that a seat does not see: its present card, its zone, and the cards that may be there."""

    card: int
    zone: int
    allowed: frozenset[int]


def shuffle_hidden(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> list[int]:
    """Return, per card, the card that takes its place: a random deal of the cards that the seat does not see.

    It begins with a deal that is the same in all states that are equal for the seat, so that equal chance leads to
    equal worlds and nothing of the true state shows. Then come random swaps: among places that may hold the same
    cards and, if other places share some of these, among all. A swap that would break a restriction is not made. So
    all deals that swaps can reach are equally likely in the long run.
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
    """Random swaps of cards: `at` holds the card at each of the places."""

    def __init__(
        self, places: Sequence[Place], at: list[int], least: Mapping[tuple[int, int], int], faces: Sequence[int]
    ) -> None:
        self._places, self._at, self._least, self._faces = places, at, least, faces
        self._have = Counter((place.zone, faces[card]) for place, card in zip(places, at, strict=True))

    def mix(self, group: Sequence[int], stream: Stream) -> None:
        """Swap at random among some of the places. If no swap is refused, all arrangements are equally likely."""
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
    """Group the places by the cards that may be there."""
    groups: dict[frozenset[int], list[int]] = {}
    for number, place in enumerate(places):
        groups.setdefault(place.allowed, []).append(number)
    return groups


def _first_deal(places: Sequence[Place], least: Mapping[tuple[int, int], int], faces: Sequence[int]) -> list[int]:
    """Return a deal within the restrictions that depends on them and on the set of cards, not on their places.

    The places with the fewest possibilities come first, and each takes the first remaining card by face. That can
    fail if the cards allowed at two places overlap without one set containing the other. The result is then the
    true deal.
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
    """Return the places of the cards that a seat does not see. A zone that accepts none of these accepts all."""
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
    """Iterate over tracks and lists that are kept for some cards only: no other card can take over their values."""
    for info in entries(program):
        axis = card_axis(program, info)
        if axis is not None and axis.size < len(program.cards):
            yield info, axis


def _used(state: Sequence[int], info: TrackInfo | ListInfo, axis: Axis, card: int) -> bool:
    """Return whether a track or list has any value for a card that differs from the start."""
    indices = [index for index in range(info.count) if axis.member(index) == card]
    if isinstance(info, ListInfo):
        return any(state[info.address + index * (info.capacity + 1)] for index in indices)
    stamps = any(state[info.arrival + index] for index in indices) if info.arrival >= 0 else False
    return stamps or any(state[info.address + index] != info.start[index] for index in indices)
