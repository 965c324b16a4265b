"""Rattus Cartus, first-game set, as a plain-Python random playout for 2 to 5 players.

An independent yardstick: it shares nothing with the engine, so that the engine's results can be compared
with these figures statistically, and its speed with this one's. Sections (§) and rulings (A) cited below
are those of the rules reference rattus-cartus.md.

Scope: the first-game set of §3.1 (Farm, Market, Monastery, Castle, Fortune-teller's Tent and Palace, five
copies each), so the only supply decks are jokers and Swords (§3, step 6), and every hand card may be
committed (§4.C). All phases are played (§4 to §7, two-player premium §7.2, final round §7.4), then points,
plague and winner (§8, with A29's default: nobody wins if all are eliminated).

Random policy: every choice is uniform over its options. Supplies (§4.B): one of the row's cards, alike or
not. Entering (§4.C): one of the row's buildings, then a number of cards from 0 to the hand size, then that
many cards of the hand. Sword (§6.1): one of the tied losers; the cards given. Action (§7.1): perform or
decline. Which Nun-row cards are looked at changes nothing in play, so it is counted but not drawn.

Cards are small ints. A population card is ``5 * class + nuns``, a building card ``5 * class + copy - 1``:
the set has exactly one building type per class, so the class also stands for the type. Decks are lists
whose end is the top.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from math import sqrt
from random import Random
from time import perf_counter
from typing import NamedTuple

# The six classes (§1), named after the building of the first-game set that belongs to each (§7.3).
FARM, MARKET, MONASTERY, CASTLE, TENT, PALACE = CLASSES = range(6)

# Hand cards without a class: everything from JOKER upwards is not a population card.
JOKER, SWORD = 30, 35

NUNS_PER_CLASS = (4,) * 4 + (3,) * 2 + (2,) * 2 + (1,) * 2 + (0,) * 4  # A4
POPULATION = tuple(5 * klass + nuns for klass in CLASSES for nuns in NUNS_PER_CLASS)
BUILDINGS = tuple(range(30))

# Supply actions by copy, as (draw, rats, look): §11.
SUPPLIES = ((4, 0, 0), (2, 1, 0), (2, 0, 1), (0, 2, 0), (0, 1, 1))

RESERVE = {2: 10, 3: 12, 4: 6, 5: 6}  # §3, step 8
ROW = {2: 2, 3: 2, 4: 3, 5: 3}

# Supplies of §2; the VP tokens are worth 1 each (A2).
JOKERS, SWORDS, VP_TOKENS = 15, 12, 20
STARTING_RATS, HAND, NUN_ROW = 10, 5, 5


class Result(NamedTuple):
    """What one game came to; tuples have one entry per seat, save `winners`, which lists seats."""

    scores: tuple[int, ...]
    rats: tuple[int, ...]
    nuns: int
    eliminated: tuple[bool, ...]
    winners: tuple[int, ...]
    rounds: int
    decisions: int
    reshuffles: int
    tokens: tuple[int, ...]


class Game:
    """The table: decks, hands, markers, and the counts reported at the end."""

    def __init__(self, players: int, rng: Random) -> None:
        """Set the table up (§3)."""
        self.rng = rng
        self.players = players
        self.influence = [[0] * players for _ in CLASSES]
        self.arrival = [[0] * players for _ in CLASSES]
        self.moves = 0
        self.rats = [STARTING_RATS] * players
        self.tokens = [0] * players
        self.joker_supply, self.sword_supply, self.token_supply = JOKERS, SWORDS, VP_TOKENS
        self.rounds = self.decisions = self.reshuffles = 0

        self.deck = list(POPULATION)
        rng.shuffle(self.deck)
        self.discard: list[int] = []
        self.nun_row = [self.deck.pop() for _ in range(NUN_ROW)]
        self.hands: list[list[int]] = [[] for _ in range(players)]
        for player in range(players):
            self.draw(player, HAND)

        self.building_deck = list(BUILDINGS)
        rng.shuffle(self.building_deck)
        reserve = RESERVE[players]
        self.reserve = self.building_deck[-reserve:]
        del self.building_deck[-reserve:]

        self.start = int(rng.random() * players)

    # ------------------------------------------------------------------------------------ small moves

    def draw(self, player: int, count: int) -> None:
        """Draw `count` population cards; the discard pile becomes the deck once that is empty (A23)."""
        hand = self.hands[player]
        while count:
            if not self.deck:
                if not self.discard:
                    return
                self.reshuffle()
            taken = self.deck[-count:]
            del self.deck[-count:]
            hand += taken
            count -= len(taken)
        if not self.deck and self.discard:
            self.reshuffle()

    def reshuffle(self) -> None:
        """Make the discard pile the new deck."""
        self.deck, self.discard = self.discard, []
        self.rng.shuffle(self.deck)
        self.reshuffles += 1

    def remove_rats(self, player: int, count: int) -> None:
        """Discard `count` rats, or as many as there are (A7)."""
        self.rats[player] = max(0, self.rats[player] - count)

    def gain(self, klass: int, player: int, points: int) -> None:
        """Move a marker up by at least one, on top of those already there (§9)."""
        self.influence[klass][player] += points
        self.moves += 1
        self.arrival[klass][player] = self.moves

    def take_random(self, hand: list[int], count: int) -> list[int]:
        """Remove `count` cards from a hand, uniformly without replacement."""
        random = self.rng.random
        taken = []
        for _ in range(count):
            i = int(random() * len(hand))
            taken.append(hand[i])
            hand[i] = hand[-1]
            hand.pop()
        return taken

    # ------------------------------------------------------------------------------------ the round

    def play_round(self) -> None:
        """Play phases A to E (§4); the round that empties the building deck is the final one."""
        players = self.players
        random = self.rng.random
        row = self.new_row()
        final = not self.building_deck
        order = [*range(self.start, players), *range(self.start)]

        for player in order:
            self.supply(player, row[int(random() * len(row))])

        entrants: list[list[int]] = [[] for _ in row]
        played: list[list[int]] = [[] for _ in range(players)]
        for player in order:
            entrants[int(random() * len(row))].append(player)
            played[player] = self.commit(player)
        self.decisions += 2 * players  # the supply card and the building; a row never has fewer than two

        # With two players a single premium for the whole round (§7.2, A17), else one per building (§7.1).
        holder = premium_holder(order, played) if players == 2 else None
        for building, inside in zip(row, entrants, strict=True):
            if inside:
                self.resolve(
                    building // 5,
                    inside,
                    played,
                    premium_holder(inside, played) if holder is None else holder,
                    final,
                )

        self.start = (self.start + 1) % players
        self.rounds += 1

    def new_row(self) -> list[int]:
        """Lay out the row; swap its last card with the Reserve while all are of one type (§4.A)."""
        row = [self.building_deck.pop() for _ in range(ROW[self.players])]
        reserve = self.reserve
        for _ in range(len(reserve)):  # A21: the guard is never reached
            if len({building // 5 for building in row}) > 1:
                break
            reserve.insert(0, row[-1])
            row[-1] = reserve.pop()
        return row

    def supply(self, player: int, building: int) -> None:
        """Perform a building card's supply action (§4.B, §11)."""
        draw, rats, look = SUPPLIES[building % 5]
        if draw:
            self.draw(player, draw)
        if rats:
            self.remove_rats(player, rats)
        if look:
            self.decisions += 1

    def commit(self, player: int) -> list[int]:
        """Take the cards a player commits from his hand (§4.C)."""
        hand = self.hands[player]
        if not hand:
            return []
        self.decisions += 1
        return self.take_random(hand, int(self.rng.random() * (len(hand) + 1)))

    def resolve(self, klass: int, entrants: list[int], played: list[list[int]], holder: int, final: bool) -> None:
        """Resolve one building for its entrants, given in space order: steps a, b and c (§5, §7)."""
        for player in entrants:
            points = strength(played[player])
            if points:
                self.gain(klass, player, points)
                for card in played[player]:
                    if card < JOKER and card // 5 != klass:
                        self.rats[player] += 1
        if len(entrants) > 1:
            self.compare_swords(entrants, played)

        premium = holder in entrants
        if final:  # §7.4
            if premium:
                self.gain(klass, holder, 1)
        else:
            if premium:
                self.may_act(klass, holder, 2)
            for player in entrants:
                if player != holder:
                    self.may_act(klass, player, 1)

        for player in entrants:
            for card in played[player]:
                if card < JOKER:
                    self.discard.append(card)
                elif card == JOKER:
                    self.joker_supply += 1
                else:
                    self.sword_supply += 1

    def compare_swords(self, entrants: list[int], played: list[list[int]]) -> None:
        """Let the entrant with most Swords take half the hand of the one with fewest (§6.1)."""
        swords = [played[player].count(SWORD) for player in entrants]
        most, fewest = max(swords), min(swords)
        if most == fewest:
            return
        winner = entrants[swords.index(most)]
        losers = [player for player, count in zip(entrants, swords, strict=True) if count == fewest]
        loser = losers[0]
        if len(losers) > 1:
            self.decisions += 1
            loser = losers[int(self.rng.random() * len(losers))]
        half = len(self.hands[loser]) // 2
        if half:
            self.decisions += 1
            self.hands[winner] += self.take_random(self.hands[loser], half)

    def may_act(self, klass: int, player: int, size: int) -> None:
        """Perform or decline the action of a building: `size` 2 for premium, 1 for standard (§7.3, A39)."""
        self.decisions += 1
        if self.rng.random() < 0.5:
            self.act(klass, player, size)

    def act(self, klass: int, player: int, size: int) -> None:
        """Perform the action of a building; a supply that is short gives what is left (A6)."""
        if klass == FARM:
            self.draw(player, 2 * size)
        elif klass == MARKET:
            jokers = min(size, self.joker_supply)
            self.joker_supply -= jokers
            self.hands[player] += [JOKER] * jokers
        elif klass == MONASTERY:
            self.remove_rats(player, size)
        elif klass == CASTLE:
            swords = min(size, self.sword_supply)
            self.sword_supply -= swords
            self.hands[player] += [SWORD] * swords
        elif klass == TENT:
            self.decisions += 1  # which cards of the Nun row to look at
        else:
            tokens = min(size, self.token_supply)
            self.token_supply -= tokens
            self.tokens[player] += tokens

    # ------------------------------------------------------------------------------------ the end

    def result(self) -> Result:
        """Score the finished game (§8)."""
        scores = list(self.tokens)
        for influence, arrival in zip(self.influence, self.arrival, strict=True):
            add(scores, class_prizes(influence, arrival))
        swords = [hand.count(SWORD) for hand in self.hands]
        add(scores, majority([len(hand) - count for hand, count in zip(self.hands, swords, strict=True)]))
        add(scores, majority(swords))

        nuns = sum(card % 5 for card in self.nun_row)
        eliminated = [rats > nuns for rats in self.rats]
        return Result(
            scores=tuple(scores),
            rats=tuple(self.rats),
            nuns=nuns,
            eliminated=tuple(eliminated),
            winners=find_winners(scores, self.rats, eliminated),
            rounds=self.rounds,
            decisions=self.decisions,
            reshuffles=self.reshuffles,
            tokens=tuple(self.tokens),
        )


