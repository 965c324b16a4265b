"""`rulewright validate`: what it reports, for which paths, in which words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.harness import ROOT, Run


def spoil(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_a_clean_pack(run: Run, pack: Path) -> None:
    ran = run("validate", str(pack))
    assert (ran.code, ran.out, ran.err) == (0, "sealed: no findings in 1 file\n", "")


def test_the_shipped_packs_are_clean(run: Run) -> None:
    ran = run("validate")
    assert ran.code == 0
    assert ran.out.startswith("rattus-cartus: no findings in ")


def test_a_shipped_pack_by_name(run: Run) -> None:
    assert run("validate", "rattus-cartus").code == 0


def test_the_pack_around_us(run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pack / "cards").mkdir()
    monkeypatch.chdir(pack / "cards")
    spoil(pack / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    ran = run("validate", "--format", "concise")
    assert ran.code == 1
    assert ran.out.startswith("../pack.yaml:")


def test_errors_are_shown_with_their_place_and_counted(run: Run, pack: Path) -> None:
    spoil(pack / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    ran = run("validate", str(pack))
    assert ran.code == 1
    assert "do: mvoe card to bid" in ran.out
    assert "^" in ran.out
    assert ran.out.rstrip().endswith("found 1 error")
    assert "\x1b[" not in ran.out


def test_a_file_reports_what_is_in_it(run: Run, game: Path) -> None:
    spoil(game / "buildings" / "farm.yaml", "premium: draw 4", "premium: drwa 4")
    ran = run("validate", str(game / "buildings" / "farm.yaml"), "--format", "concise")
    assert (ran.code, ran.out.count("\n")) == (1, 1)
    ran = run("validate", str(game / "buildings"), "--format", "concise")
    assert (ran.code, ran.out.count("\n")) == (1, 1)
    ran = run("validate", str(game / "buildings" / "castle.yaml"))
    assert ran.code == 0
    assert "(1 error elsewhere in rattus-cartus)" in ran.out
    assert run("validate", str(game / "buildings" / "castle.yaml"), str(game)).code == 1


def test_a_file_reports_what_it_causes_elsewhere(run: Run, game: Path) -> None:
    (game / "z-twice.yaml").write_text("special: sword\nname: {en: Sword}\n", "utf-8")
    ran = run("validate", str(game / "specials" / "sword.yaml"), "--format", "json")
    findings = json.loads(ran.out)["findings"]
    assert ran.code == 1
    assert any("sword.yaml" not in finding["location"]["path"] for finding in findings)


def test_json_has_a_version_and_a_summary(run: Run, pack: Path) -> None:
    report = json.loads(run("validate", str(pack), "--format", "json").out)
    assert (report["version"], report["findings"], report["summary"]) == (1, [], {"errors": 0, "warnings": 0})


def test_github(run: Run, pack: Path) -> None:
    spoil(pack / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    assert run("validate", str(pack), "--format", "github").out.startswith("::error file=")


def test_several_packs_at_once(run: Run) -> None:
    packs = sorted(folder for folder in (ROOT / "tests" / "packs").iterdir() if (folder / "pack.yaml").exists())
    ran = run("validate", *map(str, packs))
    assert ran.code == 0, ran.out
    assert "sealed" in ran.out
    assert run("validate", str(ROOT / "tests" / "packs")).out == ran.out


def test_bytes_that_are_no_text(run: Run, pack: Path) -> None:
    (pack / "bad.yaml").write_bytes(b"\xff\xfe\x00")
    ran = run("validate", str(pack))
    assert ran.code == 1
    assert "RW604" in ran.out
    assert ran.out == run("validate", str(pack)).out


@pytest.mark.parametrize(("color", "dressed"), [(None, True), ("1", False)])
def test_colour_on_a_terminal(
    run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch, color: str | None, dressed: bool
) -> None:
    monkeypatch.setattr("tools.validate.style_for", lambda stream: _style_for_terminal())
    monkeypatch.setenv("TERM", "xterm")
    if color:
        monkeypatch.setenv("NO_COLOR", color)
    spoil(pack / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    assert ("\x1b[" in run("validate", str(pack)).out) is dressed


def _style_for_terminal() -> object:
    import io

    from tools.style import style_for

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    return style_for(Terminal())
