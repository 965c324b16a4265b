"""The engine's games of Dominion, in the form of the game written by hand."""

from __future__ import annotations

from array import array
from collections import Counter
from functools import cached_property
from random import Random

from rulewright.ruleset.table.nodes import TableProgram
from tests.yardsticks import dominion as plain
from tests.yardsticks import engine
from tests.yardsticks.dominion_figures import HAPPENINGS, ZONES, Result, faults, figures, told
from tests.yardsticks.engine import Seen
from tests.yardsticks.matches import Contest, Figures

OPTIONS = {"kingdom": "first-games", "treasures": "all"}
DISCARDS = {"effect/cellar.play": "cellared", "effect/militia.attack": "militia_discards"}
"""Effects that discard from a hand, and what their cards are counted as."""


class Reader(engine.Reader):
    """Reads the final states of one table program."""

    def result(self, state: array[int], decisions: int, happened: Counter[str]) -> Result:
        """A finished game, its scores and winners as the engine has them."""
        return Result(
            scores=self.per_seat(state, "score"),
            turns=self.per_seat(state, "turns-taken"),
            starter=self.value(state, "starting-player"),
            winners=tuple(seat for seat, won in enumerate(self.per_seat(state, "winner")) if won),
            decisions=decisions,
            supply={card: len(self.held(state, f"supply/{card}")) for card in plain.COST},
            trash=Counter(self.definitions(state, "trash")),
            zones=tuple(
                {zone: Counter(self.definitions(state, f"{zone.replace('_', '-')}/{seat + 1}")) for zone in ZONES}
                for seat in range(self.seats)
            ),
            happenings=happened,
        )


def happenings(program: TableProgram, seen: Seen) -> Counter[str]:
    """Counts of what was seen of a game: `HAPPENINGS`."""
    counts: Counter[str] = Counter()
    zones = [zone.zone for zone in program.zones]
    under_way = ""
    for kind, numbers, cards, _, _, at in seen.events:
        if kind in ("reached", "performed"):
            under_way = program.sources[at].name
        elif kind == "shuffled":
            counts["reshuffles"] += zones[numbers[0]] == "deck"
        elif kind == "moved" and zones[numbers[0]] == "hand":
            target = zones[numbers[1]]
            if target == "in-play":
                played = [program.cards[card].definition for card in cards]
                counts.update(f"played_{card}" for card in played if card in plain.ACTIONS)
            elif target == "discard" and under_way in DISCARDS:
                counts[DISCARDS[under_way]] += len(cards)
    counts["reshuffles"] -= program.seats  # those at the start
    counts["moats_revealed"] = seen.done["effect/moat.reaction"]
    return counts


class Match:
    """The First Game set; see `matches.Match`."""

    unseen = HAPPENINGS

    def __init__(self, players: int) -> None:
        self.players = players

    @cached_property
    def program(self) -> TableProgram:
        return engine.table_of("dominion", self.players, OPTIONS)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.program)

    def play(self, chance: Random) -> plain.Game:
        return plain.play(self.players, chance)

    def by_hand(self, chance: Random) -> Figures:
        return figures(told(self.players, chance))

    def read(self, state: array[int], decisions: int, seen: Seen | None) -> Figures:
        happened = happenings(self.program, seen) if seen else Counter[str]()
        return figures(self._reader.result(state, decisions, happened))

    def faults(self, state: array[int]) -> list[str]:
        return faults(self._reader.result(state, 0, Counter()))


CONTEST = Contest({"first-games": Match}, (2, 3, 4))
