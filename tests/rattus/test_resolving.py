"""Phase D and the final round: influence and rats, Swords, premium and standard actions (§5 to §7)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.positions import Table, hand, of
from tests.rattus.town import (
    ENTER,
    KING,
    KNIGHT,
    LOOK,
    LOSER,
    MERCHANT,
    MONK,
    PEASANT,
    PREMIUM,
    SPOILS,
    STANDARD,
    SUPPLY,
    WITCH,
    actions,
    begin,
    enter,
    influence,
    order,
    perform,
    rats,
    to_entering,
)

FIVE = ["population"] * 5


# ------------------------------------------------------------------ phase D: influence, rats, premium

def resolve(
    building: str, hands: list[list[str]], played: list[list[str]], seats: int = 3
) -> tuple[Table, list[int]]:
    """All enter one building, in turn order, holding and committing these cards."""
    table = begin(seats)
    row = [building, *(name for name in ("palace-5", "farm-5", "tent-5") if name != building)]
    entrants = to_entering(table, row[: table.count("row")], hands)
    for number, seat in enumerate(entrants):
        if number < len(played):
            enter(table, seat, building, *played[number])
        else:
            enter(table, seat, row[1])
    return table, entrants


@pytest.mark.parametrize(("later", "holder"), [(3, 1), (2, 0)])
def test_swords_do_not_count_for_the_premium_action(later: int, holder: int) -> None:
    """S9: 2 population and 2 Swords against 3 population, or against 2 (a tie, the other was earlier)."""
    mine, yours = [PEASANT, PEASANT, "sword", "sword"], [WITCH] * later
    table, seats = resolve("palace-1", [mine, yours, []], [mine, yours])
    assert actions(table)[:2] == [(seats[holder], PREMIUM), (seats[1 - holder], STANDARD)]


def test_a_joker_counts_and_brings_no_rat() -> None:
    """S10: Knight, Witch and joker in a Castle."""
    mine = [KNIGHT, WITCH, "joker"]
    table, seats = resolve("castle-1", [mine, [PEASANT] * 3, []], [mine, [PEASANT] * 3])
    first, second = seats[:2]
    assert influence(table, "chivalry", seats) == [3, 3, 0]
    assert rats(table, seats) == [11, 13, 10]
    assert table.asked == [(first, PREMIUM)], "three each: the earlier one"
    for earlier, holder in ((2, second), (3, first)):
        other, seats = resolve("castle-1", [[PEASANT] * earlier, mine, []], [[PEASANT] * earlier, mine])
        assert other.asked == [(holder, PREMIUM)], "the joker is the third card"
    actions(table)
    assert table.count("supply", "joker") == 15


def test_influence_and_rats_come_before_the_sword() -> None:
    """A12."""
    hands = [["sword", PEASANT], [PEASANT, MERCHANT, MONK], []]
    table, seats = resolve("castle-1", hands, [["sword", PEASANT], [PEASANT]])
    assert table.asked == [(seats[1], SPOILS)]
    assert influence(table, "chivalry", seats) == [1, 1, 0]
    assert rats(table, seats) == [11, 11, 10]


def test_the_premium_holder_acts_first_and_the_others_by_their_spaces() -> None:
    """§7.1: even with nothing committed one performs the standard action."""
    table, seats = resolve("farm-1", [[], [PEASANT], [], []], [[], [PEASANT], [], []], seats=4)
    a, b, c, d = seats
    assert actions(table) == [(b, PREMIUM), (a, STANDARD), (c, STANDARD), (d, STANDARD)]


def test_with_nothing_but_swords_the_first_entrant_has_the_premium() -> None:
    """A41, §7.1."""
    table, seats = resolve("farm-1", [[], ["sword"], []], [[], ["sword"]])
    assert table.asked == [(seats[0], PREMIUM)]


def test_actions_may_be_declined_and_nobody_inherits_them() -> None:
    """A24, A39: the premium holder is not offered the standard action, nor anybody the premium one."""
    table, seats = resolve("monastery-1", [[], [], []], [[], [], []])
    assert table.options == ["perform", "decline"]
    assert actions(table) == [(seats[0], PREMIUM), (seats[1], STANDARD), (seats[2], STANDARD)]
    assert rats(table, seats) == [10, 10, 10]


ACTIONS = [
    ("farm-1", "population", 4, 2),
    ("market-1", "joker", 2, 1),
    ("castle-1", "sword", 2, 1),
]


@pytest.mark.parametrize(("building", "kind", "premium", "standard"), ACTIONS)
def test_premium_and_standard_actions_that_bring_cards(
    building: str, kind: str, premium: int, standard: int
) -> None:
    """§7.3."""
    table, seats = resolve(building, [[], [], []], [[], [], []])
    perform(table, seats[0], PREMIUM)
    perform(table, seats[1], STANDARD)
    perform(table, seats[2], STANDARD)
    for cards in ((), (kind,)):
        assert [table.count(hand(seat), *cards) for seat in seats] == [premium, standard, standard]


def test_the_palace_gives_victory_point_tokens() -> None:
    """§7.3."""
    table, seats = resolve("palace-1", [[], [], []], [[], []])
    perform(table, seats[0], PREMIUM)
    perform(table, seats[1], STANDARD)
    assert [table.count(of(seat, "tokens")) for seat in seats] == [2, 1, 0]
    assert table.count("supply", "point") == 17


def test_the_monastery_and_the_tent_give_less_to_the_others() -> None:
    """§7.3: two rats and one; two cards of the Nun row and one."""
    table, seats = resolve("monastery-1", [[], [], []], [[], []])
    perform(table, seats[0], PREMIUM)
    perform(table, seats[1], STANDARD)
    assert rats(table, seats[:2]) == [8, 9]
    table, seats = resolve("tent-1", [[], [], []], [[], []])
    perform(table, seats[0], PREMIUM)
    assert table.decision.least == table.decision.most == 2
    table.answer(seats[0], LOOK, "place-1", "place-2")
    perform(table, seats[1], STANDARD)
    assert table.decision.least == table.decision.most == 1
    assert len(table.options) == 5, "A31: also those that somebody has seen"


def test_the_market_gives_what_is_left() -> None:
    """S20, A6: one joker in the supply; those committed here are not back yet."""
    table = begin(3)
    jokers = ["joker"] * 2
    a, b, c = to_entering(table, ["market-1", "palace-1"], [jokers, [], ["joker"] * 12])
    enter(table, a, "market-1", *jokers)
    enter(table, b, "market-1")
    enter(table, c, "palace-1")
    perform(table, a, PREMIUM)
    perform(table, b, STANDARD)
    assert (table.count(hand(a), "joker"), table.count(hand(b), "joker")) == (1, 0)
    assert table.count("supply", "joker") == 2, "now the committed ones are back"


# ------------------------------------------------------------------ Swords

def test_a_tie_for_most_swords_goes_to_who_entered_first() -> None:
    """S11: B, A, C enter with 1, 1, 0 Swords; C gives half of his five cards."""
    table, seats = resolve("castle-1", [["sword"], ["sword"], FIVE], [["sword"], ["sword"], []])
    b, a, c = seats
    assert table.asked == [(c, SPOILS)] and (table.decision.least, table.decision.most) == (2, 2)
    table.answer(c, SPOILS, *table.options[:2])
    assert [table.count(hand(seat)) for seat in (b, a, c)] == [2, 0, 3]


@pytest.mark.parametrize(("size", "gives"), [(1, 0), (2, 1), (7, 3)])
def test_a_tie_for_fewest_swords_is_decided_by_the_winner(size: int, gives: int) -> None:
    """S12: entrants with 2, 0, 0 Swords; half of the hand, rounded down. A11: two Swords take no more than one."""
    held = ["population"] * size
    table, (a, b, c) = resolve("castle-1", [["sword"] * 2, held, held], [["sword"] * 2, [], []])
    assert table.asked == [(a, LOSER)]
    assert sorted(table.options) == sorted(f"seat-{seat + 1}" for seat in (b, c))
    table.answer(a, LOSER, f"seat-{c + 1}")
    if (c, SPOILS) in table.asked:
        assert table.decision.least == table.decision.most == gives
        table.answer(c, SPOILS, *table.options[:gives])
    assert table.decision.choice == PREMIUM
    assert [table.count(hand(seat)) for seat in (a, b, c)] == [gives, size, size - gives]


def test_half_of_a_hand_means_all_cards_still_in_it() -> None:
    """A13: jokers and Swords in hand count and may be given; what was committed does not."""
    held = ["joker", "sword", PEASANT, MONK]
    table, (a, b, _) = resolve("castle-1", [["sword"], [*held, KING, KING], []], [["sword"], [KING, KING]])
    assert table.asked == [(b, SPOILS)] and table.decision.least == table.decision.most == 2
    assert sorted(table.options) == sorted(held)
    table.answer(b, SPOILS, "joker", "sword")
    assert table.cards(hand(a)) == ["joker", "sword"]
    assert table.cards(hand(b)) == sorted([PEASANT, MONK])


@pytest.mark.parametrize("played", [[["sword"], ["sword"], ["sword"]], [["sword"] * 3]])
def test_equal_swords_do_nothing(played: list[list[str]]) -> None:
    """S13, A9: the same number each, or a sole entrant; the Swords return to their deck."""
    hands = [[*cards, *FIVE[:4]] for cards in [*played, [], []][:3]]
    table, seats = resolve("castle-1", hands, played)
    assert table.asked == [(seats[0], PREMIUM)]
    assert [table.count(hand(seat)) for seat in seats] == [4, 4, 4]
    actions(table)
    assert table.count("supply", "sword") == 12


def test_only_entrants_of_the_building_are_compared() -> None:
    """A10: who is elsewhere with no Sword is not the loser."""
    table, seats = resolve("castle-1", [["sword"], ["sword"], FIVE], [["sword"], ["sword"]])
    assert table.asked == [(seats[0], PREMIUM)]
    assert table.count(hand(seats[2])) == 5


# ------------------------------------------------------------------ two players

@pytest.mark.parametrize("row", [["farm-1", "castle-1"], ["castle-1", "farm-1"]])
@pytest.mark.parametrize(("population", "swords", "drawn"), [(2, 2, 2), (3, 1, 4)])
def test_two_players_share_one_premium_action(
    row: list[str], population: int, swords: int, drawn: int
) -> None:
    """S21, A17: 2 and 3 cards in different buildings: the second has it; 3 and 3: who entered first."""
    table = begin(2)
    mine, yours = [PEASANT] * population, [KNIGHT, KNIGHT, "joker"]
    first, second = to_entering(table, row, [[*mine, "sword"], yours])
    enter(table, first, "farm-1", *mine, "sword")
    enter(table, second, "castle-1", *yours)
    for watcher, shown in ((first, second), (second, first)):
        view = table.game.view(watcher).zone(of(shown, "committed"))
        assert dict(view.known) == Counter(table.cards(of(shown, "committed"))), "both are shown at once"
    sites = {first: PREMIUM if population == 3 else STANDARD, second: STANDARD if population == 3 else PREMIUM}
    for building in row:
        seat = first if building == "farm-1" else second
        perform(table, seat, sites[seat])
    assert (table.count(hand(first)), table.count(hand(second), "sword")) == (drawn, swords)
    assert table.count(hand(second)) == swords


# ------------------------------------------------------------------ the final round

def final(table: Table) -> None:
    """Makes this round the final one."""
    table.arrange(tracks={("final-round",): 1})


def test_the_round_that_empties_the_building_deck_is_the_final_one() -> None:
    """§4: supplies and entering take place (A19), and the game ends after it."""
    table = begin(3)
    last = to_entering(table, ["palace-1", "farm-1"])[-1]
    table.until(ENTER, last)
    table.arrange(zones={"building-deck": ["castle-1", "tent-1"]}, rest={"building": "box"})
    enter(table, last, "farm-1")
    actions(table)
    assert table.decision.choice == SUPPLY and table.number("final-round") == 1
    table.until(ENTER)
    for seat in order(table):
        enter(table, seat, "castle-1")
    assert table.game.result is not None


def test_in_the_final_round_the_premium_is_a_point() -> None:
    """S22: 3 and 3 cards give 3 and 1 more, and 3; no action is asked for; a sole entrant with nothing gets 1."""
    table = begin(3)
    mine, yours = [PEASANT] * 3, [WITCH] * 3
    seats = to_entering(table, ["castle-1", "palace-1"], [mine, yours, []])
    final(table)
    enter(table, seats[0], "castle-1", *mine)
    enter(table, seats[1], "castle-1", *yours)
    enter(table, seats[2], "palace-1")
    assert table.game.result is not None, "no action was asked for"
    assert influence(table, "chivalry", seats) == [4, 3, 0]
    assert influence(table, "royalty", seats) == [0, 0, 1]
    assert [table.count(of(seat, "tokens")) for seat in seats] == [0, 0, 0]


def test_the_sword_works_in_the_final_round() -> None:
    """A19."""
    table = begin(3)
    seats = to_entering(table, ["castle-1", "palace-1"], [["sword"], FIVE, []])
    final(table)
    enter(table, seats[0], "castle-1", "sword")
    enter(table, seats[1], "castle-1")
    enter(table, seats[2], "palace-1")
    assert table.asked == [(seats[1], SPOILS)]


def test_with_two_players_only_one_point_is_given_in_the_final_round() -> None:
    """A18: to who would hold the premium, in the class of his building."""
    table = begin(2)
    seats = to_entering(table, ["castle-1", "palace-1"], [[PEASANT], [PEASANT] * 2])
    final(table)
    enter(table, seats[0], "castle-1", PEASANT)
    enter(table, seats[1], "palace-1", PEASANT, PEASANT)
    assert table.game.result is not None
    assert influence(table, "chivalry", seats) == [1, 0]
    assert influence(table, "royalty", seats) == [0, 3]
