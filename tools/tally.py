"""What is counted over many games. Tallies of parts merge to the tally of the whole, whatever the order."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field, frozen

from interpreter.indices import index_of, track_scopes
from interpreter.sight import value_key
from ruleset.table import TableProgram
from tools.statistics import Numbers
from tools.usage import GameUse, Usage

_TOLD_APART = ("score",)
"""Tracks of the kernel that are counted as what they mean."""


@frozen
class Ended:
    """A game that was played to its end, as far as it is counted. `cells` are the numbers that `Columns` names."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    decisions: int
    cells: tuple[int, ...] = ()
    use: GameUse | None = None


@frozen
class Failed:
    """A game that a rule error ended: its code, the rule and where that stands, as far as it is known."""

    code: str
    rule: str
    place: str


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
    faults: dict[Failed, Fault] = field(factory=dict)
    decisions: Numbers = field(factory=Numbers)
    no_winner: int = 0
    shared: int = 0
    wins: list[int] = field(factory=list)
    scores: list[Numbers] = field(factory=list)
    cells: list[int] = field(factory=list)
    usage: Usage = field(factory=Usage)

    def __attrs_post_init__(self) -> None:
        if not self.wins:
            self.wins = [0] * self.seats
            self.scores = [Numbers() for _ in range(self.seats)]

    @property
    def games(self) -> int:
        """How many games were begun and ended, failed ones among them."""
        return self.finished + len(self.failed)

    def take(self, game: int, outcome: Ended | Failed) -> None:
        """Counts a game that has ended, one way or the other."""
        if isinstance(outcome, Failed):
            self.failed.append(game)
            self._fault(outcome, 1, game)
            return
        self.finished += 1
        self.decisions.add(outcome.decisions)
        self.no_winner += not outcome.winners
        self.shared += len(outcome.winners) > 1
        for seat in outcome.winners:
            self.wins[seat] += 1
        for seat, score in enumerate(outcome.scores):
            self.scores[seat].add(score)
        self._cells(outcome.cells)
        if outcome.use is not None:
            self.usage.add(outcome.use, outcome.winners)

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
        self.usage.merge(other.usage)

    def _fault(self, key: Failed, games: int, first: int) -> None:
        known = self.faults.setdefault(key, Fault(0, first))
        known.games += games
        known.first = min(known.first, first)

    def _cells(self, more: Sequence[int]) -> None:
        if not self.cells:
            self.cells = [0] * len(more)
        for number, value in enumerate(more):
            self.cells[number] += value


@frozen
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
