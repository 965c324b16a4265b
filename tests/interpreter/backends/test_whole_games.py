"""Whole games in native code end, count, and fail exactly as games do that the walker steps through."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter

import pytest
from attrs import evolve

from rulewright.interpreter.analysis.control_flow import CallGraph, Kept, answers_kept, entrances
from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.native.module import NativeBackend, generate_playing, generate_stepping
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.batch.factory import UpgradingPlayer, many_games, native_many
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import HEAD, TableProgram
from rulewright.tools.packs import loading
from tests.interpreter import compilers
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import compare, same_many
from tests.interpreter.programs import PROGRAMS, deck_builder
from tests.interpreter.programs_builder import DECISION, Builder, branch, c, numbers, op, tree, v, vs
from tests.interpreter.programs_native import NATIVE
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_rich import rich_program

pytestmark = compilers.needs_compiler

@pytest.mark.parametrize("name", [*PROGRAMS, *(pytest.param(name, marks=pytest.mark.slow) for name in NATIVE)])
def test_programs_by_hand(name: str) -> None:
    ends = same_many((PROGRAMS | NATIVE)[name], 90 if name == "failures" else 15, 5)
    assert len(ends) > 5 or name != "failures"


@pytest.mark.slow
@pytest.mark.parametrize("first", [*range(0, 60, 5), *range(NEWER, NEWER + 15, 5)])
def test_random_programs(first: int) -> None:
    ends: Counter[str] = Counter()
    for seed in sorted({*range(first, first + 5)} - {49}):  # 49 keeps the walker busy for more than a minute
        ends += same_many(random_program(seed), 4, seed) + same_many(rich_program(seed), 4, seed)
    assert ends["over"] >= 20, ends


@pytest.mark.slow
def test_random_programs_end_in_every_way() -> None:
    ends = sum((same_many(random_program(seed), 3, seed) for seed in range(13, 27)), Counter[str]())
    assert ends["over"] > 20 and len(ends) > 3, ends


OPTIMISED: dict[str, tuple[TableProgram, int, int]] = {
    **{name: (PROGRAMS[name], 6, 400) for name in ("deck builder", "workout", "calls")},
    "expressions": (PROGRAMS["expressions"], 1, 1),
    "failures": (PROGRAMS["failures"], 60, 400),
    "a rich one": (rich_program(21), 3, 60),
}
"""Programs, games, and answers for the compiler of this machine. `python -m tests.fuzz.backends` has any number of
random programs built by it.
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIMISED)
def test_optimised(name: str) -> None:
    program, games, answers = OPTIMISED[name]
    lockstep(program, games, 5, [Walker(program), NativeBackend(program, by=compilers.usual())], answers)
    if games > 3:
        same_many(program, 30, 2, by=compilers.usual())


@pytest.mark.parametrize("seed", [0, 2**32, 2**63 + 5, 2**64 - 1, -3, 2**70 + 9])
def test_seeds_and_numbers_of_games(seed: int) -> None:
    """64 bits of each count, as everywhere."""
    for first in (0, 2**31 - 2, 2**40):
        same_many(deck_builder(), 3, seed, first)


# ------------------------------------------------------------------ answers

CARDS = table.Cards(c(0))
TOTAL, SIZE = HEAD + 2 * DECISION, HEAD + 2 * DECISION + 1
"""The first cells behind the decisions."""
ADDED_UP: tuple[table.Stmt, ...] = (
    table.SetList(2, table.Answer(c(1))),
    table.CloseDecisions(),
    table.Change(0, c(0), table.Total(vs(2), 3, op(v(3), "*", op(v(3), "+", v(0))), 4), 4),
    table.Change(1, c(0), table.Count(vs(2)), 5),
)


