"""All backends follow the docstrings of the nodes, with equal cells, events, and rule errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interpreter.backends.factory import NAMES, make
from interpreter.backends.native.backend import NativeBackend
from interpreter.backends.policies.random_player import play_out
from interpreter.backends.walker import backend as walker
from interpreter.backends.walker import expressions as walker_values
from interpreter.backends.walker import statements as walker_statements
from interpreter.backends.walker.backend import Walker
from interpreter.state.backend_protocol import Backend
from interpreter.state.chance import Stream
from interpreter.state.decision_slots import answer_address, ask_anew, slot_address
from interpreter.state.events import RawEvent
from interpreter.state.frames import read_list
from interpreter.state.rule_errors import CODES, RuleError
from ruleset.common.limits import FUEL_PER_ANSWER
from ruleset.table import nodes as table
from ruleset.table.nodes import (
    ANSWERED,
    ASKED,
    ASKING,
    D_OPTIONS,
    FRAME,
    FUEL,
    HEAD,
    OPEN,
    OVER,
    RUNNING,
    SEGMENT,
    STATUS,
    Expr,
    List,
)
from tests.interpreter import compilers
from tests.interpreter.expressions import VALUES
from tests.interpreter.lockstep import lockstep
from tests.interpreter.programs import PROGRAMS, calculator, councils, deck_builder, failures
from tests.interpreter.programs_builder import Builder, c, numbers, tree
from tests.interpreter.programs_native import FAILING, NATIVE, coming_back, failing_in_order
from tests.interpreter.programs_random import NEWER, random_program

RANDOM_PROGRAMS = (*range(14), 34, *range(NEWER, NEWER + 8))
LONG = (12, 34)
"""Those of them whose games use all their fuel again and again: few answers of them take as long as all others."""

BUILDS: dict[str, Callable[[table.TableProgram], Backend]] = {"walker": lambda program: make(program, "walker")}
if compilers.WANTED:
    BUILDS["native"] = lambda program: NativeBackend(program, by=compilers.quick())
MADE = [name for name in NAMES if compilers.WANTED or name != "native"]
"""The names of backends that can be made here."""


@pytest.mark.parametrize("build", BUILDS)
def test_expressions(build: str) -> None:
    """Each expression gives what arithmetic gives."""
    program, addresses = calculator(*(expression for expression, _ in VALUES))
    backend = BUILDS[build](program)
    state = backend.start(1)
    backend.run(state)
    for (expression, expected), address in zip(VALUES, addresses, strict=True):
        assert read_list(state, address) == expected, expression
    assert state[STATUS] == OVER


@pytest.mark.parametrize("build", BUILDS)
def test_which_rule_error_comes_first(build: str) -> None:
    program = failing_in_order()
    backend = BUILDS[build](program)
    for choice, (statement, expected) in enumerate(FAILING):
        state = backend.start(1)
        backend.run(state)
        backend.answer(state, 0, (choice,))
        with pytest.raises(RuleError) as error:
            backend.run(state)
        assert (error.value.code, error.value.at) == expected, statement


@pytest.mark.parametrize("build", BUILDS)
def test_a_draw_ends_where_cards_come_back(build: str) -> None:
    """There are six cards, so no draw gives more."""
    program = coming_back()
    backend = BUILDS[build](program)
    state = backend.start(1)
    backend.run(state)
    assert read_list(state, program.state_lists[0].address) == [6, 106, 206]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PROGRAMS, *NATIVE])
def test_lockstep(name: str) -> None:
    tally = lockstep((PROGRAMS | NATIVE)[name], 12, 5)
    assert tally.ended + sum(tally.errors.values()) == 12


@pytest.mark.slow
@pytest.mark.parametrize("seed", RANDOM_PROGRAMS)
def test_lockstep_of_random_programs(seed: int) -> None:
    games, answers = (1, 10) if seed in LONG else (3, 60)
    lockstep(random_program(seed), games, seed, limit=answers)


@pytest.mark.slow
def test_every_node_is_exercised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of the lock-step tests evaluate every kind of node at least once."""
    seen: set[type] = {table.Branch}

    def noting(kind: type, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        def note(*arguments: Any) -> Any:
            seen.add(kind)
            return evaluate(*arguments)

        return note

    dispatches: list[dict[Any, Any]] = [
        *(walker_values._NUMBERS, walker_values._LISTS, walker_statements._STATEMENTS, walker._ENDS)
    ]
    for dispatch in dispatches:
        for kind, evaluate in list(dispatch.items()):
            monkeypatch.setitem(dispatch, kind, noting(kind, evaluate))
    for program in (*PROGRAMS.values(), random_program(0), random_program(1)):
        lockstep(program, 16, 1, [Walker(program)], limit=30)
    lockstep(failures(), 80, 1, [Walker(failures())])
    nodes = {
        value
        for value in vars(table).values()
        if isinstance(value, type)
        and value.__module__ == table.__name__
        and issubclass(value, (Expr, List, table.Stmt, table.End))
        and not value.__subclasses__()
    }
    assert nodes - seen == set()


# ------------------------------------------------------------------ rule errors

FAILURES = {
    0: ("overflow", 1), 1: None, 2: ("absent", 3), 3: ("bounds", 4), 4: ("full", 5), 5: ("fuel", 6),
    6: ("stack", 7), 7: ("house", 8), 8: ("full", 9), 9: ("absent", 10), 10: ("full", 11), 11: ("overflow", 1),
    12: ("bounds", 13),
}  # fmt: skip


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("choice", FAILURES)
def test_rule_errors(build: str, choice: int) -> None:
    backend = BUILDS[build](failures())
    state = backend.start(0)
    backend.run(state)
    backend.answer(state, 0, (choice,))
    expected = FAILURES[choice] or ("zero-division", 2)
    with pytest.raises(RuleError) as caught:
        backend.run(state)
    assert (caught.value.code, caught.value.at) == expected
    assert expected[0] in (*CODES, "house")


# ------------------------------------------------------------------ starting, asking, ending


@pytest.mark.parametrize("name", MADE)
def test_start(name: str) -> None:
    program = deck_builder()
    state = make(program, name).start(3, 4)
    layout = program.layout
    assert state == make(program, name).start(3, 4) != make(program, name).start(3, 5)
    assert (state[STATUS], state[FUEL], state[FRAME]) == (RUNNING, FUEL_PER_ANSWER, layout.stack)
    assert state[SEGMENT] == program.procedures[program.entry].entry
    assert state[layout.stack] == -1
    assert [*state[layout.places : layout.places + 10]] == [0] * 10
    assert read_list(state, program.zones[0].address) == list(range(10))


@pytest.mark.parametrize("build", BUILDS)
def test_a_decision_and_its_answer(build: str) -> None:
    program = councils()
    backend = BUILDS[build](program)
    state = backend.start(1)
    backend.run(state)
    layout = program.layout
    assert (state[STATUS], state[OPEN], state[SEGMENT]) == (ASKING, 4, 1)
    slot = slot_address(layout, 2)
    assert [*state[slot : slot + D_OPTIONS + 4]] == [ASKED, 1, 1, 2, 3, 6, 7, 8]
    before = state[:]
    backend.run(state)
    assert state == before, "a game that asks stays as it is"
    state[FUEL] = 17
    for seat in (3, 0, 2):
        backend.answer(state, seat, (3 * seat, 3 * seat + 2))
    assert (state[STATUS], state[OPEN], state[FUEL]) == (ASKING, 1, 17)
    assert state[slot] == ANSWERED
    assert read_list(state, answer_address(layout, 2)) == [6, 8]
    backend.answer(state, 1, (4,))
    assert (state[STATUS], state[OPEN], state[SEGMENT], state[FUEL]) == (RUNNING, 0, 2, FUEL_PER_ANSWER)
    backend.run(state)
    assert read_list(state, program.zones[4].address) == [6, 8, 0, 2, 9, 11, 4], "in the order of the asked seats"


@pytest.mark.parametrize("build", BUILDS)
def test_bounds_are_fitted_and_forced_answers_given(build: str) -> None:
    asked: list[tuple[int, int, int, tuple[int, int, int] | None]] = [
        # options, least, most, then least and most as stored and whether it is open
        (3, 1, 2, (1, 2, 1)),
        (3, 5, 9, (3, 3, 0)),
        (3, -4, -1, (0, 0, 0)),
        (0, 1, 1, (0, 0, 0)),
        (2, -1, 5, (0, 2, 1)),
        (3, 3, 2, (2, 2, 1)),
        (1, 0, 1, (0, 1, 1)),
    ]
    for options, least, most, expected in asked:
        b = Builder(1)
        site = b.site()
        begin, after = b.reserve(2)
        ask = table.Ask(site, numbers(0), 0, numbers(*range(options)), c(least), c(most), after, 0)
        game = b.procedure(
            [0], {begin: tree(ask), after: tree(table.Return(table.Count(table.Answer(c(0)))))}, begin
        )
        program = b.build(game)
        backend = BUILDS[build](program)
        state = backend.start(0)
        backend.run(state)
        assert expected is not None
        assert (state[HEAD + 2], state[HEAD + 3], state[OPEN]) == expected
        assert (state[STATUS] == ASKING) == (expected[2] == 1)
        if state[STATUS] == OVER:
            assert read_list(state, answer_address(program.layout, 0)) == list(range(expected[1]))


def test_too_many_options_are_a_rule_error() -> None:
    b = Builder(1)
    site = b.site()
    begin, after = b.reserve(2)
    ask = table.Ask(site, numbers(0), 0, numbers(*range(25)), c(1), c(1), after, 6)
    program = b.build(b.procedure([0], {begin: tree(ask), after: tree(table.Finish())}, begin))
    assert lockstep(program, 1, 1).errors == {"full": 1}


def test_asking_anew_gives_the_same_decisions() -> None:
    program = councils()
    backend = make(program, "walker")
    state = backend.start(1)
    backend.run(state)
    before = state[:]
    backend.answer(state, 0, (0,))
    ask_anew(state, program)
    backend.run(state)
    assert state == before
    hand = program.zones[0].address
    card = state[hand + 3]
    state[hand] = 2
    state[hand + 3] = 0
    state[program.layout.places + card] = -1
    for build in BUILDS.values():
        copy = state[:]
        ask_anew(copy, program)
        build(program).run(copy)
        slot = slot_address(program.layout, 0)
        assert [*copy[slot + D_OPTIONS : slot + D_OPTIONS + 4]] == [2, 0, 1, 0]


def test_nobody_asks_a_game_that_runs() -> None:
    backend = make(deck_builder())
    with pytest.raises(ValueError, match="no decision"):
        backend.answer(backend.start(1), 0, ())


def test_unknown_backends_are_refused() -> None:
    with pytest.raises(ValueError, match="walker"):
        make(deck_builder(), "abacus")


# ------------------------------------------------------------------ narration


@compilers.needs_compiler
def test_native_code_tells_nothing() -> None:
    backend = BUILDS["native"](deck_builder())
    with pytest.raises(ValueError, match="does not narrate"):
        backend.run(backend.start(1), [])


def test_answers_are_told_when_the_game_goes_on() -> None:
    """In seat order, whatever the order of answering; a chosen card is seen by its owner and who sees its zone."""
    backend = Walker(councils())
    state = backend.start(1)
    events: list[RawEvent] = []
    backend.run(state, events)
    assert events == []
    for seat in (3, 1, 0, 2):
        backend.answer(state, seat, (3 * seat,))
    backend.run(state, events)
    told = [event for event in events if event[0] == "answered"]
    assert [event[1][:2] for event in told][:4] == [(0, 1), (1, 1), (2, 1), (3, 1)]
    assert told[0] == ("answered", (0, 1, 1), (0,), 0b1111, 0b0001, 1)
    moved = [event for event in events if event[0] == "moved"]
    assert moved[0] == ("moved", (2, 4, 1, 0), (6,), 0b1111, 0b0100, 2)


def test_playouts_are_the_same_on_every_backend() -> None:
    program = deck_builder()
    counts = set()
    for build in BUILDS.values():
        backend = build(program)
        state = backend.start(7, 2)
        counts.add((play_out(backend, state, Stream(9)), *state))
    assert len(counts) == 1
