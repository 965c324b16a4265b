"""Many games in native code: one call plays whole games between bots and returns their columns."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from typing import Any

from rulewright.interpreter.backends.native.backend import compiler
from rulewright.interpreter.backends.native.compiler.library import load
from rulewright.interpreter.backends.native.compiler.toolchain import Compiler
from rulewright.interpreter.backends.native.interruptible import beside
from rulewright.interpreter.backends.native.module import Source, counting_source, generate_playing
from rulewright.interpreter.backends.policies.policies import Seated, policies
from rulewright.interpreter.batch.batch import GivenUp, ManyGames, Stop, never
from rulewright.interpreter.batch.native_calls import PATIENCE, Calls
from rulewright.interpreter.batch.native_sums import NativeSums
from rulewright.interpreter.batch.results import Results
from rulewright.interpreter.counting.counts import Folder
from rulewright.ruleset.table.nodes import TableProgram

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

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> Results:
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
        return Results(first, faults, places, decisions, tuple(cells), self._codes, counts)

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
    source: Source | None = None,
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
