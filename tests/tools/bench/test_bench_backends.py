"""Steps of the backends: a limit that is met or missed, and a short run."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.backends.native.toolchain import Compiler, find_compiler
from rulewright.tools.bench import backends
from rulewright.tools.bench.backends import report
from tests.tools.harness import ROOT

STALL = str(ROOT / "tests" / "docs" / "stall")
"""A pack for two or three players."""


@pytest.mark.parametrize(("native", "passed"), [(3000, True), (3001, False)])
def test_the_limit(native: float, passed: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert report({"walker": 90_000, "native": native, "copy": 700}) == passed
    walked, stepped, copied = capsys.readouterr().out.splitlines()
    assert walked.endswith(" 90,000 ns") and copied.split() == ["copy", "700", "ns"]
    assert f"{native:,} ns" in stepped and ("TOO SLOW" in stepped) != passed


@pytest.mark.skipif(not isinstance(find_compiler(), Compiler), reason="there is no C compiler here")
@pytest.mark.usefixtures("machine_code")
def test_a_short_run(capsys: pytest.CaptureFixture[str]) -> None:
    backends.main([STALL, "--rounds", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "stall, 2 players: 1 rounds, medians"
    assert [line.split()[:2] for line in lines[1:]] == [
        ["step,", "walker"], ["step,", "native"], ["copy", lines[-1].split()[1]]
    ]


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
