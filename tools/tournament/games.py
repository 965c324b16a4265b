"""The games of a tournament as work for many processes."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, product

from attrs import define, field, frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.batch.batch import Stop
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.seats import searches
from rulewright.tools.simulation.columns import Failed, columns_of
from rulewright.tools.simulation.players import Player, Table, player
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import wilson
from rulewright.tools.simulation.tally import Fault

# ---- Two players at one table: how they share its seats, and who of them won a game

NOBODY, WON, LOST, SHARED, FAILED = range(5)
"""How a game ended for the first of two players: nobody won, it won, the other won, both won, or a rule failed."""


@frozen
class Score:
    """Decided games that the first player won and lost, and games that were shared, failed, or did not end."""

    won: int
    lost: int
    undecided: int

    @property
    def share(self) -> float:
        """The share of the decided games that the first player won; 0 without any."""
        return self.won / (self.won + self.lost) if self.won + self.lost else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson)."""
        return wilson(self.won, self.won + self.lost)

    def __add__(self, other: Score) -> Score:
        return Score(self.won + other.won, self.lost + other.lost, self.undecided + other.undecided)


def arrangements(players: int) -> Iterator[tuple[bool, ...]]:
    """Iterate over the seats of the first player: half of them; if their number is odd, one more or less."""
    for seats in product((True, False), repeat=players):
        if abs(2 * sum(seats) - players) <= players % 2:
            yield seats


def endings(seats: Sequence[bool], winners: Sequence[Sequence[int]], failed: Sequence[int]) -> bytes:
    """Return how each game ended, as a byte.

    `seats` are those of the first player. `winners` has 1 or 0 for each seat and game, `failed` is not 0 for games
    that a rule ended. A game is won if all its winners are on one side.
    """
    ours = theirs = 0
    for own, column in zip(seats, winners, strict=True):
        bits = int.from_bytes(array("B", column).tobytes(), "little")
        ours, theirs = (ours | bits, theirs) if own else (ours, theirs | bits)
    found = bytearray((ours * WON | theirs * LOST).to_bytes(len(failed), "little"))
    if any(failed):
        for game, fault in enumerate(failed):
            if fault:
                found[game] = FAILED
    return bytes(found)


def counted(found: bytes) -> Score:
    """Count endings."""
    won, lost = found.count(WON), found.count(LOST)
    return Score(won, lost, len(found) - won - lost)


# ---- The games of a tournament, numbered so that an interrupted one has about as many of each pairing

BLOCK = 200
"""Worlds of a block if no bot searches; a call of native code plays at most so many games."""


@frozen
class Part:
    """Worlds `first` to `end` - 1 of a pairing (two numbers of bots) in one arrangement of the seats.

    `seats` are those of the first of the two.
    """

    pairing: tuple[int, int]
    seats: tuple[bool, ...]
    first: int
    end: int

    def at(self) -> tuple[int, ...]:
        """Return the bot in each seat."""
        one, other = self.pairing
        return tuple(one if own else other for own in self.seats)


