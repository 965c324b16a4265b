"""The factory of players of many games, by the name of a backend."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Generic, TypeVar

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.native.backend import NoNativeError, compiler, quick_compiler
from rulewright.interpreter.backends.native.library import BuildError, key_of, loaded
from rulewright.interpreter.backends.native.module import counting_source, playing_source
from rulewright.interpreter.backends.policies import Seated
from rulewright.interpreter.batch.batch import ManyGames, Stop, never, stepping_many
from rulewright.interpreter.batch.native_batch import native_many
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.counting import Folder
from rulewright.ruleset.table.nodes import TableProgram

# ---- Changing over from what is at hand to something faster, once that is ready
#
# Both play game number g alike, and grow equal trees, so the change shows only in the speed.

T = TypeVar("T")

WORTH = 0.5
"""Seconds of play after which something faster is likely to pay off."""


class Upgrade(Generic[T]):
    """What is at hand, until something better is ready, which one background thread makes.

    It is begun on request, or once `WORTH` seconds were spent without it. A process that was forked meanwhile
    begins its own. Where it cannot be made, what is at hand stays.
    """

    def __init__(self, at_hand: T, better: Callable[[], T]) -> None:
        self._now = at_hand
        self._better: Callable[[], T] | None = better
        self._made: list[T] = []
        self._begun_in = 0
        self.spent = 0.0
        """Seconds."""

    def now(self) -> T:
        """Return the best there is now."""
        if self.spent >= WORTH:
            self.begin()
        if self._made:
            self._now, self._better = self._made.pop(), None
        return self._now

    def begin(self) -> bool:
        """Start making what is better. Returns whether it is being made."""
        if self._better is not None and self._begun_in != os.getpid():
            self._begun_in = os.getpid()
            Thread(target=self._make, args=(self._better,), daemon=True).start()
        return self._better is not None

    def _make(self, better: Callable[[], T]) -> None:
        try:
            self._made.append(better())
        except (BuildError, NoNativeError):
            self._better = None


class UpgradingPlayer(ManyGames):
    """A player that changes over to a faster one."""

    def __init__(
        self,
        at_hand: ManyGames,
        better: Callable[[], ManyGames],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._upgrade = Upgrade(at_hand, better)
        self._clock = clock

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and is never set
        """Name of the backend in use now."""
        return self._upgrade.now().name

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> GameResults:
        """See `ManyGames.play`. All games of one call use the same backend."""
        playing, since = self._upgrade.now(), self._clock()
        results = playing.play(seed, first, count, stop)
        self._upgrade.spent += self._clock() - since
        return results

    def prepare(self) -> bool:
        """See `ManyGames.prepare`."""
        return self._upgrade.begin()


def many_games(
    program: TableProgram,
    addresses: Sequence[int],
    backend: str = AUTO,
    seated: Seated = (),
    folder: Folder | None = None,
) -> ManyGames:
    """Make a player of many games of a table, which reports the cells at `addresses` at the end of each game.

    `seated` names the bot of the pack for each seat; seats without one answer at random. Raises ValueError for an
    unknown backend, BotError for an unknown bot. With `folder`, it plays its program instead, and counts.
    """
    if not any(seated):
        seated = ()
    if backend == AUTO:
        try:
            return _fastest(program, addresses, seated, folder)
        except (NoNativeError, BuildError):
            backend = "walker"
    if backend == "native":
        return native_many(program, addresses, seated, folder=folder)
    return stepping_many(program, addresses, backend, seated, folder)


def _fastest(program: TableProgram, addresses: Sequence[int], seated: Seated, folder: Folder | None) -> ManyGames:
    """Make a native player: with the library of the machine's compiler if that is there; else with that of the
    quickest one, and change over when many games follow. Raises NoNativeError or BuildError.
    """
    best, quick = compiler(), quick_compiler()
    source = playing_source(program) if folder is None else counting_source(folder.counted)
    if best == quick or loaded(key_of(source.text, best)) is not None:
        return native_many(program, addresses, seated, source, best, folder)
    at_hand = native_many(program, addresses, seated, source, quick, folder)
    return UpgradingPlayer(at_hand, lambda: native_many(program, addresses, seated, source, best, folder))
