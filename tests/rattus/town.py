"""Helpers for positions of Rattus Cartus: seats in turn order, visits with cards, the reckoning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulewright.interpreter.views.view import Result
from tests.positions import Place, Table, hand, of, program_of

PACK = Path(__file__).parents[2] / "content" / "rattus-cartus"

SUPPLY, LOOK = "supplies.supply.source", "look-at-nun.seen"
ENTER, PLAY = "entering.enter.choice", "entering.enter.enter.played"
LOSER, SPOILS = "sword.showdown.giver", "sword.showdown.spoils"
PREMIUM, STANDARD = "resolving.building.premium", "resolving.building.standard"

CLASSES = ("peasantry", "bourgeoisie", "church", "chivalry", "magic", "royalty")
BUILDINGS = ("farm", "market", "monastery", "castle", "tent", "palace")
PEASANT, MERCHANT, MONK, KNIGHT, WITCH, KING = (f"{name}-0" for name in CLASSES)
"""Population cards without nuns; there are four of each."""
SAFE = ["church-4"] * 4 + ["magic-4"]
"""A Nun row of 20 nuns, beside which nobody in these tests has too many rats."""

Hands = Sequence[Sequence[str]]


def begin(seats: int, *options: tuple[str, str], seed: int = 1) -> Table:
    """A new game, at the first choice of a supply action."""
    return Table.start(program_of(PACK, seats, *options), seed)


def order(table: Table) -> list[int]:
    """The seats in turn order, from the starting player on clockwise."""
    first, seats = table.number("starting-player"), table.program.seats
    return [(first + step) % seats for step in range(seats)]


def to_entering(
    table: Table, row: Sequence[str], hands: Hands = (), tracks: Mapping[Place, int] | None = None
) -> list[int]:
    """Goes on until the first seat is to enter a building of this row. Gives the seats in turn order, who hold
    these hands (any five cards where none is given) and 10 rats each unless `tracks` says otherwise.
    """
    table.until(ENTER)
    while table.listed("arrivals"):
        seat = table.asked[0][0]
        table.answer(seat, ENTER, table.options[0])
        play(table, seat)
        table.until(ENTER)
    seats = order(table)
    given = [*hands, *[["population"] * 5] * len(seats)]
    held = {hand(seat): cards for seat, cards in zip(seats, given, strict=False)}
    ten: dict[Place, int] = {("rats", seat): 10 for seat in seats}
    table.arrange(zones={"row": row, **held}, tracks=ten | dict(tracks or {}))
    return seats


def play(table: Table, seat: int, *cards: str) -> None:
    """Commits cards, if the seat is asked."""
    if (seat, PLAY) in table.asked:
        table.answer(seat, PLAY, *cards)
    else:
        assert not cards


def enter(table: Table, seat: int, building: str, *cards: str) -> None:
    """Enters a building of the row, named by its card, and commits cards."""
    (option,) = (key for key in table.options if key.startswith(f"enter:{building}@"))
    table.answer(seat, ENTER, option)
    play(table, seat, *cards)


def perform(table: Table, seat: int, site: str) -> None:
    """Performs the premium or standard action, which must be asked of this seat now."""
    table.answer(seat, site, "perform")


def decline(table: Table, seat: int, site: str) -> None:
    """Declines the premium or standard action, which must be asked of this seat now."""
    table.answer(seat, site, "decline")


def actions(table: Table) -> list[tuple[int, str]]:
    """Declines all actions up to the next round (or the end); gives who was asked for which, in order."""
    found = []
    while table.asked and table.asked[0][1] in (PREMIUM, STANDARD):
        ((seat, site),) = table.asked
        found.append((seat, site))
        decline(table, seat, site)
    return found


def rats(table: Table, seats: Sequence[int]) -> list[int]:
    """The rats of these seats."""
    return [table.number("rats", seat) for seat in seats]


def influence(table: Table, of_class: str, seats: Sequence[int]) -> list[int]:
    """The influence of these seats in a class."""
    return [table.number("influence", seat, of_class) for seat in seats]


def reckon(
    table: Table,
    hands: Hands = (),
    nuns: Sequence[str] = SAFE,
    tracks: Mapping[Place, int] | None = None,
    tokens: Sequence[int] = (),
) -> tuple[Result, list[int]]:
    """Plays a final round in which all enter the Farm with nothing, and ends the game in this position (hands are
    empty where none is given). Gives the result and the seats in turn order. The first of them has the premium and
    so a point in Peasantry: with no other points in that class it brings him 10.
    """
    table.until(ENTER)
    fillers = ["castle-1", "palace-1"][: table.count("row") - 1]
    seats = to_entering(table, ["farm-1", *fillers], [[]] * table.program.seats)
    table.arrange(tracks={("final-round",): 1})
    for seat in seats[:-1]:
        enter(table, seat, "farm-1")
    held = {hand(seat): cards for seat, cards in zip(seats, [*hands, *[[]] * len(seats)], strict=False)}
    owned = {of(seat, "tokens"): ["point"] * number for seat, number in zip(seats, tokens, strict=False)}
    table.arrange(zones={"nun-row": nuns, **held, **owned}, tracks=tracks)
    enter(table, seats[-1], "farm-1")
    assert table.game.result is not None
    return table.game.result, seats
