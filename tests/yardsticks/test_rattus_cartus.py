"""Tests of the Rattus Cartus yardstick against the scenarios (S) of rattus-cartus.md §13."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from . import rattus_cartus
from .rattus_cartus import play
from .rattus_cartus_cards import (
    CASTLE,
    CLASSES,
    FARM,
    FLUTE,
    JOKER,
    MARKET,
    MONASTERY,
    PALACE,
    POPULATION,
    SUPPLIES,
    SWORD,
    TENT,
)
from .rattus_cartus_end import class_prizes, find_winners, majority
from .rattus_cartus_game import Game, premium_holder, strength
from .rattus_cartus_tables import (
    DECLINE,
    KING,
    KNIGHT,
    MERCHANT,
    MONK,
    PEASANT,
    WITCH,
    A,
    B,
    C,
    D,
    Script,
    Scripted,
    resolve,
    table,
    two_players,
)

# ---------------------------------------------------------------------------------------- components

def test_population_deck() -> None:
    assert len(POPULATION) == 84
    assert Counter(card // 5 for card in POPULATION) == dict.fromkeys(CLASSES, 14)
    assert Counter(card % 5 for card in POPULATION) == {4: 24, 3: 12, 2: 12, 1: 12, 0: 24}


def test_supply_actions_are_worth_the_same() -> None:
    assert len(set(SUPPLIES)) == 5
    assert {draw + 2 * rats + 2 * look for draw, rats, look in SUPPLIES} == {4}
    assert [sum(column) for column in zip(*SUPPLIES, strict=True)] == [8, 4, 2]


@pytest.mark.parametrize(
    ("players", "deck", "buildings", "reserve", "rounds"),
    [(2, 69, 20, 10, 10), (3, 64, 18, 12, 9), (4, 59, 24, 6, 8), (5, 54, 24, 6, 8)],
)
def test_setup(players: int, deck: int, buildings: int, reserve: int, rounds: int) -> None:
    game = Game(players, Random(1))
    assert len(game.deck) == deck
    assert [len(hand) for hand in game.hands] == [5] * players
    assert len(game.nun_row) == 5
    assert len(game.building_deck) == buildings
    assert len(game.reserve) == reserve
    assert game.rats == [10] * players
    assert game.supplies == {JOKER: 15, SWORD: 12}
    assert game.token_supply == 20
    assert play(players, Random(1)).rounds == rounds


# ---------------------------------------------------------------------------------------- phases A to C

def test_s8_reserve_replaces_last_card_of_a_uniform_row() -> None:
    game = table(3)
    game.building_deck = [5 * TENT, 5 * FARM + 1, 5 * FARM]
    game.reserve = [5 * PALACE, 5 * MARKET, 5 * CASTLE, 5 * FARM + 2]
    assert game.new_row() == [5 * FARM, 5 * CASTLE]
    assert game.reserve == [5 * FARM + 2, 5 * FARM + 1, 5 * PALACE, 5 * MARKET]
    assert game.building_deck == [5 * TENT]


def test_two_equal_of_three_is_a_legal_row() -> None:
    game = table(4)
    game.building_deck = [5 * MONASTERY + 3, 5 * MONASTERY, 5 * TENT + 2]
    assert game.new_row() == [5 * TENT + 2, 5 * MONASTERY, 5 * MONASTERY + 3]


@pytest.mark.parametrize(
    ("copy", "cards", "rats", "decisions"),
    [(1, 4, 10, 0), (2, 2, 9, 0), (3, 2, 10, 1), (4, 0, 8, 0), (5, 0, 9, 1)],
)
def test_supply(copy: int, cards: int, rats: int, decisions: int) -> None:
    game = table(3)
    game.supply(B, 5 * TENT + copy - 1)
    assert [len(hand) for hand in game.hands] == [2, 2 + cards, 2]
    assert game.rats == [10, rats, 10]
    assert game.decisions == decisions


def test_rats_are_never_negative() -> None:
    game = table(3)
    game.rats[A] = 1
    game.remove_rats(A, 2)
    assert game.rats[A] == 0


def test_committed_cards_are_uniform_in_number_and_choice() -> None:
    game = table(3)
    game.rng = Random(3)
    numbers: Counter[int] = Counter()
    cards: Counter[int] = Counter()
    for _ in range(12000):
        game.hands[A] = [PEASANT, KING, JOKER, SWORD, WITCH]
        committed = game.commit(A)
        assert sorted(committed + game.hands[A]) == sorted([PEASANT, KING, JOKER, SWORD, WITCH])
        numbers[len(committed)] += 1
        cards.update(committed)
    assert sorted(numbers) == [0, 1, 2, 3, 4, 5]
    assert all(abs(count - 2000) < 200 for count in numbers.values())
    assert all(abs(count - 6000) < 275 for count in cards.values())
    assert game.decisions == 12000


def test_committing_from_an_empty_hand_is_no_decision() -> None:
    game = table(3)
    game.hands[A] = []
    assert game.commit(A) == []
    assert game.decisions == 0


def test_row_choices_turn_order_and_spaces() -> None:
    supplies: Counter[int] = Counter()
    entries: Counter[int] = Counter()
    starts: Counter[int] = Counter()

    class Watched(Game):
        def new_row(self) -> list[int]:
            return [5 * FARM, 5 * MARKET, 5 * PALACE]

        def supply(self, player: int, building: int) -> None:
            supplies[building // 5] += 1

        def resolve(
            self,
            kind: int,
            entrants: list[int],
            played: list[list[int]],
            counts: list[int],
            holder: int,
            final: bool,
        ) -> None:
            entries[kind] += len(entrants)
            turns = [(player - self.start) % self.players for player in entrants]
            assert turns == sorted(turns)

    rng = Random(4)
    for _ in range(1500):
        game = Watched(4, rng)
        starts[game.start] += 1
        game.play_round()
    assert sorted(starts) == [A, B, C, D]
    assert all(abs(count - 375) < 75 for count in starts.values())
    for choices in (supplies, entries):
        assert sorted(choices) == [FARM, MARKET, PALACE]
        assert all(abs(count - 2000) < 160 for count in choices.values())


def test_half_of_the_actions_are_performed() -> None:
    game = table(3)
    game.rng = Random(6)
    game.token_supply = 10000
    for _ in range(4000):
        game.may_act(PALACE, A, 1, 0)
    assert abs(game.tokens[A] - 2000) < 130
    assert game.decisions == 4000


# ---------------------------------------------------------------------------------------- phase D

def test_s4_influence_rats_and_sole_entrant() -> None:
    game = table(4)
    resolve(game, MONASTERY, A=[MONK, KING, WITCH, WITCH])
    assert game.influence[MONASTERY] == [4, 0, 0, 0]
    assert game.rats[A] == 11


def test_s5_half_a_hand_and_first_entrant_premium() -> None:
    game = table(4)
    game.hands[A] = [PEASANT, MERCHANT, MONK, JOKER, SWORD]
    swords = game.supplies[SWORD]
    resolve(game, MONASTERY, A=[], B=[SWORD])
    assert [len(hand) for hand in game.hands] == [3, 4, 2, 2]
    assert game.influence[MONASTERY] == [0] * 4
    assert game.arrival[MONASTERY] == [0] * 4
    assert game.rats == [8, 9, 10, 10]
    assert game.supplies[SWORD] == swords + 1
    assert game.decisions == 3  # the cards given, two actions


def test_s9_premium_ignores_special_cards() -> None:
    swords = strength([PEASANT, MONK, SWORD, SWORD])
    assert (swords, strength([PEASANT, FLUTE, JOKER]), strength([FLUTE])) == (2, 2, 0)
    assert premium_holder([A, B], [swords, strength([KING] * 3)]) == B
    assert premium_holder([A, B], [swords, strength([KING] * 2)]) == A
    assert premium_holder([B, A], [swords, strength([KING] * 2)]) == B


def test_s10_joker_counts_without_a_rat() -> None:
    game = table(3, DECLINE)
    jokers = game.supplies[JOKER]
    resolve(game, CASTLE, A=[KNIGHT, WITCH, JOKER])
    assert game.influence[CASTLE] == [3, 0, 0]
    assert game.rats == [11, 10, 10]
    assert game.supplies[JOKER] == jokers + 1
    assert sorted(game.discard) == [KNIGHT, WITCH]


def test_s11_first_entrant_wins_sword_tie() -> None:
    game = table(3, DECLINE)
    game.hands[C] = [MONK] * 6
    resolve(game, PALACE, B=[SWORD], A=[SWORD], C=[])
    assert [len(hand) for hand in game.hands] == [2, 5, 3]


@pytest.mark.parametrize(("number", "loser"), [(0.0, B), (0.49, B), (0.51, C), (0.99, C)])
def test_s12_winner_picks_tied_loser(number: float, loser: int) -> None:
    game = table(3, number)
    game.hands = [[], [MONK] * 7, [MONK] * 7]
    game.compare_swords([A, B, C], [[SWORD, SWORD], [], []])
    assert len(game.hands[A]) == 3
    assert len(game.hands[loser]) == 4
    assert game.decisions == 2


def test_s12_one_card_in_hand_gives_none() -> None:
    game = table(3)
    game.hands = [[], [MONK], [MONK] * 4]
    game.compare_swords([A, B], [[SWORD, SWORD], [SWORD], []])
    assert [len(hand) for hand in game.hands] == [0, 1, 4]
    assert game.decisions == 0


def test_s13_equal_swords_or_sole_entrant() -> None:
    game = table(3, DECLINE)
    swords = game.supplies[SWORD]
    resolve(game, PALACE, A=[SWORD], B=[SWORD])
    resolve(game, PALACE, C=[SWORD] * 3)
    assert [len(hand) for hand in game.hands] == [2, 2, 2]
    assert game.supplies[SWORD] == swords + 5


@pytest.mark.parametrize(
    ("kind", "cards", "rats", "tokens", "decisions"),
    [
        (FARM, [4, 2], [10, 10], [0, 0], 2),
        (MARKET, [2, 1], [10, 10], [0, 0], 2),
        (MONASTERY, [0, 0], [8, 9], [0, 0], 2),
        (CASTLE, [2, 1], [10, 10], [0, 0], 2),
        (TENT, [0, 0], [10, 10], [0, 0], 4),
        (PALACE, [0, 0], [10, 10], [2, 1], 2),
    ],
)
def test_actions(kind: int, cards: list[int], rats: list[int], tokens: list[int], decisions: int) -> None:
    game = table(3)
    resolve(game, kind, A=[], B=[])
    assert [len(hand) - 2 for hand in game.hands] == [*cards, 0]
    assert game.rats == [*rats, 10]
    assert game.tokens == [*tokens, 0]
    assert game.decisions == decisions
    assert game.hands[A].count(JOKER) == (2 if kind == MARKET else 0)
    assert game.hands[B].count(SWORD) == (1 if kind == CASTLE else 0)

    game = table(3, DECLINE)
    resolve(game, kind, A=[], B=[])
    assert (game.hands, game.rats, game.tokens) == (table(3).hands, [10] * 3, [0] * 3)
    assert game.decisions == 2


def test_s20_short_supplies_go_to_premium_first() -> None:
    game = table(3)
    game.supplies = {JOKER: 1, SWORD: 1}
    game.token_supply = 1
    resolve(game, MARKET, B=[], A=[JOKER])
    assert game.hands[A].count(JOKER) == 1
    assert game.hands[B].count(JOKER) == 0
    assert game.supplies[JOKER] == 1  # the one committed here
    resolve(game, CASTLE, A=[], B=[])
    assert [hand.count(SWORD) for hand in game.hands] == [1, 0, 0]
    resolve(game, PALACE, A=[], B=[])
    assert game.tokens == [1, 0, 0]
    assert game.token_supply == game.supplies[SWORD] == 0


def test_s21_two_players_share_one_premium() -> None:
    game = two_players(0, 1, [[PEASANT, PEASANT, SWORD], [KNIGHT, KNIGHT, JOKER]])
    assert game.hands[B].count(SWORD) == 2
    assert len(game.hands[A]) == 4
    assert game.start == B

    game = two_players(0, 1, [[PEASANT] * 3, [KNIGHT, KNIGHT, JOKER]])
    assert game.hands[B].count(SWORD) == 1
    assert len(game.hands[A]) == 6

    game = two_players(1, 0, [[PEASANT] * 3, [KNIGHT, KNIGHT, JOKER]])  # the first in time, not in the row
    assert game.hands[A].count(SWORD) == 2
    assert len(game.hands[B]) == 4
    assert game.rats == [13, 12]


def test_two_players_in_different_buildings_do_not_compare_swords() -> None:
    game = two_players(1, 1, [[SWORD], []])
    assert len(game.hands[A]) == 2 + 1 + 2  # half of two cards, two Swords
    game = two_players(0, 1, [[SWORD], []])
    assert [len(hand) for hand in game.hands] == [2 + 4, 2 + 1]


def test_final_round_of_two_gives_one_point_in_all() -> None:
    game = two_players(0, 1, [[PEASANT], [KNIGHT, KNIGHT]], final=True)
    assert game.influence[FARM] == [1, 0]
    assert game.influence[CASTLE] == [0, 3]
    assert [len(hand) for hand in game.hands] == [2, 2]
    assert game.decisions == 4


def test_three_players_have_a_premium_per_building() -> None:
    game = Scripted(3, Random(5))
    game.start = C
    game.script([5 * PALACE, 5 * PALACE + 1], [[KING], [], [KING, KING]])
    game.rng = Script(0.0, 0.0, 0.0, 0.0, 0.5, 0.5)  # C enters the first Palace, A and B the second
    game.play_round()
    assert game.tokens == [2, 1, 2]
    assert game.influence[PALACE] == [1, 0, 2]
    assert game.arrival[PALACE] == [2, 0, 1]
    assert game.start == A
    assert game.decisions == 2 * 3 + 3


def test_s22_final_round() -> None:
    game = table(3)
    resolve(game, FARM, final=True, A=[PEASANT] * 3, B=[PEASANT] * 3)
    assert game.influence[FARM] == [4, 3, 0]
    assert game.arrival[FARM] == [3, 2, 0]
    resolve(game, PALACE, final=True, C=[])
    assert game.influence[PALACE] == [0, 0, 1]
    assert [len(hand) for hand in game.hands] == [2, 2, 2]
    assert game.decisions == 0


def test_only_last_round_is_final() -> None:
    finals: list[bool] = []

    class Watched(Game):
        def resolve(
            self,
            kind: int,
            entrants: list[int],
            played: list[list[int]],
            counts: list[int],
            holder: int,
            final: bool,
        ) -> None:
            finals.append(final)
            super().resolve(kind, entrants, played, counts, holder, final)

    game = Watched(3, Random(2))
    rounds = []
    while game.building_deck:
        game.play_round()
        rounds.append(set(finals))
        finals.clear()
    assert rounds == [{False}] * 8 + [{True}]


# ---------------------------------------------------------------------------------------- decks

def test_s24_draw_with_reshuffle() -> None:
    game = table(3)
    game.rng = Random(1)
    game.hands[A] = []
    game.deck, game.discard = [MONK, KING], [WITCH] * 10
    game.draw(A, 4)
    assert game.hands[A] == [MONK, KING, WITCH, WITCH]
    assert (len(game.deck), len(game.discard), game.reshuffles) == (8, 0, 1)

    game.hands[A] = []
    game.deck, game.discard = [MONK, KING], []
    game.draw(A, 4)
    assert sorted(game.hands[A]) == [MONK, KING]
    assert game.reshuffles == 1


def test_reshuffling_changes_the_order() -> None:
    game = table(3)
    game.rng = Random(1)
    game.deck, game.discard = [], list(range(30))
    game.reshuffle()
    assert game.deck != list(range(30))
    assert sorted(game.deck) == list(range(30))
    assert game.discard == []


def test_a23_reshuffles_as_soon_as_the_deck_is_empty() -> None:
    game = table(3)
    game.deck, game.discard = [MONK, KING], [WITCH] * 3
    game.draw(A, 2)
    assert (len(game.deck), game.discard, game.reshuffles) == (3, [], 1)
    game.draw(A, 3)
    assert (game.deck, game.discard, game.reshuffles) == ([], [], 1)
    game.discard = [PEASANT, PEASANT]
    game.draw(A, 1)
    assert (game.deck, game.discard, game.reshuffles) == ([PEASANT], [], 2)


# ---------------------------------------------------------------------------------------- end of game

def test_s7_single_claimant() -> None:
    assert class_prizes([0, 3, 0, 0], [0, 1, 0, 0]) == [0, 10, 0, 0]


def test_class_prizes_of_two_players() -> None:
    assert class_prizes([2, 3], [1, 2]) == [5, 10]
    assert class_prizes([4, 3, 2, 1], [1, 2, 3, 4]) == [10, 5, 2, 0]


def test_s23_stack() -> None:
    game = table(3, DECLINE)
    game.gain(MONASTERY, A, 5)
    game.gain(MONASTERY, B, 5)
    game.gain(MONASTERY, C, 7)
    assert class_prizes(game.influence[MONASTERY], game.arrival[MONASTERY]) == [5, 2, 10]
    resolve(game, MONASTERY, A=[])
    assert class_prizes(game.influence[MONASTERY], game.arrival[MONASTERY]) == [5, 2, 10]
    resolve(game, MONASTERY, A=[MONK])
    resolve(game, MONASTERY, B=[MONK])
    assert class_prizes(game.influence[MONASTERY], game.arrival[MONASTERY]) == [5, 2, 10]


def test_s23_later_arrival_ranks_lower() -> None:
    game = table(3)
    game.gain(MONASTERY, A, 2)
    game.gain(MONASTERY, B, 3)
    game.gain(MONASTERY, A, 1)
    assert class_prizes(game.influence[MONASTERY], game.arrival[MONASTERY]) == [5, 10, 0]


def test_s26_majorities() -> None:
    assert majority([4, 4, 2]) == [1, 1, 0]
    assert majority([2, 1, 0]) == [2, 0, 0]
    assert majority([0, 0, 0]) == [0, 0, 0]


def test_result() -> None:
    game = table(3)
    game.nun_row = [PEASANT + 4, KING + 4, WITCH + 2, MONK, KNIGHT + 1]
    game.rats = [12, 11, 3]
    game.tokens = [30, 1, 0]
    game.hands = [[JOKER, KING, PEASANT], [SWORD, SWORD], [SWORD, KING, KING, KING]]
    game.gain(FARM, B, 2)
    game.gain(FARM, A, 1)
    result = game.result()
    assert result.scores == (30 + 5 + 1, 1 + 10 + 2, 1)
    assert result.nuns == 11
    assert result.eliminated == (True, False, False)
    assert result.winners == (B,)
    assert result.rats == (12, 11, 3)
    assert result.tokens == (30, 1, 0)


def test_s27_winners() -> None:
    assert find_winners([31, 31, 40], [9, 7, 12], [False, False, True]) == (B,)
    assert find_winners([31, 31, 30], [7, 7, 1], [False, False, False]) == (A, B)
    assert find_winners([31, 31], [12, 12], [True, True]) == ()


# ---------------------------------------------------------------------------------------- whole games

def test_means_the_rules_fix() -> None:
    results = [play(3, Random(seed)) for seed in range(1500)]
    assert abs(sum(result.nuns for result in results) / 1500 - 10) < 0.36  # four standard errors
    seats = [sum(result.scores[seat] for result in results) / 1500 for seat in range(3)]
    assert max(seats) - min(seats) < 1.5


def test_same_seed_same_game() -> None:
    assert play(4, Random(7)) == play(4, Random(7))
    assert play(4, Random(7)) != play(4, Random(8))


def test_main(capsys: pytest.CaptureFixture[str]) -> None:
    rattus_cartus.main(["-n", "20", "--players", "2", "--seed", "3"])
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], report["players"], report["seed"]) == (20, 2, 3)
    assert report["games_per_second"] > 0
    assert report["statistics"]["rounds"] == {"mean": 10.0, "se": 0.0}
    assert report["statistics"]["nuns"]["se"] > 0
