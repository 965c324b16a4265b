"""Compare whole games with games in steps: final cells, faults, decisions.

Whole games are those in native code and those in generated Python.
"""

from __future__ import annotations

from array import array
from collections import Counter

from attrs import evolve

from interpreter.backends.native.compiler.toolchain import Compiler
from interpreter.backends.native.module import Source
from interpreter.batch.batch import ManyGames, python_many, stepping_many
from interpreter.batch.native_batch import native_many
from interpreter.batch.results import Results
from interpreter.optimiser.canonical_states import CanonicalStates
from ruleset.table.nodes import TableProgram
from tests.interpreter import compilers

Ends = Counter[str]
"""How games ended: `over`, or the code of a rule error."""


def same_many(
    program: TableProgram,
    games: int,
    seed: int,
    first: int = 0,
    source: Source | None = None,
    by: Compiler | None = None,
) -> Ends:
    """Plays games all three ways. Raises AssertionError where they differ."""
    every, states = range(program.layout.cells), CanonicalStates(program)
    expected = stepping_many(program, every, "python").play(seed, first, games)
    native = native_many(program, every, source=source, by=by or compilers.quick())
    for whole in (native, python_many(program, every)):
        compare(whole.play(seed, first, games), expected, states)
    return Counter(code or "over" for code in _codes(expected))


def same_results(
    tried: ManyGames,
    reference: ManyGames,
    games: int,
    seed: int,
    first: int = 0,
    states: CanonicalStates | None = None,
) -> Ends:
    """Compares what two ways to play tell of games. Raises AssertionError."""
    expected = reference.play(seed, first, games)
    compare(tried.play(seed, first, games), expected, states)
    return Counter(code or "over" for code in _codes(expected))


def compare(found: Results, expected: Results, states: CanonicalStates | None = None) -> None:
    """Raises AssertionError where results differ. With `states`, results are whole states up to equal cards."""
    if states is not None:
        found, expected = (evolve(one, cells=_canonical(one, states)) for one in (found, expected))
    assert (found.first, found.count) == (expected.first, expected.count)
    pairs = (
        ("rule errors", _codes(found), _codes(expected)),
        ("places of rule errors", list(found.places), list(expected.places)),
        ("decisions", list(found.decisions), list(expected.decisions)),
    )
    for what, one, other in pairs:
        differing = (game for game, pair in enumerate(zip(one, other, strict=True)) if len({*pair}) > 1)
        games = [expected.first + game for game in differing]
        assert one == other, f"other {what} in games {games}"
    cells = [cell for cell, pair in enumerate(zip(found.cells, expected.cells, strict=True)) if pair[0] != pair[1]]
    assert not cells, f"columns {cells} differ"


def _canonical(results: Results, states: CanonicalStates) -> tuple[array[int], ...]:
    """Columns of the canonical forms of states; those of games that ended with a rule error are zeros."""
    rows = [
        cells if fault else states.of(cells)
        for fault, cells in zip(results.faults, zip(*results.cells, strict=True), strict=True)
    ]
    return tuple(array("i", column) for column in zip(*rows, strict=True)) if rows else results.cells


def _codes(results: Results) -> list[str]:
    codes = ("", *results.codes)
    return [codes[fault] for fault in results.faults]
