"""Statistics of games of Dominion, by name, for both implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from .dominion import COST, KINGDOM, Game, Player

PLAYED = tuple(f"played_{card}" for card in KINGDOM)
HAPPENINGS = (*PLAYED, "reshuffles", "cellared", "militia_discards", "moats_revealed")
"""What leaves no trace at the end. `cellared` and `militia_discards` count cards."""

ZONES = ("deck", "hand", "discard", "in_play")


class Result(NamedTuple):
    """What one game came to; tuples have one entry per seat, save `winners`, which lists seats.

    `zones` has, of each seat, what is in each of `ZONES`; `happenings` a count for each of `HAPPENINGS`.
    """

    scores: tuple[int, ...]
    turns: tuple[int, ...]
    starter: int
    winners: tuple[int, ...]
    decisions: int
    supply: dict[str, int]
    trash: Counter[str]
    zones: tuple[dict[str, Counter[str]], ...]
    happenings: Mapping[str, int]


class ToldPlayer(Player):
    """A player whose reshuffles are counted; nobody shuffles twice to begin with."""

    reshuffles = 0

    def reshuffle(self) -> list[str]:
        self.reshuffles += 1
        return super().reshuffle()


class ToldGame(Game):
    """A game that counts what leaves no trace."""

    def __init__(self, players: int, rng: Random) -> None:
        self.happenings: Counter[str] = Counter()
        self.discarded = 0
        super().__init__(players, rng)

    def seated(self) -> Player:
        return ToldPlayer(self.rng.shuffle)

    def play_action(self, card: str, player: Player) -> None:
        self.happenings[f"played_{card}"] += 1
        super().play_action(card, player)

    def cellar(self, player: Player) -> None:
        self.discarded = 0
        super().cellar(player)
        self.happenings["cellared"] += self.discarded

    def militia(self, player: Player) -> None:
        self.discarded = 0
        super().militia(player)
        self.happenings["militia_discards"] += self.discarded

    def some(self, hand: list[str], number: int) -> list[str]:
        self.discarded += number
        return super().some(hand, number)

    def protected(self, player: Player) -> bool:
        revealed = super().protected(player)
        self.happenings["moats_revealed"] += revealed
        return revealed


def told(players: int, rng: Random) -> Result:
    """Play one random game by hand and tell what it came to."""
    game = ToldGame(players, rng)
    game.run()
    seats = game.seats
    game.happenings["reshuffles"] = sum(seat.reshuffles for seat in seats if isinstance(seat, ToldPlayer))
    return Result(
        scores=tuple(seat.score for seat in seats),
        turns=tuple(seat.turns for seat in seats),
        starter=game.starter,
        winners=tuple(game.winners()),
        decisions=game.decisions,
        supply=game.supply,
        trash=Counter(game.trash),
        zones=tuple({zone: Counter(getattr(seat, zone)) for zone in ZONES} for seat in seats),
        happenings=game.happenings,
    )


def figures(result: Result) -> dict[str, float]:
    """Return the statistics of one game; those of all seats together are means over the seats."""
    players = len(result.scores)
    owned = [sum(zones.values(), Counter()) for zones in result.zones]
    others = [score for seat, score in enumerate(result.scores) if seat != result.starter]
    best = result.scores.count(max(result.scores))
    values: dict[str, float] = {
        "turns": sum(result.turns),
        "decisions": result.decisions,
        "score": sum(result.scores) / players,
        "highest_score": max(result.scores),
        "lowest_score": min(result.scores),
        "score_starter": result.scores[result.starter],
        "score_others": sum(others) / len(others),
        "win_starter": float(result.starter in result.winners),
        "most_points_shared": float(best > 1),
        "shared_victory": float(len(result.winners) > 1),
        "turns_unequal": float(min(result.turns) < max(result.turns)),
        "provinces_gone": float(not result.supply["province"]),
        "empty_piles": sum(not left for left in result.supply.values()),
        "owned": sum(cards.total() for cards in owned) / players,
        "most_owned": max(cards.total() for cards in owned),
        "trashed": result.trash.total(),
    }
    for zone in ZONES:
        values[zone] = sum(zones[zone].total() for zones in result.zones) / players
    for card in COST:
        values[f"owned_{card}"] = sum(cards[card] for cards in owned) / players
        values[f"empty_{card}"] = float(not result.supply[card])
        values[f"trashed_{card}"] = result.trash[card]
    for name in HAPPENINGS:
        values[name] = result.happenings[name]
    for seat in range(players):
        values[f"start_seat_{seat}"] = float(seat == result.starter)
        values[f"win_seat_{seat}"] = float(seat in result.winners)
        values[f"score_seat_{seat}"] = result.scores[seat]
    return values


def faults(result: Result) -> list[str]:
    """What is wrong with a finished game: points, winners and end reckoned anew, every card in one place (T27)."""
    everything = Counter(result.supply) + result.trash
    points = []
    for zones in result.zones:
        owned = sum(zones.values(), Counter())
        everything += owned
        points.append(owned["estate"] + 3 * owned["duchy"] + 6 * owned["province"] - owned["curse"])
    ranks = [(-score, turns) for score, turns in zip(points, result.turns, strict=True)]
    empty = sum(not left for left in result.supply.values())
    players = len(points)
    found = {
        "scores": tuple(points) == result.scores,
        "winners": tuple(seat for seat in range(players) if ranks[seat] == min(ranks)) == result.winners,
        "end": not result.supply["province"] or empty >= 3,
        "cards": everything == everything_of(players),
        "hands": all(zones["hand"].total() <= 5 and not zones["in_play"] for zones in result.zones),
        "turns": max(result.turns) - min(result.turns) <= 1 and result.turns[result.starter] == max(result.turns),
    }
    return [name for name, right in found.items() if not right]


def everything_of(players: int) -> Counter[str]:
    """All cards of a table: the supply (§2), and 7 Coppers and 3 Estates for each player."""
    victory = 8 if players == 2 else 12
    return Counter(
        dict.fromkeys(KINGDOM, 10),
        copper=60,
        silver=40,
        gold=30,
        estate=victory + 3 * players,
        duchy=victory,
        province=victory,
        curse=10 * (players - 1),
    )
