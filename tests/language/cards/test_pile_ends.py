"""Both ends of piles: a bottom that refills, and knowledge after moves within a zone.

Expected values come from the text of that pack, read with `docs/reference/language.md`. Stones are listed from
bottom to top.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.positions import Table, hand, program_of

WELLS = Path(__file__).parents[2] / "packs" / "wells"
ACT = "turn.act.choice"


def wells(shaft: str, heap: str = "", mine: str = "", ledge: str = "", crate: str = "") -> Table:
    """Seat 0's turn with these stones; all others are in the other seat's hand."""
    table = Table.start(program_of(WELLS, 2))
    zones = {"shaft": list(shaft), "heap": list(heap), hand(0): list(mine)}
    zones |= {"ledge": list(ledge), "crate": list(crate)}
    left = list("111222333444")
    for stone in shaft + heap + mine + ledge + crate:
        left.remove(stone)
    return table.arrange(zones={**zones, hand(1): left})


def seen(table: Table, seat: int, zone: str = "shaft") -> str:
    return "".join(card or "?" for card in table.game.view(seat).zone(zone).cards)


def act(table: Table, *options: str) -> Table:
    """Acts of seat 0; in between seat 1 does something with the empty ledge."""
    for option in options:
        if table.asked[0][0] == 1:
            table.answer(1, ACT, "line")
        table.answer(0, ACT, option)
    return table


# ------------------------------------------------------------------ a pile that refills

def test_the_bottom_of_an_empty_pile_is_that_of_its_refill() -> None:
    table = act(wells("", heap="12"), "delve")
    assert (table.count(hand(0)), table.count("shaft"), table.count("heap")) == (1, 1, 0)


def test_the_bottom_is_taken_card_by_card() -> None:
    """Two are there; the third is one of the four that the heap becomes."""
    table = act(wells("12", heap="3334"), "dig")
    assert (table.count(hand(0)), table.count("shaft"), table.count("heap")) == (3, 3, 0)
    assert table.cards(hand(0))[:2] == ["1", "2"]
    assert table.number("dug", 0) == 3


def test_as_many_as_there_are() -> None:
    table = act(wells("1", heap="2"), "dig")
    assert (table.cards(hand(0)), table.number("dug", 0)) == (["1", "2"], 2)


@pytest.mark.parametrize(("option", "mine", "theirs"), [("peek", "22?", "???"), ("show", "2??", "2??")])
def test_the_bottom_is_made_ready_to_be_seen(option: str, mine: str, theirs: str) -> None:
    table = act(wells("", heap="222"), option)
    assert table.count("shaft") == 3
    assert (seen(table, 0), seen(table, 1)) == (mine, theirs)


def test_a_refill_goes_under_what_is_there() -> None:
    table = act(wells("1", heap="44"), "peek")
    assert table.cards("shaft") == ["4", "4", "1"]
    assert seen(table, 0) == "44?"


# ------------------------------------------------------------------ what is known after moves within one zone

@pytest.mark.parametrize(
    ("options", "lies", "known"),
    [
        (("peek", "turn-over"), "23411", "2???1"),
        (("peek", "turn-over", "turn-over"), "34112", "???12"),
        (("peek", "turn-over", "turn-back"), "12341", "12???"),
        (("peek", "turn-many"), "41123", "??12?"),
        (("peek", "turn-many", "sink"), "23411", "2???1"),
        (("peek", "sink"), "41123", "??12?"),
        (("peek", "delve"), "2341", "2???"),
        (("peek", "dig"), "41", "??"),
    ],
)
def test_who_looked_at_the_bottom_knows_it_where_it_goes(
    options: tuple[str, ...], lies: str, known: str
) -> None:
    """The shaft is 1 2 3 4 1 from the bottom; seat 0 looks at its lowest two."""
    table = act(wells("12341"), *options)
    assert table.cards("shaft") == list(lies)
    assert seen(table, 0) == known
    assert seen(table, 1) == "?" * len(lies)


NAMED = [
    "raise-it", "raise-named", "raise-given", "raise-gotten", "raise-gotten-named", "raise-chosen", "raise-first",
]  # fmt: skip


@pytest.mark.parametrize(
    ("option", "lies", "known"),
    [
        *((option, "23411", "2???1") for option in NAMED),
        ("raise-both", "34112", "???12"),
        ("raise-both-given", "34112", "???12"),
        ("sink-named", "11234", "?12??"),
    ],
)
def test_a_card_named_by_its_place_is_followed_by_who_knew_it(
    option: str, lies: str, known: str
) -> None:
    """The crate is 1 2 3 4 1 from the bottom; seat 0 looks at its lowest two. A name between changes nothing."""
    table = act(wells("", crate="12341"), "peek-crate", option)
    if option == "raise-chosen":  # the only candidate is asked for all the same: nobody sees how many there are
        table.answer(0, "turn.act.raise-chosen.low", table.options[0])
    assert table.cards("crate") == list(lies)
    assert (seen(table, 0, "crate"), seen(table, 1, "crate")) == (known, "?????")


def test_one_card_of_a_name_leaves_and_the_name_stays_with_the_others() -> None:
    """`move first of lowest-two …`, then `move lowest-two …`: one card has gone, the other is moved."""
    table = act(wells("", crate="12341"), "split")
    assert [table.cards(zone) for zone in (hand(0), "ledge", "crate")] == [["1"], ["2"], ["3", "4", "1"]]


@pytest.mark.parametrize("option", ["send-home", "send-named-home"])
def test_who_knew_the_bottom_knows_what_is_sent_home(option: str) -> None:
    table = act(wells("44", crate="12341"), "peek-crate", option)
    assert (table.cards("shaft"), table.cards("crate")) == (list("441"), list("2341"))
    assert (seen(table, 0), seen(table, 0, "crate")) == ("??1", "2???")
    assert (seen(table, 1), seen(table, 1, "crate")) == ("???", "????")


@pytest.mark.parametrize(
    ("option", "lies"),
    [("raise-found", "23411"), ("raise-lifted", "23411"), ("raise-picked", "23411"), ("raise-each", "34112")],
)
def test_what_a_condition_finds_tells_nothing_about_places(option: str, lies: str) -> None:
    """Cards that are gone through tell nothing either. That they are in the crate is still known."""
    table = act(wells("", crate="12341"), "peek-crate", option)
    if option == "raise-picked":
        table.answer(0, "turn.act.raise-picked.picked", table.options[0])
    assert table.cards("crate") == list(lies)
    assert seen(table, 0, "crate") == seen(table, 1, "crate") == "?????"
    assert dict(table.game.view(0).zone("crate").known) == {"1": 1, "2": 1}
    assert dict(table.game.view(1).zone("crate").known) == {}


def test_cards_of_a_row_are_followed() -> None:
    """Seat 0 knows the lowest two of the shaft; the ledge is put on top of it."""
    table = wells("12344", ledge="321")
    act(table, "peek")
    table.answer(1, ACT, "store")
    assert table.cards("shaft") == list("12344321")
    assert seen(table, 0) == "12??????"


def test_what_goes_round_within_a_pile_stays_counted() -> None:
    """Cards that go from the top of a pile to its bottom are still among its cards: nothing known is lost."""
    table = wells("", heap="", mine="1234")
    table.answer(0, ACT, "drop")
    table.answer(1, ACT, "show")  # the heap becomes the shaft
    for option in ("sink", "turn-back", "turn-over"):
        zone = table.game.view(0).zone("shaft")
        assert sum(dict(zone.known).values()) + sum(card is not None for card in zone.cards) == 4
        table.answer(0, ACT, option)
        table.answer(1, ACT, "line")


# ------------------------------------------------------------------ a pile whose top alone is seen

def test_a_pile_that_moves_at_once_shows_only_its_top() -> None:
    """`move heap to bottom of shaft`: seat 1 saw the 3 on top, and follows it; what lay under it stays unknown."""
    table = wells("4", mine="123")
    table.answer(0, ACT, "drop")
    assert [card or "?" for card in table.game.view(1).zone("heap").cards][-1] == "3"
    table.answer(1, ACT, "spill")
    assert table.cards("shaft") == ["3", "2", "1", "4"]
    assert (seen(table, 0), seen(table, 1)) == ("321?", "3???")
