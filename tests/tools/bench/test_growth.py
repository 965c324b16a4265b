"""The work of each pass grows no faster than the size of a pack; deep nesting is a finding."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.analysis import control_flow, metering
from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.native.module import generate_playing
from rulewright.interpreter.backends.walker import statements
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.position import deal
from rulewright.ruleset.check import hints as misspelt_names
from rulewright.ruleset.check import hints as name_hints
from rulewright.ruleset.check import whole_pack
from rulewright.ruleset.check.context import MOST_SOUGHT
from rulewright.ruleset.check.hints import NameHints
from rulewright.ruleset.check.house_rules import insert_overlap
from rulewright.ruleset.check.scope import Scope
from rulewright.ruleset.declare import declare
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program import call_effects as depth
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.reader import read
from rulewright.ruleset.table import canonical
from rulewright.ruleset.table.canonical import dumps
from rulewright.ruleset.table.message import LiteralText, parse
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.bench import growth
from rulewright.tools.bench.growth import DIMENSIONS, LIMIT, Growth, growths
from rulewright.tools.common.errors import Failure
from tests.canonical import loads

QUICK = (
    *("loops that ask", "anys", "repeats", "nested steps", "functions in functions", "ifs that ask", "menu"),
    *(pytest.param(one, marks=pytest.mark.long) for one in ("loops", "brackets", "conjunction")),
    pytest.param("loops beyond the bound", marks=pytest.mark.long),
)
"""Dimensions in which work once grew exponentially or with the square; `tools.bench.growth` tries all."""


@pytest.mark.slow
@pytest.mark.parametrize("dimension", QUICK)
def test_work_of_passes(dimension: str) -> None:
    assert [one for one in growths(dimension, 2) if one.too_fast] == []


def test_growth_is_told_apart() -> None:
    """Of work with the square of the size, half a million lines that every pack takes hide nothing."""
    same, size = 500_000, 100

    def grown(work: Callable[[int], int]) -> Growth:
        return Growth("", size, "", *(same + work(n) for n in (size, 2 * size, size // 2)))

    linear, square = grown(lambda n: 50 * n), grown(lambda n: n * n)
    assert (linear.added, linear.too_fast) == (2.0, False)
    assert (square.added, square.too_fast) == (4.0, True)
    assert square.ratio < LIMIT
    assert not grown(lambda n: n * n // 20).too_fast  # too little to compare


def test_packs_that_end_otherwise_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen loops go through all passes, and thirty-two are a finding."""
    monkeypatch.setitem(DIMENSIONS, "loops", evolve(DIMENSIONS["loops"], most=None))
    with pytest.raises(Failure, match="loops, 16 and 32: the findings are nothing and RW211"):
        growths("loops", 4)


@pytest.mark.parametrize(("square", "code"), [(False, 0), (True, 1)])
def test_the_exit_code(square: bool, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    twice = 40_000 if square else 20_000
    found = [Growth("loops", 16, "check", 10_000, twice)]
    monkeypatch.setattr(growth, "growths", lambda *_: found)
    assert growth.main(["loops"]) == code


def test_findings_that_are_shown_have_near_names() -> None:
    """After `MOST_SOUGHT` findings none are looked for; of one file no more are shown."""
    findings = [one for one in _loaded("findings", MOST_SOUGHT + 20).findings if one.code == "RW420"]
    hints = [one.hint or "" for one in findings]
    assert len(hints) == MOST_SOUGHT and all(hint.startswith("did you mean") for hint in hints)


def test_near_names_are_looked_for_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search looks at all names, so the work for all unknown names would grow with the square."""
    searches: list[str] = []
    looked = NameHints.known

    def known(self: NameHints, scope: Scope) -> list[str]:
        searches.append("")
        return looked(self, scope)

    monkeypatch.setattr(NameHints, "known", known)
    _loaded("findings", MOST_SOUGHT + 20)
    assert len(searches) == MOST_SOUGHT


def _lines_of(module: ModuleType, run: Callable[[], object]) -> int:
    """Lines of one module that a call executes."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if frame.f_globals.get("__name__") != module.__name__:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "dimension", "size"),
    [
        (depth, "cases", 200),  # the place of what is too deep, where cases have none of their own
        (declare, "verbs", 200),  # verbs of the same words
        (whole_pack, "verbs in verbs", 40),  # who acts, passed on from verb to verb
    ],
)
def test_work_of_checks(module: ModuleType, dimension: str, size: int) -> None:
    once, twice = (_lines_of(module, lambda n=n: _loaded(dimension, n)) for n in (size, 2 * size))
    assert twice < LIMIT * once


@pytest.mark.slow
@pytest.mark.long
def test_work_for_many_procedures() -> None:
    """The depth of calls, and the segments of each procedure."""
    small, large = (_lowered("verbs in a chain", n) for n in (100, 200))
    once, twice = (_lines_of(control_flow, lambda one=one: generate_playing(one)) for one in (small, large))
    assert twice < LIMIT * once


def test_work_of_following_names() -> None:
    """What a verb passes on was once looked at again for every verb on the way to it."""
    small, large = (_lowered("verbs in a chain", n) for n in (100, 200))
    once, twice = (_lines_of(statements, lambda one=one: statements.lowest_moves(one)) for one in (small, large))
    assert twice < LIMIT * once


def test_work_of_bounding_lists() -> None:
    """The lists of a menu's options stand one behind the other, each in the next."""
    small, large = (_lowered("menu", n) for n in (60, 120))
    once, twice = (_lines_of(metering, lambda one=one: make(one)) for one in (small, large))
    assert twice < LIMIT * once