def strength(cards: list[int]) -> int:
    """Return how many of some committed cards are population cards or jokers (§5, §7.1)."""
    return len(cards) - cards.count(SWORD)


def premium_holder(entrants: Sequence[int], played: list[list[int]]) -> int:
    """Return who committed most population cards and jokers; the first entrant wins a tie (§7.1)."""
    return max(entrants, key=lambda player: strength(played[player]))


def add(scores: list[int], prizes: list[int]) -> None:
    """Add each seat's prize to its score."""
    for seat, prize in enumerate(prizes):
        scores[seat] += prize


def class_prizes(influence: list[int], arrival: list[int]) -> list[int]:
    """Return each seat's points for one class: 10, 5 and 2, as far as there are claimants (§8.1, §9)."""
    prizes = [0] * len(influence)
    ranking = sorted((-points, arrival[seat], seat) for seat, points in enumerate(influence) if points)
    for (_, _, seat), prize in zip(ranking, (10, 5, 2), strict=False):
        prizes[seat] = prize
    return prizes


def majority(counts: list[int]) -> list[int]:
    """Return each seat's points for holding most cards of a kind: 2, or 1 if tied (§8.1, A26)."""
    most = max(counts)
    if not most:
        return [0] * len(counts)
    points = 2 if counts.count(most) == 1 else 1
    return [points if count == most else 0 for count in counts]


