"""The engine's games of Rattus Cartus, told as the hand-written game tells its own.

Games are played by the playing build and read off their final states. What leaves no trace there (rats moved by
Flutes, cards given up to Watchtowers, …) is read off the events of the narrating build, which plays the same games
one answer at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from interpreter.backend import make
from interpreter.chance import Stream
from interpreter.event import RawEvent
from interpreter.playout import RandomPlayer
from interpreter.python_playing import PlayingBackend
from ruleset.load import load
from ruleset.lower import lower
from ruleset.program import Program
from ruleset.table import ASKED, ASKING, D_LEAST, D_MOST, D_OPTIONS, D_STATE, STATUS, TableProgram
from tests.yardsticks.rattus_cartus_cards import (
    CLASSES,
    COPIES,
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

PACK = Path(__file__).parents[2] / "content" / "rattus-cartus"

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


@cache
def the_pack() -> Program:
    """The pack, read once; it must have no errors."""
    program = load(PACK).program
    assert program is not None, "the pack has errors: rulewright validate tells them"
    return program


def table_of(players: int, options: Options) -> TableProgram:
    """The pack lowered for a table with these options."""
    chosen = {SELECTION: options.buildings}
    if options.buildings == "listed":
        chosen.update(zip(NUMBERS, map(str, options.copies), strict=True))
    if options.fewest_rats:
        chosen["nobody-survives"] = "fewest-rats"
    return lower(the_pack(), players, chosen)


class Reader:
    """Reads the final states of one table program."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program
        self.seats = program.seats
        self._tracks = {track.key: track for track in program.tracks}
        self._zones = {zone.key: zone for zone in program.zones}

    def per_seat(self, state: list[int], key: str) -> tuple[int, ...]:
        """A track of the seats."""
        address = self._tracks[key].address
        return tuple(state[address : address + self.seats])

    def held(self, state: list[int], key: str) -> list[int]:
        """The cards in a zone; there are none where no rule can reach it."""
        if key not in self._zones:
            return []
        address = self._zones[key].address
        return state[address + 1 : address + 1 + state[address]]

    def definitions(self, state: list[int], *keys: str) -> list[str]:
        """What the cards in some zones are."""
        return [self.program.cards[card].definition for key in keys for card in self.held(state, key)]

    def of_seats(self, zone: str) -> list[str]:
        """The keys of a zone that every seat has."""
        return [f"{zone}/{seat + 1}" for seat in range(self.seats)]

    def hands(self, state: list[int]) -> list[list[int]]:
        """All hands, with the numbers of the hand-written game; one population card is as good as another."""
        return [[CARDS.get(name, 0) for name in self.definitions(state, key)] for key in self.of_seats("hand")]

    def influence(self, state: list[int]) -> list[tuple[list[int], list[int]]]:
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

    def nuns(self, state: list[int]) -> int:
        """The nuns of the Nun row."""
        return sum(int(name.rsplit("-", 1)[1]) for name in self.definitions(state, "nun-row"))

    def points(self, state: list[int]) -> dict[str, list[int]]:
        """The points by award as the hand-written game counts them in this position."""
        classes = [0] * self.seats
        for influence, arrival in self.influence(state):
            add(classes, class_prizes(influence, arrival))
        return points_of(classes, self.hands(state), list(SPECIALS))

    def result(self, state: list[int], decisions: int, events: Counter[str] | None = None) -> Result:
        """A finished game, its scores and winners as the engine has them."""
        happened = events or Counter()
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

    def faults(self, state: list[int], result: Result, options: Options) -> list[str]:
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


def results(program: TableProgram, options: Options, games: int, seed: int) -> Iterator[tuple[Result, list[str]]]:
    """So many games of the playing build, each with its faults."""
    reader, playing = Reader(program), PlayingBackend(program)
    for game in range(games):
        state = playing.start(seed, game)
        decisions = playing.play(state, Stream(seed, game))
        result = reader.result(state, decisions)
        yield result, reader.faults(state, result, options)


def watched_results(program: TableProgram, games: int, seed: int) -> Iterator[Result]:
    """The same games of the narrating build, with what its events tell."""
    reader, narrating = Reader(program), make(program, narrating=True)
    player = RandomPlayer(program)
    for game in range(games):
        state, stream = narrating.start(seed, game), Stream(seed, game)
        events: list[RawEvent] = []
        decisions = 0
        narrating.run(state, events)
        while state[STATUS] == ASKING:
            for seat, slot in enumerate(player.slots):
                if state[slot + D_STATE] == ASKED:
                    decisions += bool(state[slot + D_MOST]) and state[slot + D_LEAST] != state[slot + D_OPTIONS]
                    narrating.answer(state, seat, player.choose(state, seat, stream))
            narrating.run(state, events)
        yield reader.result(state, decisions, happenings(program, events))


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
