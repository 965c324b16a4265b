"""The rules of Rattus Cartus, first-game set: scenarios (S), rulings (A) and sections (§) of the rules reference.

Expected values come from those alone, or from the arithmetic beside them.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from interpreter.chance import Stream
from interpreter.view import Result
from tests.positions import Place, Table, hand, of
from tests.rattus.town import (
    CLASSES,
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
    decline,
    enter,
    influence,
    order,
    perform,
    rats,
    reckon,
    to_entering,
)

pytestmark = pytest.mark.parametrize("backend", ["walker", "python"])

EXAMPLE_ROW = ["tent-3", "monastery-1", "monastery-4"]
FIVE = ["population"] * 5


# ------------------------------------------------------------------ set-up and rounds (§3, §4)


@pytest.mark.parametrize(("seats", "deck"), [(2, 69), (3, 64), (4, 59), (5, 54)])
def test_setup_deals_five_cards_each_and_five_into_the_nun_row(backend: str, seats: int, deck: int) -> None:
    """§3, steps 3 to 5."""
    table = begin(backend, seats)
    assert (table.count("deck"), table.count("nun-row"), table.count("discard")) == (deck, 5, 0)
    for seat in range(seats):
        assert table.count(hand(seat)) == table.count(hand(seat), "population") == 5
        assert table.number("rats", seat) == 10
        assert [table.number("influence", seat, name) for name in CLASSES] == [0] * 6
    supply = Counter(table.cards("supply"))
    assert supply == {"joker": 15, "sword": 12, "point": 20}, "without a Piper's Hut there are no Flutes, and so on"


@pytest.mark.parametrize(
    ("seats", "reserve", "left", "row"), [(2, 10, 20, 2), (3, 12, 18, 2), (4, 6, 24, 3), (5, 6, 24, 3)]
)
def test_setup_puts_part_of_the_thirty_buildings_aside(
    backend: str, seats: int, reserve: int, left: int, row: int
) -> None:
    """§3, steps 7 and 8. The first row has been drawn when the first player is asked."""
    table = begin(backend, seats)
    assert (table.count("reserve"), table.count("building-deck"), table.count("row")) == (reserve, left - row, row)
    buildings = Counter(key for zone in ("reserve", "building-deck", "row") for key in table.cards(zone))
    types = ("farm", "market", "monastery", "castle", "palace", "tent")
    assert buildings == {f"{name}-{copy}": 1 for name in types for copy in range(1, 6)}, "§3.1"


def test_population_has_fourteen_cards_of_each_class(backend: str) -> None:
    """§2 and A4: per class four cards with no nuns, four with 4, and two each with 1, 2 and 3."""
    table = begin(backend, 2)
    cards = Counter(card.key for card in table.program.cards if card.kind == "population")
    assert cards == {f"{name}-{nuns}": 4 if nuns in (0, 4) else 2 for name in CLASSES for nuns in range(5)}


def test_nobody_sees_the_nun_row_and_all_see_how_many_cards_a_hand_holds(backend: str) -> None:
    """§10, A33."""
    table = begin(backend, 3)
    for seat in range(3):
        view = table.game.view(seat)
        assert view.zone("nun-row").cards == (None,) * 5
        assert view.zone("deck").cards == (None,) * 64
        for owner in range(3):
            cards = view.zone(hand(owner)).cards
            assert len(cards) == 5 and (None in cards) == (seat != owner)


@pytest.mark.parametrize(("seats", "rounds"), [(2, 10), (3, 9), (4, 8), (5, 8)])
def test_phases_come_in_order_for_as_many_rounds_as_there_are_rows(backend: str, seats: int, rounds: int) -> None:
    """§3, step 8, and §4: five phases; the starting player changes after each round (§4.E)."""
    table = begin(backend, seats)
    stream = Stream(seats)
    beginners: list[int] = []
    asked: list[int] = []
    while table.game.result is None:
        one = table.decision
        if one.choice == SUPPLY and len(asked) % seats == 0:
            beginners.append(one.seat)
        asked += [one.seat] * (one.choice == SUPPLY)
        table.step(stream)
    reached = [table.program.sources[e.at].name for e in table.game.events() if e.kind == "reached"]
    phases = ["new-buildings", "supplies", "entering", "resolving", "end-of-round"]
    assert [name.removeprefix("phase/") for name in reached if name.startswith("phase/")] == phases * rounds
    assert len(beginners) == rounds
    assert all(after == (before + 1) % seats for before, after in pairwise(beginners)), "clockwise"
    turns = [(first + step) % seats for first in beginners for step in range(seats)]
    assert asked == turns, "each player once, clockwise from the starting player (§4.B)"


def test_players_enter_in_turn_order_one_building_each(backend: str) -> None:
    """§4.C; without Safe-conducts each player's turn is to enter a building of the row, occupied or not."""
    table = begin(backend, 4)
    seats = to_entering(table, EXAMPLE_ROW)
    for seat in seats:
        assert table.asked == [(seat, ENTER)]
        assert [key.split("@")[0] for key in table.options] == [f"enter:{building}" for building in EXAMPLE_ROW]
        enter(table, seat, "tent-3")
    assert table.listed("visitors", "tent-3") == seats, "spaces are taken in order"


