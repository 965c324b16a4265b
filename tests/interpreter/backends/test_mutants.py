"""Mutants of the Python backend: the lock-step test must catch each of them.

A mutant is a small fault in the generator, its runtime, or its text. A survivor shows a gap in the test programs.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import pytest

from interpreter.analysis import nodes as python_nodes
from interpreter.analysis import shapes as python_parts
from interpreter.backends.python import (
    condition_expressions as python_conditions,
)
from interpreter.backends.python import (
    expressions as python_values,
)
from interpreter.backends.python import (
    list_expressions as python_lists,
)
from interpreter.backends.python import (
    number_expressions as python_numbers,
)
from interpreter.backends.python import (
    runtime as python_runtime,
)
from interpreter.backends.python import (
    segments as python_segments,
)
from interpreter.backends.python import (
    shuffle as fast_shuffle,
)
from interpreter.backends.python import (
    statements as python_statements,
)
from interpreter.backends.python import (
    track_statements,
    zone_cells,
    zone_statements,
)
from interpreter.backends.python import (
    zones as fast_zones,
)
from interpreter.backends.python.backend import PythonBackend
from interpreter.backends.python.segments import PythonSource, generate
from interpreter.backends.walker.backend import Walker
from interpreter.state.backend_protocol import Backend
from ruleset.table.nodes import TableProgram
from tests.interpreter.expressions import VALUES
from tests.interpreter.lockstep import lockstep
from tests.interpreter.mutating import holders, modules_of, mutant, needs_all, sample
from tests.interpreter.programs import PROGRAMS, calculator
from tests.interpreter.programs_native import unlike
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_shaped import beside

MODULES: tuple[ModuleType, ...] = (*modules_of("interpreter.backends.python"), python_nodes, python_parts)

SEGMENT_TEXT, STATEMENT_TEXT, VALUE_TEXT = (
    python_segments.SegmentText,
    python_statements.StatementText,
    python_values.ValueText,
)

# Where, what, and what it becomes (the first occurrence). Each is one slip of the pen.
SOURCE_MUTANTS: list[tuple[Any, str, str, str]] = [
    # frames
    (SEGMENT_TEXT, "leave_for", "if number not in way.assigned:", "if True:"),
    (SEGMENT_TEXT, "leave_for", 'cells.append((slot.offset, "0"))', "pass"),
    (SEGMENT_TEXT, "leave_for", 'self.line(f"clear(S, fp + {slot.offset})")', "pass"),
    (SEGMENT_TEXT, "leave_for", "elif number in segment.live:", "elif False:"),
    (SEGMENT_TEXT, "load", "first = run[0].offset", "first = run[0].offset + 1"),
    (SEGMENT_TEXT, "load", "start = slot.offset + 1", "start = slot.offset"),
    (SEGMENT_TEXT, "segment", "| assigned_slots(segment.tree)", ""),
    (SEGMENT_TEXT, "_store", "first + len(run)", "first + len(run) - 1"),
    (SEGMENT_TEXT, "enter", 'S[{FRAME}] = fp + {size}"', 'S[{FRAME}] = fp"'),
    (python_segments, "_return", 'cells = [*range(LINKS), ', "cells = ["),
    (python_segments, "_return", "0 if node.value is None else", "'S[8]' if node.value is None else"),
    (python_segments, "_return", "for slot in slots:", "for slot in slots[1:]:"),
    (python_segments, "_invoke", "text.charge(node.at)", "pass"),
    (python_segments, "_invoke", "if fp > {highest}", "if fp >= {highest}"),
    (python_segments, "_invoke_table", "text.leave_for(node.resume, way)", "pass"),
    (python_segments, "_finish", "fp + {text._size(way)}", "fp"),
    (python_segments, "_restart", "text.charge(node.at)", "pass"),
    (python_segments, "_ask", "text.leave_for(node.resume, way)", "pass"),
    (python_segments, "_ask", 'text.line("E.extend(answered(S))")', "pass"),
    # expressions
    (python_numbers, "_binary", "if node.op in t.COMPARISONS else result", "if False else result"),
    (python_numbers, "_least", "'<' if least else '>'", "'>' if least else '<'"),
    (python_numbers, "_first", "{start} + S[{start}]", "{start} + S[{start}] - 1"),
    (python_numbers, "_first", "{start + 1}]\" if first", "{start + 1}]\" if not first"),
    (python_numbers, "_highest", "'min' if node.lowest else 'max'", "'max'"),
    (python_lists, "_take", "[-{count}:]", "[-{count} - 1:]"),
    (python_lists, "_ranked", "if node.descending else", "if False else"),
    (python_conditions, "_exists", "text.can_fail(node.body)", "False"),
    (python_conditions, "_same", "] == [", "] >= ["),
    (python_conditions, "_same", "text.items(node.left)", "text.items(node.right)"),
    (python_lists, "_answer", "* {layout.decision}", "* {layout.decision - 1}"),
    (VALUE_TEXT, "list_at", "first = address.value + 1", "first = address.value"),
    (python_nodes, "_fold", "Const(-value)", "Const(value)"),
    (python_nodes, "_fold", "Const(first + second)", "Const(first)"),
    (python_nodes, "_fails", "node.function in fallible", "False"),
    # statements
    (STATEMENT_TEXT, "charge", "<= 0", "< 0"),
    (STATEMENT_TEXT, "assign", "{LOWEST} <= {target}", "0 <= {target}"),
    (STATEMENT_TEXT, "assign", "if {target} == -1: absent", "if {target} == 0: absent"),
    (python_statements, "_while", "text.charge(node.at)", "pass"),
    (track_statements, "track", "if low < (0 if changes else info.low):", "if False:"),
    (track_statements, "track", "S[{info.arrival - 1}] + 1", "S[{info.arrival - 1}] + 2"),
    (python_statements, "_do_table", "!= -1", "!= 0"),
    (zone_statements, "_move", "chooser={chooser}", "chooser=0"),
    (zone_statements, "_move", "text.text_of(node.place)", '"None"'),
    (zone_statements, "_reveal", "if node.secret", "if not node.secret"),
    # runtime
    (python_runtime, "_asking", "least > most", "least > count"),
    (python_runtime, "_asking", "most and least != count", "least != count"),
    (python_runtime, "_asking", "clear(state, slot + answers)", "pass"),
    (python_runtime, "rotated", "items[place:]", "items[place + 1:]"),
    (python_runtime, "told_apart", "first.setdefault(key(item), item)", "first[key(item)] = item"),
    (python_runtime, "last_of", "count > 0", "count"),
    (python_runtime, "write", "if before > count:", "if before > count + 1:"),
    (python_statements, "_append", "{count} > {node.capacity}", "{count} > {node.capacity + 1}"),
    (python_runtime, "remove", "state[end] = 0", "pass"),
    (python_runtime, "divide", "//", "%"),
    (python_runtime, "within", "least <= value", "least < value"),
    (python_runtime, "within", "value <= most", "value < most"),
    (python_runtime, "metered", "units(len(items), each)", "1"),
    # zones
    (zone_cells, "placing", "state[end - 1] > card", "state[end - 1] >= card + 2"),
    (zone_cells, "placing", "elif bottom and held:", "elif False:"),
    (fast_zones, "_moving", "source not in watched", "False"),
    (zone_cells, "placing", "state[places + card] = to", "pass"),
    (zone_cells, "refilling", "cards.sort()", "pass"),
    (zone_cells, "placing", "cards[::-1] + state", "cards + state"),
    (fast_zones, "_drawing", "cards.reverse()", "pass"),
    (fast_zones, "_drawing", "taken == held and eager[source]", "eager[source]"),
    (fast_shuffle, "_mix_rest", "i = start", "i = start + 1"),
    (fast_shuffle, "_mix_rest", "(last + 1 - i)", "(last - i)"),
    (fast_shuffle, "_mix_rest", "i + (product >> 32)", "i + (product >> 33)"),
    # one card, the others
    (fast_zones, "_drawing_one", "if held < 2 or source == to:", "if held < 1 or source == to:"),
    (fast_zones, "_moving", "if eager[source] and not state[addresses[source]]:", "if False:"),
    (zone_cells, "placing", "if state[end - 1] > card:", "if False:"),
    (zone_cells, "placing", "state[target + 1] = card", "state[end] = card"),
    (python_runtime, "others", "items[place + 1 :]", "items[place + 2 :]"),
    (python_runtime, "others", "rest if start not in after else", "rest if True else"),
    (zone_cells, "refilling", "if held < count:", "if held <= count:"),
    (zone_cells, "placing", "held + count > capacity", "held + count > capacity + 1"),
]  # fmt: skip

# Faults in the generated text: a pattern and what becomes of one of the places where it stands.
TEXT_MUTANTS: list[tuple[str, str]] = [
    (r" < ", " <= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" and ", " or "),
    (r"^(    )+S\[fp \+ \d+\] = \w+\n", ""),
    (r"^(    )+S\[9\] = .*\n", ""),
    (r"True, (?=\w+, \d+\))", "False, "),
    (r"return (\d)\b", r"return 1 + \1"),
    (r"\[(\d+):\1 \+", r"[1 + \1:\1 +"),
]


@pytest.fixture
def patch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any, str, str, str], None]]:
    """Replaces a function by a mutant of it, wherever the backend's modules hold it."""

    def replace(owner: Any, name: str, old: str, new: str) -> None:
        function, mutated = mutant(owner, name, old, new)
        if inspect.isclass(owner):
            monkeypatch.setattr(owner, name, mutated)
        for held, key in holders(MODULES, function):
            monkeypatch.setitem(held, key, mutated)

    yield replace


