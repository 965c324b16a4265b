"""Many games by native code: whole games between bots in one call, which gives their columns."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from typing import Any

from interpreter.many import ManyGames, Results, Stop, never
from interpreter.native.backend import compiler
from interpreter.native.calls import PATIENCE, Calls
from interpreter.native.library import load
from interpreter.native.maker import LibraryMaker
from interpreter.native.module import Source, generate_playing, playing_source
from interpreter.native.toolchain import Compiler
from interpreter.policies import Seated, policies
from ruleset.table import TableProgram

AT_LEAST, AT_MOST = 1, 4096
"""Games of one call."""
_MORE = 8
"""Times as many games, or as much patience, the next time."""
CALL_SECONDS = 0.03
"""A call is to take about so long, since nothing can stop it."""


class NativeMany(ManyGames):
    """Plays whole games by a library of the playing module."""

    name = "native"

    def __init__(
        self,
        library: Any,
        codes: Sequence[str],
        addresses: Sequence[int],
        policies: Sequence[array[int] | None] = (),
    ) -> None:
        self._calls = Calls(library, addresses, policies)
        self._codes = tuple(codes)
        self._cells = len(addresses)
        self._games = AT_LEAST
        """Of the next call."""

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> Results:
        """See `ManyGames.play`. It asks whether to stop between calls, of about `CALL_SECONDS` each.

        A game that one call could not end is begun again with more patience, so that even one without end can
        be left.
        """
        columns = [array("i") for _ in range(3 + self._cells)]
        done, patience = 0, PATIENCE
        while done < count:
            games = min(self._games, count - done)
            began = time.perf_counter()
            found = self._calls.play(seed, first + done, games, patience)
            seconds = time.perf_counter() - began
            played = len(found[0])
            for column, more in zip(columns, found, strict=True):
                column.extend(more)
            done += played
            patience = PATIENCE if played else patience * _MORE
            self._games = max(AT_LEAST, min(AT_MOST, int(played * min(CALL_SECONDS / max(seconds, 1e-9), _MORE))))
            if stop():
                break
        faults, places, decisions, *cells = columns
        return Results(first, faults, places, decisions, tuple(cells), self._codes)


def native_many(
    program: TableProgram,
    addresses: Sequence[int],
    seated: Seated = (),
    source: Source | None = None,
    by: Compiler | None = None,
) -> NativeMany:
    """Native code, whatever it takes to make it, by this machine's compiler. Raises NoNativeError or BuildError.

    Another compiler, and another text than the generator's, are for tests.
    """
    source, seats = source or generate_playing(program), policies(program, seated)
    return NativeMany(load(source.text, by or compiler()), source.codes, addresses, seats)


class NativeMaker(LibraryMaker[ManyGames]):
    """Makes the library that plays the games of a table."""

    def __init__(self, program: TableProgram, addresses: Sequence[int], seated: Seated = ()) -> None:
        seats = policies(program, seated)
        super().__init__(
            lambda: playing_source(program),
            lambda library, codes: NativeMany(library, codes, addresses, seats),
        )