# ------------------------------------------------------------------ phase A: the row


def next_row(backend: str, seats: int, drawn: list[str], reserve: list[str]) -> tuple[Table, list[str], list[str]]:
    """The table after the phase A that draws these buildings, and the Reserve before and after it. (top last)"""
    table = begin(backend, seats)
    last = to_entering(table, ["palace-1", "palace-2", "palace-3"][: table.count("row")])[-1]
    table.until(ENTER, last)
    table.arrange(top={"building-deck": drawn, "reserve": reserve})
    before = table.cards("reserve")
    enter(table, last, "palace-1")
    actions(table)
    assert table.decision.choice == SUPPLY
    return table, before, table.cards("reserve")


def test_a_row_of_one_type_gets_cards_of_the_reserve_until_it_is_mixed(backend: str) -> None:
    """S8, A22: what counts is the type; the copies differ."""
    table, before, after = next_row(backend, 3, ["farm-1", "farm-2"], ["farm-3", "castle-1"])
    assert table.cards("row") == ["farm-1", "castle-1"]
    assert after == ["farm-3", "farm-2", *before[:-2]], "both went under the Reserve, one after the other"
    assert len(after) == 12


def test_a_mixed_row_leaves_the_reserve_alone(backend: str) -> None:
    """S1: a Tent and two Monasteries are fine."""
    table, before, after = next_row(backend, 4, EXAMPLE_ROW, ["farm-1"])
    assert table.cards("row") == EXAMPLE_ROW
    assert after == before


def test_three_of_a_type_are_too_many(backend: str) -> None:
    """§4.A, with four players: only the card drawn last is replaced."""
    table, before, after = next_row(backend, 4, ["tent-5", "tent-4", "tent-3"], ["tent-2", "market-1"])
    assert table.cards("row") == ["tent-5", "tent-4", "market-1"]
    assert after == ["tent-2", "tent-3", *before[:-2]]


def test_the_reserve_always_has_another_type_in_time(backend: str) -> None:
    """A21: with rows of two, three more cards of the type can come up at most."""
    table, before, after = next_row(backend, 2, ["farm-1", "farm-2"], ["farm-3", "farm-4", "farm-5", "tent-1"])
    assert table.cards("row") == ["farm-1", "tent-1"]
    assert after == ["farm-5", "farm-4", "farm-3", "farm-2", *before[:-4]]


# ------------------------------------------------------------------ phase B: supplies


def supplies(backend: str, seats: int = 4, row: list[str] = EXAMPLE_ROW) -> tuple[Table, int]:
    """The first choice of a supply action from this row, and who has it."""
    table = begin(backend, seats).arrange(zones={"row": row})
    return table, table.decision.seat


def test_a_supply_is_one_of_the_row_and_is_compulsory(backend: str) -> None:
    """S1, A24, A32: exactly three options, one of which is to be taken; then the next player has the same."""
    table, first = supplies(backend)
    for seat in (first, (first + 1) % 4):
        decision = table.decision
        assert (decision.seat, decision.choice, decision.least, decision.most) == (seat, SUPPLY, 1, 1)
        assert table.options == ["tent-3@place-1", "monastery-1@place-2", "monastery-4@place-3"]
        table.answer(seat, SUPPLY, "monastery-1@place-2")


def test_the_supplies_of_the_example(backend: str) -> None:
    """S1: draw 2 and look at one card of the Nun row, or draw 4, or discard 2 rats."""
    table, seat = supplies(backend)
    drawn, rid = table.clone(), table.clone()
    table.answer(seat, SUPPLY, "tent-3@place-1")
    assert (table.count(hand(seat)), table.number("rats", seat)) == (7, 10)
    assert (table.decision.choice, table.decision.seat, len(table.options)) == (LOOK, seat, 5)
    assert (table.decision.least, table.decision.most) == (1, 1)
    drawn.answer(seat, SUPPLY, "monastery-1@place-2")
    assert (drawn.count(hand(seat)), drawn.number("rats", seat)) == (9, 10)
    rid.answer(seat, SUPPLY, "monastery-4@place-3")
    assert (rid.count(hand(seat)), rid.number("rats", seat)) == (5, 8)


@pytest.mark.parametrize("building", ["farm", "market", "monastery", "castle", "tent", "palace"])
def test_each_type_has_the_same_five_supplies(backend: str, building: str) -> None:
    """A1, §11: (draw, rats, look) by copy."""
    by_copy = [(4, 0, 0), (2, 1, 0), (2, 0, 1), (0, 2, 0), (0, 1, 1)]
    other = "farm-1" if building != "farm" else "tent-1"
    for copy, (draw, fewer, look) in enumerate(by_copy, 1):
        table, seat = supplies(backend, 2, [f"{building}-{copy}", other])
        table.answer(seat, SUPPLY, f"{building}-{copy}@place-1")
        assert table.count(hand(seat)) == 5 + draw
        assert table.number("rats", seat) == 10 - fewer
        assert (table.decision.choice == LOOK) == (look == 1)


