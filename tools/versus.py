"""Two tables compared on the same games: one seed, the same numbers, the same seats, two sets of rules.

Each number that a game ends with is compared in pairs, so that what both games have in common cancels out. A pair
of which one game failed is left out, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from attrs import define, field, frozen

from ruleset.table import TableProgram
from tools.batch import Batch, Outcome
from tools.statistics import Difference, Pairs, holm, paired
from tools.tally import Column, Columns, Ended, Tally
from tools.usage import DONE, things


class Name(NamedTuple):
    """What a number is about: `game`, `win`, `score`, `track`, `award`, `chosen` or `done`; which; and whose."""

    group: str
    what: str = ""
    seat: int = -1


DECISIONS, NO_WINNER = Name("game", "decisions"), Name("game", "no-winner")
Numbers = dict[Name, int]


@frozen
class Pair:
    """One game at both tables; its numbers where both were played to their ends."""

    outcomes: tuple[Outcome, Outcome]
    numbers: tuple[Numbers, Numbers] | None


@define
class Comparison:
    """The tallies of both tables, and the numbers in pairs; zeros that both have are not added."""

    tallies: tuple[Tally, Tally]
    pairs: int = 0
    numbers: dict[Name, Pairs] = field(factory=dict)

    @property
    def games(self) -> int:
        return self.tallies[0].games

    def merge(self, other: Comparison) -> None:
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        self.pairs += other.pairs
        for name, pairs in other.numbers.items():
            self.numbers.setdefault(name, Pairs()).merge(pairs)


@frozen
class Versus:
    """The same games at two tables with as many seats."""

    one: Batch
    other: Batch

    @property
    def games(self) -> int:
        return self.one.games

    def empty(self) -> Comparison:
        return Comparison((self.one.empty(), self.other.empty()))

    def player(self) -> Callable[[int], Pair]:
        first, second = self.one.player(), self.other.player()
        columns, other_columns = (Columns(batch.program).columns for batch in (self.one, self.other))

        def play(game: int) -> Pair:
            one, other = first(game), second(game)
            if isinstance(one, Ended) and isinstance(other, Ended):
                return Pair((one, other), (numbers(one, columns), numbers(other, other_columns)))
            return Pair((one, other), None)

        return play

    def count(self, comparison: Comparison, game: int, pair: Pair) -> None:
        for tally, outcome in zip(comparison.tallies, pair.outcomes, strict=True):
            tally.take(game, outcome)
        if pair.numbers is None:
            return
        comparison.pairs += 1
        one, other = pair.numbers
        for name in (*one, *(name for name in other if name not in one)):
            comparison.numbers.setdefault(name, Pairs()).add(one.get(name, 0), other.get(name, 0))

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.one.reach(first, most, jobs)


def numbers(ended: Ended, columns: list[Column]) -> Numbers:
    """What a game ended with, by name; what is missing is 0."""
    found: Numbers = {DECISIONS: ended.decisions, NO_WINNER: int(not ended.winners)}
    found.update({Name("win", seat=seat): 1 for seat in ended.winners})
    found.update({Name("score", seat=seat): score for seat, score in enumerate(ended.scores)})
    for column, value in zip(columns, ended.cells, strict=True):
        found[_track(column)] = value
    if ended.use is not None:
        for (thing, _), (_, chosen) in ended.use.choices.items():
            name = Name("chosen", thing)
            found[name] = found.get(name, 0) + chosen
        found.update({Name("done", what): times for what, times in ended.use.done.items()})
        for award, points in ended.use.points.items():
            found.update({Name("award", award, seat): value for seat, value in enumerate(points)})
    return found


def _track(column: Column) -> Name:
    return Name("track", " ".join((column.track, *column.members)), column.seat)


def _known(program: TableProgram, usage: bool) -> Iterator[Name]:
    """The numbers that a table's games end with, as far as its rules tell."""
    yield from (DECISIONS, NO_WINNER)
    for group in ("win", "score"):
        yield from (Name(group, seat=seat) for seat in range(program.seats))
    yield from map(_track, Columns(program).columns)
    for thing in things(program) if usage else ():
        if thing.startswith("award/"):
            yield from (Name("award", thing, seat) for seat in range(program.seats))
        else:
            yield Name("done" if thing.startswith(DONE) else "chosen", thing)


# ------------------------------------------------------------------ what differs


@frozen
class Compared:
    """One number at both tables: its means, the difference, and whether that stands among all compared."""

    name: Name
    first: float
    second: float
    difference: Difference
    stands: bool


@frozen
class Differences:
    """All numbers that both tables have, and the names of those that only one has."""

    compared: tuple[Compared, ...]
    only_first: tuple[Name, ...]
    only_second: tuple[Name, ...]


def differences(versus: Versus, comparison: Comparison) -> Differences:
    """What differs, with intervals; Holm's method says which differences stand."""
    one, other = (dict.fromkeys(_known(batch.program, batch.usage)) for batch in (versus.one, versus.other))
    for name, pairs in comparison.numbers.items():
        # Numbers that only play shows, such as how often a phase was reached.
        one.update({name: None} if pairs.first else {})
        other.update({name: None} if pairs.second else {})
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
