"""Benchmarks with made-up figures: thresholds that are met, and one that is missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.backends.native.toolchain import Compiler, find_compiler
from rulewright.tools.bench import backends
from rulewright.tools.bench.backends import BackendSpeed, report
from tests.tools.harness import ROOT

STALL = str(ROOT / "tests" / "docs" / "stall")
"""A pack for two or three players."""


def pace(native: float) -> BackendSpeed:
    return BackendSpeed({"walker": [10.0, 20.0], "native": [10 * native, 20 * native]})


@pytest.mark.parametrize(("native", "step", "passed"), [(100, 3000, True), (99, 3000, False), (100, 3001, False)])
def test_bars(native: float, step: float, passed: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(pace(native), {"walker": 90_000, "native": step, "copy": 700}) == passed
    walker, fast, walked, stepped, copied = capsys.readouterr().out.splitlines()
    assert walker.split()[-2:] == ["1.00", "x"] and walked.endswith(" 90,000 ns")
    assert f"{native} x" in fast and ("TOO SLOW" in fast) == (native < 100)
    assert f"{step:,} ns" in stepped and ("TOO SLOW" in stepped) == (step > 3000)
    assert copied.split() == ["copy", "700", "ns"]


@pytest.mark.slow
@pytest.mark.skipif(not isinstance(find_compiler(), Compiler), reason="there is no C compiler here")
@pytest.mark.usefixtures("machine_code")
def test_a_short_race(capsys: pytest.CaptureFixture[str]) -> None:
    backends.main([STALL, "--rounds", "1", "--seconds", "0.02"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "stall, 2 players: 1 rounds in turns, medians"
    assert [line.split()[0] for line in lines[1:]] == ["walker", "native", "step,", "step,", "copy"]


def test_what_cannot_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert backends.main([STALL, "--rounds", "0"]) == 2
    assert "there is nothing to measure" in capsys.readouterr().err


def test_a_pack_with_mistakes_is_not_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack.yaml").write_text("pack: broken\n", "utf-8")
    assert backends.main([str(tmp_path)]) == 2
    assert "pack.yaml" in capsys.readouterr().err


def test_games_of_their_own() -> None:
    names = backends.games_of_their_own()
    assert {"coup", "dominion", "rattus-cartus"} <= {*names}
    assert not {"harbour-town", "new-town", "eight-coins"} & {*names}