def test_one_cannot_discard_more_rats_than_one_has(backend: str) -> None:
    """A7: down to 0, never below; the action may still be chosen."""
    for start in (0, 1, 2):
        table, seat = supplies(backend)
        table.arrange(tracks={("rats", seat): start})
        table.answer(seat, SUPPLY, "monastery-4@place-3")
        assert table.number("rats", seat) == 0


def test_who_looks_at_a_nun_knows_that_card_and_others_do_not(backend: str) -> None:
    """§4.B, §10: in secret, and the card stays where it is; that and where someone looked is public."""
    table, seat = supplies(backend)
    row = table.cards("nun-row")
    table.answer(seat, SUPPLY, "tent-3@place-1")
    table.answer(seat, LOOK, "place-3")
    assert table.cards("nun-row") == row
    for other in range(4):
        seen = table.game.view(other).zone("nun-row").cards
        assert seen == ((None, None, row[2], None, None) if other == seat else (None,) * 5)


# ------------------------------------------------------------------ drawing from the population deck


def drawing(backend: str, deck: int, discard: int) -> tuple[Table, int]:
    """A supply of four cards for the first of two players, with decks of these sizes; the other holds the rest."""
    table, seat = supplies(backend, 2, ["monastery-1", "farm-1"])
    sizes = {"deck": ["population"] * deck, "discard": ["population"] * discard}
    table.arrange(zones={**sizes, hand(seat): []}, rest={"population": hand(1 - seat)})
    return table, seat


def test_a_deck_that_runs_out_is_shuffled_anew_in_the_middle_of_a_draw(backend: str) -> None:
    """S24: deck 2, discard 10, draw 4."""
    table, seat = drawing(backend, 2, 10)
    old, discarded = Counter(table.cards("deck")), Counter(table.cards("discard"))
    table.answer(seat, SUPPLY, "monastery-1@place-1")
    drawn = Counter(table.cards(hand(seat)))
    assert drawn.total() == 4 and not old - drawn and not drawn - old - discarded
    assert (table.count("deck"), table.count("discard")) == (8, 0)


def test_what_is_not_there_is_not_drawn(backend: str) -> None:
    """S24, A23: deck 2, discard 0, draw 4; the Nun row is not touched."""
    table, seat = drawing(backend, 2, 0)
    table.answer(seat, SUPPLY, "monastery-1@place-1")
    assert table.count(hand(seat)) == 2
    assert (table.count("deck"), table.count("discard"), table.count("nun-row")) == (0, 0, 5)


def test_an_empty_deck_is_replaced_at_once(backend: str) -> None:
    """A23: deck 4, discard 10, draw 4; nobody has to ask for a fifth card."""
    table, seat = drawing(backend, 4, 10)
    discarded = Counter(table.cards("discard"))
    table.answer(seat, SUPPLY, "monastery-1@place-1")
    assert (table.count("deck"), table.count("discard")) == (10, 0)
    assert Counter(table.cards("deck")) == discarded


def test_with_both_piles_empty_the_deck_comes_back_at_the_next_draw(backend: str) -> None:
    """A23: cards that are discarded later wait for that draw."""
    table = begin(backend, 2)
    first, second = to_entering(table, ["palace-1", "farm-1"], [FIVE, FIVE])
    table.arrange(zones={"deck": [], "discard": [], hand(first): FIVE}, rest={"population": hand(second)})
    enter(table, first, "palace-1", *table.cards(hand(first)))
    enter(table, second, "farm-1")
    perform(table, first, PREMIUM)
    assert (table.count("deck"), table.count("discard")) == (0, 5), "the five left the Palace"
    perform(table, second, STANDARD)  # draw 2
    assert (table.count("deck"), table.count("discard")) == (3, 0)


# ------------------------------------------------------------------ the example of phases C to E


def example(backend: str) -> tuple[Table, list[int]]:
    """S2: red, yellow, green and blue before they enter."""
    table = begin(backend, 4)
    hands = [[MONK, KING, WITCH, WITCH], [WITCH, WITCH, MONK], FIVE, ["sword", PEASANT]]
    return table, to_entering(table, EXAMPLE_ROW, hands)


def enter_example(table: Table, seats: list[int]) -> None:
    red, yellow, green, blue = seats
    enter(table, red, "monastery-1", MONK, KING, WITCH, WITCH)
    enter(table, yellow, "tent-3", WITCH, WITCH, MONK)
    enter(table, green, "monastery-4")
    enter(table, blue, "monastery-4", "sword")


