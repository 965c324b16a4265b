"""Dealing anew the cards that a seat does not see, within what it knows and what places allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from interpreter.chance import Stream
from interpreter.indices import Axis, card_axis, entries
from interpreter.knowledge import Knowledge
from interpreter.sight import Sight, hidden
from ruleset.table import ListInfo, TableProgram, TrackInfo

PASSES = 8
"""How often the cards are mixed when something restricts them; without restrictions once is exact."""


@frozen
class Place:
    """Where a card lies that a seat does not see: whose place it is now, its zone, and which cards may lie there
    (None: any).
    """

    card: int
    zone: int
    allowed: frozenset[int] | None


def shuffle_hidden(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> list[int]:
    """Per card, the card that takes its place: a random deal of what the seat does not see.

    Random swaps, beginning with the true deal; a swap that would break a restriction is not made. So all deals
    that swaps can reach are equally likely in the long run.
    """
    places = _places(program, Sight(program, state, knowledge, seat))
    least = {(zone, face): count for zone, s, face, count in knowledge.bounds if s == seat}
    faces = [card.face for card in program.cards]
    have = Counter((place.zone, faces[place.card]) for place in places)
    at = [place.card for place in places]
    free = not least and all(place.allowed is None for place in places)
    for _ in range(1 if free else PASSES):
        for i in range(len(at) - 1, 0, -1):
            j = stream.below(i + 1)
            one, other = at[i], at[j]
            if not (_may_lie(other, places[i]) and _may_lie(one, places[j])):
                continue
            here, there = places[i].zone, places[j].zone
            if here != there and faces[one] != faces[other]:
                leaving = ((here, faces[one]), (there, faces[other]))
                if any(have[place] <= least.get(place, 0) for place in leaving):
                    continue
                have.subtract(leaving)
                have.update(((here, faces[other]), (there, faces[one])))
            at[i], at[j] = other, one
    deal = list(range(len(program.cards)))
    for place, taker in zip(places, at, strict=True):
        deal[place.card] = taker
    return deal


def _may_lie(card: int, place: Place) -> bool:
    return place.allowed is None or card in place.allowed


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
    places = []
    for card, number in loose:
        allowed = frozenset(program.zones[number].accepts) & everything or everything
        for info, axis in kept:
            if axis.holds(card) and _used(sight.state, info, axis, card):
                allowed &= frozenset(range(axis.first, axis.first + axis.size))
        places.append(Place(card, number, None if allowed == everything else allowed))
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
