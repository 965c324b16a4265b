"""Compare two sets of rules on the same games, in pairs.

Each number at the end of a game is compared in pairs, which cancels out everything that both games have in common.
A pair with a failed game is left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from attrs import define, evolve, field, frozen

from interpreter.batch.batch import Stop
from interpreter.batch.results import Results
from ruleset.table.nodes import TableProgram
from tools.simulation.batch import Batch
from tools.simulation.columns import Column, Columns, Games
from tools.simulation.counted_cells import columns_of
from tools.simulation.output.rows import Field, Same, Sheet, fields, interleaved, track_name, values
from tools.simulation.players import player
from tools.simulation.protocol import BatchResult
from tools.simulation.statistics import Difference, Pairs, holm, paired
from tools.simulation.tally import Tally
from tools.simulation.usage import DONE, GameUse
from tools.simulation.usage_watch import things


class Name(NamedTuple):
    """The name of a number: group, item, and seat.

    The groups are `game`, `win`, `result`, `score`, `track`, `award`, `chosen`, and `done`.
    """

    group: str
    what: str = ""
    seat: int = -1


DECISIONS, NO_WINNER = Name("game", "decisions"), Name("game", "no-winner")


@define
class Comparison:
    """The tallies of both tables, and the paired numbers; rare events only from games in which they happen."""

    tallies: tuple[Tally, Tally]
    pairs: int = 0
    numbers: dict[Name, Pairs] = field(factory=dict)

    @property
    def games(self) -> int:
        return self.tallies[0].games

    def take(self, columns: tuple[Columns, Columns], games: tuple[Games, Games]) -> None:
        """Count the same games at both tables."""
        for tally, own, played in zip(self.tallies, columns, games, strict=True):
            tally.take(own, played)
        faults = [played.results.faults for played in games]
        kept = [not (one or other) for one, other in zip(*faults, strict=True)]
        pairs = sum(kept)
        self.pairs += pairs
        numbers = [_numbers(own, played.results, kept) for own, played in zip(columns, games, strict=True)]
        for name in dict.fromkeys(name for side in numbers for name in side):
            self._pairs(name).add_all(*(side.get(name, bytes(pairs)) for side in numbers))
        if games[0].uses or games[1].uses:
            for one, other in compress(zip(*map(_uses, games), strict=True), kept):
                for name in dict.fromkeys((*one, *other)):
                    self._pairs(name).add(one.get(name, 0), other.get(name, 0))

    def _pairs(self, name: Name) -> Pairs:
        return self.numbers.setdefault(name, Pairs())

    def merge(self, other: Comparison) -> None:
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        self.pairs += other.pairs
        for name, pairs in other.numbers.items():
            self._pairs(name).merge(pairs)


def _numbers(columns: Columns, results: Results, kept: Sequence[bool]) -> dict[Name, Sequence[int]]:
    """Return the numbers at the end of the paired games, by name; missing ones are 0."""
    ended = columns.ended(results, None if all(kept) else kept)
    found: dict[Name, Sequence[int]] = {
        DECISIONS: ended.decisions,
        NO_WINNER: [int(not any(seats)) for seats in zip(*ended.winners, strict=True)],
    }
    found.update({Name("win", seat=seat): won for seat, won in enumerate(ended.winners)})
    for number, result in enumerate(columns.results):
        found[Name("result", result)] = [int(outcome == number) for outcome in ended.outcomes]
    found.update({Name("score", seat=seat): scores for seat, scores in enumerate(ended.scores)})
    found.update(zip(map(_track, columns.columns), ended.tracks, strict=True))
    return found


def _uses(games: Games) -> Iterator[dict[Name, int]]:
    """Iterate over the use in each game, by name; empty for failed games."""
    uses = iter(games.uses)
    for fault in games.results.faults:
        yield {} if fault else _used(next(uses))


def _used(use: GameUse) -> dict[Name, int]:
    found: dict[Name, int] = {}
    for (thing, _), (_, chosen) in use.choices.items():
        name = Name("chosen", thing)
        found[name] = found.get(name, 0) + chosen
    found.update({Name("done", what): times for what, times in use.done.items()})
    for award, points in use.points.items():
        found.update({Name("award", award, seat): value for seat, value in enumerate(points)})
    return found


@frozen
class Versus:
    """The same games at two tables with equal numbers of seats."""

    one: Batch
    other: Batch
    sheet: Sheet | None = None

    @property
    def games(self) -> int:
        return self.one.games

    @property
    def slow(self) -> bool:
        return self.one.slow

    def empty(self) -> Comparison:
        return Comparison((self.one.empty(), self.other.empty()))

    def on(self, sheet: Sheet) -> Versus:
        """Return the same work with pages for a sheet."""
        return evolve(self, sheet=sheet)

    def fields(self) -> tuple[Field, ...]:
        """Return the fields of a row about a game at each of the tables."""
        sides = [columns_of(side.program) for side in (self.one, self.other)]
        tracks = dict.fromkeys(track_name(one) for side in sides for one in side.columns)
        return fields(self.one.program.seats, ("table",), tracks, any(side.results for side in sides))

    def player(self) -> VersusPlayer:
        return VersusPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.one.reach(first, most, jobs)


class VersusPlayer:
    """Plays and counts the games at both tables."""

    def __init__(self, versus: Versus) -> None:
        self._versus = versus
        self._columns = columns_of(versus.one.program), columns_of(versus.other.program)
        batches = versus.one, versus.other
        one, other = (
            player(batch.table(), own.addresses) for batch, own in zip(batches, self._columns, strict=True)
        )
        self._players = one, other

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Comparison]:
        one = self._players[0].play(first, end - first, stop)
        other = self._players[1].play(first, one.results.count)  # pairs are whole
        comparison, count = self._versus.empty(), other.results.count
        both = one.head(count), other
        comparison.take(self._columns, both)
        return BatchResult(first, first + count, comparison, self._players[1].many.name, self._pages(both, count))

    def _pages(self, both: tuple[Games, Games], count: int) -> tuple[object, ...]:
        """Return pages with two consecutive rows for each game."""
        if self._versus.sheet is None:
            return ()
        one, other = (
            {**values(own, games, self._versus.one.seed), "table": Same(table)}
            for own, games, table in zip(self._columns, both, ("first", "second"), strict=True)
        )
        return (self._versus.sheet.page(2 * count, interleaved(one, other, count)),)

    def prepare(self) -> bool:
        one, other = (each.many.prepare() for each in self._players)
        return one or other

    def close(self) -> None:
        for each in self._players:
            each.many.close()


def _track(column: Column) -> Name:
    return Name("track", " ".join((column.track, *column.members)), column.seat)


def _known(program: TableProgram, usage: bool) -> Iterator[Name]:
    """Iterate over the numbers at the end of a table's games that its rules make known."""
    yield from (DECISIONS, NO_WINNER)
    for group in ("win", "score"):
        yield from (Name(group, seat=seat) for seat in range(program.seats))
    columns = columns_of(program)
    yield from (Name("result", result) for result in columns.results)
    yield from map(_track, columns.columns)
    for thing in things(program) if usage else ():
        if thing.startswith("award/"):
            yield from (Name("award", thing, seat) for seat in range(program.seats))
        else:
            yield Name("done" if thing.startswith(DONE) else "chosen", thing)


