"""Indices of tracks and lists: one cell (or list) for each combination of members of their scopes."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulewright.ruleset.table.nodes import ListInfo, TableProgram, TrackInfo


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
