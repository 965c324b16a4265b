"""Dominion as a plain-Python random playout: the First Game set, 2 to 4 players.

An independent yardstick: it shares nothing with the engine, so that the engine's results can be compared with these
figures statistically, and its speed with this one's. Sections (§), rulings (D) and scenarios (T) cited here and in
the tests are those of the rules reference dominion.md.

Scope: the whole game with the kingdom cards of the set "First games" (§2). The starting player is random. All
Treasures in hand are played, which is no decision; cards go to the discard pile in the order in which they lie, for
nobody may look below its top.

Random policy: every choice is uniform over its distinct options; equal cards are one option. Action phase: a kind
of Action in hand, or to stop. Buy phase: a pile that can be paid, or to stop. Mine, Remodel, Workshop: the kind to
trash, the pile to gain from. Cellar: a number of cards from 0 to the whole hand, then that many cards, each as
likely as any other. Militia: the kind, where one card is too many, else which cards, likewise. Moat: whoever
holds one reveals it or not. A decision with one option is not counted; which of several cards always is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

KINGDOM = (
    "cellar",
    "market",
    "militia",
    "mine",
    "moat",
    "remodel",
    "smithy",
    "village",
    "woodcutter",
    "workshop",
)
COST = {
    "copper": 0, "silver": 3, "gold": 6, "estate": 2, "duchy": 5, "province": 8, "curse": 0,
    "cellar": 2, "market": 5, "militia": 4, "mine": 5, "moat": 2,
    "remodel": 4, "smithy": 4, "village": 3, "woodcutter": 3, "workshop": 3,
}  # fmt: skip
WORTH = {"copper": 1, "silver": 2, "gold": 3}
POINTS = {"estate": 1, "duchy": 3, "province": 6, "curse": -1}
ACTIONS = frozenset(KINGDOM)
START = ("copper",) * 7 + ("estate",) * 3
HAND = 5


def supply_of(players: int) -> dict[str, int]:
    """Return the 17 piles of a table (§2)."""
    victory = 8 if players == 2 else 12
    return {
        "copper": 60 - 7 * players,
        "silver": 40,
        "gold": 30,
        "estate": victory,
        "duchy": victory,
        "province": victory,
        "curse": 10 * (players - 1),
        **dict.fromkeys(KINGDOM, 10),
    }


class Player:
    """One player's cards; the top of a pile is its end."""

    def __init__(self, shuffle: Callable[[list[str]], None]) -> None:
        self.shuffle = shuffle
        self.deck = list(START)
        shuffle(self.deck)
        self.hand: list[str] = []
        self.discard: list[str] = []
        self.in_play: list[str] = []
        self.turns = 0
        self.draw(HAND)

    def draw(self, number: int) -> None:
        """Draw cards; the discard pile is shuffled when the deck is empty and a card is needed (§4.1)."""
        deck, hand = self.deck, self.hand
        while number:
            if not deck:
                if not self.discard:
                    return
                deck = self.reshuffle()
            hand.append(deck.pop())
            number -= 1

    def reshuffle(self) -> list[str]:
        """Make the discard pile the deck."""
        self.deck, self.discard = self.discard, []
        self.shuffle(self.deck)
        return self.deck

    @property
    def cards(self) -> list[str]:
        """All that he owns."""
        return self.deck + self.hand + self.discard + self.in_play

    @property
    def score(self) -> int:
        """His victory points (§6)."""
        return sum(POINTS[card] for card in self.cards if card in POINTS)


