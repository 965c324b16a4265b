"""Statements on zones and tracks: examples by hand."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.backends.walker.zones import WalkerZones
from rulewright.interpreter.state import chance
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.frames import fresh_state, read_list
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import AS_A_BLOCK, COVERED, FROM_BOTTOM, UNDER, TableProgram
from tests.interpreter.lockstep import check_state
from tests.interpreter.programs_builder import Builder, c, tree

PILE, SPENT, BAG, ROW, EAGER, USED = range(6)


@pytest.fixture
def program() -> TableProgram:
    b = Builder(2, range(14))
    b.zone("pile", (5, 1, 3), sees=0, top=0b01, refill=SPENT)
    b.zone("pile", (7, 0, 9, 2))
    b.zone("bag", (8, 4), sees=0b10, capacity=5)
    b.zone("row", (11, 6), sees=0b01)
    b.zone("pile", (10,), sees=0, refill=USED, eager=True)
    b.zone("pile", (13, 12))
    b.track((2, 0), low=-3, high=5, clamps=True, arrival=True, changes=(0b01, 0b11))
    b.track((2,), low=0, high=5)
    b.reserve(1)
    return b.game([], tree(table.Finish()))


class Board:
    """Zones of a state. What is done to them keeps its invariants; `events` are those of the last operation."""

    def __init__(self, program: TableProgram) -> None:
        self.program, self.zones = program, WalkerZones(program)
        self.state = fresh_state(program, 1)
        self.events: list[RawEvent] = []

    def do(self, name: str, *arguments: Any) -> Any:
        """Do what an operation does; a rule error is its code and place."""
        self.events.clear()
        lowest = {"lowest": True} if name == "draw_bottom" else {}
        operation = getattr(self.zones, name.removesuffix("_bottom"))
        try:
            given = operation(self.state, *arguments, self.events, **lowest)
        except RuleError as error:
            return (error.code, error.at)
        check_state(self.program, self.state)
        return given

    def cards(self, zone: int) -> list[int]:
        return read_list(self.state, self.program.zones[zone].address)


@pytest.fixture
def board(program: TableProgram) -> Board:
    return Board(program)


def test_moving_to_the_top_and_to_the_bottom(board: Board) -> None:
    board.do("move", (11, 4, -1, 8), PILE, False, None, 1)
    assert board.cards(PILE) == [5, 1, 3, 11, 4, 8]
    assert [event[1:5] for event in board.events] == [
        ((ROW, PILE, 1, 0), (11,), 3, 0b01),
        ((BAG, PILE, 1, COVERED), (4,), 3, 0b10),
        ((BAG, PILE, 1, 0), (8,), 3, 0b11),
    ]
    board.do("move", (3, 6), PILE, True, None, 1)
    assert board.cards(PILE) == [6, 3, 5, 1, 11, 4, 8]
    assert [event[1:5] for event in board.events] == [
        ((PILE, PILE, 1, 1), (3,), 3, 0), ((ROW, PILE, 1, 1), (6,), 3, 0b01)
    ]


HOMES = (ROW, SPENT, -1, ROW, SPENT, SPENT, 3, 3, 3, 3, 3, 3, 3, 3)
EXAMPLES: dict[str, tuple[tuple[Any, ...], dict[int, list[int]]]] = {
    "bags stay sorted": (("move", (9, 3, 6), BAG, False, None, 1), {BAG: [3, 4, 6, 8, 9]}),
    "whatever is put below": (("move", (4,), BAG, True, None, 1), {BAG: [4, 8]}),
    "only cards still there": (("move", (7, 3, 2), ROW, False, SPENT, 1), {ROW: [11, 6, 7, 2], PILE: [5, 1, 3]}),
    "no place is any place": (("move", (7, 3), ROW, False, -1, 1), {ROW: [11, 6, 7, 3]}),
    # Home after home in the order of their numbers; a card without a home stays.
    "home": (("send_home", (3, 2, -1, 0, 4, 1), HOMES, None, 1), {SPENT: [7, 9, 2, 4, 1], ROW: [11, 6, 3, 0]}),
    "home from a place": (("send_home", (3, 0, 5), HOMES, PILE, 1), {PILE: [1], SPENT: [7, 0, 9, 2, 5]}),
    "all": (("move_all", SPENT, ROW, False, 1), {ROW: [11, 6, 7, 0, 9, 2], SPENT: []}),
    "all to the bottom": (("move_all", SPENT, ROW, True, 1), {ROW: [2, 9, 0, 7, 11, 6], SPENT: []}),
    "all to where they are": (("move_all", SPENT, SPENT, False, 1), {SPENT: [7, 0, 9, 2]}),
    "all to its own bottom": (("move_all", SPENT, SPENT, True, 1), {SPENT: [2, 9, 0, 7]}),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_where_cards_go(name: str, board: Board) -> None:
    operation, expected = EXAMPLES[name]
    board.do(*operation)
    assert {zone: board.cards(zone) for zone in expected} == expected


def test_a_full_zone(board: Board) -> None:
    assert board.do("move", (7, 0, 9, 2), BAG, False, None, 4) == ("full", 4)


def test_drawing_refills_when_needed(board: Board) -> None:
    order, generator = chance.shuffled((0, 2, 7, 9), chance.load(board.state))
    assert board.do("draw", PILE, 4, BAG, False, 1) == ("full", 1)
    board = Board(board.program)
    assert board.do("draw", PILE, 5, ROW, False, 1) == [3, 1, 5, order[3], order[2]]
    assert board.cards(PILE) == order[:2]
    assert board.cards(ROW) == [11, 6, 3, 1, 5, order[3], order[2]]
    assert chance.load(board.state) == generator
    assert [event[:3] for event in board.events] == [
        ("moved", (PILE, ROW, 3, 0), (3, 1, 5)),
        ("moved", (SPENT, PILE, 4, AS_A_BLOCK), (0, 2, 7, 9)),
        ("shuffled", (PILE,), tuple(order)),
        ("moved", (PILE, ROW, 2, 0), (order[3], order[2])),
    ]


def test_drawing_exactly_all_does_not_refill_when_needed(board: Board) -> None:
    assert board.do("draw", PILE, 3, ROW, True, 1) == [3, 1, 5]
    assert (board.cards(PILE), board.cards(ROW)) == ([], [5, 1, 3, 11, 6])
    assert board.do("draw", PILE, -1, ROW, True, 1) == []


def test_drawing_more_than_there_is(board: Board) -> None:
    drawn = board.do("draw", PILE, 99, ROW, False, 1)
    assert sorted(drawn) == [0, 1, 2, 3, 5, 7, 9]
    assert board.do("draw", PILE, 1, ROW, False, 1) == []
    assert board.events == []


def test_drawing_refills_at_once(board: Board) -> None:
    order, _ = chance.shuffled((12, 13), chance.load(board.state))
    assert board.do("draw", EAGER, 1, ROW, False, 1) == [10]
    assert (board.cards(EAGER), board.cards(USED)) == (order, [])
    assert board.do("draw", EAGER, 2, USED, False, 1) == [order[1], order[0]]
    assert sorted(board.cards(EAGER)) == [12, 13]


def test_moves_refill_at_once_when_all_have_moved(board: Board) -> None:
    board.do("move", (10, 12), ROW, False, None, 1)
    assert (board.cards(EAGER), board.cards(ROW)) == ([13], [11, 6, 10, 12])
    board.do("move_all", EAGER, USED, False, 1)
    assert (board.cards(EAGER), board.cards(USED)) == ([13], [])
    board.do("move", (13,), EAGER, False, None, 1)
    assert board.cards(EAGER) == [13]


def test_preparing_puts_the_refill_under_what_is_there(board: Board) -> None:
    order, _ = chance.shuffled((0, 2, 7, 9), chance.load(board.state))
    board.do("prepare", PILE, 3, 1)
    assert board.cards(PILE) == [5, 1, 3]
    board.do("prepare", PILE, 4, 1)
    assert board.cards(PILE) == [*order, 5, 1, 3]
    assert [event[:3] for event in board.events] == [
        ("moved", (SPENT, PILE, 4, UNDER | AS_A_BLOCK), (0, 2, 7, 9)), ("shuffled", (PILE,), (*order, 5, 1, 3))
    ]
    board.do("prepare", PILE, 99, 1)
    assert board.cards(PILE) == [*order, 5, 1, 3]


def test_shuffling_a_bag_is_nothing(board: Board) -> None:
    before = board.state[:]
    board.do("shuffle", BAG, 1)
    assert board.state == before


def test_tracks_clamp_and_note_arrivals(board: Board) -> None:
    track = board.program.tracks[0]
    board.do("change", 0, 0, 9, 1)
    assert board.events == [("changed", (0, 0, 3), (), 0b01, 0b01, 1)]
    board.do("change", 0, 0, 1, 1)
    assert board.events == []
    board.do("assign", 0, 1, -9, 1)
    board.do("assign", 0, 1, -3, 1)
    assert [*board.state[track.address : track.address + 2]] == [5, -3]
    assert [*board.state[track.arrival - 1 : track.arrival + 2]] == [2, 1, 2]
    assert board.do("change", 1, 0, -3, 7) == ("bounds", 7)
    assert board.do("assign", 1, 0, 6, 7) == ("bounds", 7)


def test_drawing_from_the_bottom(board: Board) -> None:
    """Card by card: what is there, then the lowest of what the spent cards became."""
    assert board.do("draw_bottom", PILE, 2, ROW, False, 1) == [5, 1]
    assert (board.cards(PILE), board.cards(ROW)) == ([3], [11, 6, 5, 1])
    assert [event[1:5] for event in board.events] == [((PILE, ROW, 2, FROM_BOTTOM), (5, 1), 3, 0b01)]
    order, _ = chance.shuffled([0, 2, 7, 9], chance.load(board.state))
    assert board.do("draw_bottom", PILE, 3, BAG, False, 1) == [3, *order[:2]]
    assert (board.cards(PILE), board.cards(SPENT)) == (list(order[2:]), [])
    assert [event[0] for event in board.events] == ["moved", "moved", "shuffled", "moved"]
    assert board.do("draw_bottom", PILE, 0, BAG, False, 1) == []


def test_drawing_from_the_bottom_to_the_same_pile(board: Board) -> None:
    assert board.do("draw_bottom", PILE, 2, PILE, False, 1) == [5, 1]
    assert board.cards(PILE) == [3, 5, 1]
    assert board.do("draw_bottom", PILE, 2, PILE, True, 1) == [3, 3]
    assert board.cards(PILE) == [3, 5, 1]


def test_drawing_the_last_from_the_bottom_refills_at_once(board: Board) -> None:
    assert board.do("draw_bottom", EAGER, 1, ROW, True, 1) == [10]
    assert (sorted(board.cards(EAGER)), board.cards(USED)) == ([12, 13], [])


def test_several_cards_leave_a_pile_together(board: Board) -> None:
    """Only what is drawn is seen card by card on top of the pile."""
    board.do("move_all", PILE, ROW, False, 1)
    assert [event[1:3] for event in board.events] == [((PILE, ROW, 3, AS_A_BLOCK | FROM_BOTTOM), (5, 1, 3))]


def test_a_reveal_tells_where_each_card_was(board: Board) -> None:
    """None is passed over; a card in no zone has the place -1. What moves later changes nothing."""
    board.do("reveal", (8, -1, 1, 11, 4), 0b01, 7)
    assert board.events == [("revealed", (0b01, BAG, PILE, ROW, BAG), (8, 1, 11, 4), 0b11, 0b01, 7)]
    nowhere: list[RawEvent] = []
    board.state[board.zones.places + 4] = -1
    board.zones.reveal(board.state, (4,), 0b11, 7, nowhere)
    assert nowhere == [("revealed", (0b11, -1), (4,), 0b11, 0b11, 7)]
    for nothing in ((), (-1,)):
        board.zones.reveal(board.state, nothing, 0b11, 7, nowhere)
    assert len(nowhere) == 1, "no event"


def test_named_cards_are_taken_from_the_bottom_only_if_they_are_there(board: Board) -> None:
    """The pile is 5, 1, 3 from the bottom: 5 is the lowest, 1 is not; a bag has no bottom."""

    def manners() -> list[int]:
        return [event[1][3] for event in board.events]

    board.do("move_lowest", (1,), PILE, False, None, 1)
    assert (board.cards(PILE), manners()) == ([5, 3, 1], [0])
    board.do("move_lowest", (5, 3), PILE, False, PILE, 1)
    at_once = FROM_BOTTOM | AS_A_BLOCK
    assert (board.cards(PILE), manners()) == ([1, 5, 3], [at_once | COVERED, at_once])  # seat 0 sees the top alone
    board.do("move_lowest", (4,), PILE, False, BAG, 1)
    assert (board.cards(PILE), manners()) == ([1, 5, 3, 4], [0])
    board.do("move_lowest", (1,), ROW, False, SPENT, 1)
    assert (board.cards(PILE), board.events) == ([1, 5, 3, 4], [])


def test_of_cards_with_several_homes_nobody_sees_where_each_was(board: Board) -> None:
    homes = [ROW] * 14
    homes[5] = SPENT
    told: list[RawEvent] = []
    board.zones.send_home(board.state[:], (5, 1), homes, None, 1, told, lowest=True)
    assert [event[1][3] & FROM_BOTTOM for event in told] == [0, 0]
    told.clear()
    board.zones.send_home(board.state[:], (5,), homes, None, 1, told, lowest=True)
    assert [event[1][3] & FROM_BOTTOM for event in told] == [FROM_BOTTOM]


def test_a_condition_that_is_the_same_of_all_cards_leaves_them_at_the_bottom() -> None:
    """The walker asks for each card, and sees where all are taken from."""
    b = Builder(1, range(3))
    b.zone("pile", (2, 0, 1), sees=0)
    b.zone("row", (), capacity=3)
    b.reserve(1)
    move = table.Move(table.Filter(table.Cards(c(0)), 0, c(1)), c(1), False, None, 1)
    program = b.game([0], tree(move, table.Finish()))
    walker, told = Walker(program), list[RawEvent]()
    walker.run(walker.start(1), told)
    assert [event[1:3] for event in told] == [((0, 1, 3, AS_A_BLOCK | FROM_BOTTOM), (2, 0, 1))]
