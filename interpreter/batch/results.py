"""Results of many games, as columns."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from rulewright.interpreter.counting.counts import Counts


@frozen
class Results:
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

    def head(self, count: int) -> Results:
        """Return the results of the first `count` games, without counts, which cannot be divided."""
        if count >= self.count:
            return self
        faults, places, decisions, *cells = (
            column[:count] for column in (self.faults, self.places, self.decisions, *self.cells)
        )
        return Results(self.first, faults, places, decisions, tuple(cells), self.codes)
