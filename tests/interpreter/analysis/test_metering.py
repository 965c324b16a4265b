"""What may take long costs fuel in proportion to its work, equally on all backends.

That is loops over lists, loops that may ask, long turns of loops, and long calls. Programs by hand have loops over
lists. Packs, written as an author would write them, have loops in which a player may be asked.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.analysis import metering
from rulewright.interpreter.analysis.metering import metered_program
from rulewright.interpreter.analysis.nodes import Metered
from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import FUEL, Charge, TableProgram
from tests import small_packs
from tests.interpreter import limits
from tests.interpreter.lockstep import builds_of, lockstep
from tests.interpreter.many_beside import same_many
from tests.interpreter.programs import PROGRAMS, councils, deck_builder
from tests.interpreter.programs_builder import Builder, c, numbers, op, tree, v
from tests.interpreter.programs_long import LOOPS, doubling, long_loops, nested, nested_statements, product, running
from tests.interpreter.programs_native import failing_in_order
from tests.interpreter.programs_random import random_program


def same(program: TableProgram, games: int = 3) -> dict[str, int]:
    """Plays games on all backends at once, and on those that play whole games; gives the rule errors."""
    tally = lockstep(program, games, 5, limit=40)
    same_many(program, games, 5)
    return tally.errors


# ------------------------------------------------------------------ what takes too long

@pytest.mark.parametrize("loop", [*(pytest.param(one, marks=pytest.mark.slow) for one in LOOPS), "statements"])
def test_loops_within_loops_use_up_the_fuel(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven loops of 20 items are more than 10^9 steps. A unit of fuel is 10 steps here: 20,000 are not enough."""
    limits.work(monkeypatch, 10)
    assert same(nested(7, 20, LOOPS[loop]) if loop in LOOPS else nested_statements(7, 20), 1) == {"fuel": 1}


@pytest.mark.parametrize("program", [doubling(40), doubling(40, lists=True), product(7, 20)])
def test_calls_and_lists_that_grow_use_up_the_fuel(program: TableProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    """2^40 calls without a loop; a list of 2^41 members; one of 20^8. For such lists there is no native code."""
    limits.work(monkeypatch, 10)
    assert Walker(program).code.program is not program
    for backend in (Walker(program), make(program), Walker(program)):
        with pytest.raises(RuleError, match="fuel"):
            backend.run(backend.start(1))


# ------------------------------------------------------------------ all backends alike

def test_long_loops_on_every_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    # So that some of its loops are free.
    monkeypatch.setattr("rulewright.interpreter.analysis.nodes.FREE", 262_144)
    program = long_loops()
    metered = [part for part in code(metered_program(program)) if isinstance(part, Metered)]
    assert len(metered) == 10
    assert same(program, 2) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in ("failures", "long loops")])
def test_programs_by_hand_where_nearly_all_is_metered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limits.work(monkeypatch, 1)
    same(evolve(PROGRAMS[name]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 7, 9])
