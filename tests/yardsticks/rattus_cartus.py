"""Rattus Cartus as a plain-Python random playout: all buildings, all special cards.

An independent yardstick: it shares nothing with the engine, so that the engine's results can be compared
with these figures statistically, and its speed with this one's. Sections (§) and rulings (A) cited below
are those of the rules reference rattus-cartus.md.

Scope: the whole game. All ways of choosing the 30 building cards (§3.1) are in `WAYS`; which of Swords, Flutes,
Safe-conducts and Gold are in the game follows from the 30 cards (§3, step 6). All phases are played (§4 to §7,
two-player premium §7.2, final round §7.4), then points, plague and winner (§8, A29 with both of its readings).

Random policy: every choice is uniform over its options. Buildings, if the players agree on them (§3.1): the
starting player answers for the table, class after class, with five of the ten cards. Supplies (§4.B): one of the
row's cards, alike or not. Turn (§4.C): one of the row's buildings, alike or not, or, for who holds a Safe-conduct,
to play one (an option as likely as each building, however many he holds). Entering: a number of cards from 0 to
those that may be committed, then that many of them. Sword and Flute (§6): one of the tied losers; the cards given.
Action (§7.1): perform or decline; a standard action at a Watchtower is none, so nobody is asked. Hospital: a number
of cards from 0 to what hand, rats and action allow, then that many. Watchtower: which three cards are given. Which
Nun-row cards are looked at changes nothing in play, so it is counted but not drawn. A decision with one possible
answer is not counted: committing out of nothing, giving all cards or none, discarding none of none.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from random import Random
from time import perf_counter

from .rattus_cartus_cards import FIRST_GAME, ROW, WAYS, Options, copies_of
from .rattus_cartus_end import Result
from .rattus_cartus_figures import figures
from .rattus_cartus_game import Game
from .summary import summarise


def play(players: int, rng: Random, options: Options = FIRST_GAME) -> Result:
    """Play one random game of 2 to 5 players."""
    game = Game(players, rng, options)
    while game.building_deck:
        game.play_round()
    return game.result()


def main(arguments: Sequence[str] | None = None) -> None:
    """Play many games and print their statistics as JSON."""
    parser = argparse.ArgumentParser(description="Random playouts of Rattus Cartus.")
    parser.add_argument("-n", "--games", type=int, default=20000, help="number of games, at least 2")
    parser.add_argument("--players", type=int, choices=sorted(ROW), default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--buildings", choices=WAYS, default="first-game", help="how the 30 cards are chosen")
    parser.add_argument(
        "--copies",
        type=copies_of,
        default=FIRST_GAME.copies,
        help="for listed: how many of the five cards of each class are of the first-game type, as 5,3,0,2,5,1",
    )
    parser.add_argument("--fewest-rats", action="store_true", help="fewest rats wins when all are eliminated")
    given = parser.parse_args(arguments)
    if given.games < 2:
        parser.error("at least 2 games are needed for a standard error")

    options = Options(given.buildings, given.copies, given.fewest_rats)
    rng = Random(given.seed)
    began = perf_counter()
    results = [play(given.players, rng, options) for _ in range(given.games)]
    seconds = perf_counter() - began
    report = {
        "games": given.games,
        "players": given.players,
        "seed": given.seed,
        "buildings": given.buildings,
        "games_per_second": round(given.games / seconds, 1),
        "statistics": {
            name: {"mean": round(mean, 5), "se": round(error, 5)}
            for name, (mean, error, _) in summarise([figures(result) for result in results]).items()
        },
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
