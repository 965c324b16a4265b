"""What benchmarks say of figures that are made up: a bar that is met, one that is missed."""

from __future__ import annotations

import pytest

from interpreter.native.toolchain import Compiler, find_compiler
from tests.tools.harness import ROOT
from tools import packs
from tools.bench import backends, jobs
from tools.bench.backends import Pace, report

STALL = str(ROOT / "tests" / "docs" / "stall")
"""A pack for two or three players."""


def pace(native: float) -> Pace:
    return Pace({"walker": [10.0, 20.0], "python": [100.0, 200.0], "native": [100 * native, 200 * native]})


@pytest.mark.parametrize(("native", "clone", "passed"), [(40, 150, True), (39, 150, False), (40, 151, False)])
def test_bars(native: float, clone: float, passed: bool, capsys: pytest.CaptureFixture[str]) -> None:
    table = packs.table(packs.compile_pack(STALL).program, 2, ())
    assert report(table, pace(native), clone, 1500) == passed
    walker, python, fast, cloned, encoded = capsys.readouterr().out.splitlines()
    assert walker.split()[-2:] == ["0.10", "x"] and python.split()[-2:] == ["1.00", "x"]
    assert f"{native} x" in fast and ("TOO SLOW" in fast) == (native < 40)
    assert f"{clone} ns" in cloned and ("TOO SLOW" in cloned) == (clone > 150)
    assert "1,500 ns" in encoded and encoded.endswith("10 x a clone")


def test_a_clone_is_not_judged_at_larger_tables() -> None:
    table = packs.table(packs.compile_pack(STALL).program, 3, ())
    assert report(table, pace(40), 400, 1500)


@pytest.mark.skipif(not isinstance(find_compiler(), Compiler), reason="there is no C compiler here")
@pytest.mark.usefixtures("machine_code")
def test_a_short_race(capsys: pytest.CaptureFixture[str]) -> None:
    backends.main([STALL, "--rounds", "1", "--seconds", "0.02"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "stall, 2 players: 1 rounds in turns, medians"
    assert [line.split()[0] for line in lines[1:]] == ["walker", "python", "native", "clone", "encode"]


def test_what_cannot_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert backends.main([STALL, "--rounds", "0"]) == 2
    assert jobs.main([STALL, "--jobs", "1"]) == 2
    assert capsys.readouterr().err.count("there is nothing to") == 2


def test_what_may_differ_between_two_runs() -> None:
    one, other = ({"games": 7, "seconds": seconds, "games_per_second": 7 / seconds} for seconds in (1.0, 2.0))
    assert jobs.without_pace(one) == jobs.without_pace(other) == {"games": 7}


def test_games_of_their_own() -> None:
    names = backends.games_of_their_own()
    assert {"coup", "dominion", "rattus-cartus"} <= {*names}
    assert not {"harbour-town", "new-town", "eight-coins"} & {*names}
