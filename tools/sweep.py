"""Games at many tables of one pack: every number of players and combination of options that was asked for.

A table is compiled when its first game is played; a process keeps one at a time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache

from attrs import define, field, frozen

from ruleset.lower import TableError, lower
from ruleset.program import Program
from tools.batch import Outcome, outcomes
from tools.cases import Case, Cases
from tools.playing import Table
from tools.seats import RANDOM
from tools.statistics import Numbers
from tools.tally import Ended, Tally

_WHOLE = 4
"""With so many cases for each process or more, a process takes whole cases, so that no table is compiled twice."""


@frozen
class Refused:
    """There is no such table, and why: options that exclude each other."""

    reason: str


@define
class Part:
    """Some of the games."""

    games: int = 0
    failed: int = 0
    decisions: Numbers = field(factory=Numbers)

    def merge(self, other: Part) -> None:
        self.games += other.games
        self.failed += other.failed
        self.decisions.merge(other.decisions)


@define
class Swept:
    """Tallies by number of players; parts by option and its value; games that could not be, by reason."""

    tallies: dict[int, Tally] = field(factory=dict)
    parts: dict[tuple[str, str], Part] = field(factory=dict)
    refused: dict[str, int] = field(factory=dict)

    @property
    def games(self) -> int:
        return sum(tally.games for tally in self.tallies.values()) + sum(self.refused.values())

    @property
    def failed(self) -> list[int]:
        return sorted(game for tally in self.tallies.values() for game in tally.failed)

    def merge(self, other: Swept) -> None:
        for players, tally in other.tallies.items():
            self.tallies.setdefault(players, Tally(players)).merge(tally)
        for key, part in other.parts.items():
            self.parts.setdefault(key, Part()).merge(part)
        for reason, games in other.refused.items():
            self.refused[reason] = self.refused.get(reason, 0) + games


@frozen
class Sweep:
    """The games of all cases, by number one case after the other. Without `seats`, all are random."""

    program: Program
    cases: Cases
    seed: int
    backend: str = "python"
    seats: tuple[str, ...] = ()
    usage: bool = False

    @property
    def games(self) -> int:
        return self.cases.played[-1].end

    def case_of(self, game: int) -> Case:
        """The case that a game belongs to."""
        return self.cases.played[bisect_right(self.cases.played, game, key=lambda case: case.end)]

    def empty(self) -> Swept:
        return Swept()

    def player(self) -> Callable[[int], Outcome | Refused]:
        @lru_cache(maxsize=1)
        def at(case: Case) -> Callable[[int], Outcome | Refused]:
            chosen = dict(option.split("=", 1) for option in case.options)
            try:
                table = lower(self.program, case.players, chosen)
            except TableError as error:
                refused = Refused(str(error).replace("`", ""))
                return lambda game: refused
            seats = self.seats or (RANDOM,) * case.players
            return outcomes(Table(table, seats, self.seed, self.backend, self.usage), tracks=False)

        return lambda game: at(self.case_of(game))(game)

    def count(self, swept: Swept, game: int, outcome: Outcome | Refused) -> None:
        if isinstance(outcome, Refused):
            swept.refused[outcome.reason] = swept.refused.get(outcome.reason, 0) + 1
            return
        case = self.case_of(game)
        swept.tallies.setdefault(case.players, Tally(case.players)).take(game, outcome)
        for option in case.options:
            key, _, value = option.partition("=")
            part = swept.parts.setdefault((key, value), Part())
            part.games += 1
            if isinstance(outcome, Ended):
                part.decisions.add(outcome.decisions)
            else:
                part.failed += 1

    def reach(self, first: int, most: int, jobs: int) -> int:
        if first >= self.games:
            return self.games
        case = self.case_of(first)
        return case.end if len(self.cases.played) >= _WHOLE * jobs else min(first + most, case.end)
