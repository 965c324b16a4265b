"""Constants of bots: a number in a function may as well be an argument, on every backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.policies import policies
from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import dumps, rebuild
from rulewright.ruleset.table.nodes import Bots, Function, Score, TableProgram
from tests.canonical import loads
from tests.interpreter import compilers
from tests.interpreter.backends.test_ranked import MEDALS, SEED, Table, table
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.many_beside import compare

COUNTING = (t.Give, t.Binary, t.Checked, t.And, t.Or, t.Not)
"""Numbers in other nodes are addresses and indices."""
Change = Callable[[int], int]


def same(value: int) -> int:
    return value


def larger(value: int) -> int:
    return value + 1 if value < 1000 else value


def bots_of(program: TableProgram) -> Bots:
    assert program.bots is not None
    return program.bots


def rewritten(program: TableProgram, change: Change, lifted: bool) -> TableProgram:
    """The program with other numbers in the functions of bots, in their code or, lifted, as constants.

    Only functions without variables of their own, so that parameters can be added at the end.
    """
    bots, first = bots_of(program), len(program.functions)
    functions, constants = list[Function](), dict[int, tuple[int, ...]]()
    for number, function in enumerate(bots.functions, first):
        found: list[int] = []

        def put(node: Any, function: Function = function, found: list[int] = found) -> Any:
            if not isinstance(node, t.Const):
                return node
            found.append(change(node.value))
            return t.Local(function.parameters + len(found) - 1) if lifted else t.Const(found[-1])

        def along(node: Any, put: Callable[[Any], Any] = put) -> Any:
            return put(rebuild(node, along)) if isinstance(node, (*COUNTING, t.Const)) else node

        if len(function.slots) > function.parameters:
            functions.append(function)
            continue
        body = tuple(along(statement) for statement in function.body)
        more = tuple(t.Slot(f"c{n}", 0, False, -1) for n in range(len(found))) if lifted else ()
        constants[number] = tuple(found) if lifted else ()
        functions.append(
            evolve(function, body=body, slots=(*function.slots, *more), parameters=function.parameters + len(more))
        )

    def given(one: Any, function: int) -> Any:
        return evolve(one, constants=constants.get(function, ()))

    infos = tuple(
        evolve(
            bot,
            answers=tuple(given(one, one.condition) for one in bot.answers),
            rankings=tuple(given(one, one.function) if isinstance(one, Score) else one for one in bot.rankings),
        )
        for bot in bots.bots
    )
    return evolve(program, bots=evolve(bots, functions=tuple(functions), bots=infos))


SEATED = [("judge", "careful"), ("shy", "judge", "careful")]


def stepped(program: TableProgram, seated: tuple[str, ...], games: int = 8) -> GameResults:
    return stepping_many(program, range(program.layout.cells), AUTO, seated).play(SEED, 0, games)


def test_there_are_constants_of_both_sorts_which_canonical_texts_keep() -> None:
    program = rewritten(table(MEDALS), same, True)
    assert loads(dumps(program)) == program
    bots = bots_of(program).bots
    scores = [one for bot in bots for one in bot.rankings if isinstance(one, Score) and one.constants]
    conditions = [one for bot in bots for one in bot.answers if one.constants]
    assert len(scores) > 5 and len(conditions) > 0


@pytest.mark.parametrize("change", [same, larger])
@pytest.mark.parametrize("seated", SEATED)
def test_constants_are_as_good_as_numbers_in_the_code(seated: tuple[str, ...], change: Change) -> None:
    program = table(MEDALS, len(seated))
    expected = stepped(rewritten(program, change, False), seated)
    compare(stepped(rewritten(program, change, True), seated), expected)
    walked = stepping_many(rewritten(program, change, True), range(program.layout.cells), "walker", seated)
    compare(walked.play(SEED, 0, 3), expected.head(3))


def test_other_numbers_make_other_games() -> None:
    one, other = (stepped(rewritten(table(MEDALS), change, True), SEATED[0]) for change in (same, larger))
    assert one.cells != other.cells


@needs_compiler
def test_one_library_plays_with_any_constants() -> None:
    seated = SEATED[0]
    program = rewritten(table(MEDALS), same, True)
    native = native_many(program, range(program.layout.cells), seated, by=compilers.quick())
    compare(native.play(SEED, 0, 12), stepped(program, seated, 12))
    other = rewritten(table(MEDALS), larger, True)
    native.seat(policies(other, seated))
    compare(native.play(SEED, 0, 12), stepped(other, seated, 12))


def test_what_a_score_gives_depends_on_its_constant() -> None:
    """`10 - fame` of players with 4 and 2: with 3 instead of 10 only the second is above 0."""
    lower = rewritten(table(MEDALS), lambda value: 3 if value == 10 else value, True)
    for program, expected in ((table(MEDALS), [0, 1]), (lower, [1])):
        at = Table("judge", "", program=program)
        at.set("fame", 4, 0)
        at.set("fame", 2, 1)
        assert at.answer("day.choose.friend", [0, 1], 0, 2) == expected