def test_work_of_writing_c() -> None:
    """Whether a function gives a list was once looked up in all of its code at each call."""
    small, large = (_lowered("verbs in verbs", n) for n in (16, 32))
    once, twice = (_lines_of(canonical, lambda one=one: generate_playing(one)) for one in (small, large))
    assert twice < LIMIT * once


@pytest.mark.slow
def test_work_for_many_packs() -> None:
    """Words that other packs use were once looked for pack by pack."""
    assert [one for one in growths("packs", 2) if one.too_fast] == []


def test_what_is_copied_grows_with_what_is_written() -> None:
    """Thirty verbs that each call the next twice are a thousand million calls of the last."""
    small, large = (len(dumps(_lowered("verbs in verbs", n))) for n in (15, 30))
    assert large < LIMIT * small


@pytest.mark.slow
@pytest.mark.parametrize(
    "dimension", ["choices", "steps that ask", "verbs that ask", "verbs in a chain", "steps with conditions"]
)
def test_hundreds_in_a_row_are_no_deep_recursion(dimension: str) -> None:
    assert _lowered(dimension, 300).segments


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dimension", "most"),
    [
        ("loops", 16),
        ("repeats", 16),
        ("plain verbs in a chain", 60),
        ("functions in a chain", 32),
        ("cases", 120),
        ("menu", 120),
    ],
)
def test_depth_is_bounded(dimension: str, most: int) -> None:
    """Up to the limit all backends play it; beyond it there is a finding."""
    program = _lowered(dimension, most)
    assert loads(dumps(program)) == program
    for backend in (make(program), Walker(program)):
        backend.run(backend.start(1))
    for number in (60, 200):
        findings = _loaded(dimension, most + number).findings
        assert findings and {finding.code for finding in findings} <= {"RW211", "RW401"}
        assert all(finding.span.line > 20 for finding in findings if finding.code == "RW211")


@pytest.mark.parametrize("dimension", ["loops", "repeats"])
def test_loops_are_bounded_by_themselves(dimension: str) -> None:
    """Seventeen loops are far below the bounds of levels and blocks."""
    (finding,) = [one for one in _loaded(dimension, 17).findings if one.code == "RW211"]
    assert "17 loops inside each other; the limit is 16" in finding.message


def _loaded(dimension: str, size: int) -> Loaded:
    (text,) = DIMENSIONS[dimension].texts(size)
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
    assert parse("x" * 1_000_000) == (LiteralText("x" * 1_000_000),)
    assert _lines(lambda: parse("x" * 1_000_000)) < 100
    once, twice = (_lines(lambda n=n: parse("it''s {a} " * n)) for n in (200, 400))
    assert twice < LIMIT * once


def test_rejected_readings_look_for_no_near_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence of several readings is read in each; findings about readings that do not fit are dropped."""

    def nearest(word: str, candidates: object) -> None:
        raise AssertionError(f"looked for names near {word}")

    monkeypatch.setattr(name_hints, "nearest", nearest)
    assert _loaded("readings", 3).findings == ()


def test_a_misspelt_declaration_is_looked_for_in_lines_that_are_split_once(monkeypatch: pytest.MonkeyPatch) -> None:
    split, lines = [], misspelt_names._lines
    monkeypatch.setattr(misspelt_names, "_lines", lambda text: split.append(text) or lines(text))
    text = DIMENSIONS["definitions"].texts(50)[0] + "---\nverb: rest(s)\ndo: nuthing += 1\n"
    found = load_files(PackFiles(Path(), (("pack.yaml", text.encode()),))).findings
    assert [one.code for one in found] == ["RW420"]
    assert len(split) == 1


LONG = "\n".join("  points += 1" for _ in range(100))
CASES = "\n".join(f"  {'else if' if case else 'if'} marks is {case}:\n    points += 1" for case in range(60))


@pytest.mark.parametrize("effect", [LONG, CASES], ids=["sentences", "cases"])
def test_long_inserts_at_one_place_are_compared_in_few_parts(effect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    exclusive = insert_overlap.exclusive
    monkeypatch.setattr(insert_overlap, "exclusive", lambda *given: compared.append(given) or exclusive(*given))
    game = DIMENSIONS["definitions"].texts(1)[0]
    packs = [game, _inserting("one", effect), _inserting("two", effect.replace("+= 1", "= 0"))]
    first, *more = (PackFiles(Path(), ((f"{number}.yaml", text.encode()),)) for number, text in enumerate(packs))
    found = load_files(first, more=more).findings
    assert [one.code for one in found] == ["RW626"]
    assert 0 < len(compared) <= insert_overlap.MOST_PARTS**2


def _inserting(name: str, effect: str) -> str:
    head = f"pack: {name}\nversion: 1.0.0\nextends: {{growing: '*'}}\n---\n"
    return f"{head}change: thing/thing-0.use\nafter: |\n{effect}\n"



def test_dealing_a_position() -> None:
    def dealing(cards: int) -> int:
        program = _lowered("cards", cards)
        lying: dict[str, list[int]] = {zone.key: [] for zone in program.zones}
        lying["store"] = list(range(cards))
        wanted = {"bag/1": ["thing"] * (cards // 2)}
        lines = _lines(lambda: deal(program, lying, wanted, {"store": ["card"] * (cards // 4)}, {}))
        assert [len(lying[key]) for key in ("bag/1", "store")] == [cards // 2, cards // 2]
        return lines

    assert dealing(400) < LIMIT * dealing(200)


def test_tabs_in_quotes() -> None:
    def reading(number: int) -> int:
        text = "messages:\n" + "".join(f'  said-{one}: "a\tb"\n' for one in range(number))
        return _lines(lambda: read("file.yaml", text))

    assert reading(400) < LIMIT * reading(200)
