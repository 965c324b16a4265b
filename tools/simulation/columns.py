"""Columns of the numbers that are counted at the end of each game.

A column has one entry for each game (`interpreter.batch.batch.Results`), so no Python code runs per game.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from attrs import frozen

from rulewright.interpreter.counting import with_starter
from rulewright.interpreter.state.frames import index_of, track_scopes
from rulewright.interpreter.views.view import outcomes
from rulewright.interpreter.views.visibility import ALL_DEFINITIONS, value_key
from rulewright.ruleset.table.nodes import OUTCOME, TableProgram

if TYPE_CHECKING:
    from rulewright.interpreter.batch.native_calls import GameResults
    from rulewright.ruleset.table.nodes import Source


@frozen
class Column:
    """A number at the end of each game: the value of a track for a seat and for the members that also index it."""

    track: str
    seat: int
    members: tuple[str, ...]


@frozen
class Failed:
    """A rule error that ended a game: its code, the rule, and the place of the rule, as far as they are known."""

    code: str
    rule: str
    place: str


@frozen
class Ended:
    """Columns of the games that ended regularly: `winners` (1 or 0) and `scores` for each seat.

    `outcomes` has the number of the result of each game (-1: none); empty where results have no names. `starters`
    has 1 + the seat that began each game (0: none); empty if it is not noted.
    """

    decisions: array[int]
    winners: tuple[array[int], ...]
    scores: tuple[array[int], ...]
    tracks: tuple[array[int], ...]
    outcomes: Sequence[int] = ()
    starters: Sequence[int] = ()

    @property
    def count(self) -> int:
        return len(self.decisions)


@frozen
class Columns:
    """The numbers that a table keeps for each player, and the addresses of their cells.

    `winners` and `scores` have an address for each seat, or none; `places` has one for each of `columns`.
    """

    seats: int
    columns: tuple[Column, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    sources: tuple[Source, ...] = ()
    """The sources of the table program, to name the rule of a rule error."""
    outcome: tuple[int, ...] = ()
    """The address of the number of the result, if results have names."""
    results: tuple[str, ...] = ()
    """The names of results, in the order of their numbers."""
    starter: tuple[int, ...] = ()
    """The address of 1 + the seat that began, if it is noted: see `interpreter.counting`."""

    @property
    def addresses(self) -> tuple[int, ...]:
        """The addresses of all needed cells, in the order in which `ended` expects their columns."""
        return (*self.winners, *self.scores, *self.places, *self.outcome, *self.starter)

    def ended(self, results: GameResults, kept: Sequence[bool] | None = None) -> Ended:
        """Return the columns of the games without a rule error, or of those selected by `kept`.

        None of the selected games may have a rule error.
        """
        if kept is None and any(results.faults):
            kept = [not fault for fault in results.faults]
        columns = [results.decisions, *results.cells]
        if kept is not None:
            columns = [array("i", compress(column, kept)) for column in columns]
        return self._named(columns)

    def all(self, results: GameResults) -> Ended:
        """Return the columns of all games; the values of failed games have no meaning."""
        return self._named([results.decisions, *results.cells])

    def _named(self, columns: Sequence[array[int]]) -> Ended:
        decisions, *cells = columns
        starters = cells.pop() if self.starter else ()
        outcomes = cells.pop() if self.outcome else ()
        winners, scores = len(self.winners), len(self.winners) + len(self.scores)
        nothing = (array("i", bytes(4 * len(decisions))),) * self.seats
        return Ended(
            decisions,
            tuple(cells[:winners]) or nothing,
            tuple(cells[winners:scores]) or nothing,
            tuple(cells[scores:]),
            outcomes,
            starters,
        )

    def result(self, number: int) -> str | None:
        """Return the name of a result by its number; None for none."""
        return self.results[number] if 0 <= number < len(self.results) else None

    def failed(self, results: GameResults) -> Iterator[tuple[int, Failed]]:
        """Iterate over the games with a rule error: number and rule error."""
        if not any(results.faults):
            return
        known: dict[tuple[int, int], Failed] = {}
        for game, fault, place in zip(range(results.first, 1 << 63), results.faults, results.places, strict=False):
            if fault:
                if (fault, place) not in known:
                    known[fault, place] = self._failed(results.codes[fault - 1], place)
                yield game, known[fault, place]

    def _failed(self, code: str, place: int) -> Failed:
        source = self.sources[place] if 0 <= place < len(self.sources) else None
        where = str(source.span) if source and source.span.path else ""
        if source and source.pack:
            where = f"{where} of {source.pack}"
        return Failed(code, source.name if source else "", where)


@frozen
class CountedTable:
    """A table as the report of a simulation names it, with its counted columns."""

    pack: str
    version: str
    options: tuple[tuple[str, str], ...]
    columns: Columns
    series: bool = False
    """Whether a game is a whole series of games."""


# ---- Choose the cells of a table that are counted at the end of each game

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


# ---- List the items of a table whose use can be counted, by their keys in `usage`

def things(program: TableProgram) -> list[str]:
    """Return all definitions, options of menus, effects, steps, and awards of a table, in the order of the pack."""
    found = [f"{kind}/{key}" for kind, keys in program.definitions if kind != ALL_DEFINITIONS for key in keys]
    found += [f"{site.key}/{branch.key}" for site in program.sites for branch in site.branches]
    found += [source.name for source in program.sources if source.name.startswith(("step/", "award/"))]
    # Without a dot it is not an effect of a definition, but what picks one.
    found += [name for name in (source.name for source in program.sources) if re.match(r"effect/.*\.", name)]
    return list(dict.fromkeys(found))
