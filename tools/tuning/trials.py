"""Candidates of a bot in the same worlds, against the same opponents, in every seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
from attrs import define, field, frozen

from rulewright.interpreter.backends.native.backend import NoNativeError
from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.policies.policies import policies
from rulewright.interpreter.batch.batch import ManyGames, Stop, stepping_many
from rulewright.interpreter.batch.native_batch import NativeMany, native_many
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.evidence import moments_of
from rulewright.tools.balance.leanings import playing_like, with_bots
from rulewright.tools.balance.outcomes import Ends, ends, measured, units
from rulewright.tools.simulation.counted_cells import columns_of
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import Numbers, Pairs
from rulewright.tools.tuning.open_bot import OpenBot

BLOCK = 50
"""Worlds that a candidate plays in one seat before the seat changes."""
COMPARED = ("win", "lead", "score")
WIN, LEAD = 4000, 1000
"""The worth of a win, and the most that the lead can add to it or take away: a quarter."""
_RANDOM = "random "
"""The key of a bot that answers at random; no bot of a pack has a blank in its name."""


@define
class Tallies:
    """Sums over the same worlds for each candidate; `games` counts worlds, each with its opponent.

    `worth` is that of a candidate's games: `WIN` for a win, a share of it for a shared one, and up to `LEAD` for
    the lead. `pairs` compares each candidate with the first, in the units of `outcomes.units`, over worlds in which
    neither game failed: `played` of them. `leads` are the leads of the first candidate.
    """

    worth: list[int]
    pairs: list[dict[str, Pairs]]
    played: list[int]
    games: int = 0
    leads: Numbers = field(factory=Numbers)

    def merge(self, other: Tallies) -> None:
        """Add the sums of other worlds."""
        self.games += other.games
        self.leads.merge(other.leads)
        self.worth = [one + more for one, more in zip(self.worth, other.worth, strict=True)]
        self.played = [one + more for one, more in zip(self.played, other.played, strict=True)]
        for mine, theirs in zip(self.pairs, other.pairs, strict=True):
            for name, pairs in theirs.items():
                mine[name].merge(pairs)


@frozen
class Trials:
    """`worlds` worlds of each opponent for each of some candidates, from game `start` of the seed on.

    A candidate is a value for each number of the bot. `opponents` are bots of the table; empty: random players.
    They have all other seats. `scale` is the lead that counts fully.
    """

    table: OpenBot
    candidates: tuple[tuple[int, ...], ...]
    opponents: tuple[str, ...]
    start: int
    worlds: int
    seed: int
    scale: int = 1
    slow: bool = field(default=False, init=False)

    @property
    def games(self) -> int:
        """The number of worlds; all candidates play each of them."""
        return self.worlds * len(self.opponents)

    def empty(self) -> Tallies:
        count = len(self.candidates)
        return Tallies([0] * count, [{name: Pairs() for name in COMPARED} for _ in range(count)], [0] * count)

    def player(self) -> TrialPlayer:
        return TrialPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)

    def parts(self, first: int, end: int) -> Iterator[tuple[str, int, int, int]]:
        """Iterate over the opponent, the candidate's seat, and the first and last world of consecutive items."""
        seats, opponents = self.table.program.seats, len(self.opponents)
        while first < end:
            block, rest = divmod(first, BLOCK * opponents)
            size = min(BLOCK, self.worlds - block * BLOCK)
            opponent, world = divmod(rest, size)
            count = min(size - world, end - first)
            begin = self.start + block * BLOCK + world
            yield self.opponents[opponent], block % seats, begin, begin + count
            first += count


class TrialPlayer:
    """Plays the worlds of trials. The first games wait for the compiler, because many follow."""

    def __init__(self, work: Trials) -> None:
        self._work = work
        base = work.table.program
        bots = [work.table.with_values(_key(n), values) for n, values in enumerate(work.candidates)]
        self._program = with_bots(base, [playing_like(base, "", _RANDOM), *bots])
        self._columns = columns_of(base, tracks=False)
        self._native = _native(base)
        self._units = units(base.seats)
        self._slow: dict[tuple[str, ...], ManyGames] = {}
        """Players that walk, if there is no compiler."""

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Tallies]:
        """See `Player.play`."""
        found, done = self._work.empty(), first
        for opponent, seat, begin, last in self._work.parts(first, end):
            played = [self._played(n, opponent, seat, begin, last, stop) for n in range(len(self._work.candidates))]
            known = [one for one in played if one is not None]
            if len(known) < len(played):
                break
            self._count(found, known, seat)
            done += last - begin
        found.games = done - first
        return BatchResult(first, done, found, "walker" if self._native is None else self._native.name)

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False

    def _played(self, number: int, opponent: str, seat: int, begin: int, last: int, stop: Stop) -> Ends | None:
        """Return the ends of games of a candidate; None if they were stopped."""
        keys = [opponent or _RANDOM] * self._program.seats
        keys[seat] = _key(number)
        many = self._many(keys)
        results = many.play(self._work.seed, begin, last - begin, stop)
        return ends(self._columns, results) if results.count == last - begin else None

    def _many(self, keys: Sequence[str]) -> ManyGames:
        if self._native is None:
            key = tuple(keys)
            if key not in self._slow:
                self._slow[key] = stepping_many(self._program, self._columns.addresses, "walker", keys)
            return self._slow[key]
        self._native.seat(policies(self._program, keys))
        return self._native

    def _count(self, found: Tallies, played: Sequence[Ends], seat: int) -> None:
        """Add the ends of some worlds."""
        first = measured(played[0], seat)
        leads, scale = first["lead"], self._work.scale
        found.leads.merge(Numbers(len(leads), int(leads.sum()), int((leads * leads).sum()), *_range(leads)))
        for number, one in enumerate(played):
            of = measured(one, seat)
            worth = WIN * of["win"] // self._units["win"] + np.clip(LEAD * of["lead"] // scale, -LEAD, LEAD)
            found.worth[number] += int(worth[~one.failed].sum())
            kept = ~(one.failed | played[0].failed)
            found.played[number] += int(kept.sum())
            for name in COMPARED:
                before, after = first[name][kept], of[name][kept]
                sums = moments_of(after - before)
                found.pairs[number][name].merge(
                    Pairs(int(before.sum()), int(after.sum()), sums.squares, sums.changed)
                )


def _key(number: int) -> str:
    """Return the key of a candidate; no bot of a pack has a blank in its name."""
    return f"candidate {number}"


def _range(numbers: np.typing.NDArray[np.int64]) -> tuple[int, int]:
    return (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)


@once
def _native(base: TableProgram) -> NativeMany | None:
    """Return the native player of a table, whose library knows none of the candidates; None without a compiler."""
    program = with_bots(base, [playing_like(base, "", _RANDOM)])
    with suppress(NoNativeError, BuildError):
        return native_many(program, columns_of(base, tracks=False).addresses, (_RANDOM,) * base.seats)
    return None
