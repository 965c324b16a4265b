"""Playing at once with what is there, and on with what is quicker as soon as that has been made.

Both play game number g alike, and weigh answers alike; so the change shows in nothing but the time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from interpreter.batch.batch import ManyGames, Stop, never
from interpreter.batch.results import Results

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

WORTH = 0.5
"""Seconds of play after which it is likely that making something quicker pays."""


class NotBuiltError(Exception):
    """There will be nothing quicker; the message says why."""


class AsyncBuilder(Protocol[T_co]):
    """Makes what does something more quickly, while something else does it."""

    def ready(self) -> T_co | None:
        """What is quicker, if it is there, made now or long ago; at once. Raises NotBuiltError."""
        ...

    def begin(self) -> None:
        """Begins to make it, outside of this process: asked for once in each process that wants it, also where one
        that was forked from has begun. Raises NotBuiltError.
        """
        ...

    def leave(self) -> None:
        """Nobody in this process waits for it any more."""
        ...


class Upgrade(Generic[T]):
    """Something quicker, until it is there. It is begun as soon as it seems worth it: when as much time was spent
    without it as it may take, or when somebody says so. A process that was forked meanwhile begins for itself.
    """

    def __init__(self, builder: AsyncBuilder[T]) -> None:
        self._builder: AsyncBuilder[T] | None = builder
        self._begun_in = 0
        self.spent = 0.0
        """Seconds."""

    def poll(self) -> T | None:
        """What is quicker, if it is there by now; nobody has to ask again then."""
        if self.spent >= WORTH:
            self.begin()
        if self._builder is None or self._begun_in not in (0, os.getpid()):
            return None
        try:
            found = self._builder.ready()
        except NotBuiltError:
            self._builder = None
            return None
        if found is not None:
            self._builder = None
        return found

    def begin(self) -> bool:
        """Has it made; gives whether it is in the making."""
        if self._builder is not None and self._begun_in != os.getpid():
            try:
                self._builder.begin()
                self._begun_in = os.getpid()
            except NotBuiltError:
                self._builder = None
        return self._builder is not None

    def leave(self) -> None:
        """Nobody waits for it any more."""
        if self._builder is not None and self._begun_in == os.getpid():
            self._builder.leave()
        self._builder = None


class UpgradingPlayer(ManyGames):
    """Plays with what `at_hand` makes, until something quicker is there."""

    def __init__(
        self,
        at_hand: Callable[[], ManyGames],
        builder: AsyncBuilder[ManyGames],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._upgrade = Upgrade(builder)
        self._clock = clock
        self._playing = self._upgrade.poll() or at_hand()

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and nobody sets it
        """Of what plays now."""
        return self._playing.name

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> Results:
        """See `ManyGames.play`. All games of one call are played by one."""
        self._playing = self._upgrade.poll() or self._playing
        since = self._clock()
        results = self._playing.play(seed, first, count, stop)
        self._upgrade.spent += self._clock() - since
        return results

    def prepare(self) -> bool:
        """See `ManyGames.prepare`."""
        return self._upgrade.begin()

    def close(self) -> None:
        """See `ManyGames.close`."""
        self._upgrade.leave()
