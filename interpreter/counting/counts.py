"""Sums over many games: what was offered, chosen, and done, and how the games ended.

For each use, seat, and stratum there is a row of sums over the games in which the seat was offered the use. A
stratum is a range of numbers of offers in a game. Such rows are kept apart for `GROUPS` groups of successive games,
so that the spread between groups shows how uncertain an estimate is, although seats of one game depend on each
other. Everything is a sum of whole numbers, so parts can be merged in any order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import add

from attrs import define, field, frozen

from rulewright.interpreter.counting.counted_program import Counted
from rulewright.interpreter.state.frames import read_list
from rulewright.ruleset.table.nodes import TableProgram

# ---- Rows of sums of what a seat was offered and chose in some games, and of how these games ended

FEW = 8
STRATA = (*range(1, FEW + 1), 12, 16, 24, 32, 48, 64, 96, 128)
"""The most offers of each stratum but the last, which has all others. Up to `FEW`, each number is one."""
WIN = 27_720
"""The unit of shares of a win: it can be divided by every number of winners up to 12."""
MEASURES = ("win", "score", "rank")
"""`win` is the share of a win, times `WIN`; `rank` is 1 for the best: winners are before all others,
then the score decides."""
MOMENTS = ("games", "chosen", "chosen²", "offered", "offered²", "offered chosen")
"""The first sums of a row. Three follow for each measure: its own, and its products with chosen and offered."""
WIDTH = len(MOMENTS) + 3 * len(MEASURES)


def added(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the sums of two rows."""
    return list(map(add, one, other))


def moments(games: int, offered: int, chosen: int, measured: Sequence[int]) -> list[int]:
    """Return the row of games with the same numbers of offers and choices, from the sums of their measures."""
    row = [games, games * chosen, games * chosen * chosen]
    row += (games * offered, games * offered * offered, games * offered * chosen)
    for total in measured:
        row += (total, total * chosen, total * offered)
    return row


def row_number(place: int, offered: int) -> int:
    """Return the number of the row for a game in which a place was offered `offered` times, at least once.

    A place is a seat and a use: the seat, times the number of uses, plus the use.
    """
    return place * (len(STRATA) + 1) + bisect_left(STRATA, offered)


# ------------------------------------------------------------------ counts: the rest

GROUPS = 32


@frozen
class Grouping:
    """How games `first` to `first` + `games` - 1 are divided into groups of successive games."""

    first: int
    games: int

    def of(self, game: int) -> int:
        """Return the group of a game."""
        return (game - self.first) * GROUPS // self.games

    def end(self, game: int) -> int:
        """Return the first game after the group of a game."""
        return self.first - -(self.of(game) + 1) * self.games // GROUPS


@define
class Counts:
    """Sums over `games` games without a rule error.

    `rows` has, by group, the rows by their number (see `row_number`). `done` has for each effect and step how often
    it was carried out, and in how many games; `points` the points by award and seat; `owned` for each definition
    and seat how many of its cards the seat's zones held at the ends.
    """

    games: int
    rows: dict[int, dict[int, list[int]]]
    done: list[int]
    points: list[int]
    owned: list[int]

    def merge(self, other: Counts) -> None:
        """Add the counts of other games of the same table."""
        self.games += other.games
        for group, rows in other.rows.items():
            mine = self.rows.setdefault(group, {})
            for number, row in rows.items():
                known = mine.get(number)
                mine[number] = row if known is None else added(known, row)
        for own, more in ((self.done, other.done), (self.points, other.points), (self.owned, other.owned)):
            own[:] = added(own, more)


def empty_counts(counted: Counted) -> Counts:
    """Return counts of no game."""
    seats = counted.program.seats
    owned = seats * len(counted.definitions)
    return Counts(0, {}, [0] * 2 * len(counted.done), [0] * seats * len(counted.awards), [0] * owned)


def places(counted: Counted) -> int:
    """Return the number of places: of uses, for each seat."""
    return counted.program.seats * (len(counted.uses.uses) if counted.uses is not None else 0)


@frozen
class End:
    """The addresses of the winners (1 or 0) and the scores of all seats; empty if the table has none."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]

    def measured(self, state: Sequence[int], seats: int) -> list[tuple[int, int, int]]:
        """Return the measures of each seat at the end of a game."""
        won = [state[address] for address in self.winners] or [0] * seats
        scores = [state[address] for address in self.scores] or [0] * seats
        share = WIN // max(1, sum(won))
        places = list(zip(won, scores, strict=True))
        return [(own * share, score, 1 + sum(one > (own, score) for one in places)) for own, score in places]


def end_of(program: TableProgram) -> End:
    """Return where a table keeps its winners and scores."""
    found = {
        track.key: tuple(range(track.address, track.address + track.count))
        for track in program.tracks
        if track.key in ("winner", "score") and track.count == program.seats
    }
    return End(found.get("winner", ()), found.get("score", ()))


@frozen
class Folder:
    """Adds the counters at the ends of games to counts. It is the reference of `counting.c`."""

    counted: Counted
    grouping: Grouping
    _counts: list[Counts] = field(factory=list)

    def taken(self) -> Counts:
        """Return what was counted since the last time."""
        return self._counts.pop() if self._counts else empty_counts(self.counted)

    def add(self, game: int, state: Sequence[int]) -> None:
        """Count a game that has ended."""
        if not self._counts:
            self._counts.append(empty_counts(self.counted))
        counts, counted, program = self._counts[0], self.counted, self.counted.program
        counts.games += 1
        uses = len(counted.uses.uses) if counted.uses is not None else 0
        measured = end_of(program).measured(state, program.seats)
        group = self.grouping.of(game)
        for place, offered in enumerate(state[counted.uses_at : counted.end : 2]):
            if offered:
                seat = place // uses
                chosen = state[counted.uses_at + 2 * place + 1]
                row = counts.rows.setdefault(group, {}).setdefault(row_number(place, offered), [0] * WIDTH)
                row[:] = added(row, moments(1, offered, chosen, measured[seat]))
        for number, times in enumerate(state[counted.done_at : counted.points_at]):
            counts.done[2 * number] += times
            counts.done[2 * number + 1] += times > 0
        for number, points in enumerate(state[counted.points_at : counted.things_at]):
            counts.points[number] += points
        self._own(counts, state)

    def _own(self, counts: Counts, state: Sequence[int]) -> None:
        program = self.counted.program
        numbers = {name: number for number, name in enumerate(self.counted.definitions)}
        for zone in program.zones:
            if zone.owner >= 0:
                for one in read_list(state, zone.address):
                    card = program.cards[one]
                    counts.owned[numbers[f"{card.kind}/{card.definition}"] * program.seats + zone.owner] += 1