def _allows(program: TableProgram, name: Name) -> bool:
    """Return whether a table's rules contain an item seen only in play: a phase, a round, or a chosen value."""
    if name.group == "done":
        return any(source.name == name.what for source in program.sources)
    return any(name.what.startswith(f"{site.key}/") for site in program.sites)


# ------------------------------------------------------------------ what differs


@frozen
class Compared:
    """A number at both tables: its means, the difference, and whether it is significant among all compared."""

    name: Name
    first: float
    second: float
    difference: Difference
    stands: bool


@frozen
class Differences:
    """The comparisons of all numbers of both tables, and the names of numbers of only one."""

    compared: tuple[Compared, ...]
    only_first: tuple[Name, ...]
    only_second: tuple[Name, ...]


def differences(versus: Versus, comparison: Comparison) -> Differences:
    """Return the differences with their intervals; Holm's method decides which are significant."""
    one, other = (dict.fromkeys(_known(batch.program, batch.usage)) for batch in (versus.one, versus.other))
    for name, pairs in comparison.numbers.items():
        if pairs.first or pairs.second:  # what one side never did is a number of it, too, where its rules have it
            one.update({name: None} if pairs.first or _allows(versus.one.program, name) else {})
            other.update({name: None} if pairs.second or _allows(versus.other.program, name) else {})
    both = [name for name in one if name in other] if comparison.pairs else []
    sums = [comparison.numbers.get(name, Pairs()) for name in both]
    found = [paired(pairs, comparison.pairs) for pairs in sums]
    stands = holm([difference.p for difference in found])
    compared = tuple(
        Compared(name, pairs.first / comparison.pairs, pairs.second / comparison.pairs, difference, holds)
        for name, pairs, difference, holds in zip(both, sums, found, stands, strict=True)
    )
    return Differences(
        compared,
        tuple(name for name in one if name not in other),
        tuple(name for name in other if name not in one),
    )
