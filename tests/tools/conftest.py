"""Run commands in this process; each test has its own cache folder."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from rulewright.tools import cli
from tests.interpreter import compilers
from tests.tools.harness import CONTENT, ROOT, Ran, Run


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("RULEWRIGHT_SAVES", str(tmp_path / "games"))
    names = ("PACKS", "CACHE_MB", "NO_CACHE", "NO_SAVES", "DEBUG")
    for name in (*(f"RULEWRIGHT_{name}" for name in names), "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    # The machine's compiler takes seconds for each table; who tests it asks for it.
    monkeypatch.setenv("RULEWRIGHT_CC", compilers.quick_command())
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """No compiler may be used."""
    monkeypatch.setenv("RULEWRIGHT_CC", "none")


@pytest.fixture
def machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's compiler may be used, too."""
    monkeypatch.delenv("RULEWRIGHT_CC")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def ran(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        code = cli.run(arguments)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Ran(code, out, err)

    return ran


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A copy of a small sound pack, in a folder of its own."""
    folder = tmp_path / "sealed"
    shutil.copytree(ROOT / "tests" / "packs" / "sealed", folder)
    return folder


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the shipped game."""
    folder = tmp_path / "game"
    shutil.copytree(CONTENT, folder)
    return folder