def asking(
    options: table.List,
    least: table.Expr | int = 1,
    most: int = 1,
    then: tuple[table.Stmt, ...] = ADDED_UP,
    *,
    of: str = "number",
    always: bool = False,
    order: str = "bag",
    slot: int = 4,
    shared: bool = False,
) -> TableProgram:
    """Asks seat 1 ten times; then statements read the answer, and slot 0: how often it was asked before.

    `slot` is what the question binds. With `shared`, another question is followed by the same segment.
    """
    b = Builder(2, (0, 0, 1, 0, 2, 2))
    assert [b.address(b.track()), b.address(b.track())] == [TOTAL, SIZE]
    b.zone(order, range(6))
    site = b.site(of)
    _, ask, after, *others = b.reserve(3 + shared)
    bounds = c(least) if isinstance(least, int) else least, c(most)
    questions = [table.Ask(site, numbers(1), slot, options, *bounds, after, 3, always)]
    questions += [table.Ask(site, numbers(1), slot, numbers(30, 40, 50), c(1), c(1), after, 3) for _ in others]
    again = tree(table.Charge(6), table.Goto(others[0] if others else ask))
    return b.game(
        [0, 0, 8, 0, 0],
        tree(table.SetLocal(0, c(0)), table.SetLocal(1, c(0)), table.Goto(ask)),
        tree(questions[0]),
        tree(
            *then,
            table.CloseDecisions(),
            table.SetLocal(0, op(v(0), "+", 1)),
            table.Branch(op(v(0), "<", 10), again, tree(table.Finish())),
        ),
        *(tree(question) for question in questions[1:]),
    )


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
    kinds = asking(CARDS, 0, 6, of="card")
    together = evolve(kinds, cards=tuple(evolve(card, face=i // 2) for i, card in enumerate(kinds.cards)))
    for program in (kinds, together):
        same_many(program, 30, 2)


def test_an_answer_stays_where_others_may_read_it() -> None:
    programs = {name: answers_kept(program, entrances(program)) for name, program in PROGRAMS.items()}
    assert {*programs["three at the table"].values()} == {Kept.LIST}
    assert Kept.CELLS in programs["councils"].values()
    assert answers_kept(asking(CARDS), entrances(asking(CARDS))) == {1: Kept.LIST}


def test_too_many_options_come_before_faulty_bounds() -> None:
    assert same_many(asking(numbers(*range(25)), table.Present(c(-1), 4)), 1, 1) == {"full": 1}


def test_a_seat_that_is_asked_does_not_change_a_variable() -> None:
    same_many(asking(numbers(v(0), op(v(0), "+", 5)), slot=0), 4, 1)


FIRST = table.First(table.Answer(c(1)))
ADD = table.SetCell(c(TOTAL), op(op(op(table.Cell(c(TOTAL)), "*", 3), "+", FIRST), "%", 10_007))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(
    "statements",
    [
        (ADD,),
        (ADD, ADD),
        (table.SetLocal(1, FIRST),),
        (table.SetLocal(1, table.First(table.Answer(c(0)))), table.SetCell(c(TOTAL), v(1))),
        (table.SetLocal(1, table.Last(table.Answer(c(1)))), table.SetCell(c(TOTAL), v(1))),
        (table.SetCell(c(TOTAL), table.Count(table.Answer(c(1)))),),
        (table.SetCell(c(TOTAL), table.Contains(table.Answer(c(1)), c(4))), ADD),
        (),
    ],
)
def test_what_reads_an_answer(statements: tuple[table.Stmt, ...], shared: bool) -> None:
    for options in (numbers(3, 4, 5), numbers(4), numbers()):
        same_many(asking(options, then=statements, shared=shared), 6, 1)


# ------------------------------------------------------------------ control

def test_a_call_without_a_result_leaves_no_older_one() -> None:
    """One call gives a number that stays in its cell, another gives none; the result is read after both."""
    b = Builder(1)
    seen = b.track((4,))
    first, second, _, between, after = b.reserve(5)
    giving = b.procedure([], {first: tree(table.Return(c(31)))}, first)
    silent = b.procedure([], {second: tree(table.Return(None))}, second)
    result = table.SetCell(c(b.address(seen)), table.Cell(c(table.RESULT)))
    calls = tree(table.Invoke(giving, (), between, 1)), tree(table.Invoke(silent, (), after, 2))
    same_many(b.game([], *calls, tree(result, table.Finish())), 1, 1)


def test_a_loop_to_the_entry_ends_the_game_with_its_result() -> None:
    b = Builder(1)
    count = b.track(high=9)
    (only,) = b.reserve(1)
    fewer = op(table.Cell(c(b.address(count))), "<", 9)
    again = table.Branch(fewer, tree(table.Goto(only)), tree(table.Return(c(31))))
    same_many(b.game([], tree(table.Change(count, c(0), c(1), 1), again)), 1, 1)


def test_a_variable_that_was_never_assigned_is_zero() -> None:
    b = Builder(1)
    seen = b.address(b.track())
    _, after = b.reserve(2)
    assigned = tree(table.SetLocal(0, c(4)), table.SetList(1, numbers(1)), table.Goto(after))
    read = table.SetCell(c(seen), op(v(0), "+", table.Count(vs(1))))
    program = b.game(
        [0, 3], branch(table.Cell(c(seen)), assigned, tree(table.Goto(after))), tree(read, table.Finish())
    )
    same_many(program, 1, 1)


def chain(links: int, forks: bool) -> TableProgram:
    """Asks one time after the other; with `forks`, each answer leads on, or to the end, or on by another way."""
    b = Builder(1)
    total, site = b.track(), b.site()
    asks, after = b.reserve(links), b.reserve(links)
    (over,) = b.reserve(1)
    answered: list[table.Tree] = []
    for link in range(links):
        following = table.Goto(asks[link + 1] if link + 1 < links else over)
        taken = (table.SetLocal(0, table.First(table.Answer(c(0)))), table.CloseDecisions())
        out = tree(table.Change(total, c(0), c(link), 2), table.Goto(over))
        others = branch(op(v(0), "==", 1), tree(following), tree(following))
        fork = table.Branch(op(v(0), "==", 0), out, others)
        answered.append(tree(*taken, fork if forks else following))
    asked = (tree(table.Ask(site, numbers(0), 1, numbers(*range(3)), c(1), c(1), link, 1)) for link in after)
    return b.game([0, 0], *asked, *answered, tree(table.Finish()))


@pytest.mark.parametrize("links", [40, 400])
@pytest.mark.parametrize("forks", [False, True])
def test_long_chains_of_segments(links: int, forks: bool) -> None:
    """Neither the generator nor the text goes too deep, whether or not segments stand in the text of others."""
    same_many(chain(links, forks), 3, 1)


def test_a_long_menu() -> None:
    """As many branches as there are options, each within the one before."""
    b = Builder(1)
    total, site = b.track(), b.site()
    _, after, over = b.reserve(3)
    menu = tree(table.Goto(over))
    for option in reversed(range(150)):
        chosen = tree(table.Change(total, c(0), c(option), 2), table.Goto(over))
        menu = branch(op(v(0), "==", option), chosen, menu)
    asked = tree(table.Ask(site, numbers(0), 1, numbers(3, 9), c(1), c(1), after, 1))
    taken = (table.SetLocal(0, table.First(table.Answer(c(0)))), table.CloseDecisions())
    same_many(b.game([0, 0], asked, tree(*taken, menu.end), tree(table.Finish())), 3, 1)


# ------------------------------------------------------------------ the stack

def descending(depth: int, stack: int) -> TableProgram:
    """A procedure that calls itself so often, and asks at the bottom; its frames are as small as can be."""
    b = Builder(1)
    left, answer = b.track((depth,), high=10_000), b.track()
    site, called = b.site(), b.reserve_procedure()
    down, again, bottom, chosen, _, first, over = b.reserve(7)
    deeper = tree(table.Change(left, c(0), c(-1), 1), table.Invoke(called, (), again, 2))
    trees = {
        down: branch(op(table.Cell(c(b.address(left))), ">", 0), deeper, tree(table.Goto(bottom))),
        again: tree(table.Return(op(table.Cell(c(8)), "+", 1))),
        bottom: tree(table.Ask(site, numbers(0), 0, numbers(3, 4), c(1), c(1), chosen, 4)),
        chosen: tree(table.CloseDecisions(), table.Return(c(1))),
    }
    b.procedure([], trees, down, number=called)
    total = table.SetCell(c(b.address(answer)), table.Total(table.Answer(c(0)), 0, v(0), 7))
    return b.game(
        [0],
        tree(table.Ask(site, numbers(0), 0, numbers(*range(9)), c(1), c(4), first, 6)),
        tree(total, table.CloseDecisions(), table.Invoke(called, (), over, 5)),
        tree(table.Finish()),
        stack=stack,
    )


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


def test_what_takes_too_much_of_the_stack_is_left_to_the_walker() -> None:
    """A decision of fifty thousand options: C keeps several lists of them at a time."""
    b = Builder(1, options=50_000)
    _, after = b.reserve(2)
    some = table.Take(numbers(*range(9)), c(5), True)
    ask = table.Ask(b.site(), numbers(0), 0, some, c(0), c(5), after, 0)
    program = b.game([0], tree(ask), tree(table.Finish()))
    for generate in (generate_stepping, generate_playing):
        with pytest.raises(BuildError, match=r"take \d+ KiB of the stack, and native code may take 768"):
            generate(program)
    games = many_games(program, ())
    assert not games.prepare() and games.play(1, 0, 3).count == 3 and games.name == "walker"
    with pytest.raises(BuildError):
        many_games(program, (), "native")


def test_calls_that_always_fit_are_not_checked() -> None:
    assert not frames(PROGRAMS["three at the table"])[1]
    exact = PROGRAMS["exact stack"]
    assert frames(exact) == (2, False)
    short = evolve(exact, layout=evolve(exact.layout, cells=exact.layout.cells - 1))
    assert frames(short) == (2, True)
    assert same_many(short, 1, 1) == {"stack": 1}


@pytest.mark.parametrize(
    ("pack", "players", "options"),
    [("dominion", 2, ()), ("dominion", 2, ("kingdom=random",)), ("rattus-cartus", 5, ()), ("coup", 6, ())],
)
def test_calls_of_shipped_packs_fit(pack: str, players: int, options: tuple[str, ...]) -> None:
    """Into C's stack, even where a card plays another one again and again: so games are played without stops."""
    program = loading.table(loading.compile_pack(pack).program, players, options)
    assert "#define RW_PLAYING 1\n" in generate_playing(program).text


# ------------------------------------------------------------------ one game after the other

def test_a_game_that_failed_leaves_nothing_to_the_next() -> None:
    """Games are played in memory that the game before has used, in whatever order."""
    program = spilling()
    every = range(program.layout.cells)
    native, reference = native_many(program, every, by=compilers.quick()), stepping_many(program, every, "walker")
    whole = reference.play(4, 0, 60)
    assert {*whole.faults} == {0, 1}, "some games have to fail"
    compare(native.play(4, 0, 60), whole)
    for game in (17, 3, 3, 41, 0):
        compare(native.play(4, game, 1), reference.play(4, game, 1))


def spilling() -> TableProgram:
    """Fills long lists and zones by chance, and fails by chance when they hold much."""
    b = Builder(1, [0] * 90)
    deck, heap = b.zone("pile", range(90)), b.zone("bag", capacity=80)
    long, other = b.state_list(100), b.state_list(70, count=2)
    _, ask, again = b.reserve(3)
    some = table.Take(table.Cards(c(deck)), v(1), False)
    offered = table.Take(table.Cards(c(heap)), c(20), True)
    more = table.Branch(op(v(0), "<", 5), tree(table.Goto(ask)), tree(table.Finish()))
    return b.game(
        [0, 0, 0, 24],
        tree(table.SetLocal(0, c(0)), table.Goto(ask)),
        tree(table.Ask(b.site("card"), numbers(0), 2, offered, c(0), c(20), again, 1)),
        tree(
            table.SetList(3, table.Answer(c(0))),
            table.CloseDecisions(),
            table.Random(1, c(60), 2),
            table.SetCells(c(long), table.Concat(some, vs(3))),
            table.SetCells(op(c(other), "+", op(op(v(1), "%", 2), "*", 71)), table.Take(some, c(70), True)),
            table.Shuffle(c(deck), 3),
            table.Move(some, c(heap), False, None, 4),
            table.Move(vs(3), c(deck), True, None, 5),
            table.Draw(c(deck), c(1), c(heap), False, None, 6),
            table.SetLocal(0, op(v(0), "+", 1)),
            more,
        ),
    )


@pytest.mark.parametrize("name", ["deck builder", "failures", "councils"])
def test_changing_over_in_the_middle_shows_nowhere(name: str) -> None:
    program = PROGRAMS[name]
    every = range(program.layout.cells)
    reference = stepping_many(program, every, "walker")
    changing = UpgradingPlayer(reference, lambda: native_many(program, every, by=compilers.quick()))
    names = []
    for first in range(0, 30, 10):
        compare(changing.play(6, first, 10), reference.play(6, first, 10))
        names.append(changing.name)
        changing.prepare()
        while changing.name == "walker":
            time.sleep(0.01)
    assert names == ["walker", "native", "native"]


# ------------------------------------------------------------------ generated text

def test_the_same_text_every_time() -> None:
    for program in (deck_builder(), random_program(3), rich_program(3)):
        for generate in (generate_stepping, generate_playing):
            assert generate(program) == generate(program)


def test_generated_text_is_ascii_and_includes_nothing() -> None:
    for program in (*PROGRAMS.values(), rich_program(0)):
        for generate in (generate_stepping, generate_playing):
            text = generate(program).text
            assert text.isascii() and "#include" not in text
            assert {*re.findall('"[^"]*"', text)} <= {'"default"', '"no-tree-loop-distribute-patterns"'}
