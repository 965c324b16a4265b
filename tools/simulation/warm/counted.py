"""What a short simulation played at and counted: like `Batch` and `Tally`, without what they import."""

from __future__ import annotations

from array import array
from collections import Counter

from tools.simulation.sums import Numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.simulation.columns import Failed
    from tools.simulation.tally import Fault
    from tools.simulation.warm.records import Known


class Played:
    """What was played at, as `Batch` has it."""

    def __init__(self, known: Known) -> None:
        self.program = known
        self.seats: tuple[str, ...] = ()
        self.columns = known.columns


class Sums:
    """What was counted, as `Tally` has it, of games that were all played to their ends."""

    def __init__(self, known: Known, columns: Sequence[array[int]]) -> None:
        decisions, *cells = columns
        nothing = [array("i", bytes(4 * len(decisions)))] * known.seats
        wins = cells[: known.winners] or nothing
        scores = cells[known.winners : known.winners + known.scores] or nothing
        won_by = Counter(map(sum, zip(*wins, strict=True)))
        self.games = self.finished = len(decisions)
        self.failures = 0
        self.failed: list[int] = []
        self.faults: dict[Failed, Fault] = {}
        self.decisions = _numbers(decisions)
        self.no_winner = won_by[0]
        self.shared = self.games - won_by[0] - won_by[1]
        self.wins = [sum(column) for column in wins]
        self.scores = [_numbers(column) for column in scores]
        self.cells = [sum(column) for column in cells[known.winners + known.scores :]]


def _numbers(values: Sequence[int]) -> Numbers:
    numbers = Numbers()
    numbers.add_all(values)
    return numbers
