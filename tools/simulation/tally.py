"""Counts over many games; tallies of parts merge in any order."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence

from attrs import define, field

from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.tools.simulation.columns import Columns, Ended, Failed
from rulewright.tools.simulation.statistics import ENDLESS, Numbers
from rulewright.tools.simulation.usage import UsageCounts

KEPT = 1000
"""Maximum number of failed games whose numbers are kept; the others are only counted."""


@define
class CountedFault:
    """A failed rule: the number of games in which it failed, and the first of them."""

    games: int
    first: int


@define
class GameTally:
    """Counts of games at one table.

    `cells` has the sums of the cells of `Columns` at the ends of games. `failed` has the numbers of the first games
    with a rule error, in order, and `failures` the number of all of them. Endless games are counted separately, in
    `endless`; `faults` has both.
    """

    seats: int
    finished: int = 0
    failures: int = 0
    endless: int = 0
    failed: list[int] = field(factory=list)
    faults: dict[Failed, CountedFault] = field(factory=dict)
    decisions: Numbers = field(factory=Numbers)
    no_winner: int = 0
    shared: int = 0
    results: Counter[str] = field(factory=Counter)
    """How many games ended with each named result."""
    wins: list[int] = field(factory=list)
    scores: list[Numbers] = field(factory=list)
    cells: list[int] = field(factory=list)
    began: list[int] = field(factory=list)
    """By seat: the games that it began."""
    turn_wins: list[int] = field(factory=list)
    """By place in the order of turns, from the seat that began on: its wins, in games in which it is known."""
    usage: UsageCounts = field(factory=UsageCounts)

    def __attrs_post_init__(self) -> None:
        if not self.wins:
            self.wins = [0] * self.seats
            self.scores = [Numbers() for _ in range(self.seats)]
            self.began, self.turn_wins = [0] * self.seats, [0] * self.seats

    @property
    def games(self) -> int:
        """The number of games that ended, with failed and endless ones."""
        return self.finished + self.failures + self.endless

    def take(self, columns: Columns, results: GameResults) -> None:
        """Count games that have ended in any way."""
        failed = list(columns.failed(results))
        for game, fault in failed:
            self._fault(fault, 1, game)
        broken = [game for game, fault in failed if fault.code != ENDLESS]
        self._failed(len(broken), broken)
        self.endless += len(failed) - len(broken)
        ended = columns.ended(results)
        self.finished += ended.count
        self.decisions.add_all(ended.decisions)
        won = several = 0
        for seat, (column, scores) in enumerate(zip(ended.winners, ended.scores, strict=True)):
            wins = _bits(column)
            self.wins[seat] += wins.bit_count()
            several |= won & wins
            won |= wins
            self.scores[seat].add_all(scores)
        self.no_winner += ended.count - won.bit_count()
        self.shared += several.bit_count()
        for number, games_with_it in Counter(ended.outcomes).items():
            if (name := columns.result(number)) is not None:
                self.results[name] += games_with_it
        if ended.count:
            self._cells([sum(column) for column in ended.tracks])
        self._starts(ended)

    def merge(self, other: GameTally) -> None:
        """Add the counts of another tally."""
        self.finished += other.finished
        self._failed(other.failures, other.failed)
        self.endless += other.endless
        for key, fault in other.faults.items():
            self._fault(key, fault.games, fault.first)
        self.decisions.merge(other.decisions)
        self.no_winner += other.no_winner
        self.shared += other.shared
        self.results.update(other.results)
        for seat in range(self.seats):
            self.wins[seat] += other.wins[seat]
            self.scores[seat].merge(other.scores[seat])
        self._cells(other.cells)
        for seat in range(self.seats):
            self.began[seat] += other.began[seat]
            self.turn_wins[seat] += other.turn_wins[seat]
        self.usage.merge(other.usage)

    def _starts(self, ended: Ended) -> None:
        """Count who began, and the wins by place in the order of turns."""
        for (starter, *winners), games in Counter(
            zip(ended.starters, *ended.winners, strict=True) if ended.starters else ()
        ).items():
            if 0 < starter <= self.seats:
                self.began[starter - 1] += games
                for seat, won in enumerate(winners):
                    self.turn_wins[(seat - starter + 1) % self.seats] += games * bool(won)

    def _failed(self, count: int, games: Sequence[int]) -> None:
        self.failures += count
        if games:
            self.failed = sorted((*self.failed, *games))[:KEPT]

    def _fault(self, key: Failed, games: int, first: int) -> None:
        known = self.faults.setdefault(key, CountedFault(0, first))
        known.games += games
        known.first = min(known.first, first)

    def _cells(self, more: Sequence[int]) -> None:
        if not self.cells:
            self.cells = [0] * len(more)
        for number, value in enumerate(more):
            self.cells[number] += value


def _bits(column: array[int]) -> int:
    """Return a column of 0 and 1 as one number with a bit for each game, for fast counting."""
    return int.from_bytes(column.tobytes(), "little")
