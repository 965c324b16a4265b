"""Random worlds that a seat cannot tell from the true one, for search.

The cards that a seat does not see change places at random. Its knowledge stays true: cards that it knows
individually do not move, its bounds hold, and a zone gets no card that it does not accept. A card that takes
another's place takes it everywhere: in zones, in frames, in tracks and lists that point at cards, and in values
kept for the card (the place keeps its tokens; only the face there changes). Hidden tracks that are not about cards
stay as they are.

Then chance begins afresh, sealed answers of other seats are drawn again, and open questions are asked again, since
the options of other seats may depend on their cards. A deal is discarded if the seat would see other seats asked,
or other options. After `TRIES` such deals the cards stay where they are.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import ask_anew, fold_option, slot_address, unfold
from rulewright.interpreter.state.events import hidden
from rulewright.interpreter.state.frames import Axis, card_axis, entries
from rulewright.interpreter.views.decision import (
    Decision,
    asked,
    keys_of,
    offered,
    resolve,
    slot_answer,
    slot_values,
)
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.visibility import SeatSight
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.table.nodes import (
    ANSWERED,
    ASKING,
    D_LEAST,
    D_MOST,
    D_STATE,
    FRAME,
    FUEL,
    RNG,
    SEALED,
    SEGMENT,
    STATUS,
    ListInfo,
    Site,
    TableProgram,
    TrackInfo,
)

# ---- Deal the cards that a seat does not see at random, consistent with its knowledge

PASSES = 8
"""Times the cards are mixed if bounds or places of several types restrict them; else one time is exact."""


@frozen
class HiddenPlace:
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
    places = _places(program, SeatSight(program, state, knowledge, seat))
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
        self,
        places: Sequence[HiddenPlace],
        at: list[int],
        least: Mapping[tuple[int, int], int],
        faces: Sequence[int],
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


def _groups(places: Sequence[HiddenPlace]) -> dict[frozenset[int], list[int]]:
    """Group the places by the cards that may be there."""
    groups: dict[frozenset[int], list[int]] = {}
    for number, place in enumerate(places):
        groups.setdefault(place.allowed, []).append(number)
    return groups


def _first_deal(
    places: Sequence[HiddenPlace], least: Mapping[tuple[int, int], int], faces: Sequence[int]
) -> list[int]:
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


def _places(program: TableProgram, sight: SeatSight) -> list[HiddenPlace]:
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
        places.append(HiddenPlace(card, number, allowed))
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


# ---- Worlds in which cards have taken each other's places everywhere: in zones, frames, tracks and lists
#
# Values kept for a card stay at its place: the card that moves there takes them over.

@frozen
class World:
    """A state with its knowledge."""

    state: array[int]
    knowledge: Knowledge


def renamed(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, deal: Sequence[int]
) -> World:
    """Put each card in another's place according to `deal`; decision slots stay unchanged."""
    new = array("i", state)
    for zone in program.zones:
        start, size = zone.address + 1, state[zone.address]
        cards = [deal[card] for card in state[start : start + size]]
        new[start : start + size] = array("i", sorted(cards) if zone.order == "bag" else cards)
    for card, taker in enumerate(deal):
        new[program.layout.places + taker] = state[program.layout.places + card]
    for address, value in _own_cells(program, state, deal):
        new[address] = value
    for address in (*_pointers(program, new), *_frame_pointers(program, state)):
        if new[address] >= 0:
            new[address] = deal[new[address]]
    for address, site in _sealed_menus(program, state):
        new[address] = _renamed_option(site, new[address], deal)
    return World(new, _renamed_knowledge(program, new, knowledge, seat, deal))


