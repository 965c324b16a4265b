"""What is counted over many games. Tallies of parts merge to the tally of the whole, whatever the order."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from interpreter.indices import index_of, track_scopes
from interpreter.sight import value_key
from interpreter.view import result
from ruleset.table import TableProgram
from tools.statistics import Numbers

_TOLD_APART = ("score",)
"""Tracks of the kernel that are counted as what they mean."""


@define
class Fault:
    """A rule that failed: in how many games, and the first of them."""

    games: int
    first: int


@define
class Tally:
    """`cells` sums, per game's end, the cells that `Columns` names; `failed` are numbers of games."""

    seats: int
    finished: int = 0
    failed: list[int] = field(factory=list)
    faults: dict[tuple[str, int], Fault] = field(factory=dict)
    decisions: Numbers = field(factory=Numbers)
    no_winner: int = 0
    shared: int = 0
    wins: list[int] = field(factory=list)
    scores: list[Numbers] = field(factory=list)
    cells: list[int] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        if not self.wins:
            self.wins = [0] * self.seats
            self.scores = [Numbers() for _ in range(self.seats)]

    @property
    def games(self) -> int:
        """How many games were begun and ended, failed ones among them."""
        return self.finished + len(self.failed)

    def fail(self, game: int, code: str, at: int) -> None:
        """Counts a game that a rule error ended."""
        self.failed.append(game)
        self._fault((code, at), 1, game)

    def add(self, columns: Columns, state: Sequence[int], decisions: int) -> None:
        """Counts a game that has ended."""
        ended = result(columns.program, state)
        assert ended is not None
        self.finished += 1
        self.decisions.add(decisions)
        self.no_winner += not ended.winners
        self.shared += len(ended.winners) > 1
        for seat in ended.winners:
            self.wins[seat] += 1
        for seat, score in enumerate(ended.scores):
            self.scores[seat].add(score)
        self._cells([state[address] for address in columns.addresses])

    def merge(self, other: Tally) -> None:
        """Counts what another tally has counted."""
        self.finished += other.finished
        self.failed.extend(other.failed)
        for key, fault in other.faults.items():
            self._fault(key, fault.games, fault.first)
        self.decisions.merge(other.decisions)
        self.no_winner += other.no_winner
        self.shared += other.shared
        for seat in range(self.seats):
            self.wins[seat] += other.wins[seat]
            self.scores[seat].merge(other.scores[seat])
        self._cells(other.cells)

    def _fault(self, key: tuple[str, int], games: int, first: int) -> None:
        known = self.faults.setdefault(key, Fault(0, first))
        known.games += games
        known.first = min(known.first, first)

    def _cells(self, more: Sequence[int]) -> None:
        if not self.cells:
            self.cells = [0] * len(more)
        for number, value in enumerate(more):
            self.cells[number] += value


@define
class Column:
    """One number that each game ends with: a track's, of a seat, of the members that also index it."""

    track: str
    seat: int
    members: tuple[str, ...]


class Columns:
    """The numbers per player that a program keeps, and where they are."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program
        self.columns: list[Column] = []
        self.addresses: list[int] = []
        for track in program.tracks:
            scopes = [scope for scope, _, _ in track_scopes(program, track)]
            if track.of != "number" or "player" not in scopes or "card" in scopes or track.key in _TOLD_APART:
                continue
            for index in range(track.count):
                members = tuple(
                    value_key(program, scope, index_of(program, track, scope, index))
                    for scope in scopes
                    if scope != "player"
                )
                seat = index_of(program, track, "player", index)
                self.columns.append(Column(track.key, seat, members))
                self.addresses.append(track.address + index)
