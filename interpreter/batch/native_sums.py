"""The sums that native code adds up while it plays, as counts."""

from __future__ import annotations

from array import array

from rulewright.interpreter.backends.native.codegen.counting import SMALL, SUMS
from rulewright.interpreter.batch.native_calls import Calls
from rulewright.interpreter.counting.counts import Counts, Folder, empty_counts, places
from rulewright.interpreter.counting.rows import STRATA, WIDTH, added


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
