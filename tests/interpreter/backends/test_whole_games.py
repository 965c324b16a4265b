"""Whole games in native code end, count, and fail exactly as games in steps do."""

from __future__ import annotations

import sys

import pytest
from attrs import evolve

from interpreter.analysis.control_flow import CallGraph, Kept, answers_kept, entrances
from interpreter.backends.native.compiler.library import BuildError
from interpreter.backends.native.module import generate_playing
from interpreter.batch.factory import many_games
from ruleset.table import nodes as table
from ruleset.table.nodes import HEAD, TableProgram
from tests.interpreter.expressions import VALUES
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import same_many
from tests.interpreter.programs import PROGRAMS, calculator
from tests.interpreter.programs_builder import DECISION, Builder, branch, c, numbers, op, tree, v, vs
from tests.interpreter.programs_random import NEWER, random_program

RANDOM_PROGRAMS = 60


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_by_hand(name: str) -> None:
    ends = same_many(PROGRAMS[name], 60 if name == "failures" else 12, 5)
    if name == "failures":
        assert len(ends) > 5


def test_every_expression() -> None:
    same_many(calculator(*(expression for expression, _ in VALUES))[0], 1, 5)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, RANDOM_PROGRAMS, 20))
def test_random_programs(first: int) -> None:
    ends = sum(same_many(random_program(seed), 3, seed).total() for seed in range(first, first + 20))
    assert ends == 60


@pytest.mark.slow
def test_newer_random_programs() -> None:
    for seed in range(NEWER, NEWER + 12):
        same_many(random_program(seed), 3, seed)


@pytest.mark.slow
def test_random_programs_end_in_every_way() -> None:
    ends = same_many(random_program(13), 3, 13)
    for seed in range(14, 27):
        ends += same_many(random_program(seed), 3, seed)
    assert ends["over"] > 20 and len(ends) > 3, ends


# ------------------------------------------------------------------ answers


def asking(
    options: table.List, least: int, most: int, *, of: str = "number", always: bool = False, order: str = "bag"
) -> TableProgram:
    """Asks ten times, and adds up what was chosen and how much."""
    b = Builder(2, (0, 0, 1, 0, 2, 2))
    b.zone(order, range(6))
    total, size = b.track(), b.track()
    site = b.site(of)
    begin, ask, after = b.reserve(3)
    asks = table.Ask(site, numbers(1), 1, options, c(least), c(most), after, 3, always)
    again = op(v(0), "<", 10)
    return b.build(
        b.procedure(
            [0, 0, 0, 8],
            {
                begin: tree(table.SetLocal(0, c(0)), table.Goto(ask)),
                ask: tree(asks),
                after: tree(
                    table.SetList(3, table.Answer(c(1))),
                    table.CloseDecisions(),
                    table.Change(total, c(0), table.Total(vs(3), 2, op(v(2), "*", op(v(2), "+", v(0))), 4), 4),
                    table.Change(size, c(0), table.Count(vs(3)), 5),
                    table.SetLocal(0, op(v(0), "+", 1)),
                    table.Branch(again, tree(table.Charge(6), table.Goto(ask)), tree(table.Finish())),
                ),
            },
            begin,
        )
    )


CARDS = table.Cards(c(0))
BOUNDS = [(0, 1), (0, 6), (1, 1), (1, 6), (2, 2), (3, 9), (6, 6), (4, 1), (0, 0), (-1, -1)]
MIXED = numbers(5, 0, 2, 1, 4, 3)
"""Cards in an order in which equal ones do not stand side by side."""


@pytest.mark.slow
@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize(("least", "most"), BOUNDS)
def test_bounds_of_an_answer(least: int, most: int, always: bool) -> None:
    for options in (numbers(4, 9, 2), numbers(7), numbers(), numbers(1, 2, 3, 4, 5, 6)):
        same_many(asking(options, least, most, always=always), 3, 1)
    for options in (CARDS, MIXED, table.Take(CARDS, c(1), True)):
        for order in ("bag", "row"):
            same_many(asking(options, least, most, of="card", always=always, order=order), 3, 1)


