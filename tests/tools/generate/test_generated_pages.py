"""Generated files are written, and those that are out of date are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tools.generate import __main__ as generate
from rulewright.tools.generate.references import renewed


def test_parts_are_renewed() -> None:
    text = "a\n<!-- begin one -->\nold\n<!-- end -->\nb\n<!-- begin two -->\n<!-- end -->\n"
    made = renewed(text, {"one": "1\n", "two": "2\n"}.__getitem__)
    assert made == "a\n<!-- begin one -->\n\n1\n\n<!-- end -->\nb\n<!-- begin two -->\n\n2\n\n<!-- end -->\n"
    assert renewed(made, {"one": "1\n", "two": "2\n"}.__getitem__) == made


def test_files_are_written_or_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, other = tmp_path / "page.md", tmp_path / "other.md"
    made = {"some": {page: lambda: "new\n"}, "more": {other: lambda: "more\n"}}
    monkeypatch.setattr(generate, "GENERATORS", made)
    assert generate.main(["--check", "some"]) == 1
    assert capsys.readouterr().err == "page.md is out of date; run `python -m rulewright.tools.generate some`\n"
    assert generate.main(["some"]) == 0
    assert page.read_bytes() == b"new\n" and not other.exists()
    assert generate.main(["--check", "some"]) == 0
    assert generate.main([]) == generate.main(["--check"]) == 0
    with pytest.raises(SystemExit, match="2"):
        generate.main(["--wrong"])
    with pytest.raises(SystemExit, match="2"):
        generate.main(["wrong"])
    assert "unknown name 'wrong'; expected one of some, more" in capsys.readouterr().err