SEEDS = [*(seed for seed in range(30) if seed != 12), *range(NEWER, NEWER + 6)]
"""Of random programs. The one left out takes longer than all others; `test_backends` has it in lock-step."""


def survives(builds: Callable[[TableProgram], Sequence[Backend]]) -> bool:
    """Whether backends pass the lock-step test on the programs by hand and on some random ones."""
    try:
        everything = {**PROGRAMS, "expressions": calculator(*(expression for expression, _ in VALUES))[0]}
        everything["unlike"] = unlike()
        for name, program in everything.items():
            games = 60 if name == "failures" else 12
            lockstep(program, games, 5, [Walker(program), *builds(program)], limit=60)
        for program in beside():
            lockstep(program, 20, 1, [Walker(program), *builds(program)])
        for seed in SEEDS:
            program = random_program(seed)
            lockstep(program, 3, seed, [Walker(program), *builds(program)], limit=60)
    except Exception:
        return False
    return True


def both_builds(program: TableProgram) -> list[Backend]:
    return [PythonBackend(program), PythonBackend(program, narrating=True)]


@pytest.mark.slow
@pytest.mark.parametrize("number", sample(len(SOURCE_MUTANTS)))
def test_mutants_of_the_generator_are_caught(number: int, patch: Callable[[Any, str, str, str], None]) -> None:
    patch(*SOURCE_MUTANTS[number])
    assert not survives(both_builds), SOURCE_MUTANTS[number]


@pytest.mark.parametrize(("pattern", "replacement"), [TEXT_MUTANTS[one] for one in sample(len(TEXT_MUTANTS))])
def test_mutants_of_the_text_are_caught(pattern: str, replacement: str) -> None:
    """One place of every program's text is changed; it is another one in every program."""
    changed = 0

    def mutated(program: TableProgram) -> list[Backend]:
        nonlocal changed
        source = generate(program, narrating=False)
        places = list(re.finditer(pattern, source.text, re.MULTILINE))
        if not places:
            return []
        place = places[changed * 7 % len(places)]
        changed += 1
        text = source.text[: place.start()] + place.expand(replacement) + source.text[place.end() :]
        return [PythonBackend(program, source=PythonSource(text, source.codes))]

    assert not survives(mutated)
    assert changed


@needs_all
def test_without_a_mutation_nothing_is_caught() -> None:
    assert survives(both_builds)
