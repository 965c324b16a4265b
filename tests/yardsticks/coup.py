"""Coup as a plain-Python random playout: the basic game with five roles, 2 to 6 players.

An independent yardstick: it shares nothing with the engine, so that the engine's results can be compared with these
figures statistically, and its speed with this one's. Sections (§), rulings (C) and scenarios (T) cited here and in
the tests are those of the rules reference coup.md.

Scope: the basic game (§1 to §7) with the Ambassador; no variants. The first seat starts, with 1 coin where two
play. A game ends with the loss that leaves one player (§7): an action that is pending then has no effect.

Random policy: every choice is uniform over its distinct options; equal cards are one option. Turn: each action
that can be paid, those with a target once for each of them. Challenge: each of the others in turn, clockwise from
the claimant, until one does. Block: whoever may, likewise, each claim that blocks, or to pass. Exchange: the
role that is kept, or which two cards, each as likely as any other. Losing an influence: the role. A decision with
one option is not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

ROLES = ("duke", "assassin", "captain", "ambassador", "contessa")
COPIES = 3
COINS = 42
PRICE = {"assassinate": 3, "coup": 7}
CLAIMS = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador"}
BLOCKS = {
    "foreign-aid": ("duke",),
    "assassinate": ("contessa",),
    "steal": ("captain", "ambassador"),
}
FORCED = 10
"""Who has so many coins must launch a Coup (C1)."""
NOBODY = -1
"""The target of an action that has none."""
UNAIMED = tuple((action, NOBODY) for action in ("income", "foreign-aid", "tax", "exchange"))
CLOCKWISE = {
    players: tuple(tuple((seat + step) % players for step in range(1, players)) for seat in range(players))
    for players in range(2, 7)
}
"""By number of players, and of each seat: the others, from the left."""


class Game:
    """A table. `decisions` counts answers with an alternative."""

    def __init__(self, players: int, rng: Random) -> None:
        if players not in CLOCKWISE:
            raise ValueError(f"Coup is for 2 to 6 players, not {players}")
        self.shuffle, self.random = rng.shuffle, rng.random
        self.court = [role for role in ROLES for _ in range(COPIES)]
        self.shuffle(self.court)
        self.influence = [[self.court.pop(), self.court.pop()] for _ in range(players)]
        self.lost: list[list[str]] = [[] for _ in range(players)]
        self.coins = [2] * players
        if players == 2:
            self.coins[0] = 1
        self.treasury = COINS - sum(self.coins)
        self.turns = [0] * players
        self.players = self.alive = players
        self.clockwise = CLOCKWISE[players]
        self.decisions = 0

    # ------------------------------------------------------------------ choosing

    def choose(self, options: Sequence[T]) -> T:
        """Return one of the options, all alike."""
        number = len(options)
        if number == 1:
            return options[0]
        self.decisions += 1
        return options[int(self.random() * number)]

    def others(self, player: int) -> list[int]:
        """Return the living others, clockwise from his left."""
        return [other for other in self.clockwise[player] if self.influence[other]]

    # ------------------------------------------------------------------ coins and cards (§3, C13)

    def take(self, player: int, number: int) -> None:
        """Take coins from the Treasury, as far as there are any."""
        number = min(number, self.treasury)
        self.treasury -= number
        self.coins[player] += number

    def pay(self, player: int, number: int) -> None:
        """Pay coins to the Treasury."""
        self.coins[player] -= number
        self.treasury += number

    def lose(self, player: int) -> None:
        """Turn up one of his cards."""
        held = self.influence[player]
        first = held[0]
        card = self.choose(held) if len(held) > 1 and held[1] != first else first
        held.remove(card)
        self.lost[player].append(card)
        if not held:
            self.alive -= 1

    def replace(self, player: int, role: str) -> None:
        """Put a card that was shown into the court and draw another one (§6)."""
        held = self.influence[player]
        held.remove(role)
        self.court.append(role)
        self.shuffle(self.court)
        held.append(self.court.pop())

    # ------------------------------------------------------------------ claims (§5, §6)

    def refuted(self, claimant: int, role: str) -> bool:
        """Whether somebody challenges a claim with success; whoever is wrong has lost an influence."""
        for other in self.others(claimant):
            if self.choose((False, True)):
                if role not in self.influence[claimant]:
                    self.lose(claimant)
                    return True
                self.replace(claimant, role)
                self.lose(other)
                return False
        return False

    def blocked(self, player: int, action: str, target: int) -> bool:
        """Whether an action is blocked; by its target if it has one (C3), else by anybody, once (C10)."""
        claims = ("", *BLOCKS[action])
        for other in self.others(player) if target == NOBODY else (target,) if self.influence[target] else ():
            role = self.choose(claims)
            if role:
                return not self.refuted(other, role)
        return False

    # ------------------------------------------------------------------ turns (§4, §7)

    def menu(self, player: int) -> list[tuple[str, int]]:
        """Return the actions that he may declare, each with its target."""
        coins, others = self.coins[player], self.others(player)
        if coins >= FORCED:
            return [("coup", other) for other in others]
        options = [*UNAIMED, *[("steal", other) for other in others]]
        if coins >= PRICE["assassinate"]:
            options += [("assassinate", other) for other in others]
        if coins >= PRICE["coup"]:
            options += [("coup", other) for other in others]
        return options

    def declare(self, player: int) -> tuple[str, int]:
        """Choose an action and pay for it."""
        action, target = self.choose(self.menu(player))
        if action in PRICE:
            self.pay(player, PRICE[action])
        return action, target

    def turn(self, player: int) -> None:
        """Play a whole turn."""
        self.turns[player] += 1
        alive = self.alive
        action, target = self.declare(player)
        if action in CLAIMS and self.refuted(player, CLAIMS[action]):
            self.take(player, PRICE.get(action, 0))
        elif not (action in BLOCKS and self.blocked(player, action, target)) and self.alive > 1:
            self.resolve(player, action, target)
        if self.alive < alive:
            self.clear()

    def resolve(self, player: int, action: str, target: int) -> None:
        """Carry an action out; its target may be out already (C5, C6)."""
        if action == "income":
            self.take(player, 1)
        elif action == "foreign-aid":
            self.take(player, 2)
        elif action == "tax":
            self.take(player, 3)
        elif action == "steal":
            number = min(2, self.coins[target])
            self.coins[target] -= number
            self.coins[player] += number
        elif action == "exchange":
            self.exchange(player)
        elif self.influence[target]:
            self.lose(target)

    def exchange(self, player: int) -> None:
        """Draw two cards and keep as many as before."""
        court = self.court
        seen = [*self.influence[player], court.pop(), court.pop()]
        if len(seen) == 3:
            kept = [self.choose(list(dict.fromkeys(seen)))]
        else:
            self.decisions += 1
            self.shuffle(seen)
            kept = seen[2:]
        self.influence[player] = kept
        for role in kept:
            seen.remove(role)
        court += seen
        self.shuffle(court)

    def clear(self) -> None:
        """The coins of those who are out go to the Treasury, at the end of the turn (C5)."""
        for player, held in enumerate(self.influence):
            if not held:
                self.pay(player, self.coins[player])

    def run(self) -> None:
        """Play to the end."""
        player = 0
        while self.alive > 1:
            if self.influence[player]:
                self.turn(player)
            player = (player + 1) % self.players

    def winner(self) -> int:
        """Return the one who has influence left."""
        return next(player for player, held in enumerate(self.influence) if held)


def play(players: int, rng: Random) -> Game:
    """Play one random game to its end."""
    game = Game(players, rng)
    game.run()
    return game


def playouts(players: int, games: int, seed: int) -> list[tuple[int, int]]:
    """Play games, and return turns and decisions of each; what `tools.bench.beside` calls."""
    rng = Random(seed)
    played: Iterable[Game] = (play(players, rng) for _ in range(games))
    return [(sum(game.turns), game.decisions) for game in played]
