"""How tracks and lists are indexed: a cell (or a list) for each combination of what they are kept for."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from ruleset.table.nodes import ListInfo, TableProgram, TrackInfo


@frozen
class Axis:
    """One scope: its name, its first member's number, how many members it has, its stride in the index.

    The first axis is the major one. `cards` tells an axis of cards: those of one kind have consecutive numbers, so
    an axis of one kind begins at its first card.
    """

    name: str
    first: int
    size: int
    stride: int
    cards: bool

    def member(self, index: int) -> int:
        """The member that an index belongs to."""
        return self.first + index // self.stride % self.size

    def holds(self, member: int) -> bool:
        """Whether there is anything kept for a member."""
        return self.first <= member < self.first + self.size


def axes(program: TableProgram, info: TrackInfo | ListInfo) -> tuple[Axis, ...]:
    """The axes of a track or list. What is kept for the game alone has none."""
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
    """All tracks and lists."""
    yield from program.tracks
    yield from program.state_lists


def card_axis(program: TableProgram, info: TrackInfo | ListInfo) -> Axis | None:
    """The axis of cards, of what is kept for cards."""
    return next((axis for axis in axes(program, info) if axis.cards), None)


def track_scopes(program: TableProgram, track: TrackInfo) -> tuple[tuple[str, int, int], ...]:
    """Per scope of a track: its name, its size and its stride."""
    return tuple((axis.name, axis.size, axis.stride) for axis in axes(program, track))


def index_of(program: TableProgram, track: TrackInfo, scope: str, index: int) -> int:
    """The member of a scope that a track's index belongs to, or -1 when the track does not have that scope."""
    return next((axis.member(index) for axis in axes(program, track) if axis.name == scope), -1)


def player_of(program: TableProgram, info: TrackInfo | ListInfo, index: int) -> int:
    """The seat an index belongs to, or -1."""
    return next((axis.member(index) for axis in axes(program, info) if axis.name in ("player", "seat")), -1)


def _extent(program: TableProgram, name: str) -> tuple[int, int, bool]:
    """The first member of a scope, how many members it has, and whether they are cards."""
    if name in ("player", "seat"):
        return 0, program.seats, False
    for enumeration in program.enumerations:
        if enumeration.key == name:
            return 0, len(enumeration.members), False
    of_kind = [number for number, card in enumerate(program.cards) if card.kind == name]
    if of_kind:
        return of_kind[0], len(of_kind), True
    return 0, next((len(members) for kind, members in program.definitions if kind == name), 1), False


def _cards_like(program: TableProgram, size: int) -> tuple[int, int, bool]:
    """A scope `card` that does not say of which kind: all cards, or the first kind with so many."""
    if size != len(program.cards):
        for kind in dict.fromkeys(card.kind for card in program.cards):
            first, count, _ = _extent(program, kind)
            if count == size:
                return first, count, True
    return 0, size, True
