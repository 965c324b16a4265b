"""Statistics of games of Coup, by name, for both implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from .coup import CLAIMS, COINS, COPIES, ROLES, Game

ACTIONS = ("income", "foreign-aid", "coup", *CLAIMS)
HAPPENINGS = (
    *(f"chosen_{action}" for action in ACTIONS),
    *(f"done_{action}" for action in ACTIONS),
    "blocks",
    "challenges",
    "challenges_won",
)
"""What leaves no trace at the end: actions that were chosen where there was another one, and that were carried out;
claims that blocked; challenges, and those of false claims."""


class Result(NamedTuple):
    """What one game came to; tuples have one entry per seat. `happenings` has a count for each of `HAPPENINGS`."""

    turns: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    coins: tuple[int, ...]
    treasury: int
    court: Counter[str]
    influence: tuple[Counter[str], ...]
    lost: tuple[Counter[str], ...]
    happenings: Mapping[str, int]


class ToldGame(Game):
    """A game that counts what leaves no trace."""

    def __init__(self, players: int, rng: Random) -> None:
        super().__init__(players, rng)
        self.happenings: Counter[str] = Counter()
        self.active = 0

    def declare(self, player: int) -> tuple[str, int]:
        self.active, before = player, self.decisions
        action, target = super().declare(player)
        self.happenings[f"chosen_{action}"] += self.decisions - before
        return action, target

    def resolve(self, player: int, action: str, target: int) -> None:
        self.happenings[f"done_{action}"] += 1
        super().resolve(player, action, target)

    def refuted(self, claimant: int, role: str) -> bool:
        before = self.losses
        refuted = super().refuted(claimant, role)
        self.happenings["challenges"] += self.losses - before
        self.happenings["challenges_won"] += refuted
        self.happenings["blocks"] += claimant != self.active
        return refuted

    @property
    def losses(self) -> int:
        """How many influences are lost; each challenge costs one."""
        return sum(map(len, self.lost))


def told(players: int, rng: Random) -> Result:
    """Play one random game by hand and tell what it came to."""
    game = ToldGame(players, rng)
    game.run()
    return Result(
        turns=tuple(game.turns),
        winners=(game.winner(),),
        decisions=game.decisions,
        coins=tuple(game.coins),
        treasury=game.treasury,
        court=Counter(game.court),
        influence=tuple(map(Counter, game.influence)),
        lost=tuple(map(Counter, game.lost)),
        happenings=game.happenings,
    )


def figures(result: Result) -> dict[str, float]:
    """Return the statistics of one game."""
    (winner,) = result.winners
    values: dict[str, float] = {
        "turns": sum(result.turns),
        "rounds": max(result.turns),
        "decisions": result.decisions,
        "treasury": result.treasury,
        "winner_coins": result.coins[winner],
        "winner_influence": result.influence[winner].total(),
        "winner_turns": result.turns[winner],
        "last_winner": float(result.turns[winner] == max(result.turns)),
    }
    for role in ROLES:
        values[f"winner_has_{role}"] = float(role in result.influence[winner])
        values[f"lost_{role}"] = sum(cards[role] for cards in result.lost)
        values[f"court_{role}"] = result.court[role]
    for name in HAPPENINGS:
        values[name] = result.happenings[name]
    for seat, turns in enumerate(result.turns):
        values[f"win_seat_{seat}"] = float(seat == winner)
        values[f"turns_seat_{seat}"] = turns
    return values


def faults(result: Result) -> list[str]:
    """What is wrong with a finished game: one player is left, and cards and coins are all there (§3)."""
    players = len(result.turns)
    left = tuple(seat for seat, cards in enumerate(result.influence) if cards)
    everything = sum((*result.influence, *result.lost), result.court)
    found = {
        "winner": len(left) == 1 and left == result.winners,
        "cards": everything == Counter(dict.fromkeys(ROLES, COPIES)),
        "court": result.court.total() == len(ROLES) * COPIES - 2 * players,
        "coins": sum(result.coins) + result.treasury == COINS and min(*result.coins, result.treasury) >= 0,
        "coins of who is out": not any(coins for seat, coins in enumerate(result.coins) if seat not in left),
    }
    return [name for name, right in found.items() if not right]
