"""The engine's games of Coup, in the form of the game written by hand."""

from __future__ import annotations

from array import array
from collections import Counter
from functools import cached_property
from random import Random

from rulewright.ruleset.table.nodes import TableProgram
from tests.yardsticks import coup as plain
from tests.yardsticks import engine
from tests.yardsticks.coup_figures import ACTIONS, HAPPENINGS, Result, faults, figures, told
from tests.yardsticks.engine import Seen
from tests.yardsticks.matches import Contest, Figures

BLOCK = "attempt.reaction/block"
"""The answer that blocks an action, as `tools.simulation.usage` names it."""


class Reader(engine.Reader):
    """Reads the final states of one table program."""

    def result(self, state: array[int], decisions: int, happened: Counter[str]) -> Result:
        """A finished game, its winner as the engine has it."""
        return Result(
            turns=self.per_seat(state, "turns-taken"),
            winners=tuple(seat for seat, won in enumerate(self.per_seat(state, "winner")) if won),
            decisions=decisions,
            coins=self.per_seat(state, "coins"),
            treasury=self.value(state, "treasury"),
            court=Counter(self.definitions(state, "court")),
            influence=tuple(Counter(self.definitions(state, key)) for key in self.of_seats("influence")),
            lost=tuple(Counter(self.definitions(state, key)) for key in self.of_seats("lost")),
            happenings=happened,
        )


def happenings(seen: Seen) -> Counter[str]:
    """Counts of what was seen of a game: `HAPPENINGS`."""
    proven = [numbers[2] for kind, numbers, *_ in seen.events if kind == "proven"]
    counts = Counter(challenges=len(proven), challenges_won=proven.count(0), blocks=seen.chosen[BLOCK])
    for action in ACTIONS:
        counts[f"chosen_{action}"] = seen.chosen[f"action/{action}"]
        counts[f"done_{action}"] = seen.done[f"effect/{action}.effect"]
    return counts


class Match:
    """The basic game; see `matches.Match`."""

    unseen = HAPPENINGS

    def __init__(self, players: int) -> None:
        self.players = players

    @cached_property
    def program(self) -> TableProgram:
        return engine.table_of("coup", self.players)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.program)

    def play(self, chance: Random) -> plain.Game:
        return plain.play(self.players, chance)

    def by_hand(self, chance: Random) -> Figures:
        return figures(told(self.players, chance))

    def read(self, state: array[int], decisions: int, seen: Seen | None) -> Figures:
        return figures(self._reader.result(state, decisions, happenings(seen) if seen else Counter()))

    def faults(self, state: array[int]) -> list[str]:
        return faults(self._reader.result(state, 0, Counter()))


CONTEST = Contest({"basic": Match}, (2, 3, 4, 5, 6))