def test_entrants_stand_on_their_spaces_and_show_only_how_many_cards_they_commit(backend: str) -> None:
    """S2."""
    table, seats = example(backend)
    red, yellow, green, blue = seats
    enter_example(table, seats)
    assert table.listed("visitors", "monastery-1") == [red]
    assert table.listed("visitors", "tent-3") == [yellow]
    assert table.listed("visitors", "monastery-4") == [green, blue]
    assert table.decision.seat == yellow, "the Tent is resolved first"
    view = table.game.view(green)
    assert [view.zone(of(seat, "committed")).size for seat in seats] == [4, 3, 0, 1]
    assert view.zone(of(red, "committed")).cards == (None,) * 4
    assert view.zone(of(red, "committed")).known == (), "it is shown when its building is resolved"
    assert view.zone(of(blue, "committed")).known == ()
    shown = dict(view.zone(of(yellow, "committed")).known)
    assert shown == {WITCH: 2, MONK: 1}


def test_a_tent(backend: str) -> None:
    """S3: Witch, Witch, Monk: three points in Magic, one rat, two cards of the Nun row; A31: two places."""
    table, seats = example(backend)
    red, yellow = seats[:2]
    enter_example(table, seats)
    assert influence(table, "magic", seats) == [0, 3, 0, 0]
    assert rats(table, seats) == [10, 11, 10, 10]
    nuns = table.cards("nun-row")
    perform(table, yellow, PREMIUM)
    assert table.asked == [(yellow, LOOK)] and (table.decision.least, table.decision.most) == (2, 2)
    assert table.options == [f"place-{place}" for place in range(1, 6)]
    table.answer(yellow, LOOK, "place-2", "place-5")
    assert table.game.view(yellow).zone("nun-row").cards == (None, nuns[1], None, None, nuns[4])
    assert table.game.view(red).zone("nun-row").cards == (None,) * 5
    assert Counter(table.cards("discard")) == {WITCH: 2, MONK: 1}, "§7.5"


def test_a_monastery(backend: str) -> None:
    """S4: Monk, King, Witch, Witch in a Monastery: four points in Church, rats 10, 13, 11."""
    table, seats = example(backend)
    red, yellow = seats[:2]
    enter_example(table, seats)
    decline(table, yellow, PREMIUM)
    assert influence(table, "church", seats) == [4, 0, 0, 0]
    assert rats(table, seats) == [13, 11, 10, 10]
    perform(table, red, PREMIUM)
    assert rats(table, seats) == [11, 11, 10, 10]


def test_a_sword_against_nothing_then_premium_for_who_entered_first(backend: str) -> None:
    """S5, A10, A13, A41: the spoils are chosen by the loser and known to the two alone."""
    table, seats = example(backend)
    red, yellow, green, blue = seats
    enter_example(table, seats)
    decline(table, yellow, PREMIUM)
    decline(table, red, PREMIUM)
    assert table.asked == [(green, SPOILS)] and (table.decision.least, table.decision.most) == (2, 2)
    given = table.options[:2]
    table.answer(green, SPOILS, *given)
    assert (table.count(hand(green)), table.count(hand(blue))) == (3, 3)
    assert Counter(table.cards(hand(blue))) == Counter([PEASANT, *given])
    assert table.game.view(red).zone(hand(blue)).cards == (None,) * 3
    assert table.game.view(red).zone(hand(blue)).known == ()
    assert influence(table, "church", seats) == [4, 0, 0, 0]
    perform(table, green, PREMIUM)
    perform(table, blue, STANDARD)
    assert rats(table, seats) == [13, 11, 8, 9]
    assert table.count("supply", "sword") == 12, "the Sword is back in its deck"


def test_the_end_of_a_round(backend: str) -> None:
    """S6: discs return, the buildings are gone, yellow begins."""
    table, seats = example(backend)
    enter_example(table, seats)
    actions(table)
    table.answer(seats[2], SPOILS, *table.options[:2])
    actions(table)
    assert table.asked == [(seats[1], SUPPLY)]
    assert table.cards("box") == sorted(EXAMPLE_ROW)
    assert [table.listed("visitors", building) for building in EXAMPLE_ROW] == [[], [], []]
    assert table.listed("arrivals") == []
    assert all(table.count(of(seat, "committed")) == 0 for seat in seats)


# ------------------------------------------------------------------ phase D: influence, rats, premium


def resolve(
    backend: str, building: str, hands: list[list[str]], played: list[list[str]], seats: int = 3
) -> tuple[Table, list[int]]:
    """All enter one building, in turn order, holding and committing these cards."""
    table = begin(backend, seats)
    row = [building, *(name for name in ("palace-5", "farm-5", "tent-5") if name != building)]
    entrants = to_entering(table, row[: table.count("row")], hands)
    for number, seat in enumerate(entrants):
        if number < len(played):
            enter(table, seat, building, *played[number])
        else:
            enter(table, seat, row[1])
    return table, entrants


