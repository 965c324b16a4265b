"""The Python code of the documentation runs in order, and prints the output shown below it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from rulewright import interpreter, ruleset
from tests.tools.harness import ROOT

GUIDE = ROOT / "docs" / "how-to" / "play-from-python.md"
PAGES = [path for path in sorted((ROOT / "docs").rglob("*.md")) if "```python\n" in path.read_text("utf-8")]
_BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """Each piece of code of a page, with what it prints."""
    return _BLOCK.findall(page.read_text("utf-8"))


def test_the_pages() -> None:
    assert {path.name for path in PAGES} == {"play-from-python.md", "secrecy-and-chance.md"}
    assert len(blocks(GUIDE)) == GUIDE.read_text("utf-8").count("```python") >= 5


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "content" / "tutorial", tmp_path / "content" / "tutorial")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    for code, shown in blocks(page):
        exec(compile(code, str(page), "exec"), names)
        assert capsys.readouterr().out == shown, code


def test_the_names_of_the_guide_are_public() -> None:
    used = {
        (module, name)
        for code, _ in blocks(GUIDE)
        for module, line in re.findall(r"^from rulewright\.(ruleset|interpreter) import (.*)$", code, re.M)
        for name in line.split(", ")
    }
    public = {"ruleset": ruleset.__all__, "interpreter": interpreter.__all__}
    assert used and all(name in public[module] for module, name in used)
    text = GUIDE.read_text("utf-8")
    for error in ("Refusal", "TableError", "RuleFault"):
        assert f"| `{error}`" in text and error in {*ruleset.__all__, *interpreter.__all__}