def _own_cells(program: TableProgram, state: Sequence[int], deal: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Iterate over addresses in tracks and lists that are kept for cards, with their new values."""
    came = {taker: card for card, taker in enumerate(deal)}
    for info in entries(program):
        axis = card_axis(program, info)
        if axis is None:
            continue
        for index in range(info.count):
            card = axis.member(index)
            source = came[card]
            if source == card:
                continue
            before = index + (source - card) * axis.stride if axis.holds(source) else None
            yield from _cells(info, state, index, before)


def _cells(
    info: TrackInfo | ListInfo, state: Sequence[int], index: int, before: int | None
) -> Iterator[tuple[int, int]]:
    """Iterate over an entry's cells with the values of entry `before`; None means the values at the start."""
    if isinstance(info, ListInfo):
        size = info.capacity + 1
        for offset in range(size):
            value = 0 if before is None else state[info.address + before * size + offset]
            yield info.address + index * size + offset, value
        return
    yield info.address + index, info.start[index] if before is None else state[info.address + before]
    if info.arrival >= 0:
        yield info.arrival + index, 0 if before is None else state[info.arrival + before]


def _pointers(program: TableProgram, state: Sequence[int]) -> Iterator[int]:
    """Iterate over the addresses of tracks and list entries whose values are cards."""
    for track in program.tracks:
        if track.of == "card":
            yield from range(track.address, track.address + track.count)
    for info in program.state_lists:
        if info.of == "card":
            for number in range(info.count):
                start = info.address + number * (info.capacity + 1)
                yield from range(start + 1, start + 1 + state[start])


def _frame_pointers(program: TableProgram, state: Sequence[int]) -> Iterator[int]:
    """Iterate over the addresses in the live slots of all frames whose values are cards."""
    if state[STATUS] != ASKING:
        return
    segment, frame = state[SEGMENT], state[FRAME]
    while True:
        live = program.segments[segment]
        slots = program.procedures[live.procedure].slots
        for number in live.live:
            slot = slots[number]
            if slot.cards:
                start = frame + slot.offset
                yield from range(start + 1, start + 1 + state[start]) if slot.capacity else (start,)
        segment, frame = state[frame], state[frame + 1]
        if segment < 0 or frame < program.layout.stack:
            return


def _sealed_menus(program: TableProgram, state: Sequence[int]) -> Iterator[tuple[int, Site]]:
    """Iterate over the addresses of sealed answers to menus, with their sites."""
    sites = {SEALED + site.key: site for site in program.sites if site.of == "menu"}
    for info in program.state_lists:
        site = sites.get(info.key)
        for number in range(info.count if site else 0):
            start = info.address + number * (info.capacity + 1)
            for address in range(start + 1, start + 1 + state[start]):
                if site is not None:
                    yield address, site


def _renamed_option(site: Site, value: int, deal: Sequence[int]) -> int:
    number, members = unfold(site, value)
    named = zip(site.branches[number].members, members, strict=True)
    return fold_option(site, number, [deal[member] if of == "card" else member for of, member in named])


def _renamed_knowledge(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, deal: Sequence[int]
) -> Knowledge:
    """Move masks with the cards, and reduce bounds of other seats to what is true now."""
    masks = [0] * len(deal)
    for card, taker in enumerate(deal):
        masks[taker] = knowledge.masks[card]
    bounds = []
    for zone, owner, face, count in knowledge.bounds:
        if owner != seat:
            start = program.zones[zone].address + 1
            cards = state[start : start + state[start - 1]]
            loose = [card for card in cards if not masks[card] >> owner & 1]
            count = min(count, sum(1 for card in loose if program.cards[card].face == face))
        if count:
            bounds.append((zone, owner, face, count))
    return Knowledge(tuple(masks), tuple(bounds))


# ---- Determinise

TRIES = 20


def determinise(
    backend: Backend, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> array[int]:
    """Return a random state that equals this one in everything that a seat sees and knows."""
    return redeal(backend, state, knowledge, seat, stream).state


def redeal(backend: Backend, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream) -> World:
    """Do the same as `determinise`, and return the world with the knowledge of all seats."""
    world = possible_world(backend, state, knowledge, seat, stream)
    if world is not None:
        return world
    same = World(array("i", state), knowledge)
    _fresh_chance(same.state, stream)
    _ask_anew(backend, state, knowledge, same, seat, stream)
    return same


def possible_world(
    backend: Backend, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> World | None:
    """Return a world that the seat could be in, or None if none was found. Of all that is hidden from the seat, it
    depends only on tracks that are not about cards.

    Raises RuleError if a rule fails while questions are asked again.
    """
    program = backend.program
    for _ in range(TRIES):
        deal = shuffle_hidden(program, state, knowledge, seat, stream)
        world = renamed(program, state, knowledge, seat, deal)
        _fresh_chance(world.state, stream)
        if _ask_anew(backend, state, knowledge, world, seat, stream):
            return world
    return None


# ------------------------------------------------------------------ chance and decisions

def _fresh_chance(state: array[int], stream: Stream) -> None:
    for i in range(4):
        state[RNG + i] = stream.bits() >> 16


def _ask_anew(
    backend: Backend, before: Sequence[int], knowledge: Knowledge, world: World, seat: int, stream: Stream
) -> bool:
    """Ask again in the new world. Returns False if the seat would notice a difference from the old one."""
    program, state = backend.program, world.state
    if before[STATUS] != ASKING:
        return True
    chance, behind = state[RNG : RNG + 4], slot_address(program.layout, program.seats)
    rest = state[behind:]
    ask_anew(state, program)
    state[FUEL] = FUEL_PER_ANSWER
    backend.run(state)
    if state[STATUS] != ASKING or state[SEGMENT] != before[SEGMENT] or state[RNG : RNG + 4] != chance:
        return False
    if state[behind:] != rest:  # no seat was asked, the game went on, and came back here
        return False
    was = asked(program, before)
    if [(s, site) for s, site, _ in was] != [(s, site) for s, site, _ in asked(program, state)]:
        return False
    own: Decision | None = None
    if any(s == seat for s, _, _ in was):
        own = offered(program, before, seat, knowledge)
        if own != offered(program, state, seat, world.knowledge):
            return False
    for other, _, answered in was:
        if not answered or state[slot_address(program.layout, other) + D_STATE] == ANSWERED:
            continue
        if other == seat and own is not None:
            keys = keys_of(own, slot_answer(program, before, seat))
            values = resolve(offered(program, state, seat, world.knowledge), keys)
            assert isinstance(values, tuple), values
        else:
            values = _any_answer(program, state, other, stream)
        backend.answer(state, other, values)
    state[FUEL] = before[FUEL]
    return asked(program, state) == was


def _any_answer(program: TableProgram, state: Sequence[int], seat: int, stream: Stream) -> tuple[int, ...]:
    """Return a random answer: a uniform number of values, then the values."""
    slot = slot_address(program.layout, seat)
    left = list(slot_values(program, state, seat))
    count = state[slot + D_LEAST] + stream.below(state[slot + D_MOST] - state[slot + D_LEAST] + 1)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(left.pop(stream.below(len(left))))
    return tuple(sorted(chosen))


# ---- What a search is about, and what the ends of its playouts are worth
#
# Packs need not define what is good: an end is worth the seat's share of the victory and, much less, its lead
# in points. So if nobody wins, or all playouts are won, scores decide; without scores, chance does. Worth is
# in whole numbers, whose sums are equal on every machine and backend.

DEPTH = 1_000
"""Maximum number of questions in a playout, since a game need not end."""
VICTORY = 1_000_000_000
"""The worth of a victory."""
LEAD = VICTORY // 4
"""The most that the lead in points counts."""


@frozen
class SearchMoment:
    """A state, the knowledge of its seats, and the open decision of one of them as that seat sees it."""

    state: Sequence[int]
    knowledge: Knowledge
    decision: Decision


# ---- Answers as a search sees them: how many a decision has, and random ones
#
# An answer is a tuple of option keys in the order of the options, so that equivalent answers are equal.

Keys = tuple[str, ...]


def random_keys(decision: Decision, stream: Stream) -> Keys:
    """Return an answer of the random policy."""
    things = [number for number, option in enumerate(decision.options) for _ in range(option.count)]
    count = decision.least + stream.below(decision.most - decision.least + 1)
    chosen = sorted(things.pop(stream.below(len(things))) for _ in range(count))
    return tuple(decision.options[number].key for number in chosen)