@pytest.mark.parametrize(("later", "holder"), [(3, 1), (2, 0)])
def test_swords_do_not_count_for_the_premium_action(backend: str, later: int, holder: int) -> None:
    """S9: 2 population and 2 Swords against 3 population, or against 2 (a tie, the other was earlier)."""
    mine, yours = [PEASANT, PEASANT, "sword", "sword"], [WITCH] * later
    table, seats = resolve(backend, "palace-1", [mine, yours, []], [mine, yours])
    assert actions(table)[:2] == [(seats[holder], PREMIUM), (seats[1 - holder], STANDARD)]


def test_a_joker_counts_and_brings_no_rat(backend: str) -> None:
    """S10: Knight, Witch and joker in a Castle."""
    mine = [KNIGHT, WITCH, "joker"]
    table, seats = resolve(backend, "castle-1", [mine, [PEASANT] * 3, []], [mine, [PEASANT] * 3])
    first, second = seats[:2]
    assert influence(table, "chivalry", seats) == [3, 3, 0]
    assert rats(table, seats) == [11, 13, 10]
    assert table.asked == [(first, PREMIUM)], "three each: the earlier one"
    for earlier, holder in ((2, second), (3, first)):
        other, seats = resolve(backend, "castle-1", [[PEASANT] * earlier, mine, []], [[PEASANT] * earlier, mine])
        assert other.asked == [(holder, PREMIUM)], "the joker is the third card"
    actions(table)
    assert table.count("supply", "joker") == 15


def test_influence_and_rats_come_before_the_sword(backend: str) -> None:
    """A12."""
    hands = [["sword", PEASANT], [PEASANT, MERCHANT, MONK], []]
    table, seats = resolve(backend, "castle-1", hands, [["sword", PEASANT], [PEASANT]])
    assert table.asked == [(seats[1], SPOILS)]
    assert influence(table, "chivalry", seats) == [1, 1, 0]
    assert rats(table, seats) == [11, 11, 10]


def test_the_premium_holder_acts_first_and_the_others_by_their_spaces(backend: str) -> None:
    """§7.1: even with nothing committed one performs the standard action."""
    table, seats = resolve(backend, "farm-1", [[], [PEASANT], [], []], [[], [PEASANT], [], []], seats=4)
    a, b, c, d = seats
    assert actions(table) == [(b, PREMIUM), (a, STANDARD), (c, STANDARD), (d, STANDARD)]


def test_with_nothing_but_swords_the_first_entrant_has_the_premium(backend: str) -> None:
    """A41, §7.1."""
    table, seats = resolve(backend, "farm-1", [[], ["sword"], []], [[], ["sword"]])
    assert table.asked == [(seats[0], PREMIUM)]


def test_actions_may_be_declined_and_nobody_inherits_them(backend: str) -> None:
    """A24, A39: the premium holder is not offered the standard action, nor anybody the premium one."""
    table, seats = resolve(backend, "monastery-1", [[], [], []], [[], [], []])
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
    backend: str, building: str, kind: str, premium: int, standard: int
) -> None:
    """§7.3."""
    table, seats = resolve(backend, building, [[], [], []], [[], [], []])
    perform(table, seats[0], PREMIUM)
    perform(table, seats[1], STANDARD)
    perform(table, seats[2], STANDARD)
    for cards in ((), (kind,)):
        assert [table.count(hand(seat), *cards) for seat in seats] == [premium, standard, standard]


def test_the_palace_gives_victory_point_tokens(backend: str) -> None:
    """§7.3."""
    table, seats = resolve(backend, "palace-1", [[], [], []], [[], []])
    perform(table, seats[0], PREMIUM)
    perform(table, seats[1], STANDARD)
    assert [table.count(of(seat, "tokens")) for seat in seats] == [2, 1, 0]
    assert table.count("supply", "point") == 17


def test_the_monastery_and_the_tent_give_less_to_the_others(backend: str) -> None:
    """§7.3: two rats and one; two cards of the Nun row and one."""
    table, seats = resolve(backend, "monastery-1", [[], [], []], [[], []])
    perform(table, seats[0], PREMIUM)
    perform(table, seats[1], STANDARD)
    assert rats(table, seats[:2]) == [8, 9]
    table, seats = resolve(backend, "tent-1", [[], [], []], [[], []])
    perform(table, seats[0], PREMIUM)
    assert table.decision.least == table.decision.most == 2
    table.answer(seats[0], LOOK, "place-1", "place-2")
    perform(table, seats[1], STANDARD)
    assert table.decision.least == table.decision.most == 1
    assert len(table.options) == 5, "A31: also those that somebody has seen"


def test_the_market_gives_what_is_left(backend: str) -> None:
    """S20, A6: one joker in the supply; those committed here are not back yet."""
    table = begin(backend, 3)
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


