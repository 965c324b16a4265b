"""Plays the same worlds with seats that lean."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from interpreter.backends.native.backend import NoNativeError
from interpreter.backends.native.compiler.library import BuildError
from interpreter.backends.policies.policies import policies
from interpreter.batch.batch import ManyGames, Stop, never, python_many
from interpreter.batch.native_batch import NativeMany, native_many
from ruleset.table.nodes import BotInfo, TableProgram
from tools.balance.leanings import playing_like, with_bots
from tools.balance.outcomes import Ends, ends
from tools.simulation.counted_cells import columns_of

AS_IS = "as is"
"""The key of the bot that plays all seats that do not lean."""


class LeaningPlayer:
    """Plays worlds at a table with seats that play like `bot`, or lean as one of `bots` does, by key.

    The first games wait for the compiler, because many will follow; without one, they are played in Python.
    """

    def __init__(self, program: TableProgram, bot: str, bots: Sequence[BotInfo], seed: int) -> None:
        self._program = with_bots(program, [playing_like(program, bot, AS_IS), *bots])
        self._columns = columns_of(program, tracks=False)
        self._seed = seed
        self._kept: tuple[tuple[int, int], Ends] | None = None
        self._native: NativeMany | None = None
        everywhere = (AS_IS,) * program.seats
        with suppress(NoNativeError, BuildError):
            self._native = native_many(self._program, self._columns.addresses, everywhere)

    @property
    def backend(self) -> str:
        return "python" if self._native is None else self._native.name

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

    def _make(self, keys: Sequence[str]) -> ManyGames:
        if self._native is None:
            return python_many(self._program, self._columns.addresses, keys)
        self._native.seat(policies(self._program, keys))
        return self._native
