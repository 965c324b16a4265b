"""Games at many tables: each number of players and combination of options.

A table is compiled when its first game is played; a process keeps one at a time.
"""

from __future__ import annotations

from bisect import bisect_right

from attrs import define, evolve, field, frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.batch.batch import Stop
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.counting import Counted, GameGrouping, counted
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.nodes import OUTCOME, Program
from rulewright.tools.common.seats import RANDOM, searches
from rulewright.tools.packs.tables import Cases, TableCase
from rulewright.tools.simulation.columns import Columns, columns_of
from rulewright.tools.simulation.output.rows import (
    ConstantColumn,
    RowField,
    RowSchema,
    Values,
    fields,
    refused,
    values,
)
from rulewright.tools.simulation.players import PlayedTable, TablePlayer, player
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import Numbers
from rulewright.tools.simulation.tally import KEPT, GameTally

_WHOLE = 4
_MORE = 10
"""With at least `_WHOLE` cases per process, chunks are `_MORE` times larger: mostly whole cases, so that few
tables are compiled twice.
"""
OPTION = "option."
"""Prefix of the names of fields with chosen options."""
_SLICE = 1024
"""Games played at a time; between two slices the run can stop or switch to a faster backend."""


@frozen
class NoTable:
    """A table that does not exist, with the reason: for example, options that exclude each other."""

    reason: str


@define
class SweepShare:
    """Counts of a part of the games."""

    games: int = 0
    failed: int = 0
    decisions: Numbers = field(factory=Numbers)

    def merge(self, other: SweepShare) -> None:
        self.games += other.games
        self.failed += other.failed
        self.decisions.merge(other.decisions)


@define
class Swept:
    """Tallies by number of players, shares by option and value, and refused games by reason."""

    tallies: dict[int, GameTally] = field(factory=dict)
    shares: dict[tuple[str, str], SweepShare] = field(factory=dict)
    refused: dict[str, int] = field(factory=dict)

    @property
    def games(self) -> int:
        return sum(tally.games for tally in self.tallies.values()) + sum(self.refused.values())

    @property
    def failed(self) -> list[int]:
        """The numbers of the first failed games, in order."""
        return sorted(game for tally in self.tallies.values() for game in tally.failed)[:KEPT]

    @property
    def failures(self) -> int:
        """The number of failed games."""
        return sum(tally.failures for tally in self.tallies.values())

    def take(
        self,
        case: TableCase,
        columns: Columns,
        results: GameResults,
        counting: Counted | None = None,
        table: int = 0,
    ) -> None:
        """Count games of a case; `counting` counted them, if any. `table` is the number of the case."""
        tally = GameTally(case.players)
        tally.take(columns, results)
        if counting is not None and results.counts is not None:
            tally.usage.take(counting, results.counts, table)
        self.tallies.setdefault(case.players, GameTally(case.players)).merge(tally)
        for option in case.options:
            key, _, value = option.partition("=")
            share = SweepShare(tally.games, tally.failures)
            share.decisions.merge(tally.decisions)
            self.shares.setdefault((key, value), SweepShare()).merge(share)

    def merge(self, other: Swept) -> None:
        for players, tally in other.tallies.items():
            self.tallies.setdefault(players, GameTally(players)).merge(tally)
        for key, share in other.shares.items():
            self.shares.setdefault(key, SweepShare()).merge(share)
        for reason, games in other.refused.items():
            self.refused[reason] = self.refused.get(reason, 0) + games


@frozen
class Sweep:
    """The games of all cases, numbered case by case; all seats are random unless `seats` is set."""

    program: Program
    cases: Cases
    seed: int
    backend: str = AUTO
    seats: tuple[str, ...] = ()
    usage: bool = False
    sheet: RowSchema | None = None

    @property
    def games(self) -> int:
        return self.cases.played[-1].end

    def case_of(self, game: int) -> TableCase:
        """Return the case of a game."""
        return self.cases.played[bisect_right(self.cases.played, game, key=lambda case: case.end)]

    @property
    def slow(self) -> bool:
        return any(map(searches, self.seats))

    def empty(self) -> Swept:
        return Swept()

    def on(self, sheet: RowSchema) -> Sweep:
        """Return the same work with pages for a sheet."""
        return evolve(self, sheet=sheet)

    def fields(self) -> tuple[RowField, ...]:
        """Return the fields of a row about a game. Tracks are left out, since they differ between tables."""
        keys = dict.fromkeys(option.partition("=")[0] for case in self.cases.played for option in case.options)
        return fields([f"{OPTION}{key}" for key in keys], results=bool(self.results))

    @property
    def results(self) -> tuple[str, ...]:
        """The names of results; empty where they have none."""
        return next((one.members for one in self.program.enumerations if one.key == OUTCOME), ())

    def player(self) -> SweepPlayer:
        return SweepPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        if first >= self.games:
            return self.games
        more = _MORE if len(self.cases.played) >= _WHOLE * jobs else 1
        return min(first + more * most, self.case_of(first).end)


class SweepPlayer:
    """Plays and counts the games of a sweep; it keeps one table at a time."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep
        self._at: tuple[TableCase, _Seated | NoTable] | None = None
        self._backend = sweep.backend

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Swept]:
        swept, following, pages = Swept(), first, list[object]()
        while following < end and not (following > first and stop()):
            case = self._sweep.case_of(following)
            count = min(end, case.end) - following
            table = self._sit(case)
            if isinstance(table, NoTable):
                swept.refused[table.reason] = swept.refused.get(table.reason, 0) + count
                known = refused(following, count, case.players, self._sweep.seed, table.reason)
                pages += self._pages(case, known)
                following += count
                continue
            results = table.player.play(following, min(count, _SLICE), stop)
            swept.take(case, table.columns, results, table.counting, case.first)
            pages += self._pages(case, values(table.columns, results, self._sweep.seed))
            self._backend = table.player.many.name
            following += results.count
            if results.count < min(count, _SLICE):
                break
        return BatchResult(first, following, swept, self._backend, tuple(pages))

    def _pages(self, case: TableCase, known: dict[str, Values]) -> list[object]:
        if self._sweep.sheet is None:
            return []
        options = (option.partition("=") for option in case.options)
        chosen: dict[str, Values] = {f"{OPTION}{key}": ConstantColumn(value) for key, _, value in options}
        return [self._sweep.sheet.page(known | chosen)]

    def _sit(self, case: TableCase) -> _Seated | NoTable:
        if self._at is None or self._at[0] != case:
            self._at = (case, self._compiled(case))
        return self._at[1]

    def _compiled(self, case: TableCase) -> _Seated | NoTable:
        sweep, chosen = self._sweep, dict(option.split("=", 1) for option in case.options)
        try:
            program = lower(sweep.program, case.players, chosen)
        except TableError as error:
            return NoTable(str(error).replace("`", ""))
        columns = columns_of(program, tracks=False, starter=True)
        seats = sweep.seats or (RANDOM,) * case.players
        grouping = GameGrouping(case.first, case.end - case.first) if sweep.usage else None
        table = PlayedTable(program, seats, sweep.seed, sweep.backend, grouping)
        counting = counted(program) if sweep.usage else None
        return _Seated(columns, player(table, columns.addresses), counting)

    def prepare(self) -> bool:
        """Do nothing: the next table is unknown, and each prepares itself."""
        return False


@frozen
class _Seated:
    """A table at which games are played."""

    columns: Columns
    player: TablePlayer
    counting: Counted | None
