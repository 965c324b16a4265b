"""Set-up, the order of play and phases A to C, and the rulebook's example of a round.

In these modules, S, A and § are scenarios, rulings and sections of the rules reference of Rattus Cartus (first-game
set). Expected values come from those alone, or from the arithmetic beside them.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from rulewright.interpreter.state.chance import Stream
from tests.positions import Table, hand, of
from tests.rattus.town import (
    CLASSES,
    ENTER,
    KING,
    LOOK,
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
    perform,
    rats,
    to_entering,
)

EXAMPLE_ROW = ["tent-3", "monastery-1", "monastery-4"]
FIVE = ["population"] * 5


# ------------------------------------------------------------------ set-up and rounds (§3, §4)

@pytest.mark.parametrize(("seats", "deck"), [(2, 69), (3, 64), (4, 59), (5, 54)])
def test_setup_deals_five_cards_each_and_five_into_the_nun_row(seats: int, deck: int) -> None:
    """§3, steps 3 to 5."""
    table = begin(seats)
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
    seats: int, reserve: int, left: int, row: int
) -> None:
    """§3, steps 7 and 8. The first row has been drawn when the first player is asked."""
    table = begin(seats)
    assert (table.count("reserve"), table.count("building-deck"), table.count("row")) == (reserve, left - row, row)
    buildings = Counter(key for zone in ("reserve", "building-deck", "row") for key in table.cards(zone))
    types = ("farm", "market", "monastery", "castle", "palace", "tent")
    assert buildings == {f"{name}-{copy}": 1 for name in types for copy in range(1, 6)}, "§3.1"


def test_population_has_fourteen_cards_of_each_class() -> None:
    """§2 and A4: per class four cards with no nuns, four with 4, and two each with 1, 2 and 3."""
    table = begin(2)
    cards = Counter(card.key for card in table.program.cards if card.kind == "population")
    assert cards == {f"{name}-{nuns}": 4 if nuns in (0, 4) else 2 for name in CLASSES for nuns in range(5)}


def test_nobody_sees_the_nun_row_and_all_see_how_many_cards_a_hand_holds() -> None:
    """§10, A33."""
    table = begin(3)
    for seat in range(3):
        view = table.game.view(seat)
        assert view.zone("nun-row").cards == (None,) * 5
        assert view.zone("deck").cards == (None,) * 64
        for owner in range(3):
            cards = view.zone(hand(owner)).cards
            assert len(cards) == 5 and (None in cards) == (seat != owner)


@pytest.mark.parametrize(("seats", "rounds"), [(2, 10), (3, 9), (4, 8), (5, 8)])
def test_phases_come_in_order_for_as_many_rounds_as_there_are_rows(seats: int, rounds: int) -> None:
    """§3, step 8, and §4: five phases; the starting player changes after each round (§4.E)."""
    table = begin(seats)
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


def test_players_enter_in_turn_order_one_building_each() -> None:
    """§4.C; without Safe-conducts each player's turn is to enter a building of the row, occupied or not."""
    table = begin(4)
    seats = to_entering(table, EXAMPLE_ROW)
    for seat in seats:
        assert table.asked == [(seat, ENTER)]
        assert [key.split("@")[0] for key in table.options] == [f"enter:{building}" for building in EXAMPLE_ROW]
        enter(table, seat, "tent-3")
    assert table.listed("visitors", "tent-3") == seats, "spaces are taken in order"


# ------------------------------------------------------------------ phase A: the row

def next_row(seats: int, drawn: list[str], reserve: list[str]) -> tuple[Table, list[str], list[str]]:
    """The table after the phase A that draws these buildings, and the Reserve before and after it. (top last)"""
    table = begin(seats)
    last = to_entering(table, ["palace-1", "palace-2", "palace-3"][: table.count("row")])[-1]
    table.until(ENTER, last)
    table.arrange(top={"building-deck": drawn, "reserve": reserve})
    before = table.cards("reserve")
    enter(table, last, "palace-1")
    actions(table)
    assert table.decision.choice == SUPPLY
    return table, before, table.cards("reserve")


def test_a_row_of_one_type_gets_cards_of_the_reserve_until_it_is_mixed() -> None:
    """S8, A22: what counts is the type; the copies differ."""
    table, before, after = next_row(3, ["farm-1", "farm-2"], ["farm-3", "castle-1"])
    assert table.cards("row") == ["farm-1", "castle-1"]
    assert after == ["farm-3", "farm-2", *before[:-2]], "both went under the Reserve, one after the other"
    assert len(after) == 12


def test_a_mixed_row_leaves_the_reserve_alone() -> None:
    """S1: a Tent and two Monasteries are fine."""
    table, before, after = next_row(4, EXAMPLE_ROW, ["farm-1"])
    assert table.cards("row") == EXAMPLE_ROW
    assert after == before


