"""Worlds in which cards have taken each other's places everywhere: in zones, frames, tracks and lists.

Values kept for a card stay at its place: the card that moves there takes them over.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from attrs import frozen

from rulewright.interpreter.state.indices import card_axis, entries
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.menu_values import fold_option, unfold
from rulewright.ruleset.table.nodes import (
    ASKING,
    FRAME,
    SEALED,
    SEGMENT,
    STATUS,
    ListInfo,
    Site,
    TableProgram,
    TrackInfo,
)


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
