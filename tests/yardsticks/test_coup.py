"""The Coup yardstick against the example and scenarios (T) of coup.md §10 and its rulings (C)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

import pytest

from . import coup
from .coup import COINS, NOBODY, ROLES, Game, playouts
from .coup_figures import ACTIONS, HAPPENINGS, faults, figures, told
from .summary import summarise

T = TypeVar("T")
YES, NO = True, False
A, B, C = range(3)


class Scripted(Game):
    """A table with these hands and coins, where every decision is laid down and the court keeps its order.

    A card is shown into the bottom of the court; what an exchange keeps is laid down in `kept`.
    """

    def __init__(self, hands: Sequence[str], coins: Sequence[int], answers: Iterable[object]) -> None:
        super().__init__(len(hands), Random(5))
        self.influence = [hand.split() for hand in hands]
        rest = Counter(dict.fromkeys(ROLES, 3))
        rest.subtract(card for hand in self.influence for card in hand)
        self.court = list(rest.elements())
        self.coins = list(coins)
        self.treasury = COINS - sum(coins)
        self.answers = list(answers)
        self.kept: list[str] = []
        self.shuffle = self.arrange

    def choose(self, options: Sequence[T]) -> T:
        if len(options) == 1:
            return options[0]
        self.decisions += 1
        answer = self.answers.pop(0)
        return next(option for option in options if option == answer)

    def arrange(self, cards: list[str]) -> None:
        if cards is self.court:
            cards.insert(0, cards.pop())
        else:
            cards.sort(key=lambda card: card in self.kept)

    def top(self, *cards: str) -> None:
        """Puts cards on top of the court, the first uppermost."""
        for card in reversed(cards):
            self.court.remove(card)
            self.court.append(card)

    def play(self, player: int, *answers: object) -> None:
        """A turn with these answers, all of which must be asked for."""
        self.answers = list(answers)
        self.turn(player)
        assert self.answers == []
        assert sum(self.coins) + self.treasury == COINS
        found = Counter(self.court)
        for cards in (*self.influence, *self.lost):
            found.update(cards)
        assert found == dict.fromkeys(ROLES, 3)


# ------------------------------------------------------------------ set-up (§2)

@pytest.mark.parametrize(
    ("players", "court", "treasury"), [(2, 11, 39), (3, 9, 36), (4, 7, 34), (5, 5, 32), (6, 3, 30)]
)
def test_set_up(players: int, court: int, treasury: int) -> None:
    game = Game(players, Random(1))
    assert (len(game.court), game.treasury) == (court, treasury)
    assert [len(hand) for hand in game.influence] == [2] * players
    assert Counter(game.court + [card for hand in game.influence for card in hand]) == dict.fromkeys(ROLES, 3)
    assert game.coins == ([1, 2] if players == 2 else [2] * players)  # T15


@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_play(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 6 players, not"):
        Game(players, Random(1))


# ------------------------------------------------------------------ the rulebook's example (§10.1)

def test_the_example_of_the_rulebook() -> None:
    carmen, sergio, alex = range(3)
    game = Scripted(["contessa duke", "captain contessa", "assassin duke"], [2, 2, 2], [])
    assert (game.treasury, Counter(game.court)) == (
        36,
        {"duke": 1, "assassin": 2, "captain": 2, "ambassador": 3, "contessa": 1},
    )

    def stands(coins: list[int], treasury: int) -> None:
        assert (game.coins, game.treasury) == (coins, treasury)

    game.play(carmen, ("tax", NOBODY), NO, NO)
    stands([5, 2, 2], 33)
    game.top("assassin", "duke")
    game.kept = ["assassin", "captain"]
    game.play(sergio, ("exchange", NOBODY), NO, NO)
    stands([5, 2, 2], 33)
    assert Counter(game.influence[sergio]) == {"assassin": 1, "captain": 1}
    assert Counter(game.court) == {"duke": 1, "assassin": 1, "captain": 2, "ambassador": 3, "contessa": 2}
    game.top("contessa")
    game.play(alex, ("tax", NOBODY), NO, YES, "assassin")
    stands([5, 2, 5], 30)
    assert Counter(game.influence[alex]) == {"assassin": 1, "contessa": 1}
    assert (game.influence[sergio], game.lost[sergio]) == (["captain"], ["assassin"])
    game.play(carmen, ("tax", NOBODY), NO, NO)
    stands([8, 2, 5], 27)
    game.play(sergio, ("income", NOBODY))
    stands([8, 3, 5], 26)
    game.play(alex, ("assassinate", carmen), NO, NO, "contessa", NO, NO)
    stands([8, 3, 2], 29)
    game.play(carmen, ("coup", alex), "contessa")
    stands([1, 3, 2], 36)
    assert game.influence[alex] == ["assassin"]
    game.play(sergio, ("steal", alex), NO, NO, "ambassador", YES)
    stands([1, 5, 0], 36)
    assert game.influence == [["contessa", "duke"], ["captain"], []]
    assert game.lost == [[], ["assassin"], ["contessa", "assassin"]]
    assert (game.alive, game.turns) == (2, [3, 3, 2])


# ------------------------------------------------------------------ scenarios (§10.2)

def test_t1_double_loss_by_a_challenge() -> None:
    game = Scripted(["assassin duke", "duke duke", "captain captain"], [3, 2, 2], [])
    game.play(A, ("assassinate", B), YES, "")  # equal cards are no choice; B does not block (C3)
    assert (game.influence[B], game.coins) == ([], [0, 0, 2])
    assert game.lost[B] == ["duke", "duke"]
    assert len(game.influence[A]) == 2


def test_t2_double_loss_by_a_false_contessa() -> None:
    game = Scripted(["duke duke", "captain captain", "ambassador ambassador"], [3, 2, 2], [])
    game.play(A, ("assassinate", B), NO, NO, "contessa", YES)
    assert (game.influence[B], game.coins, game.treasury) == ([], [0, 0, 2], 40)


def test_t3_true_contessa() -> None:
    game = Scripted(["duke duke", "contessa captain", "ambassador ambassador"], [3, 2, 2], [])
    game.top("assassin")
    game.play(A, ("assassinate", B), NO, NO, "contessa", YES)
    assert game.lost == [[], [], ["ambassador"]]
    assert len(game.influence[B]) == 2
    assert game.coins == [0, 2, 2]


def test_t4_bluffed_assassin() -> None:
    game = Scripted(["duke duke", "captain captain", "ambassador ambassador"], [3, 2, 2], [])
    game.play(A, ("assassinate", B), NO, YES)
    assert (game.lost, game.coins) == ([["duke"], [], []], [3, 2, 2])


def test_t5_third_party_challenger() -> None:
    game = Scripted(["assassin duke", "captain captain", "ambassador ambassador"], [3, 2, 2], [])
    game.play(A, ("assassinate", B), NO, YES, "contessa", NO, NO)
    assert (game.lost, game.coins) == ([[], [], ["ambassador"]], [0, 2, 2])


@pytest.mark.parametrize("coins", [10, 11, 12])
def test_t6_forced_coup(coins: int) -> None:
    game = Scripted(["duke duke", "captain captain", "ambassador ambassador"], [coins, 2, 2], [])
    assert game.menu(A) == [("coup", B), ("coup", C)]


@pytest.mark.parametrize(("coins", "aimed"), [(2, 1), (3, 2), (6, 2), (7, 3), (9, 3)])
def test_t7_prices(coins: int, aimed: int) -> None:
    game = Scripted(["duke duke", "captain captain", "ambassador ambassador"], [coins, 2, 2], [])
    assert len(game.menu(A)) == 4 + 2 * aimed
    assert game.menu(A)[:4] == [(action, NOBODY) for action in ("income", "foreign-aid", "tax", "exchange")]
    named = ("steal", "assassinate", "coup")[:aimed]
    assert set(game.menu(A)[4:]) == {(action, other) for action in named for other in (B, C)}


@pytest.mark.parametrize(
    ("hand", "answers", "coins"),
    [
        ("captain captain", ["duke", NO, NO], 2),
        ("captain captain", ["duke", NO, YES], 4),
        ("duke captain", ["duke", NO, YES, "assassin"], 2),
        ("captain captain", ["", "", ], 4),
    ],
)  # fmt: skip
def test_t8_foreign_aid(hand: str, answers: list[object], coins: int) -> None:
    game = Scripted(["assassin contessa", hand, "ambassador ambassador"], [2, 2, 2], [])
    game.play(A, ("foreign-aid", NOBODY), *answers)
    assert game.coins[A] == coins


def test_c10_one_block_for_an_action() -> None:
    game = Scripted(["assassin contessa", "captain captain", "duke ambassador"], [2, 2, 2], [])
    game.play(A, ("foreign-aid", NOBODY), "duke", YES)  # C is not asked whether to block
    assert game.coins == [4, 2, 2]


@pytest.mark.parametrize(("held", "taken"), [(5, 2), (2, 2), (1, 1), (0, 0)])
def test_t9_steal(held: int, taken: int) -> None:
    game = Scripted(["captain duke", "duke duke", "ambassador ambassador"], [2, held, 2], [])
    game.play(A, ("steal", B), NO, NO, "")
    assert game.coins == [2 + taken, held - taken, 2]


@pytest.mark.parametrize(("claim", "fails"), [("captain", YES), ("ambassador", NO)])
def test_c8_a_block_is_by_a_named_character(claim: str, fails: bool) -> None:
    game = Scripted(["captain duke", "ambassador duke", "assassin assassin"], [2, 2, 2], [])
    game.play(A, ("steal", B), NO, NO, claim, YES, *(["duke"] if fails else []))
    assert game.coins == ([4, 0, 2] if fails else [2, 2, 2])


def test_t10_exchange_with_one_influence() -> None:
    game = Scripted(["captain", "duke duke", "assassin assassin"], [2, 2, 2], [])
    game.lost[A] = ["contessa"]
    game.court.remove("contessa")
    game.top("ambassador", "contessa")
    size = len(game.court)
    game.play(A, ("exchange", NOBODY), NO, NO, "contessa")
    assert (game.influence[A], len(game.court)) == (["contessa"], size)
    assert game.decisions == 4  # the action, two challenges, the cards


def test_an_exchange_among_equal_cards_is_no_choice() -> None:
    game = Scripted(["duke", "captain captain"], [2, 2], [])
    game.lost[A] = ["contessa"]
    game.court.remove("contessa")
    game.top("duke", "duke")
    game.play(A, ("exchange", NOBODY), NO)
    assert (game.influence[A], game.decisions) == (["duke"], 2)


def test_t13_a_bluffer_goes_out() -> None:
    game = Scripted(["duke", "captain captain", "ambassador ambassador"], [4, 2, 2], [])
    game.lost[A] = ["contessa"]
    game.court.remove("contessa")
    game.play(A, ("assassinate", B), YES)
    assert (game.influence[A], game.coins, game.treasury) == ([], [0, 2, 2], 38)
    assert game.others(C) == [B]  # T18


def test_t14_a_challenger_goes_out_and_the_game_may_end() -> None:
    game = Scripted(["duke captain", "captain", "ambassador ambassador"], [2, 2, 2], [])
    game.lost[B] = ["contessa"]
    game.court.remove("contessa")
    game.play(A, ("tax", NOBODY), YES)
    assert (game.coins, game.alive) == ([5, 0, 2], 2)
    game = Scripted(["duke captain", "captain"], [2, 2], [])
    game.lost[B] = ["contessa"]
    game.court.remove("contessa")
    game.play(A, ("tax", NOBODY), YES)
    assert (game.coins, game.alive, game.winner()) == ([2, 0], 1, A)  # it ends there: no coins


def test_t17_the_replacement_can_be_the_same() -> None:
    game = Scripted(["duke captain", "captain captain"], [2, 2], [])
    game.court = ["duke", "duke"]
    game.replace(A, "duke")
    assert sorted(game.influence[A]) == ["captain", "duke"]
    assert game.court == ["duke", "duke"]


def test_c16_the_winner_of_a_challenge_draws_before_the_loser_chooses() -> None:
    class Watched(Scripted):
        def lose(self, player: int) -> None:
            seen.append((player, sorted(self.influence[A]), sorted(self.court)))
            super().lose(player)

    seen: list[tuple[int, list[str], list[str]]] = []
    game = Watched(["duke captain", "assassin contessa"], [2, 2], [])
    game.court = ["captain"]
    game.answers = [YES, "contessa"]
    assert not game.refuted(A, "duke")
    assert seen == [(B, ["captain", "captain"], ["duke"])]


def test_c2_the_first_willing_one_challenges() -> None:
    game = Scripted(["ambassador duke", "captain assassin", "ambassador captain"], [2, 2, 2], [])
    game.play(B, ("tax", NOBODY), YES, "captain")  # C is asked first; A not at all
    assert (game.lost[B], game.influence[A]) == (["captain"], ["ambassador", "duke"])
    assert game.decisions == 3


def test_c6_a_target_that_is_out_costs_as_much() -> None:
    game = Scripted(["assassin duke", "captain", "ambassador ambassador"], [3, 2, 2], [])
    game.lost[B] = ["contessa"]
    game.court.remove("contessa")
    game.play(A, ("assassinate", B), NO, NO, "contessa", YES)
    assert (game.coins, game.treasury, game.alive) == ([0, 0, 2], 40, 2)


def test_c13_the_treasury_is_finite() -> None:
    game = Scripted(["duke assassin", "captain captain", "ambassador ambassador"], [9, 16, 16], [])
    assert game.treasury == 1
    game.play(A, ("tax", NOBODY), NO, NO)
    assert (game.coins, game.treasury) == ([10, 16, 16], 0)
    game.coins = [8, 18, 16]
    game.play(A, ("income", NOBODY))
    assert (game.coins, game.treasury) == ([8, 18, 16], 0)


# ------------------------------------------------------------------ whole games

@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_whole_games(players: int) -> None:
    rng = Random(players)
    results = [told(players, rng) for _ in range(200)]
    assert [faults(result) for result in results] == [[]] * 200
    rows = summarise([figures(result) for result in results])
    for name in HAPPENINGS:
        assert rows[name].mean > 0, name
    for action in ACTIONS:
        assert rows[f"done_{action}"].mean <= rows[f"chosen_{action}"].mean + (action == "coup")
    assert rows["challenges"].mean > rows["challenges_won"].mean > 0
    # All influence but the winner's is lost.
    lost = sum(rows[f"lost_{role}"].mean for role in ROLES)
    assert lost + rows["winner_influence"].mean == pytest.approx(2 * players)


@pytest.mark.parametrize("players", [2, 5])
def test_faults_are_found(players: int) -> None:
    result = told(players, Random(3))
    (winner,) = result.winners
    loser = (winner + 1) % players
    coins = tuple(count + (seat == loser) for seat, count in enumerate(result.coins))
    broken = {
        "winner": result._replace(winners=(loser,)),
        "cards": result._replace(court=result.court + Counter(["duke"])),
        "court": result._replace(court=result.court - Counter(result.court.most_common(1)[0][:1])),
        "coins": result._replace(treasury=result.treasury + 1),
        "coins of who is out": result._replace(coins=coins, treasury=result.treasury - 1),
    }
    for name, wrong in broken.items():
        assert name in faults(wrong)


def test_playouts_give_turns_and_decisions_of_the_same_games_each_time() -> None:
    played = playouts(4, 40, 4)
    assert played == playouts(4, 40, 4) != playouts(4, 40, 5)
    game = coup.play(4, Random(4))
    assert played[0] == (sum(game.turns), game.decisions)


def test_counting_changes_no_game() -> None:
    result, game = told(3, Random(9)), coup.play(3, Random(9))
    assert (result.decisions, list(result.turns), list(result.coins)) == (game.decisions, game.turns, game.coins)
