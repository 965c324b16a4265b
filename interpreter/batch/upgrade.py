"""Switching from the backend at hand to a faster one once it is ready.

Both play game number g alike, and weigh answers alike, so the switch changes only the speed.
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
"""Seconds of play after which a faster backend is likely to pay off."""


class NotBuiltError(Exception):
    """No faster backend will be available; the message is the reason."""


class AsyncBuilder(Protocol[T_co]):
    """A background build of a faster backend."""

    def ready(self) -> T_co | None:
        """Return the faster backend if it is ready, without waiting; else None. Raises NotBuiltError."""
        ...

    def begin(self) -> None:
        """Start making it outside of this process. Each process that wants it calls this once, even if the process
        it was forked from has called it. Raises NotBuiltError.
        """
        ...

    def leave(self) -> None:
        """Stop waiting for it in this process."""
        ...


class Upgrade(Generic[T]):
    """A faster backend in preparation. It is begun on request, or once as much time was spent without it as making
    it may take. A process that was forked meanwhile begins its own.
    """

    def __init__(self, builder: AsyncBuilder[T]) -> None:
        self._builder: AsyncBuilder[T] | None = builder
        self._begun_in = 0
        self.spent = 0.0
        """Seconds."""

    def poll(self) -> T | None:
        """Return the faster backend if it is ready; once it is, there is no need to ask again."""
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
        """Start making it. Returns whether it is being made."""
        if self._builder is not None and self._begun_in != os.getpid():
            try:
                self._builder.begin()
                self._begun_in = os.getpid()
            except NotBuiltError:
                self._builder = None
        return self._builder is not None

    def leave(self) -> None:
        """Stop waiting for it."""
        if self._builder is not None and self._begun_in == os.getpid():
            self._builder.leave()
        self._builder = None


class UpgradingPlayer(ManyGames):
    """A player that uses the result of `at_hand` until a faster backend is ready."""

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
    def name(self) -> str:  # type: ignore[override]  # it changes, and is never set
        """Name of the backend in use now."""
        return self._playing.name

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> Results:
        """See `ManyGames.play`. All games of one call use the same backend."""
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