class Game:
    """A table. `decisions` counts answers with an alternative."""

    def __init__(self, players: int, rng: Random) -> None:
        if not 2 <= players <= 4:
            raise ValueError(f"Dominion is for 2 to 4 players, not {players}")
        self.rng = rng
        self.random = rng.random
        self.supply = supply_of(players)
        self.trash: list[str] = []
        self.seats = [self.seated() for _ in range(players)]
        self.starter = rng.randrange(players)
        self.decisions = 0
        self.actions = self.buys = self.coins = 0

    def seated(self) -> Player:
        """A player with the starting deck and hand."""
        return Player(self.rng.shuffle)

    # ------------------------------------------------------------------ choosing

    def choose(self, options: Sequence[T]) -> T:
        """Return one of the options, all alike."""
        number = len(options)
        if number == 1:
            return options[0]
        self.decisions += 1
        return options[int(self.random() * number)]

    def some(self, hand: list[str], number: int) -> list[str]:
        """Take so many cards out of a hand, all alike."""
        self.rng.shuffle(hand)
        taken = hand[:number]
        del hand[:number]
        return taken

    def affordable(self, limit: int) -> list[str]:
        """Return the piles that are not empty and cost so much at most."""
        return [card for card, left in self.supply.items() if left and COST[card] <= limit]

    def gain(self, card: str, zone: list[str]) -> None:
        """Move the top of a pile to a zone of a player."""
        self.supply[card] -= 1
        zone.append(card)

    # ------------------------------------------------------------------ the cards (§7)

    def cellar(self, player: Player) -> None:
        self.actions += 1
        most = len(player.hand)
        if most:
            self.decisions += 1
            number = int(self.random() * (most + 1))
            player.discard += self.some(player.hand, number)
            player.draw(number)

    def market(self, player: Player) -> None:
        player.draw(1)
        self.actions += 1
        self.buys += 1
        self.coins += 1

    def militia(self, player: Player) -> None:
        hit = [other for other in self.others(player) if not self.protected(other)]
        self.coins += 2
        for other in hit:
            surplus = len(other.hand) - 3
            if surplus == 1:
                card = self.choose(list(dict.fromkeys(other.hand)))
                other.hand.remove(card)
                other.discard.append(card)
            elif surplus > 0:
                self.decisions += 1
                other.discard += self.some(other.hand, surplus)

    def mine(self, player: Player) -> None:
        treasures = [card for card in WORTH if card in player.hand]
        if treasures:
            old = self.choose(treasures)
            self.discard_for_good(old, player)
            options = [card for card in self.affordable(COST[old] + 3) if card in WORTH]
            if options:
                self.gain(self.choose(options), player.hand)

    def moat(self, player: Player) -> None:
        player.draw(2)

    def remodel(self, player: Player) -> None:
        if player.hand:
            old = self.choose(list(dict.fromkeys(player.hand)))
            self.discard_for_good(old, player)
            options = self.affordable(COST[old] + 2)
            if options:
                self.gain(self.choose(options), player.discard)

    def smithy(self, player: Player) -> None:
        player.draw(3)

    def village(self, player: Player) -> None:
        player.draw(1)
        self.actions += 2

    def woodcutter(self, player: Player) -> None:
        self.buys += 1
        self.coins += 2

    def workshop(self, player: Player) -> None:
        options = self.affordable(4)
        if options:
            self.gain(self.choose(options), player.discard)

    def discard_for_good(self, card: str, player: Player) -> None:
        """Trash a card from the hand."""
        player.hand.remove(card)
        self.trash.append(card)

    def others(self, player: Player) -> list[Player]:
        """Return the others, clockwise from his left."""
        seat = self.seats.index(player)
        return self.seats[seat + 1 :] + self.seats[:seat]

    def protected(self, player: Player) -> bool:
        """Whether he reveals a Moat; all are asked before anything happens (D4)."""
        return "moat" in player.hand and self.choose((True, False))

    # ------------------------------------------------------------------ turns (§3)

    def play_action(self, card: str, player: Player) -> None:
        """Play an Action from the hand."""
        self.actions -= 1
        player.hand.remove(card)
        player.in_play.append(card)
        getattr(self, card)(player)

    def turn(self, player: Player) -> None:
        """Play a whole turn."""
        player.turns += 1
        self.actions, self.buys, self.coins = 1, 1, 0
        while self.actions:
            options: list[str] = [card for card in dict.fromkeys(player.hand) if card in ACTIONS]
            if not options:
                break
            card = self.choose([*options, ""])
            if not card:
                break
            self.play_action(card, player)
        self.coins += sum([WORTH[card] for card in player.hand if card in WORTH])
        while self.buys:
            card = self.choose([*self.affordable(self.coins), ""])
            if not card:
                break
            self.buys -= 1
            self.coins -= COST[card]
            self.gain(card, player.discard)
        player.discard += player.in_play + player.hand
        player.in_play.clear()
        player.hand.clear()
        player.draw(HAND)

    def over(self) -> bool:
        """Whether the Province pile or any three piles are empty (§6)."""
        return not self.supply["province"] or list(self.supply.values()).count(0) >= 3

    def run(self) -> None:
        """Play to the end."""
        seat = self.starter
        self.turn(self.seats[seat])
        while not self.over():
            seat = (seat + 1) % len(self.seats)
            self.turn(self.seats[seat])

    def winners(self) -> list[int]:
        """Return the seats with most points and, of these, fewest turns (§6)."""
        ranks = [(-player.score, player.turns) for player in self.seats]
        best = min(ranks)
        return [seat for seat, rank in enumerate(ranks) if rank == best]


def play(players: int, rng: Random) -> Game:
    """Play one random game to its end, its winners reckoned."""
    game = Game(players, rng)
    game.run()
    game.winners()
    return game


def playouts(players: int, games: int, seed: int) -> list[tuple[int, int]]:
    """Play games, and return turns and decisions of each; what `tools.bench.beside` calls."""
    rng = Random(seed)
    played: Iterable[Game] = (play(players, rng) for _ in range(games))
    return [(sum(player.turns for player in game.seats), game.decisions) for game in played]
