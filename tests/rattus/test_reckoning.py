"""The end of the game: points, the plague, the winner (§8, §9)."""

from __future__ import annotations

import pytest

from rulewright.interpreter.views.view import Result
from tests.positions import Place
from tests.rattus.town import (
    KING,
    KNIGHT,
    MERCHANT,
    MONK,
    PEASANT,
    WITCH,
    actions,
    begin,
    enter,
    influence,
    order,
    reckon,
    to_entering,
)

# ------------------------------------------------------------------ the end of the game

def scored(result: Result, seats: list[int], who: list[int] | None = None) -> list[int]:
    """The scores of some (of all in turn order), without what the first of the turn order has for the point in
    Peasantry that the Farm gave him in the final round (see `reckon`).
    """
    return [result.scores[seat] - (10 if seat == seats[0] else 0) for seat in who or seats]


def church(seats: list[int], *numbers: int) -> dict[Place, int]:
    """Influence in Church, in turn order."""
    return {("influence", seat, "church"): number for seat, number in zip(seats, numbers, strict=True)}


@pytest.mark.slow
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
    numbers: tuple[int, ...], prizes: list[int]
) -> None:
    """§8.1: with two players 10 and 5; nobody gets what is not claimed (S7)."""
    table = begin(len(numbers))
    result, seats = reckon(table, tracks=church(order(table), *numbers))
    assert scored(result, seats) == prizes


def test_of_equals_on_a_track_the_lower_marker_ranks_higher() -> None:
    """S23: A at 5 came first, B at 5 later, C is at 7."""
    table = begin(3)
    a, b, c = order(table)
    arrived: dict[Place, int] = {("influence", seat, "church"): number for seat, number in ((c, 7), (a, 5), (b, 5))}
    result, seats = reckon(table, tracks=arrived)
    assert scored(result, seats, [a, b, c]) == [5, 2, 10]
    table = begin(3)
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
    played: dict[int, list[str]], now: list[int], prizes: list[int]
) -> None:
    """S23, §9. C is at 9."""
    table = begin(3)
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
def test_most_population_and_most_swords_in_hand(hands: list[list[str]], prizes: list[int]) -> None:
    """S26, A26: 2, or 1 each for those who tie; nothing without a card. Jokers count as population."""
    result, seats = reckon(begin(3), hands)
    assert scored(result, seats) == prizes


def test_each_token_is_a_point() -> None:
    """§8.1, A2."""
    result, seats = reckon(begin(3), tokens=[1, 0, 5])
    assert scored(result, seats) == [1, 0, 5]


ELEVEN = ["church-4", "magic-4", "royalty-2", "church-0", "peasantry-1"]


def classes(seat: int, *names: str) -> dict[Place, int]:
    """A point in each of these classes."""
    return {("influence", seat, name): 1 for name in names}


def test_the_plague_takes_whoever_has_more_rats_than_there_are_nuns() -> None:
    """S27: 4+4+2+0+1 = 11: with 11 rats one survives, with 12 one does not, even with most points."""
    table = begin(3)
    a, b, c = order(table)
    tracks: dict[Place, int] = {("rats", a): 11, ("rats", b): 12, ("rats", c): 0, **classes(b, "church", "magic")}
    result, _ = reckon(table, nuns=ELEVEN, tracks=tracks)
    assert [result.alive[seat] for seat in (a, b, c)] == [True, False, True]
    assert [result.scores[seat] for seat in (a, b, c)] == [10, 20, 0]
    assert result.winners == (a,)


@pytest.mark.parametrize(("first", "second", "winners"), [(9, 7, [1]), (7, 9, [0]), (7, 7, [0, 1])])
def test_among_equals_fewer_rats_win(first: int, second: int, winners: list[int]) -> None:
    """S27: survivors with 31 points each: three classes and a token."""
    table = begin(3)
    a, b, c = order(table)
    tracks: dict[Place, int] = {("rats", a): first, ("rats", b): second, ("rats", c): 12}
    tracks |= classes(a, "church", "magic") | classes(b, "royalty", "chivalry", "bourgeoisie")
    result, _ = reckon(table, nuns=ELEVEN, tracks=tracks, tokens=[1, 1])
    assert [result.scores[seat] for seat in (a, b)] == [31, 31]
    assert sorted(result.winners) == sorted((a, b)[number] for number in winners)


def test_plague_victims_keep_their_places() -> None:
    """A28: nobody moves up, neither in a class nor in a majority."""
    table = begin(3)
    a, b, c = order(table)
    tracks: dict[Place, int] = {("rats", b): 12} | church([a, b, c], 5, 7, 3)
    result, seats = reckon(table, [[PEASANT], [PEASANT] * 2, []], ELEVEN, tracks)
    assert scored(result, seats) == [5, 12, 2]
    assert (result.alive[b], result.winners) == (False, (a,))


BARE = [PEASANT, MERCHANT, MONK, KNIGHT, WITCH]
"""A Nun row without nuns."""


def test_if_nobody_survives_nobody_wins() -> None:
    """A29."""
    result, _ = reckon(begin(2), nuns=BARE)
    assert (result.alive, result.winners) == ((False, False), ())


@pytest.mark.parametrize(
    ("held", "tokens", "winners"),
    [((5, 4, 6), [9, 0, 9], [1]), ((4, 4, 6), [0, 11, 9], [1]), ((4, 4, 6), [0, 10, 0], [0, 1])],
)
def test_if_nobody_survives_the_fewest_rats_may_win(
    held: tuple[int, ...], tokens: list[int], winners: list[int]
) -> None:
    """A29, as an option: the fewest rats, then more points, then shared. The first has 10 for Peasantry."""
    table = begin(3, ("nobody-survives", "fewest-rats"))
    tracks: dict[Place, int] = {("rats", seat): number for seat, number in zip(order(table), held, strict=True)}
    result, seats = reckon(table, nuns=BARE, tracks=tracks, tokens=tokens)
    assert sorted(result.winners) == sorted(seats[number] for number in winners)


def test_with_that_option_survivors_win_as_ever() -> None:
    """A29 concerns only a town without survivors."""
    table = begin(2, ("nobody-survives", "fewest-rats"))
    a, b = order(table)
    result, _ = reckon(table, nuns=ELEVEN, tracks={("rats", a): 11, ("rats", b): 1})
    assert result.winners == (a,)
