"""docs/how-to/play-from-python.md: its code runs in order, and prints what stands below it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import interpreter
import ruleset
from tests.tools.harness import ROOT

PAGE = ROOT / "docs" / "how-to" / "play-from-python.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", TEXT, re.MULTILINE | re.DOTALL)


def test_there_are_blocks() -> None:
    assert len(BLOCKS) == TEXT.count("```python") >= 5
    assert sum(bool(shown) for _, shown in BLOCKS) == TEXT.count("```text")


@pytest.mark.slow
def test_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(ROOT / "content" / "tutorial", tmp_path / "content" / "tutorial")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    for code, shown in BLOCKS:
        exec(compile(code, str(PAGE), "exec"), names)
        assert capsys.readouterr().out == shown, code


def test_the_names_are_public() -> None:
    used = {
        (module, name)
        for code, _ in BLOCKS
        for module, line in re.findall(r"^from (ruleset|interpreter) import (.*)$", code, re.M)
        for name in line.split(", ")
    }
    public = {"ruleset": ruleset.__all__, "interpreter": interpreter.__all__}
    assert used and all(name in public[module] for module, name in used)
    errors = ("Refusal", "TableError", "RuleFault")
    assert all(f"| `{name}`" in TEXT and name in {*ruleset.__all__, *interpreter.__all__} for name in errors)