def test_three_of_a_type_are_too_many() -> None:
    """§4.A, with four players: only the card drawn last is replaced."""
    table, before, after = next_row(4, ["tent-5", "tent-4", "tent-3"], ["tent-2", "market-1"])
    assert table.cards("row") == ["tent-5", "tent-4", "market-1"]
    assert after == ["tent-2", "tent-3", *before[:-2]]


def test_the_reserve_always_has_another_type_in_time() -> None:
    """A21: with rows of two, three more cards of the type can come up at most."""
    table, before, after = next_row(2, ["farm-1", "farm-2"], ["farm-3", "farm-4", "farm-5", "tent-1"])
    assert table.cards("row") == ["farm-1", "tent-1"]
    assert after == ["farm-5", "farm-4", "farm-3", "farm-2", *before[:-4]]


# ------------------------------------------------------------------ phase B: supplies

def supplies(seats: int = 4, row: list[str] = EXAMPLE_ROW) -> tuple[Table, int]:
    """The first choice of a supply action from this row, and who has it."""
    table = begin(seats).arrange(zones={"row": row})
    return table, table.decision.seat


def test_a_supply_is_one_of_the_row_and_is_compulsory() -> None:
    """S1, A24, A32: exactly three options, one of which is to be taken; then the next player has the same."""
    table, first = supplies()
    for seat in (first, (first + 1) % 4):
        decision = table.decision
        assert (decision.seat, decision.choice, decision.least, decision.most) == (seat, SUPPLY, 1, 1)
        assert table.options == ["tent-3@place-1", "monastery-1@place-2", "monastery-4@place-3"]
        table.answer(seat, SUPPLY, "monastery-1@place-2")


def test_the_supplies_of_the_example() -> None:
    """S1: draw 2 and look at one card of the Nun row, or draw 4, or discard 2 rats."""
    table, seat = supplies()
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
def test_each_type_has_the_same_five_supplies(building: str) -> None:
    """A1, §11: (draw, rats, look) by copy."""
    by_copy = [(4, 0, 0), (2, 1, 0), (2, 0, 1), (0, 2, 0), (0, 1, 1)]
    other = "farm-1" if building != "farm" else "tent-1"
    for copy, (draw, fewer, look) in enumerate(by_copy, 1):
        table, seat = supplies(2, [f"{building}-{copy}", other])
        table.answer(seat, SUPPLY, f"{building}-{copy}@place-1")
        assert table.count(hand(seat)) == 5 + draw
        assert table.number("rats", seat) == 10 - fewer
        assert (table.decision.choice == LOOK) == (look == 1)


def test_one_cannot_discard_more_rats_than_one_has() -> None:
    """A7: down to 0, never below; the action may still be chosen."""
    for start in (0, 1, 2):
        table, seat = supplies()
        table.arrange(tracks={("rats", seat): start})
        table.answer(seat, SUPPLY, "monastery-4@place-3")
        assert table.number("rats", seat) == 0


def test_who_looks_at_a_nun_knows_that_card_and_others_do_not() -> None:
    """§4.B, §10: in secret, and the card stays where it is; that and where someone looked is public."""
    table, seat = supplies()
    row = table.cards("nun-row")
    table.answer(seat, SUPPLY, "tent-3@place-1")
    table.answer(seat, LOOK, "place-3")
    assert table.cards("nun-row") == row
    for other in range(4):
        seen = table.game.view(other).zone("nun-row").cards
        assert seen == ((None, None, row[2], None, None) if other == seat else (None,) * 5)


# ------------------------------------------------------------------ drawing from the population deck

def drawing(deck: int, discard: int) -> tuple[Table, int]:
    """A supply of four cards for the first of two players, with decks of these sizes; the other holds the rest."""
    table, seat = supplies(2, ["monastery-1", "farm-1"])
    sizes = {"deck": ["population"] * deck, "discard": ["population"] * discard}
    table.arrange(zones={**sizes, hand(seat): []}, rest={"population": hand(1 - seat)})
    return table, seat


def test_a_deck_that_runs_out_is_shuffled_anew_in_the_middle_of_a_draw() -> None:
    """S24: deck 2, discard 10, draw 4."""
    table, seat = drawing(2, 10)
    old, discarded = Counter(table.cards("deck")), Counter(table.cards("discard"))
    table.answer(seat, SUPPLY, "monastery-1@place-1")
    drawn = Counter(table.cards(hand(seat)))
    assert drawn.total() == 4 and not old - drawn and not drawn - old - discarded
    assert (table.count("deck"), table.count("discard")) == (8, 0)


def test_what_is_not_there_is_not_drawn() -> None:
    """S24, A23: deck 2, discard 0, draw 4; the Nun row is not touched."""
    table, seat = drawing(2, 0)
    table.answer(seat, SUPPLY, "monastery-1@place-1")
    assert table.count(hand(seat)) == 2
    assert (table.count("deck"), table.count("discard"), table.count("nun-row")) == (0, 0, 5)


