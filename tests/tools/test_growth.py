"""The work of every pass grows with the size of a pack, and no faster; what would be too deep is a finding."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from interpreter import chance, fast_shuffle
from interpreter.playout import play_out
from interpreter.position import deal
from interpreter.walker import Walker
from ruleset.canonical import dumps, loads
from ruleset.document import read
from ruleset.files import PackFiles
from ruleset.load import Loaded, load_files
from ruleset.lower import lower
from ruleset.message import Text, parse
from ruleset.table import TableProgram
from tools.bench.growth import LIMIT, growths
from tools.bench.growth_packs import DIMENSIONS

QUICK = ("loops", "anys", "totals", "repeats", "functions in functions", "verbs in verbs", "tabs")
"""Dimensions in which work once grew exponentially or with the square; `python -m tools.bench.growth` tries all."""


@pytest.mark.parametrize("dimension", QUICK)
def test_work_of_passes(dimension: str) -> None:
    assert [one for one in growths(dimension) if one.ratio > LIMIT] == []


def test_what_is_copied_grows_with_what_is_written() -> None:
    """Twelve verbs that each call the next twice are 4096 calls of the last; six are 64."""
    small, large = (len(dumps(_lowered("verbs in verbs", n))) for n in (6, 12))
    assert large < 4 * small


@pytest.mark.parametrize(
    "dimension", ["choices", "steps that ask", "verbs that ask", "verbs in a chain", "steps with conditions"]
)
def test_hundreds_in_a_row_are_no_deep_recursion(dimension: str) -> None:
    program = _lowered(dimension, 400)
    assert loads(dumps(program)) == program


@pytest.mark.parametrize(
    ("dimension", "most"),
    [
        ("loops", 16),
        ("repeats", 16),
        ("plain verbs in a chain", 74),
        ("functions in a chain", 49),
        ("cases", 140),
        ("menu", 140),
    ],
)
def test_depth_is_bounded(dimension: str, most: int) -> None:
    """Up to the limit all backends play it; beyond it there is a finding."""
    program = _lowered(dimension, most)
    assert loads(dumps(program)) == program
    for make in (_python, Walker):
        state = make(program).start(1)
        make(program).run(state)
    for number in (40, 400):
        codes = {finding.code for finding in _loaded(dimension, most + number).findings}
        assert codes <= {"RW211", "RW401"} and codes


def _python(program: TableProgram) -> Any:
    play_out(program, 1, 20)  # whole games are generated apart
    from interpreter.backend import make

    return make(program)


def _loaded(dimension: str, size: int) -> Loaded:
    (text,) = DIMENSIONS[dimension][0](size)
    return load_files(PackFiles(Path(), (("pack.yaml", text.encode()),)))


def _lowered(dimension: str, size: int) -> TableProgram:
    loaded = _loaded(dimension, size)
    assert loaded.program is not None, loaded.findings[:1]
    return lower(loaded.program, 2)


# ------------------------------------------------------------------ single passes


def _lines(run: Callable[[], object]) -> int:
    """Lines of Python that a call executes."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def test_a_long_text_is_read_in_pieces() -> None:
    assert parse("x" * 1_000_000) == (Text("x" * 1_000_000),)
    assert _lines(lambda: parse("x" * 1_000_000)) < 100
    once, twice = (_lines(lambda n=n: parse("it''s {a} " * n)) for n in (200, 400))  # type: ignore[misc]
    assert twice < LIMIT * once


def test_preparing_a_shuffle() -> None:
    def fresh(cards: int) -> int:
        fast_shuffle._lanes.cache_clear()
        return _lines(lambda: fast_shuffle.mix([1, 2, 3, 4, 0], list(range(cards))))

    fast_shuffle._jumps()
    assert fresh(800) < LIMIT * fresh(400)
    assert fresh(8000) < LIMIT * fresh(4000)


@pytest.mark.parametrize("cards", [1024, 1025, 1026, 1033, 2049, 5000])
def test_many_cards_are_shuffled_in_rounds_as_in_one(cards: int) -> None:
    state, order = [7, 8, 9, 10, 0], list(range(cards))
    expected, generator = chance.shuffled(order, chance.load(state))
    fast_shuffle.mix(state, order)
    assert (order, chance.load(state)) == (expected, generator)


def test_dealing_a_position() -> None:
    def dealing(cards: int) -> int:
        program = _lowered("cards", cards)
        lying: dict[str, list[int]] = {zone.key: [] for zone in program.zones}
        lying["store"] = list(range(cards))
        wanted = {"bag/1": ["thing"] * (cards // 2)}
        lines = _lines(lambda: deal(program, lying, wanted, {"store": ["card"] * (cards // 4)}, {}))
        assert [len(lying[key]) for key in ("bag/1", "store")] == [cards // 2, cards // 2]
        return lines

    assert dealing(800) < LIMIT * dealing(400)


def test_blank_lines_before_an_empty_value() -> None:
    def reading(lines: int) -> int:
        return _lines(lambda: read("file.yaml", "pack: x\n" + "key:\n" + "\n" * lines + "other: 1\n"))

    assert reading(800) < LIMIT * reading(400)
