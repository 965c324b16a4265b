"""Helpers for tests of the Rattus Cartus yardstick: players, cards, fixed tables."""

from __future__ import annotations

from collections import Counter
from random import Random

from .rattus_cartus_cards import CASTLE, CLASSES, FARM, Options
from .rattus_cartus_game import Game, premium_holder, strength

PEASANT, MERCHANT, MONK, KNIGHT, WITCH, KING = (5 * klass for klass in CLASSES)
A, B, C, D = range(4)

ALL_TYPES = Options("listed", (2, 3, 2, 3, 2, 3))
"""Cards of all twelve types are in the game, and so are all special cards."""


class Fixed(Random):
    """A source whose every number is the same: 0.0 performs each action and takes the first option."""

    def __init__(self, number: float) -> None:
        super().__init__(0)
        self.number = number

    def random(self) -> float:
        return self.number


PERFORM, DECLINE = 0.0, 0.99


def table(players: int, number: float = PERFORM, options: Options = ALL_TYPES) -> Game:
    """Return a table with hands of two cards and every choice fixed."""
    game = Game(players, Random(5), options)
    game.rng = Fixed(number)
    game.hands = [[PEASANT, KING] for _ in range(players)]
    return game


def resolve(game: Game, kind: int, final: bool = False, **cards: list[int]) -> None:
    """Resolve a building of a type for the players A to D named, in the order given."""
    played: list[list[int]] = [[] for _ in range(game.players)]
    entrants = ["ABCD".index(name) for name in cards]
    for seat, committed in zip(entrants, cards.values(), strict=True):
        played[seat] = committed
    counts = [strength(committed) for committed in played]
    game.resolve(kind, entrants, played, counts, premium_holder(entrants, counts), final)


def held(game: Game) -> Counter[int]:
    """Return every hand card there is between rounds, the supply decks included."""
    cards = Counter(game.deck + game.discard + game.nun_row)
    for hand in game.hands:
        cards.update(hand)
    cards.update(game.supplies)
    return cards


class Scripted(Game):
    """A table whose next row, and what is committed to it, are laid down in advance."""

    def script(self, row: list[int], committed: list[list[int]]) -> None:
        self.row, self.committed = row, committed

    def new_row(self) -> list[int]:
        return self.row

    def supply(self, player: int, building: int) -> None:
        pass

    def commit(self, player: int) -> list[int]:
        return self.committed[player]


class Script(Fixed):
    """A source that gives the numbers laid down and then performs every action."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(PERFORM)
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0) if self.numbers else self.number


def two_players(first: int, second: int, committed: list[list[int]], final: bool = False) -> Scripted:
    """Play a round of two in which A, who starts, enters building `first` (Farm 0, Castle 1) and B `second`."""
    game = Scripted(2, Random(5))
    game.start = A
    game.hands = [[PEASANT, KING], [PEASANT, KING]]
    game.script([5 * FARM, 5 * CASTLE], committed)
    game.rng = Script(0.0, 0.0, first / 2, second / 2)
    if final:
        game.building_deck = []
    game.play_round()
    return game
