"""Games at many tables: each number of players and combination of options.

A table is compiled when its first game is played; a process keeps one at a time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

from attrs import define, evolve, field, frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.batch.batch import Stop
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.counting import Counted, GameGrouping, counted
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.nodes import OUTCOME, Program
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.output import StyledText, TextTable, many
from rulewright.tools.common.seats import RANDOM, searches
from rulewright.tools.packs.tables import Cases, TableCase
from rulewright.tools.simulation.columns import Column, Columns, Failed, columns_of, things
from rulewright.tools.simulation.output.rows import (
    ConstantColumn,
    RowField,
    RowSchema,
    Values,
    fields,
    interleaved,
    refused,
    track_name,
    values,
)
from rulewright.tools.simulation.output.simulate_report import (
    NO_RESULT,
    Report,
    endless,
    failures,
    games_in_words,
    left_out,
    measured,
    number,
    percent,
    results_of,
    rounded,
    wins_of,
)
from rulewright.tools.simulation.players import Batch, PlayedTable, TablePlayer, player
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import FEWEST, MeanDifference, Numbers, PairSums, holm, paired
from rulewright.tools.simulation.tally import KEPT, CountedFault, GameTally
from rulewright.tools.simulation.usage import DONE

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


# ---- Compare two sets of rules on the same games, in pairs
#
# Each number at the end of a game is compared in pairs, which cancels out everything that both games have in
# common. A pair with a failed game is left out and counted.

class NumberName(NamedTuple):
    """The name of a number: group, item, and seat.

    The groups are `game`, `win`, `result`, `score`, `track`, `award`, `chosen`, and `done`.
    """

    group: str
    what: str = ""
    seat: int = -1


DECISIONS, NO_WINNER = NumberName("game", "decisions"), NumberName("game", "no-winner")


@define
class PairedComparison:
    """The tallies of both tables, and the paired numbers; rare events only from games in which they happen."""

    tallies: tuple[GameTally, GameTally]
    pairs: int = 0
    numbers: dict[NumberName, PairSums] = field(factory=dict)

    @property
    def games(self) -> int:
        return self.tallies[0].games

    def take(self, sides: tuple[TableSide, TableSide], games: tuple[GameResults, GameResults]) -> None:
        """Count the same games at both tables."""
        for tally, side, played in zip(self.tallies, sides, games, strict=True):
            tally.take(side.columns, side.ends(played))
        kept = [not (one or other) for one, other in zip(games[0].faults, games[1].faults, strict=True)]
        pairs = sum(kept)
        self.pairs += pairs
        numbers = [side.numbers(played, kept) for side, played in zip(sides, games, strict=True)]
        for name in dict.fromkeys(name for side in numbers for name in side):
            both = [side.get(name, bytes(pairs)) for side in numbers]
            if name.group not in _RARE or any(map(any, both)):
                self._pairs(name).add_all(*both)

    def _pairs(self, name: NumberName) -> PairSums:
        return self.numbers.setdefault(name, PairSums())

    def merge(self, other: PairedComparison) -> None:
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        self.pairs += other.pairs
        for name, pairs in other.numbers.items():
            self._pairs(name).merge(pairs)


def _numbers(columns: Columns, results: GameResults, kept: Sequence[bool]) -> dict[NumberName, Sequence[int]]:
    """Return the numbers at the end of the paired games, by name; missing ones are 0."""
    ended = columns.ended(results, None if all(kept) else kept)
    found: dict[NumberName, Sequence[int]] = {
        DECISIONS: ended.decisions,
        NO_WINNER: [int(not any(seats)) for seats in zip(*ended.winners, strict=True)],
    }
    found.update({NumberName("win", seat=seat): won for seat, won in enumerate(ended.winners)})
    for place, result in enumerate(columns.results):
        found[NumberName("result", result)] = [int(outcome == place) for outcome in ended.outcomes]
    found.update({NumberName("score", seat=seat): scores for seat, scores in enumerate(ended.scores)})
    found.update(zip(map(_track, columns.columns), ended.tracks, strict=True))
    return found


_RARE = ("chosen", "done", "award")
"""Groups whose numbers are kept only if they are not always 0."""


@frozen
class TableSide:
    """The columns of a table. With `counting`, those of its counters follow: see `used`."""

    columns: Columns
    counting: Counted | None

    @property
    def addresses(self) -> tuple[int, ...]:
        counting = self.counting
        counters = () if counting is None else range(counting.done_at, counting.uses_at)
        return (*self.columns.addresses, *counters)

    @property
    def used(self) -> tuple[NumberName, ...]:
        """The names of the counters: effects and steps, points by award and seat, and what was chosen."""
        counting = self.counting
        if counting is None or counting.uses is None:
            return ()
        awards = (
            NumberName("award", award, seat) for award in counting.awards for seat in range(self.columns.seats)
        )
        things = (NumberName("chosen", thing) for thing in counting.uses.things)
        return (*(NumberName("done", what) for what in counting.done), *awards, *things)

    def ends(self, results: GameResults) -> GameResults:
        """Return results without the counters."""
        return evolve(results, cells=results.cells[: len(self.columns.addresses)])

    def numbers(self, results: GameResults, kept: Sequence[bool]) -> dict[NumberName, Sequence[int]]:
        """Return the numbers of the paired games, by name; missing ones are 0."""
        counters = results.cells[len(self.columns.addresses) :]
        found = {name: list(compress(column, kept)) for name, column in zip(self.used, counters, strict=True)}
        return _numbers(self.columns, self.ends(results), kept) | found


@frozen
class Versus:
    """The same games at two tables with equal numbers of seats."""

    one: Batch
    other: Batch
    sheet: RowSchema | None = None

    @property
    def games(self) -> int:
        return self.one.games

    @property
    def slow(self) -> bool:
        return self.one.slow

    def empty(self) -> PairedComparison:
        return PairedComparison((self.one.empty(), self.other.empty()))

    def on(self, sheet: RowSchema) -> Versus:
        """Return the same work with pages for a sheet."""
        return evolve(self, sheet=sheet)

    def fields(self) -> tuple[RowField, ...]:
        """Return the fields of a row about a game at each of the tables."""
        sides = [columns_of(side.program) for side in (self.one, self.other)]
        tracks = dict.fromkeys(track_name(one) for side in sides for one in side.columns)
        return fields(("table",), tracks, any(side.results for side in sides))

    def player(self) -> VersusPlayer:
        return VersusPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.one.reach(first, most, jobs)


class VersusPlayer:
    """Plays and counts the games at both tables."""

    def __init__(self, versus: Versus) -> None:
        self._versus = versus
        self._sides = _side(versus.one), _side(versus.other)
        batches = versus.one, versus.other
        one, other = (
            player(batch.table(), side.addresses) for batch, side in zip(batches, self._sides, strict=True)
        )
        self._players = one, other

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[PairedComparison]:
        one = self._players[0].play(first, end - first, stop)
        other = self._players[1].play(first, one.count)  # pairs are whole
        comparison, count = self._versus.empty(), other.count
        both = one.head(count), other
        comparison.take(self._sides, both)
        return BatchResult(first, first + count, comparison, self._players[1].many.name, self._pages(both))

    def _pages(self, both: tuple[GameResults, GameResults]) -> tuple[object, ...]:
        """Return pages with the rows of a game at both tables one after the other."""
        if self._versus.sheet is None:
            return ()
        one, other = (
            {**values(side.columns, side.ends(results), self._versus.one.seed), "table": ConstantColumn(table)}
            for side, results, table in zip(self._sides, both, ("first", "second"), strict=True)
        )
        return (self._versus.sheet.page(interleaved(one, other, self._versus.one.program.seats)),)

    def prepare(self) -> bool:
        one, other = (each.many.prepare() for each in self._players)
        return one or other


def _side(batch: Batch) -> TableSide:
    return TableSide(columns_of(batch.program), counted(batch.program) if batch.usage else None)


def _track(column: Column) -> NumberName:
    return NumberName("track", " ".join((column.track, *column.members)), column.seat)


def _known(program: TableProgram, usage: bool) -> Iterator[NumberName]:
    """Iterate over the numbers at the end of a table's games that its rules make known."""
    yield from (DECISIONS, NO_WINNER)
    for group in ("win", "score"):
        yield from (NumberName(group, seat=seat) for seat in range(program.seats))
    columns = columns_of(program)
    yield from (NumberName("result", result) for result in columns.results)
    yield from map(_track, columns.columns)
    for thing in things(program) if usage else ():
        if thing.startswith("award/"):
            yield from (NumberName("award", thing, seat) for seat in range(program.seats))
        else:
            yield NumberName("done" if thing.startswith(DONE) else "chosen", thing)


