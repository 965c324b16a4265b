"""Special forms of lists, loops, tosses, moves, and draws, in lock-step and as whole games."""

from __future__ import annotations

import pytest

from interpreter.analysis.shapes import Others, shaped
from interpreter.analysis.tabulate import Looked, constant_list
from ruleset.table import nodes as table
from ruleset.table.nodes import Expr, List
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import same_many
from tests.interpreter.programs_builder import c, numbers, op, v, vs
from tests.interpreter.programs_shaped import (
    ALL,
    CARDS,
    COLOURS,
    FUSED,
    IF_ANY,
    IF_THERE,
    IT,
    ITEMS,
    LISTS,
    MEMBERS,
    ONE,
    WEIGHTS,
    colour,
    has,
    over,
    plain_program,
    shuffling,
    tossing,
    weight,
    where,
)  # fmt: skip


def expected(test: object) -> tuple[int, ...]:
    """The items for which a test written in Python holds."""
    assert callable(test)
    return tuple(item for item in ITEMS if test(item))


# ------------------------------------------------------------------ lists that tables tell


@pytest.mark.parametrize(
    ("condition", "members"),
    [
        (op(weight(), "==", 3), expected(lambda item: WEIGHTS[item] == 3)),
        (weight(), expected(lambda item: WEIGHTS[item])),
        (has(c(1)), expected(lambda item: 1 in MEMBERS[item])),
        (table.Not(has(c(1))), expected(lambda item: 1 not in MEMBERS[item])),
        (
            table.And(op(weight(), "!=", 0), op(colour(), "<", 2)),
            expected(lambda item: WEIGHTS[item] != 0 and COLOURS[item] < 2),
        ),
        (
            table.Or(op(colour(), "==", 2), op(op(weight(), "+", colour()), ">=", 4)),
            expected(lambda item: COLOURS[item] == 2 or WEIGHTS[item] + COLOURS[item] >= 4),
        ),
        (op(IT, "-", 3), expected(lambda item: item != 3)),
        (c(0), ()),
    ],
)
def test_a_filter_of_constants_is_a_constant(condition: Expr, members: tuple[int, ...]) -> None:
    program = plain_program()
    assert constant_list(where(ALL, condition), program) == numbers(*members)
    assert constant_list(table.Map(numbers(5, 1, 1), 3, op(weight(), "*", 10)), program) == numbers(30, 10, 10)


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        (op(weight(), "==", v(0)), lambda item, outer: WEIGHTS[item] == outer),
        (op(weight(), "!=", v(0)), lambda item, outer: WEIGHTS[item] != outer),
        (has(v(0)), lambda item, outer: outer in MEMBERS[item]),
        (
            table.And(has(v(0)), table.Not(op(colour(), "==", v(0)))),
            lambda item, outer: outer in MEMBERS[item] and COLOURS[item] != outer,
        ),
    ],
)
def test_a_filter_by_a_number_has_a_list_for_each_value(condition: Expr, test: object) -> None:
    """For values that the tables hold, and for any other."""
    assert callable(test)
    found = constant_list(where(ALL, condition), plain_program())
    assert isinstance(found, Looked) and found.outer == v(0)
    lists = dict(found.lists)
    for value in range(-3, 12):
        assert lists.get(value, found.other) == expected(lambda item, value=value: test(item, value))


def test_what_depends_on_more_is_left_as_it_is() -> None:
    program = plain_program()
    left: list[List] = [
        where(ALL, table.And(op(weight(), "==", v(0)), op(colour(), "==", v(1)))),  # two numbers
        where(ALL, op(weight(), "==", table.Cell(c(9)))),  # a cell is not short to work out
        where(ALL, op(weight(), "<", v(0))),  # no list for each value
        where(ALL, op(op(weight(), "//", 2), "==", 1)),  # division can fail
        where(ALL, op(weight(), "==", IT)),  # the number outside is the item itself
        where(numbers(3, 7), weight()),  # the table has no entry for 7
        where(numbers(-1, 3), weight()),
        where(numbers(v(1), 3), weight()),  # no constants
        table.Map(ALL, 3, op(weight(), "==", v(0))),
        table.Concat(numbers(1), numbers(2)),
    ]
    assert [constant_list(node, program) for node in left] == [None] * len(left)


