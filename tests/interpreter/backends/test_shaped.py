"""Special forms of lists, loops, tosses, moves, and draws, in lock-step and as whole games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulewright.interpreter.analysis.metering import Others, shaped
from rulewright.interpreter.analysis.nodes import Looked, constant_list
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import Expr, List
from tests.interpreter import programs_shaped as forms
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import same_many
from tests.interpreter.programs_builder import c, numbers, op, v, vs
from tests.interpreter.programs_shaped import ALL, COLOURS, IT, ITEMS, MEMBERS, WEIGHTS, colour, has, plain_program


def expected(test: Callable[[int], object]) -> tuple[int, ...]:
    """The items for which a test written in Python holds."""
    return tuple(item for item in ITEMS if test(item))


# ------------------------------------------------------------------ lists that tables tell

@pytest.mark.parametrize(
    ("condition", "members"),
    [
        (op(forms.weight(), "==", 3), expected(lambda item: WEIGHTS[item] == 3)),
        (forms.weight(), expected(lambda item: WEIGHTS[item])),
        (has(c(1)), expected(lambda item: 1 in MEMBERS[item])),
        (table.Not(has(c(1))), expected(lambda item: 1 not in MEMBERS[item])),
        (
            table.And(op(forms.weight(), "!=", 0), op(colour(), "<", 2)),
            expected(lambda item: WEIGHTS[item] != 0 and COLOURS[item] < 2),
        ),
        (
            table.Or(op(colour(), "==", 2), op(op(forms.weight(), "+", colour()), ">=", 4)),
            expected(lambda item: COLOURS[item] == 2 or WEIGHTS[item] + COLOURS[item] >= 4),
        ),
        (op(IT, "-", 3), expected(lambda item: item != 3)),
        (c(0), ()),
    ],
)
def test_a_filter_of_constants_is_a_constant(condition: Expr, members: tuple[int, ...]) -> None:
    program = plain_program()
    assert constant_list(forms.where(ALL, condition), program) == numbers(*members)
    tenfold = op(forms.weight(), "*", 10)
    assert constant_list(table.Map(numbers(5, 1, 1), 3, tenfold), program) == numbers(30, 10, 10)


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        (op(forms.weight(), "==", v(0)), lambda item, outer: WEIGHTS[item] == outer),
        (op(forms.weight(), "!=", v(0)), lambda item, outer: WEIGHTS[item] != outer),
        (has(v(0)), lambda item, outer: outer in MEMBERS[item]),
        (
            table.And(has(v(0)), table.Not(op(colour(), "==", v(0)))),
            lambda item, outer: outer in MEMBERS[item] and COLOURS[item] != outer,
        ),
    ],
)
def test_a_filter_by_a_number_has_a_list_for_each_value(
    condition: Expr, test: Callable[[int, int], object]
) -> None:
    """For values that the tables hold, and for any other."""
    found = constant_list(forms.where(ALL, condition), plain_program())
    assert isinstance(found, Looked) and found.outer == v(0)
    lists = dict(found.lists)
    for value in range(-3, 12):
        assert lists.get(value, found.other) == expected(lambda item, value=value: test(item, value))


def test_what_depends_on_more_is_left_as_it_is() -> None:
    program = plain_program()
    left: list[List] = [
        forms.where(ALL, table.And(op(forms.weight(), "==", v(0)), op(colour(), "==", v(1)))),  # two numbers
        forms.where(ALL, op(forms.weight(), "==", table.Cell(c(9)))),  # a cell is not short to work out
        forms.where(ALL, op(forms.weight(), "<", v(0))),  # no list for each value
        forms.where(ALL, op(op(forms.weight(), "//", 2), "==", 1)),  # division can fail
        forms.where(ALL, op(forms.weight(), "==", IT)),  # the number outside is the item itself
        forms.where(numbers(3, 7), forms.weight()),  # the table has no entry for 7
        forms.where(numbers(-1, 3), forms.weight()),
        forms.where(numbers(v(1), 3), forms.weight()),  # no constants
        table.Map(ALL, 3, op(forms.weight(), "==", v(0))),
        table.Concat(numbers(1), numbers(2)),
    ]
    assert [constant_list(node, program) for node in left] == [None] * len(left)


def test_looked_up_lists_are_shaped_on() -> None:
    """Filtered, mapped and lengthened, they stay lists for each value."""
    program = plain_program()
    looked = constant_list(forms.where(ALL, op(forms.weight(), "==", v(0))), program)
    assert isinstance(looked, Looked)
    narrow = constant_list(forms.where(looked, op(colour(), "==", 0)), program)
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


@pytest.mark.parametrize("name", forms.LISTS | forms.FUSED)
def test_lists_in_lock_step_and_in_whole_games(name: str) -> None:
    """Those that tables tell, and loops that become one."""
    program = forms.over((forms.LISTS | forms.FUSED)[name], forms.CARDS)
    assert lockstep(program, 1, 1).ended == 1
    same_many(program, 1, 1)


def test_others_leave_out_every_copy() -> None:
    for left_out, alike in ((v(0), True), (v(1), False)):
        node = forms.where(table.Rotated(vs(5), v(0)), op(IT, "!=", left_out))
        assert (shaped(node, plain_program()) == Others(vs(5), v(0))) == alike


# ------------------------------------------------------------------ one card

@pytest.mark.parametrize("bottom", [False, True])
@pytest.mark.parametrize(
    "moved",
    [None, *(pytest.param(one, marks=pytest.mark.slow) for one in (forms.ONE, forms.IF_ANY, forms.IF_THERE))],
    ids=["drawn", "one", "unless none", "if there"],
)
def test_one_card_moves_or_is_drawn_as_several_are(moved: List | None, bottom: bool) -> None:
    """From where it is, or not at all; onto itself; out of piles that refill when needed or at once; out of bags,
    and of what is empty; into a full zone.
    """
    draw = table.Draw(v(2), c(1), v(3), bottom, None, 5)
    program = forms.shuffling(table.Move(moved, v(2), bottom, v(4), 5) if moved is not None else draw)
    tally = lockstep(program, 60, 1)
    assert tally.ended + sum(tally.errors.values()) == 60 and tally.ended > 20
    same_many(program, 20, 1)


@pytest.mark.parametrize("bottom", [False, True])
def test_a_full_zone_is_a_rule_error_for_one_card_too(bottom: bool) -> None:
    """Six places, eight cards: a game of many moves into the last zone ends so."""
    move = table.Move(forms.ONE, c(5), bottom, c(-1), 5)
    for statement in (table.Draw(v(2), c(1), c(5), bottom, None, 5), move):
        tally = lockstep(forms.shuffling(statement, turns=300), 6, 2)
        assert tally.errors.get("full"), tally


# ------------------------------------------------------------------ a toss

OPTIONS = [numbers(0, 1), numbers(5, 7), numbers(1, 0), numbers(v(0), 9), numbers(0, 1, 2), numbers(4)]


@pytest.mark.parametrize(
    ("options", "always"),
    [*((some, False) for some in OPTIONS), *((some, True) for some in (numbers(0, 1), numbers(3), numbers()))],
)
def test_a_choice_of_two_is_a_toss(options: List, always: bool) -> None:
    """The same answers as by stepping, the same stream, and the same fuel afterwards. What is always asked is none:
    `always` opens a decision of one option, too.
    """
    same_many(forms.tossing(options, always), 30, 1)
