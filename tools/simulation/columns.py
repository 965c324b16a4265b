"""The numbers that are counted at the end of each game, as columns.

Games come as columns (`interpreter.batch.results.Results`), so that nothing is done in Python for each of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from interpreter.batch.results import Results
    from ruleset.table.nodes import Source
    from tools.simulation.usage import GameUse


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


@frozen
class Games:
    """Games that have ended, and what was used in those that did not fail, in order, if that was watched."""

    results: Results
    uses: tuple[GameUse, ...] = ()

    def head(self, count: int) -> Games:
        """The first of them, so many."""
        results = self.results.head(count)
        return Games(results, self.uses[: results.faults.count(0)])


@frozen
class Columns:
    """The numbers that a table keeps for each player: what they are, and the addresses of their cells.

    `winners` and `scores` have an address for each seat, or none; `places` one for each of `columns`.
    """

    seats: int
    columns: tuple[Column, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    sources: tuple[Source, ...] = ()
    """Of the table program, to say where a rule failed."""

    @property
    def addresses(self) -> tuple[int, ...]:
        """Of all cells that are asked for, in the order in which `ended` expects their columns."""
        return (*self.winners, *self.scores, *self.places)

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
        nothing = (array("i", bytes(4 * len(decisions))),) * self.seats
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
        source = self.sources[place] if 0 <= place < len(self.sources) else None
        where = str(source.span) if source and source.span.path else ""
        if source and source.pack:
            where = f"{where} of {source.pack}"
        return Failed(code, source.name if source else "", where)


@frozen
class CountedTable:
    """A table as the report of a simulation names it, and what is counted there."""

    pack: str
    version: str
    options: tuple[tuple[str, str], ...]
    columns: Columns
