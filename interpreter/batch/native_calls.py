"""Call the library that plays whole games, with few imports for a quick start.

This module imports little: short simulations start with it.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulewright.interpreter.backends.native.library import beside

if TYPE_CHECKING:
    from rulewright.interpreter.counting import Counts


@frozen
class GameResults:
    """Results of games `first`, `first` + 1, …: columns of int32 with one number for each game.

    `faults` is 0 for a finished game. Else a rule error stopped it: `faults` is 1 + the index of its code in
    `codes`, and `places` the number of the rule's source, or -1 if unknown. `places` is 0 for finished games.
    `decisions` counts answers with an alternative. `cells` has a column for each requested address. For a failed
    game, `decisions` and `cells` are 0. `counts` are those of all finished games, if decisions were counted.
    """

    first: int
    faults: array[int]
    places: array[int]
    decisions: array[int]
    cells: tuple[array[int], ...]
    codes: tuple[str, ...]
    counts: Counts | None = None

    @property
    def count(self) -> int:
        """Number of games."""
        return len(self.faults)

    def head(self, count: int) -> GameResults:
        """Return the results of the first `count` games, without counts, which cannot be divided."""
        if count >= self.count:
            return self
        faults, places, decisions, *cells = (
            column[:count] for column in (self.faults, self.places, self.decisions, *self.cells)
        )
        return GameResults(self.first, faults, places, decisions, tuple(cells), self.codes)


_MASK_64 = 2**64 - 1
PATIENCE = 20_000
"""Decisions and units of fuel, about a millisecond's worth, after which a call ends unless it can be halted."""


class Calls:
    """A player of games of one table, in one thread. It reports the cells at `addresses` at the end of each game.

    `policies` are the policies of bots, encoded by `interpreter.backends.policies`; a seat without one
    plays at random.
    """

    def __init__(self, library: Any, addresses: Sequence[int], policies: Sequence[array[int] | None] = ()) -> None:
        self._library = library
        self._game = ctypes.create_string_buffer(library.rw_size_of_game())
        self._cells = len(addresses)
        self._addresses = (ctypes.c_int * max(len(addresses), 1))(*addresses)
        self.seat(policies)

    def add_to(self, rows: array[int], numbers: array[int], others: array[int]) -> None:
        """Add up the counts of the next games in these arrays: see `rw_add_to` in `counting.c`."""
        self._sums = (
            (ctypes.c_longlong * len(rows)).from_buffer(rows),
            (ctypes.c_int * len(numbers)).from_buffer(numbers),
            (ctypes.c_longlong * len(others)).from_buffer(others),
        )
        """Kept alive, since the library writes to them."""
        self._library.rw_add_to(self._game, *self._sums)

    def take(self, width: int) -> list[int]:
        """Return the rows that are not zero, one after the other: its number, and `width` sums. Clear them."""
        count = self._library.rw_gather(self._game)
        rows = array("q", bytes(8 * (1 + width) * max(1, count)))
        self._library.rw_take_rows(self._game, (ctypes.c_longlong * len(rows)).from_buffer(rows))
        return rows[: count * (1 + width)].tolist()

    def seat(self, policies: Sequence[array[int] | None]) -> None:
        """Seat bots with other policies for the next games. There must be a policy for the same seats as before."""
        self._policies = [
            (seat, (ctypes.c_int * len(policy)).from_buffer(policy))
            for seat, policy in enumerate(policies)
            if policy is not None
        ]
        """Kept alive, since the library reads them in place."""
        for seat, cells in self._policies:
            self._library.rw_seat(self._game, seat, cells)

    def play(
        self, seed: int, first: int, games: int, patience: int = PATIENCE, halt: Any = None
    ) -> list[array[int]]:
        """Play games `first` to `first + games - 1` to their ends.

        Returns columns with a number for each game: rule error or 0, its source, decisions, then one for each
        address. They are shorter if the call ended early and left a game unfinished. Without `halt`, it ends after
        `patience` decisions and units of fuel of all the games. With `halt`, a `ctypes.c_int` that another thread
        may set, it ends only once that is not 0.
        """
        width = 3 + self._cells
        out = array("i", bytes(4 * games * width))
        played = self._library.rw_play_many(
            self._game,
            ctypes.c_uint64(seed & _MASK_64),
            ctypes.c_uint64(first),
            games,
            ctypes.c_longlong(patience),
            None if halt is None else ctypes.byref(halt),
            self._addresses,
            self._cells,
            (ctypes.c_int * len(out)).from_buffer(out),
        )
        return [out[number * games : number * games + played] for number in range(width)]

    def play_within(self, seed: int, first: int, games: int, seconds: float) -> list[array[int]]:
        """Play as `play` does, limited only by time and by signals that raise an exception.

        The library plays in a thread of its own, since no signal is handled while this thread is inside it.
        """
        return beside(lambda halt: self.play(seed, first, games, PATIENCE, halt), seconds=seconds)
