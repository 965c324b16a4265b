"""The table of the Rattus Cartus written by hand: decks, hands, rounds.

Cards are small ints (`rattus_cartus_cards`). Decks are lists whose end is the top. The random policy is that of
`rattus_cartus`. Sections (§) and rulings (A) are those of the rules reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .rattus_cartus_cards import (
    BREWERY,
    CLASSES,
    DECKS,
    FARM,
    FIRST_GAME,
    FLUTE,
    HAND,
    HAPPENINGS,
    HOSPITAL,
    JOKER,
    MONASTERY,
    NUN_ROW,
    OFFICE,
    PALACE,
    POPULATION,
    RESERVE,
    ROW,
    SAFE_CONDUCT,
    SPECIALS,
    STARTING_RATS,
    SUPPLIES,
    SWORD,
    TAKEN,
    TENT,
    TREASURY,
    VP_TOKENS,
    WATCHTOWER,
    Options,
    choose_buildings,
)
from .rattus_cartus_end import Result, add, class_prizes, find_winners, points_of


class Game:
    """The table: decks, hands, markers, and the counts reported at the end."""

    def __init__(self, players: int, rng: Random, options: Options = FIRST_GAME) -> None:
        """Set the table up (§3)."""
        self.rng = rng
        self.players = players
        self.influence = [[0] * players for _ in CLASSES]
        self.arrival = [[0] * players for _ in CLASSES]
        self.moves = 0
        self.rats = [STARTING_RATS] * players
        self.tokens = [0] * players
        self.token_supply = VP_TOKENS
        self.rounds = self.decisions = self.reshuffles = 0
        self.happenings = dict.fromkeys(HAPPENINGS, 0)
        self.fewest_rats = options.fewest_rats

        self.deck = list(POPULATION)
        rng.shuffle(self.deck)
        self.discard: list[int] = []
        self.nun_row = [self.deck.pop() for _ in range(NUN_ROW)]
        self.hands: list[list[int]] = [[] for _ in range(players)]
        for player in range(players):
            self.draw(player, HAND)

        self.building_deck = choose_buildings(rng, options)
        if options.buildings == "agreed":
            self.decisions += len(CLASSES)
        # What the 30 cards bring into the game, so that nobody looks for the rest.
        types = {building // 5 for building in self.building_deck}
        self.specials = [card for card, building in SPECIALS.items() if building in types]
        self.supplies = {card: DECKS[card] for card in (JOKER, *self.specials)}
        self.safe_conducts, self.watchtowers = OFFICE in types, WATCHTOWER in types
        self.uncommitted = OFFICE in types or TREASURY in types
        self.sheltered: list[int] = []  # those with a disc on a Watchtower this round

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
        if count == len(hand):
            taken = hand.copy()
            hand.clear()
            return taken
        random = self.rng.random
        taken = []
        for _ in range(count):
            i = int(random() * len(hand))
            taken.append(hand[i])
            hand[i] = hand[-1]
            hand.pop()
        return taken

    def take_one(self, hand: list[int]) -> int:
        """Remove one card from a hand: equal cards are one option."""
        kinds = sorted(set(hand))
        self.decisions += len(kinds) > 1
        card = kinds[int(self.rng.random() * len(kinds))]
        hand.remove(card)
        return card

    def take_some(self, hand: list[int], most: int) -> list[int]:
        """Remove cards from a hand, as its owner decides: 0 to `most` (at least 1) of them."""
        self.decisions += 1
        return self.take_random(hand, int(self.rng.random() * (most + 1)))

    def take(self, player: int, card: int, count: int) -> None:
        """Take `count` cards from their supply deck, or what is left of it (A6)."""
        count = min(count, self.supplies[card])
        self.supplies[card] -= count
        self.hands[player] += [card] * count

    def put_away(self, cards: list[int]) -> None:
        """Discard cards: population cards to the discard pile, others to their supply decks (§6)."""
        for card in cards:
            if card < JOKER:
                self.discard.append(card)
            else:
                self.supplies[card] += 1

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
        if self.safe_conducts:
            order = self.take_turns(order, len(row), entrants, played)
        else:
            for player in order:
                entrants[int(random() * len(row))].append(player)
                played[player] = self.commit(player)
        self.decisions += 2 * players  # the supply card and the building; a row never has fewer than two
        if self.watchtowers:
            self.sheltered = [
                player
                for building, inside in zip(row, entrants, strict=True)
                if building // 5 == WATCHTOWER
                for player in inside
            ]

        # With two players a single premium for the whole round (§7.2, A17), else one per building (§7.1).
        counts = [strength(cards) for cards in played]
        holder = premium_holder(order, counts) if players == 2 else None
        for building, inside in zip(row, entrants, strict=True):
            if inside:
                self.resolve(
                    building // 5,
                    inside,
                    played,
                    counts,
                    premium_holder(inside, counts) if holder is None else holder,
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

    def take_turns(
        self, order: list[int], spaces: int, entrants: list[list[int]], played: list[list[int]]
    ) -> list[int]:
        """Let all enter, those who play a Safe-conduct later (§4.C, A16); give the order in which they did."""
        random = self.rng.random
        waiting = list(order)
        entered = []
        while waiting:
            player = waiting.pop(0)
            postponing = SAFE_CONDUCT in self.hands[player]
            choice = int(random() * (spaces + postponing))
            if choice < spaces:
                entrants[choice].append(player)
                entered.append(player)
                played[player] = self.commit(player)
            else:
                self.hands[player].remove(SAFE_CONDUCT)
                self.supplies[SAFE_CONDUCT] += 1
                waiting.append(player)
                self.happenings["postponed"] += 1
                self.decisions += 1
        return entered

    def commit(self, player: int) -> list[int]:
        """Take the cards a player commits from his hand (§4.C); Safe-conducts and Gold stay there (A37)."""
        hand = self.hands[player]
        if not self.uncommitted:
            return self.take_some(hand, len(hand)) if hand else []
        kept = [card for card in hand if card >= SAFE_CONDUCT]
        legal = [card for card in hand if card < SAFE_CONDUCT]
        committed = self.take_some(legal, len(legal)) if legal else []
        self.hands[player] = kept + legal
        return committed

    def resolve(
        self,
        kind: int,
        entrants: list[int],
        played: list[list[int]],
        counts: list[int],
        holder: int,
        final: bool,
    ) -> None:
        """Resolve a building of a type for its entrants, given in space order: steps a, b and c (§5, §7).

        `counts` says of all players how many population cards and jokers they committed.
        """
        klass = kind % 6
        armed = False
        for player in entrants:
            cards, points = played[player], counts[player]
            if points:
                self.gain(klass, player, points)
                for card in cards:
                    if card < JOKER and card // 5 != klass:
                        self.rats[player] += 1
            if points < len(cards):
                armed = True
        if armed and len(entrants) > 1:
            self.compare_swords(entrants, played)
            self.compare_flutes(entrants, played)

        premium = holder in entrants
        if final:  # §7.4
            if premium:
                self.gain(klass, holder, 1)
        else:
            if premium:
                self.may_act(kind, holder, 2, counts[holder])
            if kind != WATCHTOWER:  # which has no standard action
                for player in entrants:
                    if player != holder:
                        self.may_act(kind, player, 1, counts[player])

        for player in entrants:
            if played[player]:
                self.put_away(played[player])

    def compare_swords(self, entrants: list[int], played: list[list[int]]) -> None:
        """Let the entrant with most Swords take half the hand of the one with fewest (§6.1)."""
        pair = self.showdown(entrants, played, SWORD)
        if pair:
            winner, loser = pair
            half = len(self.hands[loser]) // 2
            if half == 1:
                self.hands[winner].append(self.take_one(self.hands[loser]))
            elif half:
                self.decisions += 1
                self.hands[winner] += self.take_random(self.hands[loser], half)

    def compare_flutes(self, entrants: list[int], played: list[list[int]]) -> None:
        """Let the entrant with most Flutes pass a rat on to the one with fewest, if he has any (§6.2, A14)."""
        pair = self.showdown(entrants, played, FLUTE)
        if pair:
            winner, loser = pair
            if self.rats[winner]:
                self.rats[winner] -= 1
                self.rats[loser] += 1
                self.happenings["flute_rats"] += 1

    def showdown(self, entrants: list[int], played: list[list[int]], card: int) -> tuple[int, int] | None:
        """Compare how many Swords or Flutes were committed; give winner and loser, if they differ (§6.1)."""
        counts = [played[player].count(card) for player in entrants]
        most, fewest = max(counts), min(counts)
        if most == fewest:
            return None
        losers = [player for player, count in zip(entrants, counts, strict=True) if count == fewest]
        loser = losers[0]
        if len(losers) > 1:
            self.decisions += 1
            loser = losers[int(self.rng.random() * len(losers))]
        return entrants[counts.index(most)], loser

    def may_act(self, kind: int, player: int, size: int, count: int) -> None:
        """Perform or decline the action of a building: `size` 2 for premium, 1 for standard (§7.3, A39).

        `count` is how many population cards and jokers the player committed.
        """
        self.decisions += 1
        if self.rng.random() < 0.5:
            self.act(kind, player, size, count)

    def act(self, kind: int, player: int, size: int, count: int) -> None:
        """Perform the action of a building (§7.3)."""
        if kind == FARM:
            self.draw(player, 2 * size)
        elif kind in TAKEN:
            self.take(player, TAKEN[kind], size)
        elif kind == MONASTERY:
            self.remove_rats(player, size)
        elif kind == TENT:
            self.decisions += 1  # which cards of the Nun row to look at
        elif kind == PALACE:
            tokens = min(size, self.token_supply)
            self.token_supply -= tokens
            self.tokens[player] += tokens
        elif kind == BREWERY:
            self.brew(player, count * size // 2)  # A5
        elif kind == HOSPITAL:
            self.treat(player, size)
        else:
            self.extort(player)

    def brew(self, player: int, count: int) -> None:
        """Draw this many cards, if any: Brewery (§7.3)."""
        held = len(self.hands[player])
        if count:
            self.draw(player, count)
        self.happenings["brewed"] += len(self.hands[player]) - held

    def treat(self, player: int, size: int) -> None:
        """Discard a rat (premium only), then cards for as many rats, at most 3 or 2: Hospital (§7.3, A25)."""
        if size == 2:
            self.remove_rats(player, 1)
        hand = self.hands[player]
        most = min(size + 1, self.rats[player], len(hand))
        if most:
            cards = self.take_some(hand, most)
            self.rats[player] -= len(cards)
            self.happenings["treated"] += len(cards)
            self.put_away(cards)

    def extort(self, player: int) -> None:
        """Take three cards from all who hold no fewer and have no disc on a Watchtower: Watchtower (§7.3, A15)."""
        size = len(self.hands[player])
        for step in range(1, self.players):
            victim = (player + step) % self.players
            hand = self.hands[victim]
            if len(hand) < size or victim in self.sheltered:
                continue
            count = min(3, len(hand))
            if count < len(hand):
                self.decisions += 1
            self.hands[player] += self.take_random(hand, count)
            self.happenings["extorted"] += count

    # ------------------------------------------------------------------------------------ the end

    def result(self) -> Result:
        """Score the finished game (§8)."""
        classes = [0] * self.players
        for influence, arrival in zip(self.influence, self.arrival, strict=True):
            add(classes, class_prizes(influence, arrival))
        points = points_of(classes, self.hands, self.specials)
        scores = list(self.tokens)
        for prizes in points.values():
            add(scores, prizes)

        nuns = sum(card % 5 for card in self.nun_row)
        eliminated = [rats > nuns for rats in self.rats]
        return Result(
            scores=tuple(scores),
            rats=tuple(self.rats),
            nuns=nuns,
            eliminated=tuple(eliminated),
            winners=find_winners(scores, self.rats, eliminated, self.fewest_rats),
            rounds=self.rounds,
            decisions=self.decisions,
            reshuffles=self.reshuffles,
            tokens=tuple(self.tokens),
            influence=tuple(map(sum, zip(*self.influence, strict=True))),
            hand=tuple(map(len, self.hands)),
            points=points,
            happenings=self.happenings,
        )


def strength(cards: list[int]) -> int:
    """Return how many of some committed cards are population cards or jokers (§5, §7.1)."""
    return len(cards) - cards.count(SWORD) - cards.count(FLUTE)


def premium_holder(entrants: Sequence[int], counts: list[int]) -> int:
    """Return who committed most population cards and jokers; the first entrant wins a tie (§7.1)."""
    return max(entrants, key=counts.__getitem__)