@frozen(slots=False)
class Schedule:
    """All pairings of `bots` bots, in all arrangements of `players` seats, in worlds 0 to `worlds` - 1.

    Items are numbered by block of worlds, then by pairing, arrangement, and world.
    """

    bots: int
    players: int
    worlds: int
    block: int = BLOCK

    @cached_property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        return tuple(combinations(range(self.bots), 2))

    @cached_property
    def arrangements(self) -> tuple[tuple[bool, ...], ...]:
        return tuple(arrangements(self.players))

    @property
    def items(self) -> int:
        return len(self.pairings) * len(self.arrangements) * self.worlds

    def parts(self, first: int, end: int) -> Iterator[Part]:
        """Iterate over the parts of items `first` to `end` - 1."""
        each = len(self.arrangements)
        while first < end:
            block, rest = divmod(first, len(self.pairings) * each * self.block)
            size = min(self.block, self.worlds - block * self.block)
            place, world = divmod(rest, size)
            count = min(size - world, end - first)
            start = block * self.block + world
            yield Part(self.pairings[place // each], self.arrangements[place % each], start, start + count)
            first += count


# ------------------------------------------------------------------ games: the rest

@define
class Endings:
    """How games ended: bytes of `pairing.endings` by the first of consecutive items.

    `faults` are the rule errors, each with the number of its games and the first item.
    """

    parts: dict[int, bytes] = field(factory=dict)
    faults: dict[Failed, Fault] = field(factory=dict)
    games: int = 0

    def merge(self, other: Endings) -> None:
        """Add other items."""
        self.parts |= other.parts
        self.games += other.games
        for failed, fault in other.faults.items():
            self.fault(failed, fault.games, fault.first)

    def fault(self, failed: Failed, games: int, first: int) -> None:
        """Count games that a rule error ended."""
        known = self.faults.setdefault(failed, Fault(0, first))
        known.games += games
        known.first = min(known.first, first)


@frozen
class Tournament:
    """All `bots` (kinds of seats) against all others at a table, in `worlds` worlds of each arrangement of seats.

    World g is game g of the seed, in all pairings.
    """

    program: TableProgram
    bots: tuple[str, ...]
    worlds: int
    seed: int
    backend: str = AUTO

    @property
    def schedule(self) -> Schedule:
        """The games in their order. If a bot searches, each world is played by all pairings before the next."""
        return Schedule(len(self.bots), self.program.seats, self.worlds, 1 if self.slow else BLOCK)

    @property
    def games(self) -> int:
        return self.schedule.items

    @property
    def slow(self) -> bool:
        return any(map(searches, self.bots))

    def empty(self) -> Endings:
        return Endings()

    def player(self) -> TournamentPlayer:
        return TournamentPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)

    def seated(self, part: Part) -> tuple[str, ...]:
        """Return the kinds of seats of a part."""
        return tuple(self.bots[bot] for bot in part.at())

    def scores(self, found: Endings) -> dict[tuple[int, int], Score]:
        """Return the score of each pairing."""
        schedule = self.schedule
        scores = dict.fromkeys(schedule.pairings, Score(0, 0, 0))
        for first, how in found.parts.items():
            begun = 0
            for part in schedule.parts(first, first + len(how)):
                behind = begun + part.end - part.first
                scores[part.pairing] += counted(how[begun:behind])
                begun = behind
        return scores


class TournamentPlayer:
    """Plays the games of a tournament, with a player for each set of seats."""

    def __init__(self, work: Tournament) -> None:
        self._work = work
        self._schedule = work.schedule
        self._columns = columns_of(work.program, tracks=False)
        self._players: dict[Sequence[str], Player] = {}
        self._preparing = False
        self._backend = ""

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Endings]:
        """See `Player.play`."""
        found, pieces, done = Endings(), list[bytes](), first
        for part in self._schedule.parts(first, end):
            seats = self._work.seated(part)
            playing = self._player(seats)
            results = playing.play(part.first, part.end - part.first, stop)
            pieces.append(endings(part.seats, self._columns.all(results).winners, results.faults))
            for game, failed in self._columns.failed(results):
                found.fault(failed, 1, done + game - part.first)
            done += results.count
            self._note(seats, playing.many.name)
            if results.count < part.end - part.first or stop():
                break
        if done > first:
            found.parts[first], found.games = b"".join(pieces), done - first
        return BatchResult(first, done, found, self._backend)

    def prepare(self) -> bool:
        """See `Player.prepare`."""
        self._preparing = True
        return True in [playing.many.prepare() for playing in self._players.values()]

    def _player(self, seats: tuple[str, ...]) -> Player:
        if seats not in self._players:
            made = player(
                Table(self._work.program, seats, self._work.seed, self._work.backend), self._columns.addresses
            )
            if self._preparing:
                made.many.prepare()
            self._players[seats] = made
        return self._players[seats]

    def _note(self, seats: Sequence[str], backend: str) -> None:
        """Note the backend of the games that take the time: those with a seat that searches, if there are any."""
        if not (self._backend and self._work.slow) or any(map(searches, seats)):
            self._backend = backend


def where(work: Tournament, item: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Iterate over the seats and the number of the game of an item."""
    for part in work.schedule.parts(item, item + 1):
        yield work.seated(part), part.first