def test_a_tie_for_most_swords_goes_to_who_entered_first(backend: str) -> None:
    """S11: B, A, C enter with 1, 1, 0 Swords; C gives half of his five cards."""
    table, seats = resolve(backend, "castle-1", [["sword"], ["sword"], FIVE], [["sword"], ["sword"], []])
    b, a, c = seats
    assert table.asked == [(c, SPOILS)] and (table.decision.least, table.decision.most) == (2, 2)
    table.answer(c, SPOILS, *table.options[:2])
    assert [table.count(hand(seat)) for seat in (b, a, c)] == [2, 0, 3]


@pytest.mark.parametrize(("size", "gives"), [(1, 0), (2, 1), (7, 3)])
def test_a_tie_for_fewest_swords_is_decided_by_the_winner(backend: str, size: int, gives: int) -> None:
    """S12: entrants with 2, 0, 0 Swords; half of the hand, rounded down. A11: two Swords take no more than one."""
    held = ["population"] * size
    table, (a, b, c) = resolve(backend, "castle-1", [["sword"] * 2, held, held], [["sword"] * 2, [], []])
    assert table.asked == [(a, LOSER)]
    assert sorted(table.options) == sorted(f"seat-{seat + 1}" for seat in (b, c))
    table.answer(a, LOSER, f"seat-{c + 1}")
    if (c, SPOILS) in table.asked:
        assert table.decision.least == table.decision.most == gives
        table.answer(c, SPOILS, *table.options[:gives])
    assert table.decision.choice == PREMIUM
    assert [table.count(hand(seat)) for seat in (a, b, c)] == [gives, size, size - gives]


def test_half_of_a_hand_means_all_cards_still_in_it(backend: str) -> None:
    """A13: jokers and Swords in hand count and may be given; what was committed does not."""
    held = ["joker", "sword", PEASANT, MONK]
    table, (a, b, _) = resolve(backend, "castle-1", [["sword"], [*held, KING, KING], []], [["sword"], [KING, KING]])
    assert table.asked == [(b, SPOILS)] and table.decision.least == table.decision.most == 2
    assert sorted(table.options) == sorted(held)
    table.answer(b, SPOILS, "joker", "sword")
    assert table.cards(hand(a)) == ["joker", "sword"]
    assert table.cards(hand(b)) == sorted([PEASANT, MONK])


@pytest.mark.parametrize("played", [[["sword"], ["sword"], ["sword"]], [["sword"] * 3]])
def test_equal_swords_do_nothing(backend: str, played: list[list[str]]) -> None:
    """S13, A9: the same number each, or a sole entrant; the Swords return to their deck."""
    hands = [[*cards, *FIVE[:4]] for cards in [*played, [], []][:3]]
    table, seats = resolve(backend, "castle-1", hands, played)
    assert table.asked == [(seats[0], PREMIUM)]
    assert [table.count(hand(seat)) for seat in seats] == [4, 4, 4]
    actions(table)
    assert table.count("supply", "sword") == 12


def test_only_entrants_of_the_building_are_compared(backend: str) -> None:
    """A10: who is elsewhere with no Sword is not the loser."""
    table, seats = resolve(backend, "castle-1", [["sword"], ["sword"], FIVE], [["sword"], ["sword"]])
    assert table.asked == [(seats[0], PREMIUM)]
    assert table.count(hand(seats[2])) == 5


# ------------------------------------------------------------------ two players


@pytest.mark.parametrize("row", [["farm-1", "castle-1"], ["castle-1", "farm-1"]])
@pytest.mark.parametrize(("population", "swords", "drawn"), [(2, 2, 2), (3, 1, 4)])
def test_two_players_share_one_premium_action(
    backend: str, row: list[str], population: int, swords: int, drawn: int
) -> None:
    """S21, A17: 2 and 3 cards in different buildings: the second has it; 3 and 3: who entered first."""
    table = begin(backend, 2)
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


def test_the_round_that_empties_the_building_deck_is_the_final_one(backend: str) -> None:
    """§4: supplies and entering take place (A19), and the game ends after it."""
    table = begin(backend, 3)
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


def test_in_the_final_round_the_premium_is_a_point(backend: str) -> None:
    """S22: 3 and 3 cards give 3 and 1 more, and 3; no action is asked for; a sole entrant with nothing gets 1."""
    table = begin(backend, 3)
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


def test_the_sword_works_in_the_final_round(backend: str) -> None:
    """A19."""
    table = begin(backend, 3)
    seats = to_entering(table, ["castle-1", "palace-1"], [["sword"], FIVE, []])
    final(table)
    enter(table, seats[0], "castle-1", "sword")
    enter(table, seats[1], "castle-1")
    enter(table, seats[2], "palace-1")
    assert table.asked == [(seats[1], SPOILS)]


def test_with_two_players_only_one_point_is_given_in_the_final_round(backend: str) -> None:
    """A18: to who would hold the premium, in the class of his building."""
    table = begin(backend, 2)
    seats = to_entering(table, ["castle-1", "palace-1"], [[PEASANT], [PEASANT] * 2])
    final(table)
    enter(table, seats[0], "castle-1", PEASANT)
    enter(table, seats[1], "palace-1", PEASANT, PEASANT)
    assert table.game.result is not None
    assert influence(table, "chivalry", seats) == [1, 0]
    assert influence(table, "royalty", seats) == [0, 3]


