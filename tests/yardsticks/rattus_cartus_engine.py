"""The engine's games of Rattus Cartus, in the form of the game written by hand.

What leaves no trace in a final state (rats moved by Flutes, cards given up to Watchtowers, …) is read off events.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from functools import cached_property, partial
from random import Random

from rulewright.interpreter.state.events import RawEvent
from rulewright.ruleset.table.nodes import TableProgram
from tests.yardsticks import engine
from tests.yardsticks import rattus_cartus as plain
from tests.yardsticks.engine import Seen
from tests.yardsticks.matches import Contest, Figures
from tests.yardsticks.rattus_cartus_cards import (
    CLASSES,
    COPIES,
    FIRST_GAME,
    FLUTE,
    GOLD,
    HAPPENINGS,
    JOKER,
    ROW,
    SAFE_CONDUCT,
    SPECIALS,
    SWORD,
    Options,
)
from tests.yardsticks.rattus_cartus_end import Result, add, class_prizes, find_winners, points_of
from tests.yardsticks.rattus_cartus_figures import figures

PACK = "rattus-cartus"

SELECTION = "selection"
"""The pack's option for `Options.buildings`."""

NUMBERS = ("farms", "markets", "monasteries", "castles", "tents", "palaces")
"""The pack's options for `Options.copies`."""

BUILDINGS = (
    "farm",
    "market",
    "monastery",
    "castle",
    "tent",
    "palace",
    "brewery",
    "office",
    "hospital",
    "watchtower",
    "pipers-hut",
    "treasury",
)
"""The pack's names of the building types, in the order of their numbers."""

CARDS = {"joker": JOKER, "sword": SWORD, "flute": FLUTE, "safe-conduct": SAFE_CONDUCT, "gold": GOLD}


def table_of(players: int, options: Options) -> TableProgram:
    """The pack lowered for a table with these options."""
    chosen = {SELECTION: options.buildings}
    if options.buildings == "listed":
        chosen.update(zip(NUMBERS, map(str, options.copies), strict=True))
    if options.fewest_rats:
        chosen["nobody-survives"] = "fewest-rats"
    return engine.table_of(PACK, players, chosen)


class Reader(engine.Reader):
    """Reads the final states of one table program."""

    def hands(self, state: array[int]) -> list[list[int]]:
        """All hands, with the numbers of the hand-written game; one population card is as good as another."""
        return [[CARDS.get(name, 0) for name in self.definitions(state, key)] for key in self.of_seats("hand")]

    def influence(self, state: array[int]) -> list[tuple[list[int], list[int]]]:
        """Per class, in any order, the influence of the seats and when they arrived there."""
        track = self._tracks["influence"]
        classes = track.count // self.seats
        return [
            (
                [state[track.address + seat * classes + number] for seat in range(self.seats)],
                [state[track.arrival + seat * classes + number] for seat in range(self.seats)],
            )
            for number in range(classes)
        ]

    def nuns(self, state: array[int]) -> int:
        """The nuns of the Nun row."""
        return sum(int(name.rsplit("-", 1)[1]) for name in self.definitions(state, "nun-row"))

    def points(self, state: array[int]) -> dict[str, list[int]]:
        """The points by award as the hand-written game counts them in this position."""
        classes = [0] * self.seats
        for influence, arrival in self.influence(state):
            add(classes, class_prizes(influence, arrival))
        return points_of(classes, self.hands(state), list(SPECIALS))

    def result(self, state: array[int], decisions: int, happened: Counter[str]) -> Result:
        """A finished game, its scores and winners as the engine has them."""
        influence = [points for points, _ in self.influence(state)]
        return Result(
            scores=self.per_seat(state, "score"),
            rats=self.per_seat(state, "rats"),
            nuns=self.nuns(state),
            eliminated=tuple(not alive for alive in self.per_seat(state, "in-game")),
            winners=tuple(seat for seat, won in enumerate(self.per_seat(state, "winner")) if won),
            rounds=len(self.held(state, "used")) // ROW[self.seats],
            decisions=decisions,
            reshuffles=happened["reshuffles"],
            tokens=tuple(len(self.held(state, key)) for key in self.of_seats("tokens")),
            influence=tuple(map(sum, zip(*influence, strict=True))),
            hand=tuple(len(self.held(state, key)) for key in self.of_seats("hand")),
            points=self.points(state),
            happenings={name: happened[name] for name in HAPPENINGS},
        )

    def faults(self, state: array[int], result: Result, options: Options) -> list[str]:
        """What is wrong with a finished game: reckoned anew by hand, and by the invariants of S28."""
        scores = list(result.tokens)
        for prizes in result.points.values():
            add(scores, prizes)
        eliminated = [rats > result.nuns for rats in result.rats]
        winners = find_winners(scores, list(result.rats), eliminated, options.fewest_rats)
        where = ("deck", "discard", "nun-row", *self.of_seats("hand"), *self.of_seats("committed"))
        population = sum(name not in CARDS for name in self.definitions(state, *where))
        used = Counter(self.definitions(state, "used", "reserve", "row", "building-deck"))
        numbers = [used[name] for name in BUILDINGS]
        of_class = [numbers[klass] + numbers[klass + 6] for klass in CLASSES]
        demanded = {"first-game": (COPIES,) * 6, "listed": options.copies}.get(options.buildings)
        found = {
            "scores": tuple(scores) == result.scores,
            "eliminated": tuple(eliminated) == result.eliminated,
            "winners": winners == result.winners,
            "population": population == 84,
            "buildings": of_class == [COPIES] * 6 and used.total() == 30,
            "first types": demanded is None or tuple(numbers[:6]) == demanded,
            "whole types": options.buildings != "types-drawn" or set(numbers) == {0, COPIES},
        }
        return [name for name, right in found.items() if not right]