def _bound(name: NumberName) -> int | None:
    """Return the largest value of a number: 1 where its mean is a share of games."""
    return 1 if name == NO_WINNER or name.group in ("win", "result") else None


def _allows(program: TableProgram, name: NumberName) -> bool:
    """Return whether a table's rules contain an item seen only in play: a phase, a round, or a chosen value."""
    if name.group == "done":
        return any(source.name == name.what for source in program.sources)
    return any(name.what.startswith(f"{site.key}/") for site in program.sites)


# ------------------------------------------------------------------ what differs

@frozen
class ComparedNumber:
    """A number at both tables: its means, the difference, and whether it is significant among all compared."""

    name: NumberName
    first: float
    second: float
    difference: MeanDifference
    stands: bool


@frozen
class TableDifferences:
    """The comparisons of all numbers of both tables, and the names of numbers of only one."""

    compared: tuple[ComparedNumber, ...]
    only_first: tuple[NumberName, ...]
    only_second: tuple[NumberName, ...]


def differences(versus: Versus, comparison: PairedComparison) -> TableDifferences:
    """Return the differences with their intervals; Holm's method decides which are significant."""
    one, other = (dict.fromkeys(_known(batch.program, batch.usage)) for batch in (versus.one, versus.other))
    for name, pairs in comparison.numbers.items():
        if pairs.first or pairs.second:  # what one side never did is a number of it, too, where its rules have it
            one.update({name: None} if pairs.first or _allows(versus.one.program, name) else {})
            other.update({name: None} if pairs.second or _allows(versus.other.program, name) else {})
    both = [name for name in one if name in other] if comparison.pairs else []
    sums = [comparison.numbers.get(name, PairSums()) for name in both]
    found = [paired(pairs, comparison.pairs, _bound(name)) for name, pairs in zip(both, sums, strict=True)]
    stands = holm([difference.p for difference in found])
    compared = tuple(
        ComparedNumber(name, pairs.first / comparison.pairs, pairs.second / comparison.pairs, difference, holds)
        for name, pairs, difference, holds in zip(both, sums, found, stands, strict=True)
    )
    return TableDifferences(
        compared,
        tuple(name for name in one if name not in other),
        tuple(name for name in other if name not in one),
    )


