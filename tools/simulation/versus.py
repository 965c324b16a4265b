"""Compare two sets of rules on the same games, in pairs.

Each number at the end of a game is compared in pairs, which cancels out everything that both games have in common.
A pair with a failed game is left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from attrs import define, evolve, field, frozen

from rulewright.interpreter.batch.batch import Stop
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.counting import Counted, counted
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.simulation.columns import Column, Columns, columns_of, things
from rulewright.tools.simulation.output.rows import (
    ConstantColumn,
    RowField,
    RowSchema,
    fields,
    interleaved,
    track_name,
    values,
)
from rulewright.tools.simulation.players import Batch, player
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import MeanDifference, PairSums, holm, paired
from rulewright.tools.simulation.tally import GameTally
from rulewright.tools.simulation.usage import DONE


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
    for number, result in enumerate(columns.results):
        found[NumberName("result", result)] = [int(outcome == number) for outcome in ended.outcomes]
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