def test_random_programs_where_nearly_all_is_metered(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    limits.work(monkeypatch, 20)
    lockstep(evolve(random_program(seed)), 2, seed, limit=15)


def test_order_of_rule_errors_where_all_is_metered(monkeypatch: pytest.MonkeyPatch) -> None:
    limits.work(monkeypatch, 1)
    lockstep(evolve(failing_in_order()), 40, 5)


def test_the_seat_that_chose_an_order_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only narration reads it, and most builds leave it out."""
    limits.work(monkeypatch, 1)
    b = Builder(2, [0] * 4)
    source, target = b.zone("pile", range(4)), b.zone("row")
    some = table.Filter(table.Cards(c(source)), 0, op(v(0), ">", 1))
    (begin,) = b.reserve(1)
    move = table.Move(table.Cards(c(source)), c(target), False, None, 1, op(table.Count(some), "-", 1))
    assert same(b.build(b.procedure([0], {begin: tree(move, table.Finish())}, begin)), 1) == {}


# ------------------------------------------------------------------ how much

def code(program: TableProgram) -> list[Any]:
    return list(everything((program.functions, program.segments)))


def test_the_fuel_of_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: 30 members, for each a comparison of two numbers and one more step, that is 4. With 100 steps for a
    unit, 30 * 4 // 100 and one more.
    """
    limits.work(monkeypatch, 100)
    program = nested(1, 30, LOOPS["any"])
    assert [part.each for part in code(metered_program(program)) if isinstance(part, Metered)] == [4]
    for backend in (Walker(program), *builds_of(program)):
        state = backend.start(1)
        backend.run(state)
        assert state[FUEL] == FUEL_PER_ANSWER - 2, backend.name


@pytest.mark.parametrize("end", [table.Draw, table.DrawBottom])
def test_cards_that_are_drawn_cost_as_much_from_both_ends(
    end: type[table.Drawing], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: a zone has room for 30 cards, and 3 draws of as many are above 80 steps, so fuel is charged once."""
    limits.work(monkeypatch, 80)
    b = Builder(1, [0] * 30)
    one, other = b.zone("pile", range(30)), b.zone("pile")
    (begin,) = b.reserve(1)
    draws = [end(c(one), c(30), c(other), False, None, 1)] * 3
    program = b.build(b.procedure([], {begin: tree(*draws, table.Finish())}, begin))
    assert [type(part) for part in code(metered_program(program))].count(Charge) == 1


def test_what_is_within_the_limit_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even a node is another one: so real games are as fast as before. Two players, each asked once, are no
    long loop.
    """
    asking = ROUND + "  - id: look\n    do: |\n      each p in players:\n" + _may(8, "steps > 9")
    short = small_packs.lowered((HEAD + asking).replace("@", "5"))
    for program in (deck_builder(), councils(), nested(2, 30, LOOPS["total"]), short):
        assert metered_program(program) is program
    limits.work(monkeypatch, 30 * 4 + 10)
    short, long = nested(1, 30, LOOPS["any"]), nested(1, 40, LOOPS["any"])
    assert metered_program(short) is short and metered_program(long) is not long


@pytest.mark.parametrize("seed", range(8))
def test_fuel_pays_for_all_work(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the walker counts it: nodes evaluated from one answer to the next, against the fuel that they used.

    Beside what fuel pays for there is what a piece of straight code does, which its length bounds.
    """
    limit = 60
    limits.work(monkeypatch, limit)
    steps = limits.counted(monkeypatch)
    program = evolve(random_program(seed))
    backend, straight = Walker(program), len(code(program))
    state = backend.start(seed)
    with suppress(RuleError):
        backend.run(state)
    used = FUEL_PER_ANSWER - state[FUEL]
    assert steps() <= (used + 1) * limit * 2 + straight * limit


# ------------------------------------------------------------------ the analysis itself

def visits(program: TableProgram, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many nodes the analysis looks at."""
    count = 0
    look = metering._Meter._node

    def counted(meter: metering._Meter, node: Any) -> Any:
        nonlocal count
        count += 1
        return look(meter, node)

    with monkeypatch.context() as patch:
        patch.setattr(metering._Meter, "_node", counted)
        metered_program(program)
    return count


@pytest.mark.parametrize("loop", LOOPS)
def test_the_analysis_takes_as_long_as_the_code_is(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many loops within each other are at most two and a half times as much work."""
    once, twice = (visits(nested(levels, 30, LOOPS[loop]), monkeypatch) for levels in (12, 24))
    assert 0 < twice < 2.5 * once


def test_long_chains_of_functions_are_metered() -> None:
    """One calls the other, far deeper than Python may: none of them is too much."""
    program = doubling(3)
    one = evolve(program.functions[0], body=(table.Give(c(1)),))
    calling = (evolve(one, body=(table.Give(table.Call(number, ())),)) for number in range(1, 2_001))
    last = evolve(program, functions=(*calling, one))  # each stands before the one that it calls
    assert metered_program(last) is last


def test_a_function_that_calls_itself_is_no_trap() -> None:
    """The checker lets none do so, but a program may come from a journal."""
    b = Builder(1)
    b.function(1, [0], table.Give(table.Call(0, (op(v(0), "-", 1),))))
    assert metered_program(running(b, table.SetLocal(0, c(1)))).functions


def test_asking_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A segment that asks does nothing else, so that it can be run again: long options charge in the list alone."""
    limits.work(monkeypatch, 5)
    b = Builder(1)
    lists, site = b.table_list(tuple(range(20))), b.site()
    begin, have = b.reserve(2)
    options = table.Filter(table.TableList(lists, c(0)), 1, op(v(1), "<", 4))
    trees = {
        begin: tree(table.Ask(site, numbers(0), 0, options, c(1), c(1), have, 0)),
        have: tree(table.CloseDecisions(), table.Finish()),
    }
    program = b.build(b.procedure([0, 0], trees, begin))
    assert metered_program(program).segments[begin].tree.body == ()
    assert same(program) == {}


# ------------------------------------------------------------------ packs with loops that may ask

HEAD = (Path(__file__).parent / "deep.yaml").read_text("utf-8")
ROUND = "round: turn\nturns-from: first of players\nuntil: steps is 1000000\nsteps:\n"
REPEAT = "  - id: look\n    do: |\n      repeat 1000000 times:\n"
NEVER = "no a in heap where any b in heap where a is b"
"""Two loops, which go through all items and half of them; it does not hold."""
LONG = "no x in heap where any y in heap where any z in heap where x is y and y is z"
"""Three of them."""


def _may(indent: int, condition: str) -> str:
    """A sentence in which a player might be asked."""
    lines = (f"if {condition}:", "  may add:", "    steps += 1")
    return "".join(" " * indent + line + "\n" for line in lines)


def _asking(levels: int) -> str:
    """Loops inside each other, in the last of which a player might choose."""
    names = "abdefgh"[:levels]
    loops = "".join("  " * n + f"        each {name} in heap:\n" for n, name in enumerate(names))
    return ROUND + f"  - id: look\n    do: |\n{loops}" + _may(8 + 2 * levels, "steps > 9")


def _steps(count: int, condition: str) -> str:
    step = f"  - id: step-@\n    do: |\n      if {condition}: steps += 1\n"
    return ROUND + "".join(step.replace("@", str(number)) for number in range(count))


VERBS = "".join(
    f"verb: {name}\ndo: |\n" + _may(2, LONG) * 40 + (f"  {more}\n  {more}\n" if more else "") + "---\n"
    for name, more in (("rest", ""), ("sit-down", "rest"), ("lie-down", "sit-down"), ("fall-asleep", "lie-down"))
)
ALL = """\
  - id: look
    do: |
      repeat 1000000 times:
        each a in heap where any b in heap where b is not a and far(b) < 0:
          repeat while steps < 9:
            each c in heap:
              if any d in heap where far(d) < 0:
                may add:
                  steps += 1
              steps += total far(it) over heap
        if any a in heap where far(a) < 0: steps += 1
"""
PACKS = {
    "loops that ask": (80, _asking(5)),
    "seven loops that ask": (80, _asking(7)),
    "one turn": (23, ROUND + REPEAT + f"        if {NEVER}: steps += 1\n"),
    "a turn that asks": (15, ROUND + REPEAT + _may(8, LONG) * 40),
    "a long round": (15, _steps(200, LONG)),
    "verbs": (15, VERBS + ROUND + "  - {id: look, do: fall-asleep}\n"),
    "all loops": (60, ROUND + ALL),
}
"""Games in which nothing happens, for ever; how many cards they have, so that a loop is just below what is free."""


def lowered(name: str, cards: int = 0) -> TableProgram:
    usual, text = PACKS[name]
    return small_packs.lowered((HEAD + text).replace("@", str(cards or usual)))


@pytest.mark.parametrize("name", PACKS)
def test_fuel_pays_for_all_work_of_packs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the walker counts it, nodes that it evaluates: no more than the fuel pays for."""
    limit = 500
    limits.work(monkeypatch, limit)
    units = 100
    steps = limits.counted(monkeypatch, (units + 1) * limit)
    backend = Walker(lowered(name, 8 if "loops" in name else 3))  # so that one sentence is just below what is free
    state = backend.start(1)
    state[FUEL] = units
    with suppress(RuleError):
        backend.run(state)
    assert steps() > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PACKS, "any", "total", "where", "map", "highest"])
def test_rules_without_an_end_use_up_the_fuel_in_seconds(name: str) -> None:
    """20,000 units of at most some ten thousand steps are seconds of the walker, and less of native code.

    Programs by hand would take 10^12 steps, and have fuel for 20,000,000.
    """
    program, most = (lowered(name), 5) if name in PACKS else (nested(8, 32, LOOPS[name]), 10)
    for backend in builds_of(program):
        state = backend.start(1)
        began = time.process_time()
        with pytest.raises(RuleError, match="fuel"):
            play_out(backend, state, Stream(1, 0))
        assert time.process_time() - began < most, backend.name


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKS)
def test_every_backend_charges_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a few cards, and so little that is free that nearly all is charged."""
    limits.work(monkeypatch, 20)
    assert same(lowered(name, 3), 1) == {"fuel": 1}


def test_the_fuel_of_a_loop_that_asks() -> None:
    """By hand: five lists of 80 cards. The innermost charges once for each time that it begins, so 1 + n // 1,024
    units where its 80 turns are n steps; each of those copies the list that is left, 80 members of 4 steps each.
    """
    program = metered_program(lowered("loops that ask"))
    charged = [part for part in everything(program.segments) if isinstance(part, Metered)]
    assert len(charged) == 5
    assert all(320 <= part.each < 600 for part in charged)


def test_what_is_charged_grows_with_the_pack() -> None:
    """The analysis adds no more charges than there are segments."""
    for name in PACKS:
        program = lowered(name)
        more = sum(isinstance(part, Charge) for part in everything(metered_program(program).segments))
        assert more <= 4 * len(program.segments) + 20
