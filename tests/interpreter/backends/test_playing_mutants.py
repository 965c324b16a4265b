"""Mutants of the playing build: comparing whole games with stepping must catch each of them.

A mutant is a small fault in its generator, its policy, or its text.
"""

from __future__ import annotations

import _thread
import re
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from interpreter.analysis import control_flow as python_control
from interpreter.analysis import nodes as python_nodes
from interpreter.analysis import tabulate as python_tabulated
from interpreter.backends.python import lists as python_lists
from interpreter.backends.python.playing import (
    backend as python_playing,
)
from interpreter.backends.python.playing import (
    random_policy,
)
from interpreter.backends.python.playing import (
    source as python_playing_text,
)
from interpreter.backends.python.playing import (
    terminators as python_playing_ends,
)
from interpreter.backends.python.playing import (
    writer as python_writer,
)
from interpreter.backends.python.playing.backend import PlayingBackend
from interpreter.backends.python.segments import PythonSource
from ruleset.table.nodes import TableProgram
from tests.interpreter.backends import test_mutants, test_playing, test_shaped
from tests.interpreter.backends.test_mutants import patch
from tests.interpreter.mutating import modules_of, needs_all, sample
from tests.interpreter.playouts import same_playouts
from tests.interpreter.programs import PROGRAMS
from tests.interpreter.programs_random import NEWER, random_program

__all__ = ["patch"]

PATIENCE = 20.0
"""Seconds after which a mutant that still goes on is caught; without a mutation it takes a small part of that."""

TEXT, BACKEND = python_playing_text.PlayingText, python_playing.PlayingBackend

# Where, what, and what it becomes (the first occurrence). Each is one slip of the pen.
MUTANTS: list[tuple[Any, str, str, str]] = [
    # what is left of a game
    (BACKEND, "_play", "state[RESULT] = ", ""),
    (BACKEND, "_play", "state[stack] = state[stack + 1] = 0", "pass"),
    (BACKEND, "_play", "OVER, NOWHERE, NOWHERE", "OVER, NOWHERE, stack"),
    (BACKEND, "_play", "entry = self._next_entry", "pass"),
    (BACKEND, "_play", "restart(state, self._next_game)", "pass"),
    (BACKEND, "play", "if not self._deep:", "if True:"),
    (BACKEND, "play", "state[:], stream.place = before, place", "state[:] = before"),
    # control
    (python_control, "entrances", "counts[procedure.entry] += 1", "pass"),
    (python_control.CallGraph, "exceeds", "> self._room", "> self._room + 1"),
    (python_control, "_kept", "entered[ask.resume] != 1", "False"),
    (python_control, "_kept", "any(answer.seat != seats[0] for answer in answers)", "False"),
    (python_control, "_kept", "ask.least == ask.most == Const(1)", "ask.most == Const(1)"),
    (TEXT, "procedure", "if slot >= procedure.parameters:", "if False:"),
    (TEXT, "_idle", "return not self.opens", "return True"),
    (TEXT, "_idle", "and not any(isinstance(part, t.Answer) for part in everything(node))", ""),
    (TEXT, "_used", "reads.subtract(_reads(part.seat))", "reads.clear()"),
    (TEXT, "_branch", "not affirmed", "affirmed"),
    (TEXT, "_jump", '"break" if self.loops', '"break" if not self.loops'),
    (python_playing_ends, "_invoke", "text.charge(node.at)", "pass"),
    (python_playing_ends, "_invoke_table", "text.charge(node.at)", "pass"),
    (python_playing_ends, "_invoke_table", "SIZES[{called}]", "1"),
    (python_playing_ends, "_restart", "text.charge(node.at)", "pass"),
    (python_writer, "storing", "called & giving and not takes", "False and not takes"),
    (python_writer, "storing", "set(program.tables[call.table])", "set()"),
    (python_writer, "takes", "and body[1] == TAKEN", ""),
    (python_playing_ends, "_ask", 'text.line("close(S)")', "pass"),
    (python_playing_ends, "_ask", "= {before}", "= {slot_name(node.slot)}"),
    (python_playing_ends, "_ask", "if binds_seat(node):", "if False:"),
    (python_playing_ends, "_answer", "if node.always:", "if False:"),
    # lists, lengths and tables
    (python_lists, "_extremes", "elif {value} == {best}", "elif {value} == {best} + 1"),
    (python_lists, "_extremes", "len({name}) > 1", "len({name}) > 2"),
    (python_lists, "_first_extreme", "'<' if node.lowest else '>'", "'<=' if node.lowest else '>='"),
    (python_lists, "_renamed", "part == t.Local(slot)", "False"),
    (python_nodes, "least_lengths", "return {slot: value + 1}", "return {slot: value + 2}"),
    (python_tabulated, "_value", "return int(not of(operand))", "return int(of(operand))"),
    (python_tabulated, "_value", "if right == outer:", "if False:"),
    (python_tabulated, "_value", "other = wanted.value if", "other = value if"),
    (python_tabulated, "constant_list", "if result or not keeps", "if result"),
    (python_tabulated, "constant_list", "(*left.other, *more)", "left.other"),
    (python_tabulated, "constant_list", "made(items.other, None, None)", "items.other"),
    (python_tabulated, "_within", "0 <= one < size", "one < size"),
    (python_lists, "_members", "use(value)", "pass"),
    (python_lists, "_used", "part == t.Local(node.slot)", "False"),
    (python_lists, "_free", "not read_slots(part) & bound", "True"),
    (random_policy, "_choosing_one", "bits() >> 31", "bits() >> 30 & 1"),
    (random_policy, "_choosing_one", "one_of(state, unlike(state, options), at)", "one_of(state, options, at)"),
    (random_policy, "_choosing_one", "game.undecided += 1", "pass"),
    (random_policy, "_choosing_one", "game.asked += 1\n        if game.asked", "if game.asked"),
    # the policy
    (random_policy, "_choosing_one", "return options[0] if count else NONE", "return options[0] if count else 0"),
    (random_policy, "_choosing_one", "state[FUEL] = FUEL_PER_ANSWER", "pass"),
    (random_policy, "_numbers", "if not most or least == count:", "if least == count:"),
    (random_policy, "_numbers", "if not always:", "if True:"),
    (random_policy, "_numbers", "least if least < most else most", "least"),
    (random_policy, "_numbers", "most - least + 1", "most - least"),
    (random_policy, "_numbers", "chosen.sort()", "pass"),
    (random_policy, "_numbers", "order[j] = order[i]", "pass"),
    (random_policy, "_among_equal", "place - 1 > last", "place > last"),
    (random_policy, "_choosing_some", "if not together:", "if False:"),
    (random_policy, "side_by_side", "changes == len({*faces}) - 1", "True"),
    (random_policy, "in_order", '!= "bag"', '== "bag"'),
]  # fmt: skip

