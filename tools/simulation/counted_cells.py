"""Choose the cells of a table that are counted at the end of each game."""

from __future__ import annotations

from rulewright.interpreter.counting.counted_program import with_starter
from rulewright.interpreter.state.frames import index_of, track_scopes
from rulewright.interpreter.views.view import outcomes
from rulewright.interpreter.views.visibility import value_key
from rulewright.ruleset.table.nodes import OUTCOME, TableProgram
from rulewright.tools.simulation.columns import Column, Columns

WINNER, SCORE = "winner", "score"
"""Tracks of the kernel that are counted as winners and scores; see `interpreter.views.view.result`."""


def columns_of(program: TableProgram, tracks: bool = True, starter: bool = False) -> Columns:
    """Return the counted numbers of each player; with `tracks`, also those of the pack's own tracks.

    With `starter`, also who began, which only programs that note it can tell (`tools.simulation.players`).
    """
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
    outcome = tuple(track.address for track in program.tracks if track.key == OUTCOME)
    return Columns(
        program.seats, tuple(columns), winners, scores, tuple(places), program.sources, outcome, outcomes(program),
        (with_starter(program).starter,) if starter else (),
    )  # fmt: skip


def _of_seats(program: TableProgram, key: str) -> tuple[int, ...]:
    """Return the addresses of a track with one cell per seat; empty if there is no such track."""
    for track in program.tracks:
        if track.key == key and track.count == program.seats:
            return tuple(range(track.address, track.address + track.count))
    return ()
