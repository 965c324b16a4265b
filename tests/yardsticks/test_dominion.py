"""Tests of the Dominion yardstick against the scenarios (T) of dominion.md §8 and its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

import pytest

from . import dominion
from .dominion import COST, KINGDOM, POINTS, WORTH, Game, Player, playouts
from .dominion_figures import ZONES, everything_of, faults, figures, told
from .summary import summarise

T = TypeVar("T")


class Scripted(Game):
    """A table where nothing is shuffled and every decision is laid down; what was offered is kept."""

    def __init__(self, players: int, answers: Iterable[object]) -> None:
        super().__init__(players, Random(5))
        self.answers = list(answers)
        self.offered: list[list[object]] = []
        self.picks: list[list[str]] = []
        for seat in self.seats:
            seat.shuffle = lambda cards: None

    def choose(self, options: Sequence[T]) -> T:
        self.offered.append(list(options))
        if len(options) == 1:
            return options[0]
        self.decisions += 1
        answer = self.answers.pop(0)
        return next(option for option in options if option == answer)

    def some(self, hand: list[str], number: int) -> list[str]:
        taken = self.picks.pop(0)
        assert len(taken) == number
        for card in taken:
            hand.remove(card)
        return taken


def table(*answers: object, hand: str = "", deck: str = "", discard: str = "", other: str = "copper") -> Scripted:
    """Two players; the first with these cards (the deck's top last), the second with that hand."""
    game = Scripted(2, answers)
    place(game.seats[0], hand, deck, discard)
    place(game.seats[1], other, "", "")
    return game


def place(player: Player, hand: str, deck: str, discard: str) -> None:
    player.hand, player.deck, player.discard = hand.split(), deck.split(), discard.split()


# ------------------------------------------------------------------ components and set-up (§2, §7)

@pytest.mark.parametrize(
    ("players", "copper", "victory", "curses"), [(2, 46, 8, 10), (3, 39, 12, 20), (4, 32, 12, 30)]
)
def test_t7_set_up(players: int, copper: int, victory: int, curses: int) -> None:
    game = Game(players, Random(1))
    assert game.supply == {
        **dict.fromkeys(KINGDOM, 10),
        **dict.fromkeys(("estate", "duchy", "province"), victory),
        "copper": copper,
        "silver": 40,
        "gold": 30,
        "curse": curses,
    }
    assert len(game.supply) == 17
    for seat in game.seats:
        assert (len(seat.hand), len(seat.deck)) == (5, 5)
        assert Counter(seat.cards) == {"copper": 7, "estate": 3}
        assert seat.score == 3


@pytest.mark.parametrize("players", [1, 5])
def test_d19_two_to_four_play(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 4 players, not"):
        Game(players, Random(1))


def test_costs_and_worths() -> None:
    by_cost = {cost: sorted(card for card in KINGDOM if COST[card] == cost) for cost in (2, 3, 4, 5)}
    assert by_cost == {
        2: ["cellar", "moat"],
        3: ["village", "woodcutter", "workshop"],
        4: ["militia", "remodel", "smithy"],
        5: ["market", "mine"],
    }
    assert [COST[card] for card in (*WORTH, *POINTS)] == [0, 3, 6, 2, 5, 8, 0]
    assert list(WORTH.values()) == [1, 2, 3]
    assert list(POINTS.values()) == [1, 3, 6, -1]


def test_anybody_starts() -> None:
    starters = Counter(Game(3, Random(seed)).starter for seed in range(60))
    assert set(starters) == {0, 1, 2}


# ------------------------------------------------------------------ drawing (§4.1)

@pytest.mark.parametrize(
    ("deck", "discard", "number", "drawn", "left"),
    [
        ("A B", "C D E F", 3, 3, (3, 0)),
        ("A B", "", 3, 2, (0, 0)),
        ("A B C", "D", 3, 3, (0, 1)),
        ("", "", 2, 0, (0, 0)),
    ],
)
def test_t8_draw(deck: str, discard: str, number: int, drawn: int, left: tuple[int, int]) -> None:
    player = Player(Random(1).shuffle)
    place(player, "", deck, discard)
    player.draw(number)
    assert (len(player.hand), (len(player.deck), len(player.discard))) == (drawn, left)


# ------------------------------------------------------------------ the cards (§7)

@pytest.mark.parametrize(
    ("card", "drawn", "actions", "buys", "coins"),
    [
        ("market", 1, 1, 2, 1),
        ("militia", 0, 0, 1, 2),
        ("moat", 2, 0, 1, 0),
        ("smithy", 3, 0, 1, 0),
        ("village", 1, 2, 1, 0),
        ("woodcutter", 0, 0, 2, 2),
    ],
)
def test_simple_cards(card: str, drawn: int, actions: int, buys: int, coins: int) -> None:
    game = table(hand=f"{card} estate", deck="copper copper copper copper")
    game.actions, game.buys, game.coins = 1, 1, 0
    game.play_action(card, game.seats[0])
    assert Counter(game.seats[0].hand) == Counter({"estate": 1, "copper": drawn}) - Counter()
    assert (game.actions, game.buys, game.coins) == (actions, buys, coins)
    assert game.seats[0].in_play == [card]


def test_t9_cellar_draws_what_it_discarded() -> None:
    game = Game(2, Random(1))
    game.random = lambda: 0.99  # as many as there are
    place(game.seats[0], "cellar silver gold", "", "")
    game.actions = 1
    game.play_action("cellar", game.seats[0])
    assert sorted(game.seats[0].hand) == ["gold", "silver"]
    assert (game.actions, game.decisions) == (1, 1)


def test_cellar_discards_each_number_and_card_alike() -> None:
    numbers, kept = Counter[int](), Counter[str]()
    rng = Random(1)
    for _ in range(3000):
        game = Game(2, rng)
        place(game.seats[0], "cellar silver gold estate", "copper copper copper", "")
        game.play_action("cellar", game.seats[0])
        assert len(game.seats[0].hand) == 3
        left = {"silver", "gold", "estate"}.intersection(game.seats[0].hand)
        numbers[len(left)] += 1
        kept.update(left)
    # 750 with a standard deviation of 23.7; each card is kept in half of the games, 1500 with one of 27.4.
    assert all(abs(numbers[number] - 750) < 95 for number in range(4))
    assert all(abs(kept[card] - 1500) < 110 for card in ("silver", "gold", "estate"))
    game = table(hand="cellar")
    game.play_action("cellar", game.seats[0])
    assert game.decisions == 0  # an empty hand is no choice


@pytest.mark.parametrize(("before", "after", "decisions"), [(5, 3, 1), (4, 3, 0), (3, 3, 0), (2, 2, 0)])
def test_t13_militia(before: int, after: int, decisions: int) -> None:
    game = table(hand="militia militia", other=" ".join(["copper"] * before))
    game.picks = [["copper"] * 2]
    for _ in range(2):  # a second one changes nothing
        game.play_action("militia", game.seats[0])
    assert len(game.seats[1].hand) == after
    assert len(game.seats[1].discard) == before - after
    assert game.decisions == decisions


@pytest.mark.parametrize(("reveals", "left"), [(True, 4), (False, 3)])
def test_moat_in_hand_protects_who_reveals_it(reveals: bool, left: int) -> None:
    game = table(reveals, "moat", hand="militia", other="moat moat copper copper")
    game.play_action("militia", game.seats[0])
    # It is asked about once, however many there are; of one card that is discarded the kind counts.
    assert game.offered == [[True, False], *([] if reveals else [["moat", "copper"]])]
    assert len(game.seats[1].hand) == left
    assert game.coins == 2


def test_d20_a_moat_elsewhere_does_not() -> None:
    game = table(hand="militia moat", other="copper copper copper copper")
    game.seats[1].discard = ["moat"]
    game.play_action("militia", game.seats[0])
    assert game.offered == [["copper"]]
    assert len(game.seats[1].hand) == 3


def test_militia_goes_clockwise() -> None:
    game = Scripted(4, [])
    for seat, size in enumerate((5, 4, 5, 0)):
        place(game.seats[seat], " ".join(["copper"] * size), "", "")
    game.seats[1].hand.append("militia")
    game.picks = [["copper"] * 2, ["copper"] * 2]
    assert game.others(game.seats[1]) == [game.seats[2], game.seats[3], game.seats[0]]
    game.play_action("militia", game.seats[1])
    assert [len(seat.hand) for seat in game.seats] == [3, 4, 3, 0]


@pytest.mark.parametrize(
    ("treasure", "gains"),
    [("copper", ["copper", "silver"]), ("silver", ["copper", "silver", "gold"]), ("gold", list(WORTH))],
)
def test_t18_mine(treasure: str, gains: list[str]) -> None:
    game = table("copper", hand=f"mine estate {treasure} {treasure}")
    game.play_action("mine", game.seats[0])
    assert game.offered == [[treasure], gains]  # equal Treasures are one option
    assert sorted(game.seats[0].hand) == sorted(["estate", treasure, "copper"])
    assert game.trash == [treasure]
    assert game.supply["copper"] == 45


def test_mine_without_a_treasure_or_a_pile() -> None:
    game = table(hand="mine estate")
    game.play_action("mine", game.seats[0])
    assert (game.offered, game.trash) == ([], [])
    game = table(hand="mine copper")
    game.supply.update(copper=0, silver=0)
    game.play_action("mine", game.seats[0])
    assert (game.trash, game.seats[0].hand) == (["copper"], [])  # D11, D12


def test_t19_remodel() -> None:
    game = table("gold", "province", hand="remodel gold curse curse")
    game.play_action("remodel", game.seats[0])
    assert game.offered[0] == ["gold", "curse"]
    assert set(game.offered[1]) == set(COST)  # all cost 8 at most
    assert (game.trash, game.seats[0].discard) == (["gold"], ["province"])
    game = table("estate", hand="remodel curse")
    game.play_action("remodel", game.seats[0])
    assert set(game.offered[1]) == {"copper", "curse", "estate", "cellar", "moat"}
    game = table(hand="remodel")
    game.play_action("remodel", game.seats[0])
    assert (game.trash, game.decisions) == ([], 0)


def test_workshop() -> None:
    game = table("militia", hand="workshop")
    game.supply["village"] = 0
    game.play_action("workshop", game.seats[0])
    assert set(game.offered[0]) == {card for card, cost in COST.items() if cost <= 4} - {"village"}
    assert game.seats[0].discard == ["militia"]
    assert game.supply["militia"] == 9


# ------------------------------------------------------------------ turns and the end (§3, §6)

def test_t1_sample_turn() -> None:
    game = table("market", "smithy", "village", "remodel", hand="market smithy silver estate estate")
    player = game.seats[0]
    place(player, "market smithy silver estate estate", "copper market silver", "gold gold gold gold gold copper")
    game.turn(player)
    # The Market draws the Silver, the Smithy two cards and one more after a shuffle; no action is left then.
    assert game.offered[:2] == [["market", "smithy", ""], ["smithy", ""]]
    # 2 Silver + 2 Copper + 1 = 7 coins, 2 buys.
    assert "gold" in game.offered[2] and "province" not in game.offered[2]
    assert set(game.offered[3]) == {card for card, cost in COST.items() if cost <= 4} | {""}
    bought, played = ["village", "remodel"], ["market", "smithy"]
    held = ["silver", "estate", "estate", "silver", "market", "copper", "copper"]
    assert player.discard == bought + played + held  # D6
    assert (player.hand, player.in_play, player.turns) == (["gold"] * 5, [], 1)


def test_t2_two_purchases() -> None:
    game = table("woodcutter", "cellar", "smithy", hand="woodcutter silver silver")
    game.turn(game.seats[0])
    assert {"cellar", "smithy"} <= set(game.seats[0].cards)
    assert game.decisions == 3


def test_stopping_and_buying_nothing() -> None:
    game = table("", "", "", hand="village copper moat village", other="estate copper")
    for seat in game.seats:  # what the first does not spend is lost
        game.turn(seat)
    assert game.offered == [["village", "moat", ""], ["copper", "curse", ""], ["copper", "curse", ""]]
    assert sorted(game.seats[0].cards) == ["copper", "moat", "village", "village"]


def test_a_buy_with_one_answer_is_no_decision() -> None:
    game = table(hand="copper")
    game.supply.update(copper=0, curse=0)
    game.turn(game.seats[0])
    assert (game.offered, game.decisions) == ([[""]], 0)


@pytest.mark.parametrize(
    ("empty", "over"),
    [(("province",), True), (("curse", "village", "copper"), True), (("curse", "village"), False), ((), False)],
)
def test_t24_end(empty: tuple[str, ...], over: bool) -> None:
    game = Game(2, Random(1))
    game.supply.update(dict.fromkeys(empty, 0))
    assert game.over() == over


@pytest.mark.parametrize(
    ("turns", "provinces", "winners"),
    [((12, 11), (5, 5), [1]), ((12, 12), (5, 5), [0, 1]), ((12, 11), (6, 5), [0]), ((11, 12), (4, 5), [1])],
)
def test_t25_tie(turns: tuple[int, int], provinces: tuple[int, int], winners: list[int]) -> None:
    game = Game(2, Random(1))
    for seat, taken, number in zip(game.seats, turns, provinces, strict=True):
        place(seat, " ".join(["province"] * number), "", "")
        seat.turns = taken
    assert game.winners() == winners


def test_score_counts_all_zones() -> None:
    player = Player(Random(1).shuffle)
    place(player, "estate gold", "duchy", "curse curse")
    player.in_play = ["province"]
    assert player.score == 1 + 3 - 2 + 6


# ------------------------------------------------------------------ whole games

@pytest.mark.parametrize("players", [2, 3, 4])
def test_t27_whole_games(players: int) -> None:
    rng = Random(players)
    results = [told(players, rng) for _ in range(30)]
    assert [faults(result) for result in results] == [[]] * 30
    rows = summarise([figures(result) for result in results])
    for card in KINGDOM:
        assert rows[f"played_{card}"].mean > 0
    for name in ("reshuffles", "cellared", "militia_discards", "moats_revealed"):
        assert rows[name].mean > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_faults_are_found(players: int) -> None:
    result = told(players, Random(7))
    best, zones = max(result.scores), result.zones
    moved = ({**zones[0], "hand": zones[0]["hand"] + Counter(copper=6)}, *zones[1:])
    broken = {
        "scores": result._replace(scores=(best + 1, *result.scores[1:])),
        "winners": result._replace(winners=()),
        "end": result._replace(supply={**result.supply, **dict.fromkeys(KINGDOM, 1), "curse": 1, "estate": 1}),
        "cards": result._replace(trash=result.trash + Counter(["gold"])),
        "hands": result._replace(zones=moved),
        "turns": result._replace(turns=tuple(9 if seat == result.starter else 7 for seat in range(players))),
    }
    for name, wrong in broken.items():
        assert name in faults(wrong)


def test_everything_there_is() -> None:
    assert everything_of(2).total() == 46 + 14 + 40 + 30 + 3 * 8 + 6 + 10 + 100
    assert everything_of(4)["estate"] == everything_of(3)["estate"] + 3 == 24  # §1


def test_playouts_give_turns_and_decisions_of_the_same_games_each_time() -> None:
    played = playouts(2, 20, 4)
    assert played == playouts(2, 20, 4) != playouts(2, 20, 5)
    game = dominion.play(2, Random(4))
    assert played[0] == (sum(seat.turns for seat in game.seats), game.decisions)
    assert all(decisions > turns for turns, decisions in played)


def test_counting_changes_no_game() -> None:
    result, game = told(3, Random(9)), dominion.play(3, Random(9))
    assert result.decisions == game.decisions
    assert [sum(zones.values(), Counter()) for zones in result.zones] == [
        Counter(seat.cards) for seat in game.seats
    ]
    assert set(result.zones[0]) == set(ZONES)
