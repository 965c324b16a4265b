"""The Rattus Cartus yardstick beyond the first-game set: buildings and special cards."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from . import rattus_cartus
from .rattus_cartus import play
from .rattus_cartus_cards import (
    BREWERY,
    CASTLE,
    CLASSES,
    DECKS,
    FARM,
    FIRST_GAME,
    FLUTE,
    GOLD,
    HOSPITAL,
    JOKER,
    OFFICE,
    PALACE,
    PIPERS_HUT,
    POPULATION,
    SAFE_CONDUCT,
    SPECIALS,
    SWORD,
    TENT,
    TREASURY,
    WATCHTOWER,
    WAYS,
    Options,
    choose_buildings,
    copies_of,
)
from .rattus_cartus_end import find_winners, gold_prizes, points_of
from .rattus_cartus_game import Game
from .rattus_cartus_tables import (
    ALL_TYPES,
    DECLINE,
    KING,
    KNIGHT,
    MONK,
    PEASANT,
    WITCH,
    A,
    B,
    C,
    D,
    Script,
    Scripted,
    held,
    resolve,
    table,
)

SECOND_SET = Options("listed", (0,) * 6)


def options_of(way: str) -> Options:
    return ALL_TYPES if way == "listed" else Options(way)


def sizes(game: Game) -> list[int]:
    return [len(hand) for hand in game.hands]


# ---------------------------------------------------------------------------------------- the 30 cards

@pytest.mark.parametrize("way", WAYS)
def test_five_different_cards_of_each_class(way: str) -> None:
    for seed in range(50):
        cards = choose_buildings(Random(seed), options_of(way))
        assert len(set(cards)) == len(cards) == 30
        assert all(0 <= card < 60 for card in cards)
        assert Counter(card // 5 % 6 for card in cards) == dict.fromkeys(CLASSES, 5)


def test_first_game_set() -> None:
    assert {card // 5 for card in choose_buildings(Random(1), FIRST_GAME)} == set(CLASSES)


def test_listed_numbers_of_the_first_game_type() -> None:
    cards = choose_buildings(Random(1), Options("listed", (5, 4, 3, 2, 1, 0)))
    types = Counter(card // 5 for card in cards)
    assert [types[klass] for klass in CLASSES] == [5, 4, 3, 2, 1, 0]
    assert [types[klass + 6] for klass in CLASSES] == [0, 1, 2, 3, 4, 5]


def test_types_drawn_are_whole_and_uniform() -> None:
    first: Counter[int] = Counter()
    for seed in range(2000):
        types = Counter(card // 5 for card in choose_buildings(Random(seed), Options("types-drawn")))
        assert set(types.values()) == {5}
        first.update(kind for kind in types if kind < 6)
    assert all(abs(first[klass] - 1000) < 110 for klass in CLASSES)  # five standard deviations


@pytest.mark.parametrize("way", ["listed", "agreed", "cards-drawn"])
def test_every_copy_is_as_likely(way: str) -> None:
    copies: Counter[int] = Counter()
    for seed in range(2000):
        copies.update(choose_buildings(Random(seed), options_of(way)))
    if way == "listed":  # two or three of five
        assert all(
            abs(copies[card] - (800 if (card // 5 + card // 30) % 2 == 0 else 1200)) < 110 for card in range(60)
        )
    else:
        assert all(abs(copies[card] - 1000) < 112 for card in range(60))


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match="one of first-game, listed"):
        choose_buildings(Random(1), Options("at-will"))


def test_only_agreeing_is_a_decision() -> None:
    assert [Game(3, Random(1), options_of(way)).decisions for way in WAYS] == [0, 0, 6, 0, 0]


@pytest.mark.parametrize("card", SPECIALS)
def test_a_single_building_card_brings_its_specials(card: int) -> None:
    klass = SPECIALS[card] % 6
    without = [5 if SPECIALS[card] >= 6 else 0] * 6
    without = [without[0] if other == klass else 5 for other in CLASSES]
    one = without.copy()
    one[klass] += 1 if SPECIALS[card] < 6 else -1
    for seed in range(20):  # wherever the card lies, the Reserve included
        assert card not in Game(4, Random(seed), Options("listed", tuple(without))).supplies
        game = Game(4, Random(seed), Options("listed", tuple(one)))
        assert game.supplies[card] == DECKS[card]


def test_decks_of_the_sets() -> None:
    assert Game(3, Random(1), ALL_TYPES).supplies == {JOKER: 15, SWORD: 12, FLUTE: 12, SAFE_CONDUCT: 12, GOLD: 15}
    assert Game(3, Random(1), SECOND_SET).supplies == {JOKER: 15, FLUTE: 12, SAFE_CONDUCT: 12, GOLD: 15}
    assert Game(3, Random(1)).supplies == {JOKER: 15, SWORD: 12}


def test_copies_of() -> None:
    assert copies_of("5,0,1,2,3,4") == (5, 0, 1, 2, 3, 4)
    for wrong in ("5,0,1,2,3", "5,0,1,2,3,6", "5,0,1,2,3,-1", "five"):
        with pytest.raises(ValueError, match=r"."):
            copies_of(wrong)


# ---------------------------------------------------------------------------------------- phase C

def test_a37_gold_and_safe_conducts_stay_in_hand() -> None:
    game = table(3, DECLINE)
    game.hands[A] = [GOLD, PEASANT, SAFE_CONDUCT, SWORD, FLUTE, JOKER]
    assert sorted(game.commit(A)) == [PEASANT, JOKER, SWORD, FLUTE]
    assert sorted(game.hands[A]) == [SAFE_CONDUCT, GOLD]
    assert game.decisions == 1
    assert game.commit(A) == []
    assert sorted(game.hands[A]) == [SAFE_CONDUCT, GOLD]
    assert game.decisions == 1  # nothing to choose from


@pytest.mark.parametrize(("klass", "card"), [(OFFICE % 6, SAFE_CONDUCT), (TREASURY % 6, GOLD)])
def test_a37_with_one_of_the_two_in_the_game(klass: int, card: int) -> None:
    game = table(3, options=Options("listed", tuple(4 if other == klass else 5 for other in CLASSES)))
    game.hands[A] = [card]
    assert game.commit(A) == []
    assert game.hands[A] == [card]


def test_committing_beside_gold_is_uniform() -> None:
    game = table(3)
    game.rng = Random(3)
    numbers: Counter[int] = Counter()
    for _ in range(8000):
        game.hands[A] = [GOLD, PEASANT, GOLD, KING, SWORD]
        numbers[len(game.commit(A))] += 1
    assert sorted(numbers) == [0, 1, 2, 3]
    assert all(abs(count - 2000) < 195 for count in numbers.values())


class Turns(Scripted):
    """A table at which everybody commits nothing."""

    def commit(self, player: int) -> list[int]:
        return []


def test_s15_safe_conducts() -> None:
    game = Turns(4, Random(5), ALL_TYPES)
    game.hands = [[SAFE_CONDUCT, SAFE_CONDUCT, SAFE_CONDUCT], [SAFE_CONDUCT], [KING, SAFE_CONDUCT], []]
    game.supplies[SAFE_CONDUCT] = 7
    game.rng = Script(0.99, 0.0, 0.99, 0.4, 0.99, 0.4, 0.0)
    entrants: list[list[int]] = [[], [], []]
    order = game.take_turns([A, B, C, D], 3, entrants, [[], [], [], []])
    assert order == [B, D, C, A]
    assert entrants == [[B, A], [D, C], []]  # 0.4 is the second of four options, and of three
    assert [hand.count(SAFE_CONDUCT) for hand in game.hands] == [1, 1, 0, 0]
    assert game.supplies[SAFE_CONDUCT] == 10
    assert game.happenings["postponed"] == 3
    assert game.decisions == 3


def test_a16_the_last_one_may_still_postpone() -> None:
    game = Turns(2, Random(5), ALL_TYPES)
    game.hands = [[SAFE_CONDUCT, SAFE_CONDUCT], []]
    game.rng = Script(0.0, 0.99, 0.99, 0.0)
    assert game.take_turns([B, A], 2, [[], []], [[], []]) == [B, A]
    assert game.hands[A] == []


def test_playing_a_safe_conduct_is_one_option_however_many_are_held() -> None:
    postponed: Counter[int] = Counter()
    for number in (1, 4):
        game = Turns(2, Random(6), ALL_TYPES)
        for _ in range(3000):
            game.hands = [[SAFE_CONDUCT] * number, []]
            game.take_turns([A, B], 2, [[], []], [[], []])
            postponed[number] += len(game.hands[A]) < number
    assert all(abs(count - 1000) < 130 for count in postponed.values())  # one in three


def test_two_players_tie_goes_to_who_entered_first_in_time() -> None:
    for postponing, tokens in ((0.99, [1, 2]), (0.0, [2, 1])):
        game = Scripted(2, Random(5), ALL_TYPES)
        game.start = A
        game.hands = [[SAFE_CONDUCT], []]
        game.script([5 * PALACE, 5 * FARM, 5 * PALACE + 1], [[KING], [KING]])
        later = (0.99, 0.0) if postponing else (0.99,)
        game.rng = Script(0.0, 0.0, postponing, *later)
        game.play_round()
        assert game.tokens == tokens


# ---------------------------------------------------------------------------------------- phase D, step a

def test_s14_flute() -> None:
    game = table(3, DECLINE)
    game.rats = [4, 9, 10]
    flutes = game.supplies[FLUTE]
    resolve(game, PALACE, A=[FLUTE], B=[])
    assert game.rats == [3, 10, 10]
    assert game.influence[PALACE] == [0, 0, 0]
    assert game.supplies[FLUTE] == flutes + 1
    assert game.happenings["flute_rats"] == 1
    assert game.decisions == 2  # the two actions
    game.rats = [0, 9, 10]
    resolve(game, PALACE, A=[FLUTE], B=[])
    assert game.rats == [0, 9, 10]
    assert game.happenings["flute_rats"] == 1


def test_equal_flutes_or_sole_entrant() -> None:
    game = table(3, DECLINE)
    resolve(game, PALACE, A=[FLUTE], B=[FLUTE])
    resolve(game, PALACE, C=[FLUTE, FLUTE, FLUTE])
    assert game.rats == [10, 10, 10]


def test_several_flutes_move_one_rat_and_the_first_of_those_with_most_wins() -> None:
    game = table(3, DECLINE)
    resolve(game, PALACE, C=[FLUTE, FLUTE], A=[FLUTE, FLUTE], B=[FLUTE])
    assert game.rats == [10, 11, 9]


@pytest.mark.parametrize(("number", "rats"), [(0.51, [9, 10, 11]), (0.49, [9, 11, 10])])
def test_flute_winner_picks_tied_loser(number: float, rats: list[int]) -> None:
    game = table(3, number)
    game.compare_flutes([A, B, C], [[FLUTE], [], []])
    assert game.rats == rats
    assert game.decisions == 1


def test_a12_a_rat_just_taken_may_be_passed_on() -> None:
    game = table(3, DECLINE)
    game.rats = [0, 0, 10]
    resolve(game, FARM, A=[KING, FLUTE], B=[PEASANT])
    assert game.rats == [0, 1, 10]


def test_swords_and_flutes_are_compared_apart() -> None:
    game = table(3, DECLINE)
    resolve(game, PALACE, A=[SWORD], B=[FLUTE])
    assert sizes(game) == [3, 1, 2]
    assert game.rats == [11, 9, 10]


def test_a13_a_sword_takes_from_the_whole_hand() -> None:
    game = table(3, DECLINE)
    game.hands[B] = [GOLD, SAFE_CONDUCT, FLUTE, GOLD]
    resolve(game, PALACE, A=[SWORD], B=[])
    assert sum(card >= FLUTE for card in game.hands[A]) == 2
    assert sizes(game) == [4, 2, 2]


def test_flutes_need_no_swords_in_the_game() -> None:
    game = table(3, DECLINE, SECOND_SET)
    resolve(game, TREASURY, A=[FLUTE], B=[])
    assert game.rats == [9, 11, 10]


# ---------------------------------------------------------------------------------------- phase D, step b

@pytest.mark.parametrize(
    ("kind", "card"), [(OFFICE, SAFE_CONDUCT), (PIPERS_HUT, FLUTE), (TREASURY, GOLD), (CASTLE, SWORD)]
)
def test_buildings_that_give_cards(kind: int, card: int) -> None:
    game = table(3)
    resolve(game, kind, A=[], B=[])
    assert [hand.count(card) for hand in game.hands] == [2, 1, 0]
    assert sizes(game) == [4, 3, 2]
    assert game.supplies[card] == DECKS[card] - 3
    assert game.decisions == 2
    game.supplies[card] = 1
    resolve(game, kind, A=[], B=[PEASANT])  # S20: the premium holder first
    assert [hand.count(card) for hand in game.hands] == [2, 2, 0]


def test_buildings_lie_in_their_class() -> None:
    game = table(3, DECLINE)
    for kind, witch_too_many in ((BREWERY, 1), (OFFICE, 1), (HOSPITAL, 1), (PIPERS_HUT, 0), (TREASURY, 1)):
        before = game.rats[A]
        resolve(game, kind, A=[WITCH])
        assert game.rats[A] - before == witch_too_many
    assert [track[A] for track in game.influence] == [1, 1, 1, 0, 1, 1]


def test_s18_brewery() -> None:
    game = table(3)
    resolve(game, BREWERY, A=[PEASANT, KING, JOKER, MONK, WITCH], B=[PEASANT, JOKER, PEASANT], C=[KING])
    assert sizes(game) == [2 + 5, 2 + 1, 2]
    assert game.happenings["brewed"] == 6
    game = table(3)
    resolve(game, BREWERY, A=[FLUTE, SWORD], B=[])
    assert game.happenings["brewed"] == 0


def test_a_brewery_counts_what_there_was_to_draw_and_drawing_none_is_no_draw() -> None:
    game = table(3)
    game.deck, game.discard = [MONK], []
    resolve(game, BREWERY, A=[PEASANT, KING, JOKER])
    assert game.happenings["brewed"] == 1
    assert (game.deck, sorted(game.discard)) == ([], [PEASANT, KING])
    resolve(game, BREWERY, B=[])
    assert (game.deck, sorted(game.discard)) == ([], [PEASANT, KING])


@pytest.mark.parametrize(
    ("rats", "hand", "most"),
    [(4, 6, 3), (2, 6, 1), (1, 6, 0), (0, 6, 0), (9, 2, 2), (9, 0, 0)],
)
def test_s19_hospital_premium(rats: int, hand: int, most: int) -> None:
    numbers = set()
    for number in (0.0, 0.3, 0.6, 0.99):
        game = table(3, number)
        game.rats[A] = rats
        game.hands[A] = [GOLD] * hand
        gold = game.supplies[GOLD]
        game.treat(A, 2)
        spent = hand - len(game.hands[A])
        numbers.add(spent)
        assert game.rats[A] == max(0, rats - 1) - spent
        assert game.supplies[GOLD] == gold + spent
        assert game.happenings["treated"] == spent
        assert game.decisions == (most > 0)
    assert (min(numbers), max(numbers)) == (0, most)


@pytest.mark.parametrize(("rats", "hand", "most"), [(4, 6, 2), (1, 6, 1), (0, 6, 0), (9, 1, 1)])
def test_hospital_standard(rats: int, hand: int, most: int) -> None:
    game = table(3, DECLINE)
    game.rats[A] = rats
    game.hands[A] = [KING] * hand
    game.treat(A, 1)
    assert (game.rats[A], len(game.hands[A])) == (rats - most, hand - most)
    assert game.discard == [KING] * most


def test_cards_discarded_at_a_hospital_go_where_they_belong() -> None:
    game = table(3, DECLINE)
    game.hands[A] = [SAFE_CONDUCT, MONK, JOKER]
    supplies = dict(game.supplies)
    game.treat(A, 2)
    assert game.discard == [MONK]
    assert game.supplies == {**supplies, SAFE_CONDUCT: supplies[SAFE_CONDUCT] + 1, JOKER: supplies[JOKER] + 1}
    assert game.rats[A] == 10 - 1 - 3


def watchtower(sheltered: tuple[int, ...], *hands: int) -> Game:
    """A Watchtower that A alone enters; hands of so many cards."""
    game = table(len(hands))
    game.hands = [[KING] * size for size in hands]
    game.sheltered = [A, *sheltered]
    resolve(game, WATCHTOWER, A=[])
    return game


def test_s16_watchtower() -> None:
    game = watchtower((), 4, 5, 4, 3)
    assert sizes(game) == [10, 2, 1, 3]
    assert game.happenings["extorted"] == 6
    assert game.decisions == 3  # the action, and two who choose what to give
    assert sizes(watchtower((C,), 4, 5, 4, 3)) == [7, 2, 4, 3]


def test_s17_watchtower_and_small_hands() -> None:
    game = watchtower((), 1, 2, 0)
    assert sizes(game) == [3, 0, 0]
    assert game.decisions == 1  # giving all is no choice
    assert sizes(watchtower((), 0, 0, 1)) == [1, 0, 0]


def test_a_watchtower_has_no_standard_action() -> None:
    game = table(3)
    game.hands = [[KING] * 2, [KING] * 2, [KING] * 9]
    game.sheltered = [A, B]
    resolve(game, WATCHTOWER, A=[], B=[])
    assert sizes(game) == [5, 2, 6]
    assert game.decisions == 2  # A's action, what C gives


def test_a_declined_watchtower_takes_nothing() -> None:
    game = table(3, DECLINE)
    resolve(game, WATCHTOWER, A=[])
    assert sizes(game) == [2, 2, 2]


def test_a_disc_on_any_watchtower_shelters_all_through_the_round() -> None:
    game = Scripted(4, Random(5), ALL_TYPES)
    game.start = A
    game.hands = [[KING] * 2, [KING] * 4, [KING] * 4, [KING] * 4]
    game.script([5 * WATCHTOWER, 5 * TENT, 5 * WATCHTOWER + 1], [[], [], [], []])
    game.rng = Script(
        0.0, 0.0, 0.0, 0.0, 0.0, 0.99, 0.5, 0.5
    )  # A and B to one Watchtower each, C and D to the Tent
    game.play_round()
    assert game.sheltered == [A, B]
    assert sizes(game) == [8, 4, 1, 1]  # B, with 4, finds nobody with as many


def test_two_players_watchtower() -> None:
    game = Scripted(2, Random(5), ALL_TYPES)
    game.start = A
    game.hands = [[KING] * 2, [KING] * 4]
    game.script([5 * WATCHTOWER, 5 * TENT], [[], [KNIGHT]])
    game.rng = Script(0.0, 0.0, 0.0, 0.99)
    game.play_round()
    assert sizes(game) == [2, 4]  # the only premium is B's


def test_final_round_has_no_actions_anywhere() -> None:
    for kind in range(12):
        game = table(3)
        resolve(game, kind, final=True, A=[], B=[])
        assert sizes(game) == [2, 2, 2]
        assert game.influence[kind % 6] == [1, 0, 0]
        assert game.rats == [10, 10, 10]
        assert game.decisions == 0


# ---------------------------------------------------------------------------------------- the end

@pytest.mark.parametrize(
    ("counts", "prizes"),
    [
        ([3, 3, 1, 0], [4, 4, 0, 0]),
        ([4, 2, 2, 0], [6, 1, 1, 0]),
        ([2, 0, 0, 0], [6, 0, 0, 0]),
        ([2, 2, 2, 1], [3, 3, 3, 0]),
        ([1, 1, 1, 1], [2, 2, 2, 2]),
        ([1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
        ([4, 2, 3, 0], [6, 0, 3, 0]),
        ([5, 1, 1, 1, 0], [6, 1, 1, 1, 0]),
        ([5, 1, 1, 1, 1], [6, 0, 0, 0, 0]),
        ([3, 1], [6, 0]),
        ([2, 2], [4, 4]),
        ([0, 0, 0], [0, 0, 0]),
    ],
)
def test_s25_gold(counts: list[int], prizes: list[int]) -> None:
    assert gold_prizes(counts) == prizes


def test_s26_points_of_hands() -> None:
    hands = [
        [KING, KING, JOKER, PEASANT, SWORD, SWORD, SAFE_CONDUCT],
        [KING, MONK, JOKER, JOKER, SWORD, GOLD, GOLD, SAFE_CONDUCT],
        [KING, JOKER, GOLD, SAFE_CONDUCT],
    ]
    assert points_of([10, 5, 2], hands, list(SPECIALS)) == {
        "classes": [10, 5, 2],
        "population": [1, 1, 0],
        "sword": [2, 0, 0],
        "flute": [0, 0, 0],
        "safe_conduct": [1, 1, 1],
        "gold": [0, 6, 3],
    }


def test_a29_fewest_rats() -> None:
    everybody = [True, True, True]
    assert find_winners([31, 20, 40], [12, 11, 13], everybody, fewest_rats=True) == (B,)
    assert find_winners([31, 20, 40], [12, 12, 13], everybody, fewest_rats=True) == (A,)
    assert find_winners([31, 31, 40], [12, 12, 13], everybody, fewest_rats=True) == (A, B)
    assert find_winners([31, 20, 40], [12, 11, 13], [False, True, True], fewest_rats=True) == (A,)
    assert find_winners([31, 20, 40], [12, 11, 13], everybody) == ()


def test_result_counts_everything() -> None:
    game = table(3, options=Options("listed", ALL_TYPES.copies, fewest_rats=True))
    game.nun_row = [PEASANT] * 5
    game.rats = [3, 2, 2]
    game.tokens = [1, 2, 0]
    game.hands = [[GOLD, GOLD, KING], [SWORD, GOLD], [FLUTE, SAFE_CONDUCT, KING, KING]]
    game.gain(FARM, A, 4)
    game.gain(PALACE, A, 1)
    game.gain(PALACE, C, 2)
    result = game.result()
    assert result.scores == (1 + 10 + 5 + 6, 2 + 2 + 3, 10 + 2 + 2 + 2)
    assert result.eliminated == (True, True, True)
    assert result.winners == (C,)
    assert result.influence == (5, 0, 2)
    assert result.hand == (3, 2, 4)


# ---------------------------------------------------------------------------------------- whole games

@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("way", WAYS)
def test_s28_invariants_of_random_games(way: str, players: int) -> None:
    rng = Random(players)
    for number in range(40):
        game = Game(players, rng, options_of(way)._replace(fewest_rats=number % 2 == 1))
        everything = (
            Counter(POPULATION) + Counter({JOKER: 15}) + Counter({card: DECKS[card] for card in game.specials})
        )
        buildings = sorted(game.building_deck + game.reserve)
        nun_row = list(game.nun_row)
        used: list[int] = []
        assert len(buildings) == 30
        while game.building_deck:
            before = Counter(game.building_deck + game.reserve)
            moves = sum(map(sum, game.influence))
            rats = sum(game.rats)
            game.play_round()
            used += (before - Counter(game.building_deck + game.reserve)).elements()
            assert held(game) == everything
            assert sorted(used + game.building_deck + game.reserve) == buildings
            assert sum(game.tokens) + game.token_supply == 20
            assert min(game.rats) >= 0
            assert min(game.supplies.values()) >= 0
            gained = sum(map(sum, game.influence)) - moves
            assert gained >= 0
            assert sum(game.rats) <= rats + gained
        result = game.result()
        assert game.nun_row == nun_row
        assert result.decisions >= result.rounds * players * 2
        assert result.scores == tuple(
            tokens + sum(points[seat] for points in result.points.values())
            for seat, tokens in enumerate(result.tokens)
        )
        assert sum(result.points["classes"]) <= 6 * (17 if players > 2 else 15)
        assert all(result.eliminated[seat] == (result.rats[seat] > result.nuns) for seat in range(players))
        dead = all(result.eliminated)
        assert bool(result.winners) == (game.fewest_rats or not dead)
        if dead:
            assert all(result.rats[seat] == min(result.rats) for seat in result.winners)
        else:
            alive = zip(result.scores, result.eliminated, strict=True)
            best = max(score for score, out in alive if not out)
            assert all(result.scores[seat] == best and not result.eliminated[seat] for seat in result.winners)


def test_agreeing_and_drawing_cards_differ_in_six_decisions() -> None:
    for seed in range(10):
        agreed, drawn = (play(3, Random(seed), Options(way)) for way in ("agreed", "cards-drawn"))
        assert agreed == drawn._replace(decisions=drawn.decisions + 6)


def test_everything_happens() -> None:
    results = [play(4, Random(seed), SECOND_SET) for seed in range(100)]
    for name in results[0].happenings:
        assert any(result.happenings[name] for result in results), name
    first = [play(4, Random(seed)) for seed in range(20)]
    assert not any(any(result.happenings.values()) for result in first)


def test_main_takes_options(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["-n", "30", "--players", "5", "--buildings", "listed", "--copies", "0,0,0,0,0,0", "--fewest-rats"]
    rattus_cartus.main(arguments)
    report = json.loads(capsys.readouterr().out)
    assert report["buildings"] == "listed"
    assert report["statistics"]["points_sword"] == {"mean": 0.0, "se": 0.0}
    assert report["statistics"]["postponed"]["mean"] > 0
    assert report["statistics"]["winners"]["mean"] >= 1
    with pytest.raises(SystemExit):
        rattus_cartus.main(["--copies", "6,0,0,0,0,0"])
    assert "--copies" in capsys.readouterr().err