def test_equal_cards_that_are_not_side_by_side() -> None:
    kinds = evolve(asking(CARDS, 0, 6, of="card"))
    together = evolve(kinds, cards=tuple(evolve(card, face=i // 2) for i, card in enumerate(kinds.cards)))
    for program in (kinds, together):
        same_many(program, 30, 2)


def test_an_answer_stays_where_others_may_read_it() -> None:
    programs = {name: answers_kept(program, entrances(program)) for name, program in PROGRAMS.items()}
    assert {*programs["three at the table"].values()} == {Kept.LIST}
    assert Kept.CELLS in programs["councils"].values()
    assert answers_kept(asking(CARDS, 1, 1), entrances(asking(CARDS, 1, 1))) == {1: Kept.LIST}


def test_too_many_options_come_before_faulty_bounds() -> None:
    least = table.Present(c(-1), 4)
    program = asking(numbers(*range(25)), 1, 1)
    segments = list(program.segments)
    ask = segments[1].tree.end
    assert isinstance(ask, table.Ask)
    segments[1] = evolve(segments[1], tree=tree(evolve(ask, least=least)))
    assert same_many(evolve(program, segments=tuple(segments)), 1, 1) == {"full": 1}


def test_a_seat_that_is_asked_does_not_change_a_variable() -> None:
    b = Builder(2)
    kept = b.track()
    site = b.site()
    begin, ask, after = b.reserve(3)
    options = numbers(v(0), op(v(0), "+", 5))
    program = b.build(
        b.procedure(
            [0, 0],
            {
                begin: tree(table.SetLocal(0, c(7)), table.Goto(ask)),
                ask: tree(table.Ask(site, numbers(1), 0, options, c(1), c(1), after, 3)),
                after: tree(
                    table.SetLocal(1, table.First(table.Answer(c(1)))),
                    table.CloseDecisions(),
                    table.SetCell(c(b.address(kept)), op(op(v(0), "*", 100), "+", v(1))),
                    table.Finish(),
                ),
            },
            begin,
        )
    )
    same_many(program, 4, 1)


def reading(options: table.List, *statements: table.Stmt, shared: bool = False) -> TableProgram:
    """Seat 1 chooses one option, five times; the statements may read the answer and slot 1, and write cell `KEPT`.

    With `shared`, two decisions are followed by the same segment.
    """
    b = Builder(2)
    assert b.address(b.track()) == KEPT
    site = b.site()
    begin, one, other, after = b.reserve(4)
    asks = [table.Ask(site, numbers(1), 2, of, c(1), c(1), after, 3) for of in (options, numbers(30, 40, 50))]
    trees = {
        begin: tree(table.SetLocal(0, c(0)), table.SetLocal(1, c(0)), table.Goto(one)),
        one: tree(asks[0]),
        after: tree(
            *statements,
            table.CloseDecisions(),
            table.SetLocal(0, op(v(0), "+", 1)),
            table.Branch(op(v(0), "<", 5), tree(table.Goto(other if shared else one)), tree(table.Finish())),
        ),
    }
    if shared:
        trees[other] = tree(asks[1])
    else:
        trees[other] = tree(table.Finish())
    return b.build(b.procedure([0, 0, 0], trees, begin))


KEPT = HEAD + 2 * DECISION
ADD = table.SetCell(c(KEPT), op(op(table.Cell(c(KEPT)), "*", 3), "+", table.First(table.Answer(c(1)))))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(
    "statements",
    [
        (ADD,),
        (ADD, ADD),
        (table.SetLocal(1, table.First(table.Answer(c(1)))),),
        (table.SetLocal(1, table.First(table.Answer(c(0)))), table.SetCell(c(KEPT), v(1))),
        (table.SetLocal(1, table.Last(table.Answer(c(1)))), table.SetCell(c(KEPT), v(1))),
        (table.SetCell(c(KEPT), table.Count(table.Answer(c(1)))),),
        (table.SetCell(c(KEPT), table.Contains(table.Answer(c(1)), c(4))), ADD),
        (),
    ],
)
def test_what_reads_an_answer(statements: tuple[table.Stmt, ...], shared: bool) -> None:
    for options in (numbers(3, 4, 5), numbers(4), numbers()):
        same_many(reading(options, *statements, shared=shared), 6, 1)


# ------------------------------------------------------------------ lists, lengths and tables


def lists_and_tables() -> TableProgram:
    """Lists of every length, and what is looked up in tables."""
    b = Builder(1, (0, 1, 2, 0, 1, 2, 0))
    zone = b.zone("bag", range(5))
    colour, weight = b.table(0, 1, 2, 0, 1, 2, 0), b.table(3, 1, 3, 0, 0, 3, 1)
    results = [b.state_list(9) for _ in range(9)]
    begin, again, site = *b.reserve(2), b.site("card")
    (chosen,) = b.reserve(1)
    cards, some = table.Cards(c(zone)), vs(2)

    def of(number: int, slot: int = 3) -> table.Expr:
        return table.Table(number, v(slot))

    def kept(place: int, *values: table.Expr) -> table.Stmt:
        return table.SetCells(c(results[place]), table.Items(values))

    def member(length: int) -> table.Stmt:
        last = table.Last(table.Take(some, c(length), True))
        test = op(table.Count(some), ">", length - 1)
        beyond = table.Last(table.Take(some, c(length + 1), True))
        return table.If(test, (kept(length, table.First(some), last, beyond, table.Last(some)),), ())

    alike = table.And(
        table.Not(table.Binary("==", of(colour), table.Table(colour, v(0)))),
        table.Or(table.Binary("!=", of(weight), c(3)), table.Binary("==", of(colour), c(1))),
    )
    body = (
        table.SetList(2, table.Answer(c(0))),
        table.CloseDecisions(),
        member(1),
        member(2),
        member(3),
        kept(4, table.First(table.Extremes(some, 3, of(weight), False)), table.Count(some)),
        kept(5, table.First(table.Extremes(some, 3, op(of(weight), "-", 1), True))),
        table.SetCells(c(results[6]), table.Extremes(some, 3, op(of(weight), "*", 2), False)),
        table.SetCells(c(results[7]), table.Filter(cards, 3, alike)),
        table.SetList(2, table.Filter(some, 3, op(v(3), "!=", table.First(some)))),
        table.SetCells(c(results[8]), table.Concat(table.Map(some, 3, op(v(3), "+", v(0))), some)),
        table.SetLocal(0, op(v(0), "+", 1)),
    )
    ask = table.Ask(site, numbers(0), 1, cards, c(0), c(5), chosen, 1)
    more = table.Branch(op(v(0), "<", 6), tree(table.Goto(again)), tree(table.Finish()))
    trees = {begin: tree(table.SetLocal(0, c(0)), table.Goto(again)), again: tree(ask), chosen: tree(*body, more)}
    return b.build(b.procedure([0, 0, 9, 0], trees, begin))


def test_lists_and_tables() -> None:
    program = lists_and_tables()
    assert lockstep(program, 20, 1).ended == 20
    same_many(program, 20, 1)


# ------------------------------------------------------------------ control


def test_a_procedure_that_returns_ends_the_game_with_its_result() -> None:
    b = Builder(1)
    (only,) = b.reserve(1)
    same_many(b.build(b.procedure([], {only: tree(table.Return(c(31)))}, only)), 1, 1)


def old_result(how: str) -> TableProgram:
    """One call gives a number that stays in its cell, another gives none; the result is read after both."""
    b = Builder(1)
    seen = b.track((4,))
    first, second, begin, between, after = b.reserve(5)
    giving = b.procedure([], {first: tree(table.Return(c(31)))}, first)
    silent = b.procedure([], {second: tree(table.Return(None))}, second)
    result = table.Cell(c(table.RESULT))
    call: table.End = table.Invoke(giving, (), between, 1)
    if how == "through a table":
        call = table.InvokeTable(b.table(giving), c(0), (), between, 1)
    kept = (table.SetLocal(0, result),) if how == "read and not cleared" else ()
    trees = {
        begin: tree(call),
        between: tree(*kept, table.Invoke(silent, (), after, 2)),
        after: tree(table.SetCell(c(b.address(seen)), result), table.Finish()),
    }
    return b.build(b.procedure([0], trees, begin))


@pytest.mark.parametrize("how", ["left alone", "through a table", "read and not cleared"])
def test_a_call_without_a_result_leaves_no_older_one(how: str) -> None:
    program = old_result(how)
    same_many(program, 1, 1)


def test_a_loop_to_the_entry() -> None:
    b = Builder(1)
    count = b.track(high=9)
    (only,) = b.reserve(1)
    counting = table.Change(count, c(0), c(1), 1)
    loop = table.Branch(op(table.Cell(c(b.address(count))), "<", 9), tree(table.Goto(only)), tree(table.Finish()))
    same_many(b.build(b.procedure([], {only: tree(counting, loop)}, only)), 1, 1)


def test_a_variable_that_was_never_assigned_is_zero() -> None:
    b = Builder(1)
    seen = b.track()
    begin, after = b.reserve(2)
    program = b.build(
        b.procedure(
            [0, 3],
            {
                begin: branch(
                    table.Cell(c(b.address(seen))),
                    tree(table.SetLocal(0, c(4)), table.SetList(1, numbers(1)), table.Goto(after)),
                    tree(table.Goto(after)),
                ),
                after: tree(table.SetCell(c(b.address(seen)), op(v(0), "+", table.Count(vs(1)))), table.Finish()),
            },
            begin,
        )
    )
    same_many(program, 1, 1)


def chain(links: int, forks: bool) -> TableProgram:
    """Asks one time after the other; with `forks`, each answer leads on, or to the end, or on by another way."""
    b = Builder(1)
    total, site = b.track(), b.site()
    asks, after = b.reserve(links), b.reserve(links)
    (over,) = b.reserve(1)
    trees = {over: tree(table.Finish())}
    for link in range(links):
        following = table.Goto(asks[link + 1] if link + 1 < links else over)
        trees[asks[link]] = tree(table.Ask(site, numbers(0), 1, numbers(*range(3)), c(1), c(1), after[link], 1))
        answered = (table.SetLocal(0, table.First(table.Answer(c(0)))), table.CloseDecisions())
        out = tree(table.Change(total, c(0), c(link), 2), table.Goto(over))
        others = branch(op(v(0), "==", 1), tree(following), tree(following))
        fork = table.Branch(op(v(0), "==", 0), out, others)
        trees[after[link]] = tree(*answered, fork if forks else following)
    return b.build(b.procedure([0, 0], trees, asks[0]))


@pytest.mark.parametrize("links", [40, 400])
@pytest.mark.parametrize("forks", [False, True])
def test_long_chains_of_segments(links: int, forks: bool) -> None:
    """Neither the generator nor the text goes too deep, whether or not segments stand in the text of others."""
    same_many(chain(links, forks), 3, 1)


def test_a_long_menu() -> None:
    """As many branches as there are options, each within the one before."""
    b = Builder(1)
    total, site = b.track(), b.site()
    ask, after, over = b.reserve(3)
    menu = tree(table.Goto(over))
    for option in reversed(range(150)):
        chosen = tree(table.Change(total, c(0), c(option), 2), table.Goto(over))
        menu = branch(op(v(0), "==", option), chosen, menu)
    taken = (table.SetLocal(0, table.First(table.Answer(c(0)))), table.CloseDecisions())
    trees = {
        ask: tree(table.Ask(site, numbers(0), 1, numbers(3, 9), c(1), c(1), after, 1)),
        after: tree(*taken, menu.end),
        over: tree(table.Finish()),
    }
    assert isinstance(menu.end, table.Branch)
    same_many(b.build(b.procedure([0, 0], trees, ask)), 3, 1)


def descending(depth: int, stack: int) -> TableProgram:
    """A procedure that calls itself so often, and asks at the bottom; its frames are as small as can be."""
    b = Builder(1)
    left, answer = b.track((depth,), high=10_000), b.track()
    site = b.site()
    down, again, bottom, chosen, begin, first, over = b.reserve(7)
    called = b.reserve_procedure()
    b.procedure(
        [],
        {
            down: branch(
                op(table.Cell(c(b.address(left))), ">", 0),
                tree(table.Change(left, c(0), c(-1), 1), table.Invoke(called, (), again, 2)),
                tree(table.Goto(bottom)),
            ),
            again: tree(table.Return(op(table.Cell(c(8)), "+", 1))),
            bottom: tree(table.Ask(site, numbers(0), 0, numbers(3, 4), c(1), c(1), chosen, 4)),
            chosen: tree(table.CloseDecisions(), table.Return(c(1))),
        },
        down,
        number=called,
    )
    trees = {
        begin: tree(table.Ask(site, numbers(0), 0, numbers(*range(9)), c(1), c(4), first, 6)),
        first: tree(
            table.SetCell(c(b.address(answer)), table.Total(table.Answer(c(0)), 0, v(0), 7)),
            table.CloseDecisions(),
            table.Invoke(called, (), over, 5),
        ),
        over: tree(table.Finish()),
    }
    return b.build(b.procedure([0], trees, begin), stack=stack)


def frames(program: TableProgram) -> tuple[int, bool]:
    """The most frames at once, and whether they could need more room than there is."""
    graph = CallGraph(program)
    return graph.most([1] * len(program.procedures)), graph.exceeds()


@pytest.mark.parametrize(("depth", "end"), [(5, "over"), (490, "over"), (510, "stack")])
def test_calls_are_as_deep_as_the_stack_of_the_state(depth: int, end: str) -> None:
    program = descending(depth, 1001)
    assert frames(program) == (500, True)
    assert same_many(program, 1, 1) == {end: 1}


def test_calls_deeper_than_the_stack_of_native_code_are_left_to_the_walker() -> None:
    program = descending(sys.getrecursionlimit() + 100, 4001)
    with pytest.raises(BuildError, match="of the stack"):
        generate_playing(program)
    games = many_games(program, ())
    assert list(games.play(1, 0, 1).faults) == [0] and games.name == "walker"


def test_calls_that_always_fit_are_not_checked() -> None:
    program = PROGRAMS["three at the table"]
    assert not frames(program)[1]
    assert frames(PROGRAMS["exact stack"]) == (2, False)
    short = PROGRAMS["exact stack"]
    short = evolve(short, layout=evolve(short.layout, cells=short.layout.cells - 1))
    assert frames(short) == (2, True)
    assert same_many(short, 1, 1) == {"stack": 1}
