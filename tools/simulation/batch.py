"""Many games at one table, with their tally."""

from __future__ import annotations

from attrs import evolve, frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.batch.batch import Stop
from rulewright.interpreter.counting.counted_program import counted
from rulewright.interpreter.counting.counts import Grouping
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.seats import RANDOM, searches
from rulewright.tools.simulation.columns import CountedTable, columns_of
from rulewright.tools.simulation.output.rows import Field, Sheet, fields, track_name, values
from rulewright.tools.simulation.players import Table, player
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.tally import Tally


@frozen
class Batch:
    """Games 0 to `games` - 1 of a seed at one table; all seats are random unless `seats` is set."""

    program: TableProgram
    games: int
    seed: int
    backend: str = AUTO
    seats: tuple[str, ...] = ()
    usage: bool = False
    sheet: Sheet | None = None

    @property
    def slow(self) -> bool:
        return any(map(searches, self.seats))

    @property
    def counted(self) -> CountedTable:
        """The table and its counted cells, as the report names them."""
        program = self.program
        series = program.next_game is not None
        columns = columns_of(program, starter=True)
        return CountedTable(program.pack, program.version, program.options, columns, series)

    def empty(self) -> Tally:
        return Tally(self.program.seats)

    def on(self, sheet: Sheet) -> Batch:
        """Return the same work with pages for a sheet."""
        return evolve(self, sheet=sheet)

    def fields(self) -> tuple[Field, ...]:
        """Return the fields of a row about a game."""
        columns = columns_of(self.program)
        return fields((), map(track_name, columns.columns), bool(columns.results))

    def table(self) -> Table:
        """Return the table at which the games are played."""
        seats = self.seats or (RANDOM,) * self.program.seats
        grouping = Grouping(0, self.games) if self.usage else None
        return Table(self.program, seats, self.seed, self.backend, grouping)

    def player(self) -> BatchPlayer:
        return BatchPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)


class BatchPlayer:
    """Plays and counts the games of a batch."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._columns = columns_of(batch.program, starter=True)
        self._player = player(batch.table(), self._columns.addresses)

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Tally]:
        sheet, seed = self._batch.sheet, self._batch.seed
        results = self._player.play(first, end - first, stop)
        tally = self._batch.empty()
        tally.take(self._columns, results)
        if results.counts is not None:
            tally.usage.take(counted(self._batch.program), results.counts)
        pages = () if sheet is None else (sheet.page(values(self._columns, results, seed)),)
        return BatchResult(first, first + results.count, tally, self._player.many.name, pages)

    def prepare(self) -> bool:
        return self._player.many.prepare()