# ------------------------------------------------------------------ the end of the game


def scored(result: Result, seats: list[int], who: list[int] | None = None) -> list[int]:
    """The scores of some (of all in turn order), without what the first of the turn order has for the point in
    Peasantry that the Farm gave him in the final round (see `reckon`).
    """
    return [result.scores[seat] - (10 if seat == seats[0] else 0) for seat in who or seats]


def church(seats: list[int], *numbers: int) -> dict[Place, int]:
    """Influence in Church, in turn order."""
    return {("influence", seat, "church"): number for seat, number in zip(seats, numbers, strict=True)}


@pytest.mark.parametrize(
    ("numbers", "prizes"),
    [
        ((3, 7, 1, 5), [2, 10, 0, 5]),
        ((4, 9), [5, 10]),
        ((0, 2, 0), [0, 10, 0]),
        ((0, 0, 3, 1, 0), [0, 0, 10, 5, 0]),
    ],
)
def test_a_class_gives_ten_five_and_two_to_those_with_influence(
    backend: str, numbers: tuple[int, ...], prizes: list[int]
) -> None:
    """§8.1: with two players 10 and 5; nobody gets what is not claimed (S7)."""
    table = begin(backend, len(numbers))
    result, seats = reckon(table, tracks=church(order(table), *numbers))
    assert scored(result, seats) == prizes


def test_of_equals_on_a_track_the_lower_marker_ranks_higher(backend: str) -> None:
    """S23: A at 5 came first, B at 5 later, C is at 7."""
    table = begin(backend, 3)
    a, b, c = order(table)
    arrived: dict[Place, int] = {("influence", seat, "church"): number for seat, number in ((c, 7), (a, 5), (b, 5))}
    result, seats = reckon(table, tracks=arrived)
    assert scored(result, seats, [a, b, c]) == [5, 2, 10]
    table = begin(backend, 3)
    arrived = {("influence", seat, "church"): number for seat, number in ((b, 5), (a, 5), (c, 7))}
    result, seats = reckon(table, tracks=arrived)
    assert scored(result, seats, [a, b, c]) == [2, 5, 10]


@pytest.mark.parametrize(
    ("played", "now", "prizes"),
    [
        ({0: []}, [5, 5], [5, 2]),  # A gains nothing, and stays below
        ({0: [MONK], 1: [MONK]}, [6, 6], [5, 2]),  # both move on, A before B
        ({1: [MONK], 0: [MONK]}, [6, 6], [2, 5]),  # B before A
        ({0: [MONK], 1: [MONK, MONK]}, [6, 7], [2, 5]),
    ],
)
def test_only_a_marker_that_moves_arrives_anew(
    backend: str, played: dict[int, list[str]], now: list[int], prizes: list[int]
) -> None:
    """S23, §9. C is at 9."""
    table = begin(backend, 3)
    markers = [("influence", seat, "church") for seat in order(table)]
    if next(iter(played)) == 1:  # who enters first is first in turn order
        markers[:2] = markers[1::-1]
    names = [int(str(marker[1])) for marker in markers]
    hands = [played.get(names.index(seat), []) for seat in order(table)]
    tracks: dict[Place, int] = dict(zip(markers, (5, 5, 9), strict=True))
    seats = to_entering(table, ["monastery-1", "palace-1"], hands, tracks)
    for seat in seats:
        cards = played.get(names.index(seat))
        enter(table, seat, "palace-1" if cards is None else "monastery-1", *cards or ())
    actions(table)
    assert influence(table, "church", names[:2]) == now
    result, turn = reckon(table)
    assert scored(result, turn, names) == [*prizes, 10]


@pytest.mark.parametrize(
    ("hands", "prizes"),
    [
        ([[PEASANT] * 3 + ["joker"], [MONK] * 4, [KING] * 2], [1, 1, 0]),
        ([[PEASANT], ["joker"] * 2, ["sword"]], [0, 2, 2]),
        ([["sword"] * 2, ["sword"], []], [2, 0, 0]),
        ([["sword"], [], ["sword"]], [1, 0, 1]),
        ([[], [], []], [0, 0, 0]),
    ],
)
def test_most_population_and_most_swords_in_hand(backend: str, hands: list[list[str]], prizes: list[int]) -> None:
    """S26, A26: 2, or 1 each for those who tie; nothing without a card. Jokers count as population."""
    result, seats = reckon(begin(backend, 3), hands)
    assert scored(result, seats) == prizes


def test_each_token_is_a_point(backend: str) -> None:
    """§8.1, A2."""
    result, seats = reckon(begin(backend, 3), tokens=[1, 0, 5])
    assert scored(result, seats) == [1, 0, 5]


ELEVEN = ["church-4", "magic-4", "royalty-2", "church-0", "peasantry-1"]


