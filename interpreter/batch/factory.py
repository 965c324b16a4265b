"""The factory of players of many games, by the name of a backend."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any, Generic, TypeVar

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.native.codegen.counting import SMALL, SUMS
from rulewright.interpreter.backends.native.library import BuildError, beside, key_of, load, loaded
from rulewright.interpreter.backends.native.module import (
    CSource,
    NoNativeError,
    compiler,
    counting_source,
    generate_playing,
    playing_source,
    quick_compiler,
)
from rulewright.interpreter.backends.native.toolchain import Compiler
from rulewright.interpreter.backends.policies import Seated, policies
from rulewright.interpreter.batch.batch import GivenUp, ManyGames, Stop, never, stepping_many
from rulewright.interpreter.batch.native_calls import PATIENCE, Calls, GameResults
from rulewright.interpreter.counting import STRATA, WIDTH, Counts, Folder, added, empty_counts, places
from rulewright.ruleset.table.nodes import TableProgram

# ---- The sums that native code adds up while it plays, as counts

class NativeSums:
    """Arrays for the sums of one group of games at a time, and the counts of the groups before it.

    For each place and combination of a few offers and choices there are `SUMS` short sums; after all of these, for
    each place and stratum a row as in `counts`.
    """

    def __init__(self, folder: Folder, calls: Calls) -> None:
        self._folder, self._calls = folder, calls
        self._counts = empty_counts(folder.counted)
        small, large = places(folder.counted) * SMALL, places(folder.counted) * (len(STRATA) + 1)
        others = 1 + sum(map(len, (self._counts.done, self._counts.points, self._counts.owned)))
        self._rows = array("q", bytes(8 * max(1, SUMS * small // 2 + WIDTH * large)))
        self._numbers = array("i", bytes(4 * max(1, small + large)))
        self._others = array("q", bytes(8 * others))
        self._group = -1

    def begin(self, game: int) -> int:
        """Prepare for a game and those after it. Returns how many there are in its group."""
        group, end = self._folder.grouping.of(game), self._folder.grouping.end(game)
        if group != self._group:
            self._take()
            self._group = group
            self._calls.add_to(self._rows, self._numbers, self._others)
        return end - game

    def taken(self) -> Counts:
        """Return what was counted since the last time."""
        self._take()
        self._group = -1
        found, self._counts = self._counts, empty_counts(self._folder.counted)
        return found

    def _take(self) -> None:
        """Move the sums of the group to the counts, and clear them."""
        if self._group < 0:
            return
        counts, data = self._counts, self._calls.take(WIDTH)
        rows = counts.rows.setdefault(self._group, {}) if data else {}
        for start in range(0, len(data), 1 + WIDTH):
            number, row = data[start], data[start + 1 : start + 1 + WIDTH]
            known = rows.get(number)
            rows[number] = row if known is None else added(known, row)
        games, *others = self._others
        counts.games += games
        for sums in (counts.done, counts.points, counts.owned):
            sums[:] = added(sums, others[: len(sums)])
            del others[: len(sums)]
        self._others[:] = array("q", bytes(8 * len(self._others)))


AT_LEAST, AT_MOST = 1, 16_400
"""Games of one call. A call needs a new thread, which costs as much as about 100 games of the fastest table. At the
maximum, a column does not fill whole pages, so the numbers of one game use different sets of the CPU's cache.
"""
_MORE = 8
"""Maximum growth factor of the number of games from one call to the next."""
CALL_SECONDS = 0.03
"""Approximate target duration of a call, in seconds."""


class NativeMany(ManyGames):
    """A player of whole games with a library of the playing module."""

    name = "native"

    def __init__(
        self,
        library: Any,
        codes: Sequence[str],
        addresses: Sequence[int],
        policies: Sequence[array[int] | None] = (),
        folder: Folder | None = None,
    ) -> None:
        self._calls = Calls(library, addresses, policies)
        self._sums = None if folder is None else NativeSums(folder, self._calls)
        self._codes = tuple(codes)
        self._cells = len(addresses)
        self._games = AT_LEAST
        """Of the next call."""

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> GameResults:
        """See `ManyGames.play`. It asks whether to stop after each call, of about `CALL_SECONDS`.

        Calls are made in another thread. This thread asks and handles signals meanwhile, so even a game without end
        can be left.
        """
        columns = [array("i") for _ in range(3 + self._cells)]
        done, sums = 0, self._sums
        try:
            while done < count:
                most = count - done
                if sums is not None:
                    most = min(most, sums.begin(first + done))
                found = self._some(seed, first + done, most, stop)
                for column, more in zip(columns, found, strict=True):
                    column.extend(more)
                done += len(found[0])
                if not found[0] or stop():
                    break
        except GivenUp:
            done = min(map(len, columns))
        faults, places, decisions, *cells = (column[:done] for column in columns)
        counts = None if sums is None else sums.taken()
        return GameResults(first, faults, places, decisions, tuple(cells), self._codes, counts)

    def seat(self, policies: Sequence[array[int] | None]) -> None:
        """Seat bots with other policies for the next games. There must be a policy for the same seats as before."""
        self._calls.seat(policies)

    def _some(self, seed: int, first: int, most: int, stop: Stop) -> list[array[int]]:
        """Return the columns of one call; of fewer games if it was stopped early."""
        games = min(self._games, most)
        began = time.perf_counter()
        found = beside(lambda halt: self._calls.play(seed, first, games, PATIENCE, halt), stop)
        seconds = time.perf_counter() - began
        played = len(found[0])
        self._games = max(AT_LEAST, min(AT_MOST, int(played * min(CALL_SECONDS / max(seconds, 1e-9), _MORE))))
        return found


def native_many(
    program: TableProgram,
    addresses: Sequence[int],
    seated: Seated = (),
    source: CSource | None = None,
    by: Compiler | None = None,
    folder: Folder | None = None,
) -> NativeMany:
    """Make a native player with this machine's compiler; wait for it. Raises NoNativeError or BuildError.

    With `folder`, it plays its program and counts. Tests pass another compiler or another source text.
    """
    if folder is not None:
        program, source = folder.counted.program, source or counting_source(folder.counted)
    source, seats = source or generate_playing(program), policies(program, seated)
    return NativeMany(load(source.text, by or compiler()), source.codes, addresses, seats, folder)



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


# ---- Factory

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