def happenings(program: TableProgram, events: Iterable[RawEvent]) -> Counter[str]:
    """Counts of what the events of a game tell: `HAPPENINGS`, and `reshuffles`."""
    counts: Counter[str] = Counter()
    zones = [zone.zone for zone in program.zones]
    rats = next(number for number, track in enumerate(program.tracks) if track.key == "rats")
    effect = ""
    for kind, numbers, cards, _, _, at in events:
        if kind == "reached":
            effect = ""
        elif kind == "performed":
            effect = program.sources[at].name.removeprefix("effect/").rsplit(".", 1)[0]
        elif kind == "shuffled":
            counts["reshuffles"] += zones[numbers[0]] == "deck"
        elif kind == "changed" and effect == "flute":
            counts["flute_rats"] += numbers[0] == rats and numbers[2] > 0
        elif kind == "moved":
            origin, target = zones[numbers[0]], zones[numbers[1]]
            if effect == "hospital" and origin == "hand":
                counts["treated"] += len(cards)
            elif effect == "watchtower" and origin == target == "hand":
                counts["extorted"] += len(cards)
            elif effect == "brewery" and target == "hand":
                counts["brewed"] += len(cards)
            elif origin == "hand" and target == "supply":
                counts["postponed"] += len(cards)
    counts["reshuffles"] -= 1  # the one at the start
    return counts


class Match:
    """A table with these options; see `matches.Match`."""

    unseen = ("reshuffles", *HAPPENINGS)

    def __init__(self, options: Options, players: int) -> None:
        self.options, self.players = options, players

    @cached_property
    def program(self) -> TableProgram:
        return table_of(self.players, self.options)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.program)

    def play(self, chance: Random) -> Result:
        return plain.play(self.players, chance, self.options)

    def by_hand(self, chance: Random) -> Figures:
        return figures(self.play(chance))

    def read(self, state: array[int], decisions: int, seen: Seen | None) -> Figures:
        happened = happenings(self.program, seen.events) if seen else Counter[str]()
        return figures(self._reader.result(state, decisions, happened))

    def faults(self, state: array[int]) -> list[str]:
        return self._reader.faults(state, self._reader.result(state, 0, Counter()), self.options)


TABLES = {
    "first-game": FIRST_GAME,
    "listed": Options("listed", (3, 2, 1, 4, 2, 3), fewest_rats=True),
    "second-set": Options("listed", (0,) * 6),
    "agreed": Options("agreed"),
    "types-drawn": Options("types-drawn"),
    "cards-drawn": Options("cards-drawn", fewest_rats=True),
}
CONTEST = Contest({name: partial(Match, options) for name, options in TABLES.items()}, (2, 3, 4, 5))
