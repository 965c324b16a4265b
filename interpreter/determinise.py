"""Worlds that a seat cannot tell from the true one, for search.

The cards that a seat does not see change places at random. What it knows stays: elements it knows
individually do not move, its bounds hold, and a zone gets no card that it does not accept. A card that takes
another's place takes it everywhere: in zones, in frames, in tracks and lists that point at cards, and in what
belongs to the card itself (the element keeps its tokens; only its face changes). Hidden tracks that are not
about cards stay as they are.

Then chance begins afresh, answers that other seats gave in secret are drawn anew, and what is asked is asked
again, since the options of other seats may depend on their cards. A deal under which the seat would see other
seats asked, or other options, is not one it could be in: it is thrown away. After `TRIES` of those the cards
stay where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from interpreter.asking import ask_anew, slot_address
from interpreter.backend import Backend
from interpreter.chance import Stream
from interpreter.decision import (
    Decision,
    asked,
    keys_of,
    offered,
    resolve,
    slot_answer,
    slot_values,
)
from interpreter.indices import track_scopes
from interpreter.knowledge import Knowledge
from interpreter.sight import Sight, hidden
from ruleset.table import (
    ANSWERED,
    ASKING,
    D_LEAST,
    D_MOST,
    D_STATE,
    FRAME,
    FUEL,
    RNG,
    SEGMENT,
    STATUS,
    TableProgram,
    TrackInfo,
)

TRIES = 20
PASSES = 8
"""How often the cards are mixed when bounds or `accepts` restrict them; without restrictions once is exact.
"""


@frozen
class World:
    """A state and the knowledge that goes with it."""

    state: list[int]
    knowledge: Knowledge


def determinise(
    backend: Backend, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> list[int]:
    """A random state that equals this one in what a seat sees and knows."""
    return redeal(backend, state, knowledge, seat, stream).state


def redeal(backend: Backend, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream) -> World:
    """As `determinise`, with the knowledge of all seats in the new world."""
    program = backend.program
    for _ in range(TRIES):
        deal = shuffle_hidden(program, state, knowledge, seat, stream)
        world = renamed(program, state, knowledge, seat, deal)
        _fresh_chance(world.state, stream)
        if _ask_anew(backend, state, knowledge, world, seat, stream):
            return world
    same = World(list(state), knowledge)
    _fresh_chance(same.state, stream)
    _ask_anew(backend, state, knowledge, same, seat, stream)
    return same


def shuffle_hidden(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> list[int]:
    """Per card, the card that takes its place: a random deal of what the seat does not see."""
    sight = Sight(program, state, knowledge, seat)
    loose = [
        (card, number)
        for number, zone in enumerate(program.zones)
        if hidden(zone, seat)
        for card in sight.cards(number)
        if not sight.sees(card)
    ]
    accepts = {number: frozenset(program.zones[number].accepts) for _, number in loose}
    least = {(zone, face): count for zone, s, face, count in knowledge.bounds if s == seat}
    faces = [card.face for card in program.cards]
    have = Counter((zone, faces[card]) for card, zone in loose)
    at = [card for card, _ in loose]
    free = not least and all(accepts[zone].issuperset(at) for zone in accepts)
    for _ in range(1 if free else PASSES):
        for i in range(len(at) - 1, 0, -1):
            j = stream.below(i + 1)
            zone_i, zone_j = loose[i][1], loose[j][1]
            one, other = at[i], at[j]
            if zone_i != zone_j:
                if not free and not (_allowed(accepts[zone_i], other) and _allowed(accepts[zone_j], one)):
                    continue
                if faces[one] != faces[other]:
                    leaving = ((zone_i, faces[one]), (zone_j, faces[other]))
                    if any(have[place] <= least.get(place, 0) for place in leaving):
                        continue
                    have.subtract(leaving)
                    have.update(((zone_i, faces[other]), (zone_j, faces[one])))
            at[i], at[j] = other, one
    deal = list(range(len(program.cards)))
    for (card, _), taker in zip(loose, at, strict=True):
        deal[card] = taker
    return deal


def _allowed(accepts: frozenset[int], card: int) -> bool:
    return not accepts or card in accepts


# ------------------------------------------------------------------ renaming


def renamed(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, deal: Sequence[int]
) -> World:
    """The world in which each card stands in another's place, as `deal` says; decision slots stay."""
    new = list(state)
    for zone in program.zones:
        start, size = zone.address + 1, state[zone.address]
        cards = [deal[card] for card in state[start : start + size]]
        new[start : start + size] = sorted(cards) if zone.order == "bag" else cards
    for card, taker in enumerate(deal):
        new[program.layout.places + taker] = state[program.layout.places + card]
    for old, moved in _own_cells(program, deal):
        new[moved] = state[old]
    for address in (*_pointers(program, new), *_frame_pointers(program, state)):
        if new[address] >= 0:
            new[address] = deal[new[address]]
    return World(new, _renamed_knowledge(program, new, knowledge, seat, deal))


