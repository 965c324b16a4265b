"""The sums that native code adds up while it plays, as counts."""

from __future__ import annotations

from array import array

from interpreter.backends.native.codegen.counting import SMALL, SUMS
from interpreter.batch.native_calls import Calls
from interpreter.counting.counts import FEW, STRATA, WIDTH, Counts, Folder, added, empty_counts, moments, places

_COMBINATIONS = [(offered, chosen) for offered in range(1, FEW + 1) for chosen in range(offered + 1)]
"""Numbers of offers and choices, in the order of their sums."""


class NativeSums:
    """Arrays for the sums of one group of games at a time, and the counts of the groups before it.

    For each place and combination of a few offers and choices there are `SUMS` sums; after all of these, for each
    place and stratum a row as in `counts`.
    """

    def __init__(self, folder: Folder, calls: Calls) -> None:
        self._folder, self._calls = folder, calls
        self._counts = empty_counts(folder.counted)
        self._small = places(folder.counted) * SMALL
        large = places(folder.counted) * (len(STRATA) + 1)
        others = 1 + sum(map(len, (self._counts.done, self._counts.points, self._counts.owned)))
        self._rows = array("q", bytes(8 * max(1, SUMS * self._small + WIDTH * large)))
        self._numbers = array("i", bytes(4 * max(1, self._small + large)))
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
        counts, all_rows = self._counts, self._rows
        rows = counts.rows.setdefault(self._group, {})
        nothing = array("q", bytes(8 * WIDTH))
        for number in self._numbers[: self._calls.rows()]:
            if number < self._small:
                start = number * SUMS
                place, combination = divmod(number, SMALL)
                offered, chosen = _COMBINATIONS[combination]
                games, *measured = all_rows[start : start + SUMS]
                all_rows[start : start + SUMS] = nothing[:SUMS]
                more = moments(games, offered, chosen, measured)
                own = place * (len(STRATA) + 1) + offered - 1
            else:
                own = number - self._small
                start = SUMS * self._small + own * WIDTH
                more = all_rows[start : start + WIDTH].tolist()
                all_rows[start : start + WIDTH] = nothing
            known = rows.get(own)
            rows[own] = more if known is None else added(known, more)
        games, *others = self._others
        counts.games += games
        for sums in (counts.done, counts.points, counts.owned):
            sums[:] = added(sums, others[: len(sums)])
            del others[: len(sums)]
        self._others[:] = array("q", bytes(8 * len(self._others)))
