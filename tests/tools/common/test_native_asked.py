"""All commands report clearly if native code was requested and cannot be built."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.interpreter.backends.native import library, toolchain
from rulewright.interpreter.backends.native.toolchain import Compiler, find_compiler
from rulewright.tools.bench import backends, beside
from tests.tools.harness import ROOT, Run

STALL = str(ROOT / "tests" / "docs" / "stall")
NONE = "native code is not available: RULEWRIGHT_CC is none"

needs_compiler = pytest.mark.skipif(not isinstance(find_compiler(), Compiler), reason="there is no C compiler here")


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that works until a table comes."""
    compiler = tmp_path / "own-cc"
    compiler.write_text(
        '#!/bin/sh\ncase "$*" in *table.c*) echo no space left; exit 1;; esac\nexec cc "$@"\n', "utf-8"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("RULEWRIGHT_CC", str(compiler))
    monkeypatch.setattr(toolchain, "_KNOWN", {})
    monkeypatch.setattr(library, "_LOADED", {})


@needs_compiler
@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize(
    "more", [(), ("--jobs", "2"), ("--versus-option", "mode=rich"), ("--every-option",)], ids=str
)
def test_a_simulation(more: tuple[str, ...], run: Run) -> None:
    ran = run("simulate", STALL, "-n", "4", "--backend", "native", *more)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rulewright: native code cannot be built: own-cc at ")
    assert ran.err.endswith("cannot build this: no space left; omit --backend to use the fastest that works\n")
    assert run("simulate", STALL, "-n", "4", *more).code == 0


BENCHMARKS: dict[str, Callable[[str], int]] = {
    "backends": lambda _: backends.main([STALL, "--rounds", "1"]),
    "beside": lambda other: beside.main([STALL, "--turns", "turns", "--beside", other, "--backend", "native"]),
}


@pytest.fixture
def other(tmp_path: Path) -> str:
    (tmp_path / "other.py").write_text("def play(players, games, seed):\n    return [(6, 6)] * games\n", "utf-8")
    return f"{tmp_path / 'other.py'}:play"


@pytest.mark.usefixtures("no_machine_code")
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_without_a_compiler(name: str, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert BENCHMARKS[name](other) == 2
    assert capsys.readouterr().err == f"{NONE}\n"


@needs_compiler
@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_whose_code_cannot_be_built(name: str, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert BENCHMARKS[name](other) == 2
    err = capsys.readouterr().err
    assert err.startswith("native code cannot be built: own-cc at ") and err.endswith(
        "cannot build this: no space left\n"
    )