TEXT_MUTANTS = [
    (r" < ", " <= "),
    (r" == ", " != "),
    (r"^((?:    )+)continue\n", r"\1pass\n"),
    (r"^(    )+close\(S\)\n", ""),
    (r"^(    )+S\[7\] = .*\n", ""),
    (r"S\[8\] = ", ""),
    (r"if not ", "if "),
]

READERS = test_playing.test_what_reads_an_answer.pytestmark[0].args[1]
SPECIAL: list[tuple[Callable[..., None], tuple[Any, ...]]] = [
    (test_playing.test_equal_cards_that_are_not_side_by_side, ()),
    (test_playing.test_a_seat_that_is_asked_does_not_change_a_variable, ()),
    (test_playing.test_a_procedure_that_returns_ends_the_game_with_its_result, ()),
    *((test_playing.test_a_call_without_a_result_leaves_no_older_one, given)
      for given in [("left alone",), ("through a table",), ("read and not cleared",)]),
    (test_playing.test_a_loop_to_the_entry, ()),
    (test_playing.test_lists_and_tables, ()),
    (test_playing.test_a_variable_that_was_never_assigned_is_zero, ()),
    (test_playing.test_calls_deeper_than_python_goes, ()),
    (test_playing.test_calls_that_always_fit_are_not_checked, ()),
    *((test_playing.test_what_reads_an_answer, (statements, shared))
      for statements in READERS for shared in (False, True)),
    *((test_shaped.test_lists_in_lock_step, (name,)) for name in test_shaped.LISTS),
    (test_shaped.test_all_fused_loops_together, ()),
    *((test_shaped.test_a_choice_of_two_is_a_toss, given)
      for given in test_shaped.test_a_choice_of_two_is_a_toss.pytestmark[0].args[1]),
    (test_shaped.test_what_depends_on_more_is_left_as_it_is, ()),
    *((test_playing.test_bounds_of_an_answer, (*bounds, always))
      for bounds in ((0, 1), (1, 1), (3, 9), (6, 6), (0, 0)) for always in (False, True)),
]  # fmt: skip


def survives(playing: Callable[[TableProgram], PlayingBackend | None], patience: float = PATIENCE) -> bool:
    """Whether whole games are the same on the programs by hand, on those made for it, and on random ones."""
    alarm = threading.Timer(patience, _thread.interrupt_main)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may have been told to ignore it
    alarm.start()
    try:
        for name, program in PROGRAMS.items():
            same_playouts(program, 60 if name == "failures" else 4, 5, playing(program))
        for test, given in SPECIAL:
            test(*given)
        for seed in (*range(20), *range(NEWER, NEWER + 4)):
            program = random_program(seed)
            same_playouts(program, 2, seed, playing(program))
    except (Exception, KeyboardInterrupt):
        return False
    finally:
        alarm.cancel()
        signal.signal(signal.SIGINT, before)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("number", sample(len(MUTANTS)))
def test_mutants_are_caught(
    number: int, patch: Callable[[Any, str, str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    modules = {*test_mutants.MODULES, *(owner for owner, *_ in MUTANTS if not isinstance(owner, type))}
    monkeypatch.setattr(test_mutants, "MODULES", (*modules, *modules_of("interpreter.backends.python")))
    patch(*MUTANTS[number])
    assert not survives(lambda program: None), MUTANTS[number]


@pytest.mark.parametrize(("pattern", "replacement"), [TEXT_MUTANTS[one] for one in sample(len(TEXT_MUTANTS))])
def test_mutants_of_the_text_are_caught(pattern: str, replacement: str) -> None:
    """One place of every program's text is changed; it is another one in every program."""
    changed = 0

    def mutated(program: TableProgram) -> PlayingBackend | None:
        nonlocal changed
        source = PlayingBackend(program).source
        places = list(re.finditer(pattern, source.text, re.MULTILINE))
        if not places:
            return None
        place = places[changed * 7 % len(places)]
        changed += 1
        text = source.text[: place.start()] + place.expand(replacement) + source.text[place.end() :]
        return PlayingBackend(program, PythonSource(text, source.codes))

    assert not survives(mutated)
    assert changed


@needs_all
def test_without_a_mutation_nothing_is_caught() -> None:
    assert survives(lambda program: None, patience=300)
