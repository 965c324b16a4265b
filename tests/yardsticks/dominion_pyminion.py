"""Dominion as the package `pyminion` 0.4.0 plays it, driven at random by the policy of `dominion.py`.

It comes with `pip install 'rulewright[bench]'`; `tools.bench.beside` plays it next to the engine:

    python -m rulewright.tools.bench.beside dominion --option kingdom=first-games --option treasures=all
        --turns turns-taken --beside tests/yardsticks/dominion_pyminion.py:playouts 1.5
        --beside tests/yardsticks/dominion.py:playouts 0.3

What it has of the second edition is driven as the first edition goes, or replaced by means of its own classes:

- Mine may trash: here it always does, of a Treasure in hand.
- There is no Woodcutter; `_kingdom` has one.
- A Remodel that is the last card of a hand breaks off with an AssertionError; here it does nothing.
- A Moat in hand is asked about as often as there are copies of it; here once.

Two differences remain, and change nothing that is counted: Militia gives its coins before Moats are revealed, and
Remodel and Mine choose what to gain before the old card has reached the trash. Importing `pyminion` makes the root
logger take messages of level INFO, which costs it more than half its speed for a log that nobody reads: off here.
All else is as `pyminion` does it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from random import random, sample, seed
from typing import Any, TypeVar

T = TypeVar("T")


class RandomDecider:
    """Answers all that the First Game set asks; `decisions` counts answers with an alternative.

    The methods and their arguments are those of `pyminion.decider.Decider`.
    """

    def __init__(self) -> None:
        self.decisions = 0

    def choose(self, options: Sequence[T]) -> T:
        """Return one of the options, all alike."""
        if len(options) == 1:
            return options[0]
        self.decisions += 1
        return options[int(random() * len(options))]

    def action_phase_decision(self, valid_actions: list[Any], player: Any, game: Any) -> Any:
        return self.choose([*dict.fromkeys(valid_actions), None])

    def treasure_phase_decision(self, valid_treasures: list[Any], player: Any, game: Any) -> list[Any]:
        return valid_treasures

    def buy_phase_decision(self, valid_cards: list[Any], player: Any, game: Any) -> Any:
        return self.choose([*valid_cards, None])

    def binary_decision(self, prompt: str, card: Any, player: Any, game: Any, relevant_cards: Any = None) -> bool:
        return self.choose((True, False))

    def discard_decision(
        self,
        prompt: str,
        card: Any,
        valid_cards: list[Any],
        player: Any,
        game: Any,
        min_num_discard: int = 0,
        max_num_discard: int = -1,
    ) -> list[Any]:
        """A number from the least to the most (-1 is all), then so many cards; a kind, where it is always one."""
        if min_num_discard == max_num_discard == 1:
            return [self.choose(list(dict.fromkeys(valid_cards)))]
        most = len(valid_cards) if max_num_discard < 0 else max_num_discard
        self.decisions += min_num_discard < len(valid_cards)
        return sample(valid_cards, min_num_discard + int(random() * (most - min_num_discard + 1)))

    def trash_decision(
        self,
        prompt: str,
        card: Any,
        valid_cards: list[Any],
        player: Any,
        game: Any,
        min_num_trash: int = 0,
        max_num_trash: int = -1,
    ) -> list[Any]:
        """One kind of card, also where `pyminion` allows none."""
        return [self.choose(list(dict.fromkeys(valid_cards)))]

    def gain_decision(
        self,
        prompt: str,
        card: Any,
        valid_cards: list[Any],
        player: Any,
        game: Any,
        min_num_gain: int = 0,
        max_num_gain: int = -1,
    ) -> list[Any]:
        return [self.choose(valid_cards)]


@cache
def _kingdom() -> list[Any]:
    """The ten cards of the First Game set."""
    from pyminion.core import Action, CardType
    from pyminion.expansions import base

    class Woodcutter(Action):
        """+1 Buy, +2 Coins."""

        def play(self, player: Any, game: Any, generic_play: bool = True) -> None:
            if generic_play:
                self.generic_play(player)
            player.state.buys += 1
            player.state.money += 2

    class Remodel(base.Remodel):
        """Does nothing if nothing can be trashed."""

        def play(self, player: Any, game: Any, generic_play: bool = True) -> None:
            if player.hand.cards == [self]:
                self.generic_play(player)
            else:
                super().play(player, game, generic_play)

    return [
        base.cellar,
        base.market,
        base.militia,
        base.mine,
        base.moat,
        Remodel(),
        base.smithy,
        base.village,
        Woodcutter("Woodcutter", 3, (CardType.Action,), money=2),
        base.workshop,
    ]


@cache
def _seat() -> Any:
    """The class of players; its Moats are asked about once."""
    from pyminion.bots.bot import Bot

    class Seat(Bot):
        def is_attacked(self, player: Any, attack_card: Any, game: Any) -> bool:
            held = next((card for card in self.hand.cards if card.name == "Moat"), None)
            return held is None or not self.decider.binary_decision("", held, self, game, [attack_card])

    return Seat


def play(players: int) -> tuple[int, int]:
    """Play one random game; return how many turns and decisions there were."""
    from pyminion.game import Game

    decider, kingdom, seat = RandomDecider(), _kingdom(), _seat()
    seats = [seat(decider, f"seat {number}") for number in range(players)]
    game = Game(seats, [kingdom], kingdom_cards=list(kingdom), log_stdout=False)
    game.play()
    return sum(seat.turns for seat in seats), decider.decisions


def playouts(players: int, games: int, first: int) -> list[tuple[int, int]]:
    """Play games from this seed on, and return turns and decisions of each; `tools.bench.beside` calls it."""
    logger = logging.getLogger()
    level = logger.level
    import pyminion  # noqa: F401 - before the level is set

    logger.setLevel(logging.WARNING)
    seed(first)
    try:
        return [play(players) for _ in range(games)]
    finally:
        logger.setLevel(level)