# ---- Format the result of games at many tables, as JSON data and as tables

def sweep_report(sweep: Sweep, swept: Swept, replay: Callable[[int], str]) -> Report:
    """Return the result as data. `replay` returns the command that shows a game."""
    faults: dict[Failed, CountedFault] = {}
    for tally in swept.tallies.values():
        for failed, fault in tally.faults.items():
            known = faults.setdefault(failed, CountedFault(0, fault.first))
            known.games += fault.games
            known.first = min(known.first, fault.first)
    failed_games = swept.failed
    return {
        "cases": len(sweep.cases.played),
        "possible_cases": sweep.cases.possible,
        "games": swept.games,
        "failed": failed_games,
        **left_out(swept.failures, failed_games),
        "faults": failures(faults, replay),
        "endless": endless(faults, replay),
        "failed_games": [_failed(sweep, game) for game in failed_games],
        "refused": [{"reason": reason, "games": games} for reason, games in sorted(swept.refused.items())],
        "by_players": [
            {
                "players": players,
                "games": tally.games,
                "failed": tally.failures,
                "endless": tally.endless,
                "decisions": measured(tally.decisions),
                "no_winner": tally.no_winner,
                "wins": wins_of(tally),
                **results_of(sweep.results, tally),
            }
            for players, tally in sorted(swept.tallies.items())
        ],
        "by_option": [
            {
                "option": key,
                "value": value,
                "games": share.games,
                "failed": share.failed,
                "decisions": measured(share.decisions),
            }
            for (key, value), share in sorted(swept.shares.items())
        ],
    }


def _failed(sweep: Sweep, game: int) -> Report:
    case = sweep.case_of(game)
    return {"game": game, "players": case.players, "options": dict(one.split("=", 1) for one in case.options)}


