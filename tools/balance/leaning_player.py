"""Plays the same worlds with seats that lean."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rulewright.interpreter.backends.native.backend import NoNativeError
from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.native.module import Source, generate_playing
from rulewright.interpreter.backends.policies.policies import policies
from rulewright.interpreter.batch.batch import ManyGames, Stop, never, stepping_many
from rulewright.interpreter.batch.native_batch import NativeMany, native_many
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table.nodes import BotInfo, TableProgram
from rulewright.tools.balance.leanings import playing_like, with_bots
from rulewright.tools.balance.outcomes import Ends, ends, joined
from rulewright.tools.simulation.counted_cells import columns_of

CLOSE = 20
"""Games that are so far apart, or less, are played in one call."""
AS_IS = "as is"
"""The key of the bot that plays all seats that do not lean."""


class LeaningPlayer:
    """Plays worlds at a table with seats that play like `bot`, or lean as one of `bots` does, by key.

    The first games wait for the compiler, because many will follow; without one, the walker plays them.
    """

    def __init__(self, program: TableProgram, bot: str, bots: Sequence[BotInfo], seed: int) -> None:
        self._program = with_bots(program, [playing_like(program, bot, AS_IS), *bots])
        self._columns = columns_of(program, tracks=False)
        self._seed = seed
        self._kept: tuple[tuple[int, int], Ends] | None = None
        self._native: NativeMany | None = None
        self._seated: tuple[str, ...] = ()
        everywhere = (AS_IS,) * program.seats
        with suppress(NoNativeError, BuildError):
            source = _source(program)
            self._native = native_many(self._program, self._columns.addresses, everywhere, source)

    @property
    def backend(self) -> str:
        return "walker" if self._native is None else self._native.name

    def play(self, keys: Sequence[str], first: int, end: int, stop: Stop = never) -> Ends | None:
        """Return the ends of games `first` to `end` - 1 with these bots in the seats; None if it was stopped."""
        many = self._make(keys)
        results = many.play(self._seed, first, end - first, stop)
        return ends(self._columns, results) if results.count == end - first else None

    def as_is(self, first: int, end: int, stop: Stop = never) -> Ends | None:
        """Return the ends of games in which no seat leans; those of the last call are kept."""
        if self._kept is None or self._kept[0] != (first, end):
            found = self.play((AS_IS,) * self._program.seats, first, end, stop)
            if found is None:
                return None
            self._kept = (first, end), found
        return self._kept[1]

    def one_leaning(self, key: str, seat: int, first: int, end: int, stop: Stop = never) -> Ends | None:
        """Return the ends of games in which one seat leans."""
        keys = [key if number == seat else AS_IS for number in range(self._program.seats)]
        return self.play(keys, first, end, stop)

    def leaning_in(self, key: str, seat: int, games: Sequence[int], stop: Stop = never) -> Ends | None:
        """Return the ends of certain games, in rising order, in which one seat leans; None if it was stopped.

        Games between those that are close to each other are played, too: a call of native code costs more.
        """
        parts, first = [], 0
        for place in range(1, len(games) + 1):
            if place == len(games) or games[place] - games[place - 1] > CLOSE:
                own = games[first:place]
                found = self.one_leaning(key, seat, own[0], own[-1] + 1, stop)
                if found is None:
                    return None
                parts.append(found.among([game - own[0] for game in own]))
                first = place
        return joined(parts)

    def _make(self, keys: Sequence[str]) -> ManyGames:
        if self._native is None:
            return stepping_many(self._program, self._columns.addresses, "walker", keys)
        if self._seated != tuple(keys):
            self._native.seat(policies(self._program, keys))
            self._seated = tuple(keys)
        return self._native


@once
def _source(program: TableProgram) -> Source:
    """Return the text that plays a table with bots. It is the same for all bots, since they are data to it."""
    return generate_playing(with_bots(program, [playing_like(program, "", AS_IS)]))
