"""All backends follow the docstrings of the nodes, with equal cells, events, and rule errors."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TypeAlias

import pytest

from rulewright.interpreter.backends.factory import NAMES, make
from rulewright.interpreter.backends.native.module import NativeBackend
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import answer_address, ask_anew, slot_address
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.state.rule_errors import CODES, RuleError
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import (
    ANSWERED,
    ASKED,
    ASKING,
    FRAME,
    FUEL,
    HEAD,
    OPEN,
    OVER,
    RUNNING,
    SEGMENT,
    STATUS,
)
from tests.interpreter import compilers
from tests.interpreter.expressions import VALUES
from tests.interpreter.lockstep import lockstep
from tests.interpreter.programs import PROGRAMS, calculator, councils, deck_builder, failures
from tests.interpreter.programs_builder import Builder, c, numbers, tree
from tests.interpreter.programs_native import FAILING, NATIVE, coming_back, failing_in_order
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_rich import rich_program

RANDOM_PROGRAMS = (*range(14), 34, *range(NEWER, NEWER + 8))
LONG = (12, 34)
"""Those of them whose games use all their fuel again and again: few answers of them take as long as all others."""

BUILDS: dict[str, Callable[[table.TableProgram], Backend]] = {"walker": lambda program: make(program, "walker")}
if compilers.WANTED:
    BUILDS["native"] = lambda program: NativeBackend(program, by=compilers.quick())
MADE = [name for name in NAMES if compilers.WANTED or name != "native"]
"""The names of backends that can be made here."""
Begin: TypeAlias = Callable[[table.TableProgram], tuple[Backend, "array[int]"]]


@pytest.fixture(params=BUILDS)
def begin(request: pytest.FixtureRequest) -> Begin:
    """Begins a game of a program on a backend, which runs it to its first decision; for each backend."""

    def begun(program: table.TableProgram) -> tuple[Backend, array[int]]:
        backend = BUILDS[request.param](program)
        state = backend.start(1)
        backend.run(state)
        return backend, state

    return begun


def test_expressions(begin: Begin) -> None:
    """Each expression gives what arithmetic gives."""
    program, addresses = calculator(*(expression for expression, _ in VALUES))
    _, state = begin(program)
    for (expression, expected), address in zip(VALUES, addresses, strict=True):
        assert read_list(state, address) == expected, expression
    assert state[STATUS] == OVER


def test_a_draw_ends_where_cards_come_back(begin: Begin) -> None:
    """There are six cards, so no draw gives more."""
    program = coming_back()
    _, state = begin(program)
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
@pytest.mark.parametrize("seed", [*range(12), *range(NEWER, NEWER + 8)])
def test_lockstep_of_rich_programs(seed: int) -> None:
    lockstep(rich_program(seed), 3, seed, limit=30)


# ------------------------------------------------------------------ rule errors

FAILURES = [
    ("overflow", 1), ("zero-division", 2), ("absent", 3), ("bounds", 4), ("full", 5), ("fuel", 6), ("stack", 7),
    ("house", 8), ("full", 9), ("absent", 10), ("full", 11), ("overflow", 1), ("bounds", 13),
]  # fmt: skip
"""How each option of `failures` fails."""


@pytest.mark.parametrize(
    ("program", "expected"), [(failures(), FAILURES), (failing_in_order(), [fault for _, fault in FAILING])]
)
def test_rule_errors(program: table.TableProgram, expected: Sequence[tuple[str, int]], begin: Begin) -> None:
    """Which one comes, and comes first."""
    backend, asking = begin(program)
    for choice, fault in enumerate(expected):
        state = asking[:]
        backend.answer(state, 0, (choice,))
        with pytest.raises(RuleError) as caught:
            backend.run(state)
        assert (caught.value.code, caught.value.at) == fault, choice
        assert fault[0] in (*CODES, "house")


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


def test_a_decision_and_its_answer(begin: Begin) -> None:
    program = councils()
    backend, state = begin(program)
    layout = program.layout
    assert (state[STATUS], state[OPEN], state[SEGMENT]) == (ASKING, 4, 1)
    slot = slot_address(layout, 2)
    assert [*state[slot : slot + table.D_OPTIONS + 4]] == [ASKED, 1, 1, 2, 3, 6, 7, 8]
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


def asking(options: int, least: int, most: int) -> table.TableProgram:
    """Asks once for some of so many numbers."""
    b = Builder(1)
    _, after = b.reserve(2)
    ask = table.Ask(b.site(), numbers(0), 0, numbers(*range(options)), c(least), c(most), after, 6)
    return b.game([0], tree(ask), tree(table.Return(table.Count(table.Answer(c(0))))))


@pytest.mark.parametrize(
    ("options", "least", "most", "stored", "is_open"),
    [
        (3, 1, 2, (1, 2), True),
        (3, 5, 9, (3, 3), False),
        (3, -4, -1, (0, 0), False),
        (0, 1, 1, (0, 0), False),
        (2, -1, 5, (0, 2), True),
        (3, 3, 2, (2, 2), True),
        (1, 0, 1, (0, 1), True),
    ],
)
def test_bounds_are_fitted_and_forced_answers_given(
    options: int, least: int, most: int, stored: tuple[int, int], is_open: bool, begin: Begin
) -> None:
    program = asking(options, least, most)
    _, state = begin(program)
    assert (state[HEAD + 2], state[HEAD + 3], state[OPEN]) == (*stored, is_open)
    assert (state[STATUS] == ASKING) == is_open
    if state[STATUS] == OVER:
        assert read_list(state, answer_address(program.layout, 0)) == list(range(stored[1]))


def test_too_many_options_are_a_rule_error() -> None:
    assert lockstep(asking(25, 1, 1), 1, 1).errors == {"full": 1}


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
        assert [*copy[slot + table.D_OPTIONS : slot + table.D_OPTIONS + 4]] == [2, 0, 1, 0]


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