def test_an_empty_deck_is_replaced_at_once() -> None:
    """A23: deck 4, discard 10, draw 4; nobody has to ask for a fifth card."""
    table, seat = drawing(4, 10)
    discarded = Counter(table.cards("discard"))
    table.answer(seat, SUPPLY, "monastery-1@place-1")
    assert (table.count("deck"), table.count("discard")) == (10, 0)
    assert Counter(table.cards("deck")) == discarded


def test_with_both_piles_empty_the_deck_comes_back_at_the_next_draw() -> None:
    """A23: cards that are discarded later wait for that draw."""
    table = begin(2)
    first, second = to_entering(table, ["palace-1", "farm-1"], [FIVE, FIVE])
    table.arrange(zones={"deck": [], "discard": [], hand(first): FIVE}, rest={"population": hand(second)})
    enter(table, first, "palace-1", *table.cards(hand(first)))
    enter(table, second, "farm-1")
    perform(table, first, PREMIUM)
    assert (table.count("deck"), table.count("discard")) == (0, 5), "the five left the Palace"
    perform(table, second, STANDARD)  # draw 2
    assert (table.count("deck"), table.count("discard")) == (3, 0)


# ------------------------------------------------------------------ the example of phases C to E

def example() -> tuple[Table, list[int]]:
    """S2: red, yellow, green and blue before they enter."""
    table = begin(4)
    hands = [[MONK, KING, WITCH, WITCH], [WITCH, WITCH, MONK], FIVE, ["sword", PEASANT]]
    return table, to_entering(table, EXAMPLE_ROW, hands)


def enter_example(table: Table, seats: list[int]) -> None:
    red, yellow, green, blue = seats
    enter(table, red, "monastery-1", MONK, KING, WITCH, WITCH)
    enter(table, yellow, "tent-3", WITCH, WITCH, MONK)
    enter(table, green, "monastery-4")
    enter(table, blue, "monastery-4", "sword")


def test_entrants_stand_on_their_spaces_and_show_only_how_many_cards_they_commit() -> None:
    """S2."""
    table, seats = example()
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


def test_a_tent() -> None:
    """S3: Witch, Witch, Monk: three points in Magic, one rat, two cards of the Nun row; A31: two places."""
    table, seats = example()
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


def test_a_monastery() -> None:
    """S4: Monk, King, Witch, Witch in a Monastery: four points in Church, rats 10, 13, 11."""
    table, seats = example()
    red, yellow = seats[:2]
    enter_example(table, seats)
    decline(table, yellow, PREMIUM)
    assert influence(table, "church", seats) == [4, 0, 0, 0]
    assert rats(table, seats) == [13, 11, 10, 10]
    perform(table, red, PREMIUM)
    assert rats(table, seats) == [11, 11, 10, 10]


def test_a_sword_against_nothing_then_premium_for_who_entered_first() -> None:
    """S5, A10, A13, A41: the spoils are chosen by the loser and known to the two alone."""
    table, seats = example()
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


def test_the_end_of_a_round() -> None:
    """S6: discs return, the buildings are gone, yellow begins."""
    table, seats = example()
    enter_example(table, seats)
    actions(table)
    table.answer(seats[2], SPOILS, *table.options[:2])
    actions(table)
    assert table.asked == [(seats[1], SUPPLY)]
    assert table.cards("used") == sorted(EXAMPLE_ROW)
    assert [table.listed("visitors", building) for building in EXAMPLE_ROW] == [[], [], []]
    assert table.listed("arrivals") == []
    assert all(table.count(of(seat, "committed")) == 0 for seat in seats)


# ------------------------------------------------------------------ what always holds

@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_card_is_lost(seats: int) -> None:
    """S28, at every choice of a random game and at its end."""
    table, stream = begin(seats, seed=seats), Stream(28, seats)
    players = range(seats)
    while True:
        held = [zone for seat in players for zone in (hand(seat), of(seat, "committed"))]
        population = ["deck", "discard", "nun-row", *held]
        assert sum(table.count(zone, "population") for zone in population) == 84
        assert table.count("nun-row") == 5
        for kind, total in (("wild", 15), ("special", 51)):
            assert sum(table.count(zone, kind) for zone in ("supply", "unused", *held)) == total
        assert sum(table.count(of(seat, "tokens")) for seat in players) + table.count("supply", "point") == 20
        assert sum(table.count(zone) for zone in ("building-deck", "reserve", "row", "used")) == 30
        assert table.count("reserve") == {2: 10, 3: 12}.get(seats, 6)
        assert all(table.number("rats", seat) >= 0 for seat in players)
        if table.game.result is not None:
            break
        table.step(stream)
