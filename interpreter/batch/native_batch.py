"""Many games in native code: one call plays whole games between bots and returns their columns."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from typing import Any

from rulewright.interpreter.backends.native.backend import compiler
from rulewright.interpreter.backends.native.codegen.counting import SMALL, SUMS
from rulewright.interpreter.backends.native.library import beside, load
from rulewright.interpreter.backends.native.module import CSource, counting_source, generate_playing
from rulewright.interpreter.backends.native.toolchain import Compiler
from rulewright.interpreter.backends.policies import Seated, policies
from rulewright.interpreter.batch.batch import GivenUp, ManyGames, Stop, never
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
