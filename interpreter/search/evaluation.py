"""Evaluate answers by playouts in worlds that the seat cannot tell from the true one.

World number n of a seed is dealt from a stream of its own. All answers are played out in it with the draws of one
other stream, so they have the same chance. Sums are of whole numbers, equal on every machine and backend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from attrs import frozen

from interpreter.search.candidates import Keys
from interpreter.views.decision import Decision
from interpreter.views.knowledge import Knowledge

DEPTH = 1_000
"""Maximum number of questions in a playout, since a game need not end."""
VICTORY = 1_000_000_000
"""The worth of a victory."""
LEAD = VICTORY // 4
"""The most that the lead in points counts."""


@frozen
class Moment:
    """A state, the knowledge of its seats, and the open decision of one of them as that seat sees it."""

    state: Sequence[int]
    knowledge: Knowledge
    decision: Decision


class Searcher(ABC):
    """A way to weigh answers in the games of one table. Results depend on the arguments alone, not on the searcher.

    `name` is the backend that plays games out now: `walker` or `native`.
    """

    name: str

    @abstractmethod
    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        """Return each answer's worth summed over worlds `first` to `first + count - 1`; None if one is missing."""

    def prepare(self) -> bool:
        """Start preparing a faster way, because much will be weighed. Returns whether one is being prepared."""
        return False
