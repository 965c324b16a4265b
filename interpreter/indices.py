"""How tracks are indexed: a track has a cell for each combination of what it is kept for."""

from __future__ import annotations

from ruleset.table import TableProgram, TrackInfo


def scope_size(program: TableProgram, scope: str) -> int:
    """How many things a scope has: `player`, `card`, an enumeration, or the definitions of a kind."""
    if scope in ("player", "seat"):
        return program.seats
    if scope == "card":
        return len(program.cards)
    for enumeration in program.enumerations:
        if enumeration.key == scope:
            return len(enumeration.members)
    for kind, members in program.definitions:
        if kind == scope:
            return len(members)
    return 1


def track_scopes(program: TableProgram, track: TrackInfo) -> tuple[tuple[str, int, int], ...]:
    """Per scope of a track: its name, its size and its stride in the track's index (the first is the major
    one).
    """
    scopes: list[tuple[str, int, int]] = []
    stride = 1
    for name in reversed(track.scope):
        size = scope_size(program, name)
        if name != "game":
            scopes.append((name, size, stride))
            stride *= size
    return tuple(reversed(scopes))


def index_of(program: TableProgram, track: TrackInfo, scope: str, index: int) -> int:
    """The coordinate of a track's index along one of its scopes, or -1 when it does not have that scope."""
    for name, size, stride in track_scopes(program, track):
        if name == scope:
            return index // stride % size
    return -1
