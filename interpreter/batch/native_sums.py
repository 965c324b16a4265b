"""The sums that native code adds up while it plays, as counts."""

from __future__ import annotations

from array import array

from interpreter.batch.native_calls import Calls
from interpreter.counting.counts import STRATA, WIDTH, Counts, Folder, empty_counts


class NativeSums:
    """Arrays for the sums of one group of games at a time, and the counts of the groups before it."""

    def __init__(self, folder: Folder, calls: Calls) -> None:
        self._folder, self._calls = folder, calls
        counted, uses = folder.counted, folder.counted.uses
        assert uses is not None, "a program that counts decisions"
        self._places = len(uses.uses) * counted.program.seats * (len(STRATA) + 1)
        self._counts = empty_counts(counted)
        others = 1 + sum(map(len, (self._counts.done, self._counts.points, self._counts.owned)))
        self._rows = array("q", bytes(8 * max(1, self._places * WIDTH)))
        self._numbers = array("i", bytes(4 * max(1, self._places)))
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
        counts, nothing = self._counts, array("q", bytes(8 * WIDTH))
        rows = counts.rows.setdefault(self._group, {})
        for number in self._numbers[: self._calls.rows()]:
            place = number * WIDTH
            rows[number] = self._rows[place : place + WIDTH].tolist()
            self._rows[place : place + WIDTH] = nothing
        games, *others = self._others
        counts.games += games
        for sums in (counts.done, counts.points, counts.owned):
            sums[:] = [one + more for one, more in zip(sums, others, strict=False)]
            del others[: len(sums)]
        self._others[:] = array("q", bytes(8 * len(self._others)))
