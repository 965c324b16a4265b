"""The state of a game as a flat list of cells: its start, list cells, and frames of procedures.

Invariants, the same for every backend:
- list cells `[n, e0, ...]` hold zeros after their n elements, up to their capacity;
- a frame holds the slots in `Segment.live` of the segment to run next, and zeros elsewhere;
- the stack after the current frame is zero.
"""

from __future__ import annotations

import operator
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import frozen

from rulewright.interpreter.state import chance
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.table.nodes import (
    FRAME,
    FUEL,
    RESULT,
    RNG,
    SEGMENT,
    ListInfo,
    Procedure,
    Slot,
    TableProgram,
    TrackInfo,
)

RNG_CELLS = 4
"""Cells of the generator of chance, from RNG on."""
LINKS = 2
"""Cells before a frame's slots: the return segment and the caller's frame."""

NOWHERE = -1
"""The zone of a card that is in none; the return segment and the caller of the first frame."""


def fresh_state(program: TableProgram, seed: int, game: int = 0) -> array[int]:
    """Return the state in which game number `game` of the run with this seed begins, before its entry procedure."""
    state = _beginning(program, program.entry, program.start, [track.start for track in program.tracks])
    chance.store(state, chance.seed_state(seed, game))
    for address, value in program.position or ():
        state[address] = value
    state[FUEL] = FUEL_PER_ANSWER
    return state


Following: TypeAlias = "tuple[array[int], tuple[tuple[int, int], ...]]"
"""The state in which a later game of a series begins, and its ranges of cells (from, to) that are new then."""


def next_game(program: TableProgram) -> Following:
    """Return how a later game of a series begins."""
    following = program.next_game
    assert following is not None, "only a series has a next game"
    state = _beginning(program, following.procedure, following.start, following.tracks)
    ranges, place = [], 0
    for address, count in (*sorted([(RNG, RNG_CELLS), (FUEL, 1), *following.kept]), (len(state), 0)):
        if place < address:
            ranges.append((place, address))
        place = address + count
    return state, tuple(ranges)


def _beginning(
    program: TableProgram,
    procedure: int,
    start: Sequence[tuple[int, Sequence[int]]],
    tracks: Sequence[Sequence[int]],
) -> array[int]:
    """Return a state before a procedure, with these cards in zones and these values of tracks."""
    layout = program.layout
    state = zeros(layout.cells)
    for track, values in zip(program.tracks, tracks, strict=True):
        state[track.address : track.address + track.count] = array("i", values)
    state[layout.places : layout.places + len(program.cards)] = array("i", [NOWHERE] * len(program.cards))
    for zone, cards in start:
        info = program.zones[zone]
        held = [*read_list(state, info.address), *cards]
        write_list(state, info.address, sorted(held) if info.order == "bag" else held)
        for card in cards:
            state[layout.places + card] = zone
    state[SEGMENT] = program.procedures[procedure].entry
    state[FRAME] = layout.stack
    state[layout.stack] = state[layout.stack + 1] = NOWHERE
    return state


# ------------------------------------------------------------------ list cells

def zeros(count: int) -> array[int]:
    """Return so many cells."""
    return array("i", bytes(4 * count))


def read_list(state: Sequence[int], address: int) -> list[int]:
    """Copy the elements of the list cells at an address."""
    return list(state[address + 1 : address + 1 + state[address]])


def write_list(state: array[int], address: int, items: Sequence[int]) -> None:
    """Replace the list at an address, and zero the cells that a longer old list leaves over."""
    beyond = state[address] - len(items)
    state[address] = len(items)
    state[address + 1 : address + 1 + len(items)] = array("i", items)
    if beyond > 0:
        end = address + 1 + len(items)
        state[end : end + beyond] = zeros(beyond)


# ------------------------------------------------------------------ frames

def clear_slots(state: array[int], frame: int, slots: Iterable[Slot]) -> None:
    """Zero slots of a frame."""
    for slot in slots:
        if slot.capacity:
            write_list(state, frame + slot.offset, ())
        else:
            state[frame + slot.offset] = 0


def dead_slots(program: TableProgram, segment: int, successor: int) -> tuple[Slot, ...]:
    """Return the slots that are live in a segment and not in its successor in the same frame."""
    slots = program.procedures[program.segments[segment].procedure].slots
    gone = set(program.segments[segment].live) - set(program.segments[successor].live)
    return tuple(slots[number] for number in sorted(gone))


