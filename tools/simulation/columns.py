"""What is counted of the games of a table: which cells of their ends, and what these mean.

Games come as columns (`interpreter.batch.batch.Results`), so that nothing is done in Python for each of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import compress

from attrs import frozen

from interpreter.batch.batch import Results
from interpreter.state.indices import index_of, track_scopes
from interpreter.views.visibility import value_key
from ruleset.table.nodes import TableProgram

WINNER, SCORE = "winner", "score"
"""Tracks of the kernel that are counted as what they mean; see `interpreter.views.view.result`."""


@frozen
class Column:
    """One number that each game ends with: a track's, of a seat, of the members that also index it."""

    track: str
    seat: int
    members: tuple[str, ...]


@frozen
class Failed:
    """A game that a rule error ended: its code, the rule and where that stands, as far as it is known."""

    code: str
    rule: str
    place: str


@frozen
class Ended:
    """Games that were played to their ends, column by column: `winners` (1 or 0) and `scores` for each seat."""

    decisions: array[int]
    winners: tuple[array[int], ...]
    scores: tuple[array[int], ...]
    tracks: tuple[array[int], ...]

    @property
    def count(self) -> int:
        return len(self.decisions)


class Columns:
    """The numbers that a program keeps for each player, and where: with `tracks`, also those that packs declare."""

    def __init__(self, program: TableProgram, tracks: bool = True) -> None:
        self.program = program
        self.columns: list[Column] = []
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
                self.columns.append(Column(track.key, index_of(program, track, "player", index), members))
                places.append(track.address + index)
        self.winners, self.scores = (_of_seats(program, key) for key in (WINNER, SCORE))
        self.addresses = (*self.winners, *self.scores, *places)
        """Of all cells that are asked for, in the order in which `ended` expects their columns."""

    def ended(self, results: Results, kept: Sequence[bool] | None = None) -> Ended:
        """Those of the games that were played to their ends; or those that are kept, which all were."""
        if kept is None and any(results.faults):
            kept = [not fault for fault in results.faults]
        columns = [results.decisions, *results.cells]
        if kept is not None:
            columns = [array("i", compress(column, kept)) for column in columns]
        return self._named(columns)

    def all(self, results: Results) -> Ended:
        """Those of all games, also of those that failed, where they say nothing."""
        return self._named([results.decisions, *results.cells])

    def _named(self, columns: Sequence[array[int]]) -> Ended:
        decisions, *cells = columns
        winners, scores = len(self.winners), len(self.winners) + len(self.scores)
        nothing = (array("i", bytes(4 * len(decisions))),) * self.program.seats
        return Ended(
            decisions,
            tuple(cells[:winners]) or nothing,
            tuple(cells[winners:scores]) or nothing,
            tuple(cells[scores:]),
        )

    def failed(self, results: Results) -> Iterator[tuple[int, Failed]]:
        """The numbers of games that a rule error ended, and which."""
        if not any(results.faults):
            return
        known: dict[tuple[int, int], Failed] = {}
        for game, fault, place in zip(range(results.first, 1 << 63), results.faults, results.places, strict=False):
            if fault:
                if (fault, place) not in known:
                    known[fault, place] = self._failed(results.codes[fault - 1], place)
                yield game, known[fault, place]

    def _failed(self, code: str, place: int) -> Failed:
        sources = self.program.sources
        source = sources[place] if 0 <= place < len(sources) else None
        where = str(source.span) if source and source.span.path else ""
        if source and source.pack:
            where = f"{where} of {source.pack}"
        return Failed(code, source.name if source else "", where)


def _of_seats(program: TableProgram, key: str) -> tuple[int, ...]:
    """The addresses of a track that each seat has one cell of; none where there is no such track."""
    for track in program.tracks:
        if track.key == key and track.count == program.seats:
            return tuple(range(track.address, track.address + track.count))
    return ()
