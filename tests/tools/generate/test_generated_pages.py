"""Generated pages are written, and those that are out of date are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tools.generate import pages


def test_parts_are_renewed() -> None:
    text = "a\n<!-- begin one -->\nold\n<!-- end -->\nb\n<!-- begin two -->\n<!-- end -->\n"
    made = pages.renewed(text, {"one": "1\n", "two": "2\n"}.__getitem__)
    assert made == "a\n<!-- begin one -->\n\n1\n\n<!-- end -->\nb\n<!-- begin two -->\n\n2\n\n<!-- end -->\n"
    assert pages.renewed(made, {"one": "1\n", "two": "2\n"}.__getitem__) == made


def test_pages_are_written_or_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    made = {page: lambda: "new\n"}
    assert pages.update("some.module", made, ["--check"]) == 1
    assert capsys.readouterr().err == "page.md is out of date; run `python -m some.module`\n"
    assert pages.update("some.module", made, []) == 0
    assert page.read_bytes() == b"new\n"
    assert pages.update("some.module", made, ["--check"]) == 0
    assert pages.update("some.module", made, ["--wrong"]) == 2
    assert "usage: python -m some.module [--check]" in capsys.readouterr().err
