"""What many games ended with, column by column."""

from __future__ import annotations

from array import array

from attrs import frozen


@frozen
class Results:
    """What games `first`, `first` + 1, … ended with: columns of int32, one number for each game.

    `faults` is 0 for a game that was played to its end; else a rule error stopped it, and 1 + the index of its
    code in `codes`. `places` is then the number of the rule's source, -1 where that is not known; else 0.
    `decisions` are answers with an alternative. `cells` has a column for each address that was asked for. Of a
    game that failed, `decisions` and `cells` are 0.
    """

    first: int
    faults: array[int]
    places: array[int]
    decisions: array[int]
    cells: tuple[array[int], ...]
    codes: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many games these are."""
        return len(self.faults)

    def head(self, count: int) -> Results:
        """The first of them, so many."""
        if count >= self.count:
            return self
        faults, places, decisions, *cells = (
            column[:count] for column in (self.faults, self.places, self.decisions, *self.cells)
        )
        return Results(self.first, faults, places, decisions, tuple(cells), self.codes)