def leave_frame(state: array[int], slots: Iterable[Slot], value: int) -> int:
    """Return from the current frame and zero it, given its live slots. Returns the next segment."""
    frame = state[FRAME]
    resume = state[frame]
    clear_slots(state, frame, slots)
    state[RESULT] = value
    state[FRAME] = state[frame + 1]
    state[frame] = state[frame + 1] = 0
    return resume


def restart(state: array[int], following: Following) -> int:
    """Begin the next game of a series. Returns the segment to run next."""
    fresh, ranges = following
    for start, end in ranges:
        state[start:end] = fresh[start:end]
    return state[SEGMENT]


def drop_stack(state: array[int], program: TableProgram, procedure: Procedure) -> None:
    """Zero all frames because the game is over. The last one belongs to `procedure`."""
    start, end = program.layout.stack, state[FRAME] + procedure.size
    state[start:end] = zeros(end - start)
    state[FRAME] = NOWHERE


# ---- Indices of tracks and lists: one cell (or list) for each combination of members of their scopes

@frozen
class Axis:
    """One scope: its name, the number of its first member, its size, and its stride in the index.

    The first axis is the major one. `cards` is true for an axis of cards. Cards of one kind have consecutive
    numbers, so an axis of one kind begins at its first card.
    """

    name: str
    first: int
    size: int
    stride: int
    cards: bool

    def member(self, index: int) -> int:
        """Return the member that an index belongs to."""
        return self.first + index // self.stride % self.size

    def holds(self, member: int) -> bool:
        """Return whether the axis has this member."""
        return self.first <= member < self.first + self.size


def axes(program: TableProgram, info: TrackInfo | ListInfo) -> tuple[Axis, ...]:
    """Return the axes of a track or list; none for the scope `game`."""
    names = [name for name in ((info.scope,) if isinstance(info, ListInfo) else info.scope) if name != "game"]
    extents = [_extent(program, name) for name in names]
    if "card" in names:
        others = 1
        for name, (_, size, _) in zip(names, extents, strict=True):
            others *= 1 if name == "card" else max(1, size)
        extents[names.index("card")] = _cards_like(program, info.count // others)
    found: list[Axis] = []
    stride = 1
    for name, (first, size, cards) in zip(reversed(names), reversed(extents), strict=True):
        found.append(Axis(name, first, size, stride, cards))
        stride *= size
    return tuple(reversed(found))


def entries(program: TableProgram) -> Iterator[TrackInfo | ListInfo]:
    """Iterate over all tracks and lists."""
    yield from program.tracks
    yield from program.state_lists


def card_axis(program: TableProgram, info: TrackInfo | ListInfo) -> Axis | None:
    """Return the axis of cards, or None."""
    return next((axis for axis in axes(program, info) if axis.cards), None)


def track_scopes(program: TableProgram, track: TrackInfo) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and stride of each scope of a track."""
    return tuple((axis.name, axis.size, axis.stride) for axis in axes(program, track))


def index_of(program: TableProgram, track: TrackInfo | ListInfo, scope: str, index: int) -> int:
    """Return the member of a scope that a track's index belongs to, or -1 if the track does not have that scope."""
    return next((axis.member(index) for axis in axes(program, track) if axis.name == scope), -1)


def player_of(program: TableProgram, info: TrackInfo | ListInfo, index: int) -> int:
    """Return the seat that an index belongs to, or -1."""
    return next((axis.member(index) for axis in axes(program, info) if axis.name in ("player", "seat")), -1)


def _extent(program: TableProgram, name: str) -> tuple[int, int, bool]:
    """Return the first member of a scope, its number of members, and whether they are cards."""
    if name in ("player", "seat"):
        return 0, program.seats, False
    for enumeration in program.enumerations:
        if enumeration.key == name:
            return 0, len(enumeration.members), False
    return 0, next((len(members) for kind, members in program.definitions if kind == name), 1), False


def _cards_like(program: TableProgram, size: int) -> tuple[int, int, bool]:
    """Resolve the scope `card`, which names no kind, by its size: all cards, or the first kind with that many."""
    if size != len(program.cards):
        for kind in dict.fromkeys(card.kind for card in program.cards):
            of_kind = [number for number, card in enumerate(program.cards) if card.kind == kind]
            if len(of_kind) == size:
                return of_kind[0], size, True
    return 0, size, True


# ------------------------------------------------------------------ The operators on cells

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
