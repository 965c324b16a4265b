"""Native code equals the walker: with both compilers, stepped through and in whole games."""

from __future__ import annotations

import re
import time
from collections import Counter

import pytest

from interpreter.backends.native.backend import NativeBackend
from interpreter.backends.native.compiler.library import BuildError
from interpreter.backends.native.module import generate_playing, generate_stepping
from interpreter.backends.walker.backend import Walker
from interpreter.batch.batch import stepping_many
from interpreter.batch.factory import many_games
from interpreter.batch.native_batch import native_many
from interpreter.batch.upgrade import UpgradingPlayer
from ruleset.table import nodes as table
from ruleset.table.nodes import TableProgram
from tests.interpreter import compilers
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.expressions import VALUES
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import compare, same_many, same_results
from tests.interpreter.programs import PROGRAMS, calculator, deck_builder, failures
from tests.interpreter.programs_builder import Builder, c, numbers, op, tree, v, vs
from tests.interpreter.programs_native import NATIVE
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_rich import rich_program
from tests.interpreter.programs_shaped import beside, tossing
from tools.packs import loading

pytestmark = needs_compiler

ENDLESS = (12, 15, 38)
"""Random programs with games that never end, or that take longer than all others."""
RICH = 12
OPTIMISED = ("deck builder", "workout", "calls")
"""Programs that the compiler of this machine builds, too; `.ci/fuzz` has it build many."""


def together(program: TableProgram, games: int, seed: int, limit: int = 400) -> None:
    """Lock-step of the walker and native code of this machine's compiler."""
    lockstep(program, games, seed, [Walker(program), NativeBackend(program, by=compilers.usual())], limit)


# ------------------------------------------------------------------ stepped through


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(RICH), *range(NEWER, NEWER + 8)])
def test_rich_programs_in_lock_step(seed: int) -> None:
    lockstep(rich_program(seed), 3, seed, limit=30)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIMISED)
def test_programs_by_hand_optimised(name: str) -> None:
    together(PROGRAMS[name], 6, 5)


@pytest.mark.slow
def test_expressions_and_failures_optimised() -> None:
    together(calculator(*(expression for expression, _ in VALUES))[0], 1, 1)
    together(failures(), 60, 5)


@pytest.mark.slow
def test_a_rich_program_optimised() -> None:
    """One of the shortest. `python -m tests.fuzz.backends` has any number of them built by both compilers."""
    together(rich_program(21), 3, 21, 60)


# ------------------------------------------------------------------ whole games


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PROGRAMS, *NATIVE])
def test_whole_games_of_programs_by_hand(name: str) -> None:
    ends = same_many((PROGRAMS | NATIVE)[name], 80 if name == "failures" else 12, 5, 3)
    assert len(ends) > 5 or name != "failures"


def test_whole_games_of_shaped_programs() -> None:
    for program in (*beside(), tossing(numbers(0, 1)), tossing(numbers(v(0), 9), always=True)):
        same_many(program, 10, 1)


@pytest.mark.slow
def test_whole_games_optimised() -> None:
    for program in (deck_builder(), failures()):
        same_many(program, 30, 2, by=compilers.usual())


@pytest.mark.slow
@pytest.mark.parametrize("first", [*range(0, 20, 5), NEWER])
def test_whole_games_of_random_programs(first: int) -> None:
    ends: Counter[str] = Counter()
    for seed in range(first, first + 5):
        if seed not in ENDLESS:
            ends += same_many(random_program(seed), 4, seed)
        ends += same_many(rich_program(seed), 4, seed)
    assert ends["over"] >= 8 and len(ends) > 1, ends


@pytest.mark.parametrize("seed", [0, 2**32, 2**63 + 5, 2**64 - 1, -3, 2**70 + 9])
def test_seeds_and_numbers_of_games(seed: int) -> None:
    """64 bits of each count, as everywhere."""
    for first in (0, 2**31 - 2, 2**40):
        same_many(deck_builder(), 3, seed, first)


def test_what_takes_too_much_of_the_stack_is_left_to_the_walker() -> None:
    """A decision of fifty thousand options: C keeps several lists of them at a time."""
    b = Builder(1, options=50_000)
    begin, after = b.reserve(2)
    some = table.Take(numbers(*range(9)), c(5), True)
    ask = table.Ask(b.site(), numbers(0), 0, some, c(0), c(5), after, 0)
    program = b.build(b.procedure([0], {begin: tree(ask), after: tree(table.Finish())}, begin))
    for generate in (generate_stepping, generate_playing):
        with pytest.raises(BuildError, match=r"take \d+ KiB of the stack, and native code may take 768"):
            generate(program)
    games = many_games(program, ())
    assert not games.prepare() and games.play(1, 0, 3).count == 3 and games.name == "walker"
    with pytest.raises(BuildError):
        many_games(program, (), "native")


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
        same_results(native, reference, 1, 4, game)


def spilling() -> TableProgram:
    """Fills long lists and zones by chance, and fails by chance when they hold much."""
    b = Builder(1, [0] * 90)
    deck, heap = b.zone("pile", range(90)), b.zone("bag", capacity=80)
    long, other = b.state_list(100), b.state_list(70, count=2)
    begin, again, ask, after = b.reserve(4)
    site = b.site("card")
    some = table.Take(table.Cards(c(deck)), v(1), False)
    more = table.Branch(op(v(0), "<", 5), tree(table.Goto(ask)), tree(table.Finish()))
    trees = {
        begin: tree(table.SetLocal(0, c(0)), table.Goto(ask)),
        ask: tree(
            table.Ask(site, numbers(0), 2, table.Take(table.Cards(c(heap)), c(20), True), c(0), c(20), again, 1)
        ),
        again: tree(
            table.SetList(3, table.Answer(c(0))),
            table.CloseDecisions(),
            table.Random(1, c(60), 2),
            table.SetCells(c(long), table.Concat(some, vs(3))),
            table.SetCells(op(c(other), "+", op(op(v(1), "%", 2), "*", 71)), table.Take(some, c(70), True)),
            table.Shuffle(c(deck), 3),
            table.Move(some, c(heap), False, None, 4),
            table.Move(vs(3), c(deck), True, None, 5),
            table.Draw(c(deck), c(1), c(heap), False, None, 6),
            table.Goto(after),
        ),
        after: tree(table.SetLocal(0, op(v(0), "+", 1)), more),
    }
    return b.build(b.procedure([0, 0, 0, 24], trees, begin))


# ------------------------------------------------------------------ changing over


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


@pytest.mark.parametrize(
    ("pack", "players", "options"),
    [("dominion", 2, ()), ("dominion", 2, ("kingdom=random",)), ("rattus-cartus", 5, ()), ("coup", 6, ())],
)
def test_whole_games_of_shipped_packs_are_played_without_stops(
    pack: str, players: int, options: tuple[str, ...]
) -> None:
    """Their calls fit into C's stack, even where a card plays another one again and again."""
    program = loading.table(loading.compile_pack(pack).program, players, options)
    assert "#define RW_PLAYING 1\n" in generate_playing(program).text