def sweep_tables(result: Report) -> list[Any]:
    """Return the tables to print."""
    cases, possible = result["cases"], result["possible_cases"]
    tables = many(cases, "combination")
    which = "" if cases == possible else f", a random sample of {possible:,}"
    parts: list[Any] = [f"{tables} of players and options{which}", ""]
    table = TextTable("players", "games", "failed", "decisions", "no winner", "wins by seat")
    for entry in result["by_players"]:
        wins = "  ".join(percent(seat["share"]) for seat in entry["wins"])
        table.add_row(
            str(entry["players"]), f"{entry['games']:,}", f"{entry['failed']:,}",
            number(entry["decisions"]["mean"], 1), f"{entry['no_winner']:,}", wins,
        )  # fmt: skip
    parts.append(table)
    if any("results" in entry for entry in result["by_players"]):
        table = TextTable("players", "result", "games", "share")
        for entry in result["by_players"]:
            for one in entry["results"]:
                row = one["result"] or NO_RESULT, f"{one['games']:,}", percent(one["share"])
                table.add_row(str(entry["players"]), *row)
        parts += ["", table]
    if result["by_option"]:
        table = TextTable("option", "games", "failed", "decisions")
        for entry in result["by_option"]:
            table.add_row(
                f"{entry['option']}={entry['value']}", f"{entry['games']:,}", f"{entry['failed']:,}",
                number(entry["decisions"]["mean"], 1),
            )  # fmt: skip
        parts += ["", table]
    for entry in result["refused"]:
        parts.append(StyledText(f"{games_in_words(entry['games'])} not played: {entry['reason']}", "yellow"))
    return parts


# ---- Format the differences between two tables that played the same games, as JSON data and as a table

_ALWAYS = ("win", "result", "score", "game")
"""Groups of numbers that are shown even without a difference."""
METHOD = "Holm"


def versus_report(comparison: PairedComparison, differences: TableDifferences) -> Report:
    """Return the differences (`second` minus `first`) as data, with 95% intervals of paired differences."""
    return {
        "pairs": comparison.pairs,
        "left_out": comparison.games - comparison.pairs,
        "comparisons": len(differences.compared),
        "method": METHOD,
        "differences": [_entry(one) for one in differences.compared],
        "only_first": [title(name) for name in differences.only_first],
        "only_second": [title(name) for name in differences.only_second],
    }


def _entry(one: ComparedNumber) -> Report:
    difference = one.difference
    low, high = difference.low, difference.high
    return {
        "name": title(one.name),
        "group": one.name.group,
        "seat": one.name.seat + 1 or None,
        "first": rounded(one.first),
        "second": rounded(one.second),
        "difference": rounded(difference.mean),
        "low": rounded(low),
        "high": rounded(high),
        "p": rounded(difference.p),
        "apart": low is not None and high is not None and (low > 0 or high < 0),
        "stands": one.stands,
    }


def title(name: NumberName) -> str:
    """Return the label of a number: `score, seat 1`."""
    what = {"win": "games won", "score": "score", "result": f"result {name.what}", "chosen": f"{name.what} chosen"}
    text = what.get(name.group, name.what)
    return f"{text}, seat {name.seat + 1}" if name.seat >= 0 else text


def versus_parts(result: Report, first: str, second: str) -> list[Any]:
    """Return the table and notes to print. `first` and `second` name the two tables."""
    table = TextTable("mean per game", first, second, "difference", "95% interval", "")
    hidden = 0
    for entry in result["differences"]:
        if not entry["apart"] and entry["group"] not in _ALWAYS:
            hidden += 1
            continue
        between = "–" if entry["low"] is None else f"{entry['low']:+.3f} to {entry['high']:+.3f}"
        mark = "**" if entry["stands"] else "*" if entry["apart"] else ""
        table.add_row(
            entry["name"], f"{entry['first']:.3f}", f"{entry['second']:.3f}", f"{entry['difference']:+.3f}",
            between, mark, style="bold" if entry["stands"] else None,
        )  # fmt: skip
    count = result["comparisons"]
    notes = [
        f"Paired by game: {many(result['pairs'], 'pair')}, {many(count, 'comparison')}.",
        "*: the interval excludes 0; so does that of about 1 in 20 numbers that do not differ.",
        f"**: also significant when all {count} comparisons are considered ({METHOD}'s method, 5% level).",
    ]
    if result["pairs"] < FEWEST:
        notes[1:] = [f"Nothing is claimed with fewer than {FEWEST} pairs; play more games with -n."]
    if hidden:
        differ = "number shows" if hidden == 1 else "numbers show"
        said = "" if result["pairs"] < FEWEST else f" {differ} no difference beyond chance"
        notes.append(f"{hidden} more{said}; see --json.")
    if result["left_out"]:
        notes.append(f"{many(result['left_out'], 'pair')} left out, because one of the two games failed.")
    for names, where in ((result["only_first"], first), (result["only_second"], second)):
        if names:
            notes.append(f"Only in {where}: {'; '.join(names)}.")
    return ["", table, "", *(StyledText(note, "dim") for note in notes)]