def test_looked_up_lists_are_shaped_on() -> None:
    """Filtered, mapped and lengthened, they stay lists for each value."""
    program = plain_program()
    looked = constant_list(where(ALL, op(weight(), "==", v(0))), program)
    assert isinstance(looked, Looked)
    narrow = constant_list(where(looked, op(colour(), "==", 0)), program)
    coloured = constant_list(table.Map(looked, 3, colour()), program)
    longer = constant_list(table.Concat(looked, numbers(9, 8)), program)
    for value in (-1, 0, 1, 2, 3, 7):
        members = expected(lambda item, value=value: WEIGHTS[item] == value)
        for made, wanted in (
            (narrow, tuple(one for one in members if COLOURS[one] == 0)),
            (coloured, tuple(COLOURS[one] for one in members)),
            (longer, (*members, 9, 8)),
        ):
            assert isinstance(made, Looked)
            assert dict(made.lists).get(value, made.other) == wanted


@pytest.mark.parametrize("name", LISTS)
def test_lists_in_lock_step(name: str) -> None:
    items = LISTS[name]
    if name == "others of cells":
        probe = over(numbers())
        cells = next(info.address for info in probe.state_lists if info.capacity == 6)
        items = where(table.Rotated(table.CellList(c(cells)), v(0)), op(IT, "!=", v(0)))
    program = over(items)
    assert lockstep(program, 1, 1).ended == 1
    same_many(program, 1, 1)


def test_others_leave_out_every_copy() -> None:
    node = where(table.Rotated(vs(5), v(0)), op(IT, "!=", v(0)))
    assert shaped(node, plain_program()) == Others(vs(5), v(0))
    assert shaped(where(table.Rotated(vs(5), v(0)), op(IT, "!=", v(1))), plain_program()) != Others(vs(5), v(0))


# ------------------------------------------------------------------ loops in one


@pytest.mark.parametrize("name", FUSED)
def test_fused_loops_in_lock_step(name: str) -> None:
    program = over(FUSED[name], CARDS)
    assert lockstep(program, 1, 1).ended == 1
    same_many(program, 1, 1)


def test_all_fused_loops_together() -> None:
    program = over(*FUSED.values())
    assert lockstep(program, 1, 1).ended == 1
    same_many(program, 1, 1)


# ------------------------------------------------------------------ one card


@pytest.mark.slow
@pytest.mark.parametrize("bottom", [False, True])
@pytest.mark.parametrize("cards", [ONE, IF_ANY, IF_THERE], ids=["one", "unless none", "if there"])
def test_one_card_moves_as_several_do(cards: List, bottom: bool) -> None:
    """From where it is, or not at all; onto itself; out of a pile that refills at once; into a full zone."""
    program = shuffling(table.Move(cards, v(2), bottom, v(4), 5))
    tally = lockstep(program, 60, 1)
    assert tally.ended + sum(tally.errors.values()) == 60 and tally.ended > 20
    same_many(program, 20, 1)


@pytest.mark.parametrize("bottom", [False, True])
def test_one_card_is_drawn_as_several_are(bottom: bool) -> None:
    """From piles that refill when needed or at once, from bags, from what is empty, from a zone to itself."""
    program = shuffling(table.Draw(v(2), c(1), v(3), bottom, None, 5))
    tally = lockstep(program, 60, 1)
    assert tally.ended + sum(tally.errors.values()) == 60 and tally.ended > 20
    same_many(program, 20, 1)


@pytest.mark.parametrize("bottom", [False, True])
def test_a_full_zone_is_a_rule_error_for_one_card_too(bottom: bool) -> None:
    """Six places, eight cards: a game of many moves into the last zone ends so."""
    for statement in (table.Draw(v(2), c(1), c(5), bottom, None, 5), table.Move(ONE, c(5), bottom, c(-1), 5)):
        tally = lockstep(shuffling(statement, turns=300), 6, 2)
        assert tally.errors.get("full"), tally


# ------------------------------------------------------------------ a toss


@pytest.mark.parametrize(
    "options",
    [numbers(0, 1), numbers(5, 7), numbers(1, 0), numbers(v(0), 9), numbers(0, 1, 2), numbers(4)],
)
def test_a_choice_of_two_is_a_toss(options: List) -> None:
    """The same answers as by stepping, the same stream, and the same fuel afterwards."""
    program = tossing(options)
    same_many(program, 30, 1)


def test_what_is_always_asked_is_no_toss() -> None:
    """`always` opens a decision of one option, too."""
    for options in (numbers(0, 1), numbers(3), numbers()):
        program = tossing(options, always=True)
        same_many(program, 20, 1)
