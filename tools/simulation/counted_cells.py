"""Choose the cells of a table that are counted at the end of each game."""

from __future__ import annotations

from interpreter.state.indices import index_of, track_scopes
from interpreter.views.visibility import value_key
from ruleset.table.nodes import TableProgram
from tools.simulation.columns import Column, Columns

WINNER, SCORE = "winner", "score"
"""Tracks of the kernel that are counted as what they mean; see `interpreter.views.view.result`."""


def columns_of(program: TableProgram, tracks: bool = True) -> Columns:
    """The numbers that a program keeps for each player, and where: with `tracks`, also those that packs declare."""
    columns: list[Column] = []
    places: list[int] = []
    for track in program.tracks if tracks else ():
        scopes = [scope for scope, _, _ in track_scopes(program, track)]
        if track.of != "number" or "player" not in scopes or "card" in scopes or track.key == SCORE:
            continue
        for index in range(track.count):
            members = tuple(
                value_key(program, scope, index_of(program, track, scope, index))
                for scope in scopes
                if scope != "player"
            )
            columns.append(Column(track.key, index_of(program, track, "player", index), members))
            places.append(track.address + index)
    winners, scores = (_of_seats(program, key) for key in (WINNER, SCORE))
    return Columns(program.seats, tuple(columns), winners, scores, tuple(places), program.sources)


def _of_seats(program: TableProgram, key: str) -> tuple[int, ...]:
    """The addresses of a track that each seat has one cell of; none where there is no such track."""
    for track in program.tracks:
        if track.key == key and track.count == program.seats:
            return tuple(range(track.address, track.address + track.count))
    return ()