def find_winners(scores: list[int], rats: list[int], eliminated: list[bool]) -> tuple[int, ...]:
    """Return the survivors with most points and, of these, fewest rats; nobody may be left (§8.3)."""
    ranks = [(-scores[seat], rats[seat], seat) for seat, out in enumerate(eliminated) if not out]
    if not ranks:
        return ()
    best = min(ranks)[:2]
    return tuple(seat for points, count, seat in ranks if (points, count) == best)


def play(players: int, rng: Random) -> Result:
    """Play one random game of 2 to 5 players."""
    game = Game(players, rng)
    while game.building_deck:
        game.play_round()
    return game.result()


def figures(result: Result) -> dict[str, float]:
    """Return the statistics of one game; those of all seats together are means over the seats."""
    players = len(result.scores)
    values: dict[str, float] = {
        "score": sum(result.scores) / players,
        "highest_score": max(result.scores),
        "lowest_score": min(result.scores),
        "rats": sum(result.rats) / players,
        "most_rats": max(result.rats),
        "fewest_rats": min(result.rats),
        "tokens": sum(result.tokens) / players,
        "nuns": result.nuns,
        "eliminated": sum(result.eliminated) / players,
        "all_eliminated": float(all(result.eliminated)),
        "winners": len(result.winners),
        "shared_victory": float(len(result.winners) > 1),
        "rounds": result.rounds,
        "decisions": result.decisions,
        "reshuffles": result.reshuffles,
    }
    for seat in range(players):
        values[f"score_seat_{seat}"] = result.scores[seat]
        values[f"win_seat_{seat}"] = float(seat in result.winners)
    return values


def summarise(results: Sequence[Result]) -> dict[str, dict[str, float]]:
    """Return the mean and the standard error of every statistic over at least two games."""
    games = len(results)
    rows = [figures(result) for result in results]
    summary: dict[str, dict[str, float]] = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        mean = sum(values) / games
        variance = sum((value - mean) ** 2 for value in values) / (games - 1)
        summary[name] = {"mean": round(mean, 5), "se": round(sqrt(variance / games), 5)}
    return summary


def main(arguments: Sequence[str] | None = None) -> None:
    """Play many games and print their statistics as JSON."""
    parser = argparse.ArgumentParser(description="Random playouts of Rattus Cartus, first-game set.")
    parser.add_argument("-n", "--games", type=int, default=20000, help="number of games, at least 2")
    parser.add_argument("--players", type=int, choices=sorted(ROW), default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.games < 2:
        parser.error("at least 2 games are needed for a standard error")

    rng = Random(options.seed)
    began = perf_counter()
    results = [play(options.players, rng) for _ in range(options.games)]
    seconds = perf_counter() - began
    report = {
        "games": options.games,
        "players": options.players,
        "seed": options.seed,
        "games_per_second": round(options.games / seconds, 1),
        "statistics": summarise(results),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
