"""Benchmarks with made-up figures: thresholds that are met, and one that is missed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rulewright.interpreter.backends.native.toolchain import Compiler, find_compiler
from rulewright.tools.bench import backends, jobs, startup
from rulewright.tools.bench.backends import BackendSpeed, report
from rulewright.tools.bench.startup import Bench
from rulewright.tools.common.errors import Usage
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
    assert jobs.main([STALL, "--jobs", "1"]) == 2
    assert capsys.readouterr().err.count("there is nothing to") == 2


def test_a_pack_with_mistakes_is_not_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack.yaml").write_text("pack: broken\n", "utf-8")
    assert backends.main([str(tmp_path)]) == 2
    assert "pack.yaml" in capsys.readouterr().err


# ------------------------------------------------------------------ several processes

def simulated(
    paces: dict[int, float], games: dict[int, int] | None = None
) -> Callable[[str, int, int, object], dict[str, object]]:
    """What made-up runs say, by the number of their processes."""

    def result(pack: str, wanted: int, number: int, options: object) -> dict[str, object]:
        return {"games": (games or {}).get(number, wanted), "seconds": 1.0, "games_per_second": paces[number]}

    return result


@pytest.mark.parametrize(("pace", "code"), [(1800.0, 0), (1700.0, 1)])
def test_several_processes(
    pace: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jobs, "simulated", simulated({1: 1000.0, 2: pace}))
    assert jobs.main([STALL, "--games", "100", "--rounds", "3"]) == code
    slow = "  TOO SLOW: at least 1.8" if code else ""
    said = f"stall: 1 and 2 processes: 1,000 and {pace:,.0f} games/s, {pace / 1000:.2f} x{slow}\n"
    assert capsys.readouterr().out == said


def test_runs_are_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run begins alone: at 1,000 games a second it has 8,000."""
    asked: list[tuple[int, int]] = []
    made_up = simulated({1: 1000.0, 2: 1900.0})

    def noted(pack: str, wanted: int, number: int, options: object) -> dict[str, object]:
        asked.append((wanted, number))
        return made_up(pack, wanted, number, options)

    monkeypatch.setattr(jobs, "simulated", noted)
    assert jobs.main([STALL, "--rounds", "1"]) == 0
    assert asked == [(jobs.FIRST, 1), (8000, 1), (8000, 2)]


def test_results_that_differ(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(jobs, "simulated", simulated({1: 1.0, 4: 4.0}, {4: 99}))
    assert jobs.main([STALL, "--jobs", "4", "--games", "100"]) == 1
    assert capsys.readouterr().out == "stall: RESULTS DIFFER between 1 and 4 processes\n"


@pytest.mark.slow
@pytest.mark.skipif(not isinstance(find_compiler(), Compiler), reason="there is no C compiler here")
@pytest.mark.usefixtures("machine_code")
def test_the_command_itself_is_asked() -> None:
    one, several = (jobs.simulated(STALL, 50, number, ["mode=rich"]) for number in (1, 2))
    assert (one["games"], one["backend"], one["options"]["mode"]) == (50, "native", "rich")
    assert jobs.without_pace(one) == jobs.without_pace(several)
    assert all(one[key] is not None for key in jobs.PACE)


@pytest.mark.usefixtures("no_machine_code")
def test_without_native_code_processes_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert jobs.main([STALL, "--games", "4"]) == 2
    assert "--backend native is not available: RULEWRIGHT_CC is none" in capsys.readouterr().err


# ------------------------------------------------------------------ starting

PASS, BARE = 20.0, 100.0
"""Milliseconds of a Python that does nothing, and of one that imports."""
PROMISED = {"cold": 300.0, "warm": 150.0, "edited": 1000.0, "text": 250.0, "json": 250.0}
"""Three times and one and a half times as long as the imports; a second; a quarter of one."""


@pytest.mark.parametrize("slow", ["", *PROMISED])
def test_starting(slow: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    played: set[Path] = set()

    def timed(_: Bench, words: Sequence[str], cache: Path) -> float:
        if "doctor" in words:
            cache.mkdir()
            return 0.0
        if words[1] == "-c" and words[2] in ("pass", startup.BARE):
            return PASS if words[2] == "pass" else BARE
        if "validate" in words:
            kind = "warm" if cache.name == "warm" else "cold"
        else:
            kind = "json" if "--json" in words else "text" if cache in played else "edited"
            played.add(cache)
        return PROMISED[kind] + 3 * (kind == slow)

    monkeypatch.setattr(Bench, "_timed", timed)
    assert startup.main(["2", "--pack", STALL]) == bool(slow)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["bare", "imports", "100", "ms"]
    told = dict(zip(("cold", "warm", "edited", "text", "json"), [*lines[1:3], *lines[4:]], strict=True))
    assert [kind for kind, line in told.items() if line.endswith("  TOO SLOW")] == ([slow] if slow else [])
    assert "3.00 x bare, at most 3.0" in told["cold"] or slow == "cold"
    assert "230 ms beyond it, 12.5 x; at most 250 ms" in told["text"] or slow == "text"


def test_what_does_not_run_is_not_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert startup.main(["1", "--pack", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert startup.main(["0"]) == 2
    bench = Bench(ROOT, tmp_path)
    assert bench._timed([sys.executable, "-c", "pass"], tmp_path) > 0
    with pytest.raises(Usage, match="-c 'raise SystemExit\\(3\\)' ended with 3"):
        bench._timed([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)


# ------------------------------------------------------------------ what they have in common

def test_what_may_differ_between_two_runs() -> None:
    one, other = ({"games": 7, "seconds": seconds, "games_per_second": 7 / seconds} for seconds in (1.0, 2.0))
    assert jobs.without_pace(one) == jobs.without_pace(other) == {"games": 7}


def test_games_of_their_own() -> None:
    names = backends.games_of_their_own()
    assert {"coup", "dominion", "rattus-cartus"} <= {*names}
    assert not {"harbour-town", "new-town", "eight-coins"} & {*names}