def _own_cells(program: TableProgram, deal: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Cells of tracks and lists that belong to a card: address before, address after."""
    for track in program.tracks:
        if "card" in track.scope:
            for index, moved in _moved_indices(program, track, deal):
                yield track.address + index, track.address + moved
                if track.arrival >= 0:
                    yield track.arrival + index, track.arrival + moved
    for info in program.state_lists:
        if info.scope == "card":
            size = info.capacity + 1
            for card, taker in enumerate(deal):
                for offset in range(size):
                    yield info.address + card * size + offset, info.address + taker * size + offset


def _moved_indices(program: TableProgram, track: TrackInfo, deal: Sequence[int]) -> Iterator[tuple[int, int]]:
    scopes = track_scopes(program, track)
    for index in range(track.count):
        moved = index
        for name, size, stride in scopes:
            if name == "card":
                card = index // stride % size
                moved += (deal[card] - card) * stride
        yield index, moved


def _pointers(program: TableProgram, state: Sequence[int]) -> Iterator[int]:
    """Addresses of tracks and list entries whose values are cards."""
    for track in program.tracks:
        if track.of == "card":
            yield from range(track.address, track.address + track.count)
    for info in program.state_lists:
        if info.of == "card":
            for number in range(info.count):
                start = info.address + number * (info.capacity + 1)
                yield from range(start + 1, start + 1 + state[start])


def _frame_pointers(program: TableProgram, state: Sequence[int]) -> Iterator[int]:
    """Addresses in the live slots of all frames whose values are cards."""
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


def _renamed_knowledge(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, deal: Sequence[int]
) -> Knowledge:
    """Masks go with the element. Bounds of other seats are cut to what is true now."""
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


# ------------------------------------------------------------------ chance and decisions


def _fresh_chance(state: list[int], stream: Stream) -> None:
    for i in range(4):
        state[RNG + i] = stream.bits() >> 16


def _ask_anew(
    backend: Backend, before: Sequence[int], knowledge: Knowledge, world: World, seat: int, stream: Stream
) -> bool:
    """Asks again in the new world. False when the seat would notice that it is not the old one."""
    program, state = backend.program, world.state
    if before[STATUS] != ASKING:
        return True
    chance = state[RNG : RNG + 4]
    ask_anew(state, program)
    backend.run(state)
    if state[STATUS] != ASKING or state[SEGMENT] != before[SEGMENT] or state[RNG : RNG + 4] != chance:
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
    """A random answer: the number uniformly, then the values."""
    slot = slot_address(program.layout, seat)
    left = list(slot_values(program, state, seat))
    count = state[slot + D_LEAST] + stream.below(state[slot + D_MOST] - state[slot + D_LEAST] + 1)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(left.pop(stream.below(len(left))))
    return tuple(sorted(chosen))