def classes(seat: int, *names: str) -> dict[Place, int]:
    """A point in each of these classes."""
    return {("influence", seat, name): 1 for name in names}


def test_the_plague_takes_whoever_has_more_rats_than_there_are_nuns(backend: str) -> None:
    """S27: 4+4+2+0+1 = 11: with 11 rats one survives, with 12 one does not, even with most points."""
    table = begin(backend, 3)
    a, b, c = order(table)
    tracks: dict[Place, int] = {("rats", a): 11, ("rats", b): 12, ("rats", c): 0, **classes(b, "church", "magic")}
    result, _ = reckon(table, nuns=ELEVEN, tracks=tracks)
    assert [result.alive[seat] for seat in (a, b, c)] == [True, False, True]
    assert [result.scores[seat] for seat in (a, b, c)] == [10, 20, 0]
    assert result.winners == (a,)


@pytest.mark.parametrize(("first", "second", "winners"), [(9, 7, [1]), (7, 9, [0]), (7, 7, [0, 1])])
def test_among_equals_fewer_rats_win(backend: str, first: int, second: int, winners: list[int]) -> None:
    """S27: survivors with 31 points each: three classes and a token."""
    table = begin(backend, 3)
    a, b, c = order(table)
    tracks: dict[Place, int] = {("rats", a): first, ("rats", b): second, ("rats", c): 12}
    tracks |= classes(a, "church", "magic") | classes(b, "royalty", "chivalry", "bourgeoisie")
    result, _ = reckon(table, nuns=ELEVEN, tracks=tracks, tokens=[1, 1])
    assert [result.scores[seat] for seat in (a, b)] == [31, 31]
    assert sorted(result.winners) == sorted((a, b)[number] for number in winners)


def test_plague_victims_keep_their_places(backend: str) -> None:
    """A28: nobody moves up, neither in a class nor in a majority."""
    table = begin(backend, 3)
    a, b, c = order(table)
    tracks: dict[Place, int] = {("rats", b): 12} | church([a, b, c], 5, 7, 3)
    result, seats = reckon(table, [[PEASANT], [PEASANT] * 2, []], ELEVEN, tracks)
    assert scored(result, seats) == [5, 12, 2]
    assert (result.alive[b], result.winners) == (False, (a,))


BARE = [PEASANT, MERCHANT, MONK, KNIGHT, WITCH]
"""A Nun row without nuns."""


def test_if_nobody_survives_nobody_wins(backend: str) -> None:
    """A29."""
    result, _ = reckon(begin(backend, 2), nuns=BARE)
    assert (result.alive, result.winners) == ((False, False), ())


@pytest.mark.parametrize(
    ("held", "tokens", "winners"),
    [((5, 4, 6), [9, 0, 9], [1]), ((4, 4, 6), [0, 11, 9], [1]), ((4, 4, 6), [0, 10, 0], [0, 1])],
)
def test_if_nobody_survives_the_fewest_rats_may_win(
    backend: str, held: tuple[int, ...], tokens: list[int], winners: list[int]
) -> None:
    """A29, as an option: the fewest rats, then more points, then shared. The first has 10 for Peasantry."""
    table = begin(backend, 3, ("nobody-survives", "fewest-rats"))
    tracks: dict[Place, int] = {("rats", seat): number for seat, number in zip(order(table), held, strict=True)}
    result, seats = reckon(table, nuns=BARE, tracks=tracks, tokens=tokens)
    assert sorted(result.winners) == sorted(seats[number] for number in winners)


def test_with_that_option_survivors_win_as_ever(backend: str) -> None:
    """A29 concerns only a town without survivors."""
    table = begin(backend, 2, ("nobody-survives", "fewest-rats"))
    a, b = order(table)
    result, _ = reckon(table, nuns=ELEVEN, tracks={("rats", a): 11, ("rats", b): 1})
    assert result.winners == (a,)


# ------------------------------------------------------------------ what always holds


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_card_is_lost(backend: str, seats: int) -> None:
    """S28, at every choice of a random game and at its end."""
    table, stream = begin(backend, seats, seed=seats), Stream(28, seats)
    players = range(seats)
    while True:
        held = [zone for seat in players for zone in (hand(seat), of(seat, "committed"))]
        population = ["deck", "discard", "nun-row", *held]
        assert sum(table.count(zone, "population") for zone in population) == 84
        assert table.count("nun-row") == 5
        for kind, total in (("joker", 15), ("sword", 12)):
            assert sum(table.count(zone, kind) for zone in ("supply", *held)) == total
        assert sum(table.count(of(seat, "tokens")) for seat in players) + table.count("supply", "point") == 20
        assert sum(table.count(zone) for zone in ("building-deck", "reserve", "row", "box")) == 30
        assert table.count("reserve") == {2: 10, 3: 12}.get(seats, 6)
        assert all(table.number("rats", seat) >= 0 for seat in players)
        if table.game.result is not None:
            break
        table.step(stream)
