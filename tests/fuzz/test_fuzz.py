"""A few fixed rounds of the fuzzer; it detects, reduces, and records failures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import run
from tests.fuzz.__main__ import main
from tests.fuzz.inputs import BASE, PACKS
from tests.fuzz.oracle import Files, check
from tests.fuzz.run import Tally, fuzz, write


@pytest.mark.slow
def test_some_packs() -> None:
    tally, done = Tally(), []
    for number in fuzz(tally, 1, lambda: not done, 60, PACKS):
        done.append(number)
    assert {place: failing.report for place, failing in tally.failures.items()} == {}
    assert tally.packs >= 60
    assert set(tally.ends) >= {"errors", "result"}


def test_a_good_pack_is_played_to_its_result() -> None:
    assert check((("pack.yaml", (Path(__file__).parents[1] / "packs" / "crates" / "pack.yaml").read_bytes()),)) in (
        "result",
        "stopped",
    )
    assert check((("base.yaml", BASE.read_bytes()),)) == "result"


def test_failures_are_made_small_and_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(files: Files) -> str:
        if any(b"players" in data for _, data in files):
            raise ValueError("players again")
        return "errors"

    monkeypatch.setattr(run, "check", broken)
    tally, done = Tally(), []
    for number in fuzz(tally, 1, lambda: not done, 60):
        done.append(number)
    (place,) = tally.failures
    assert place.startswith("ValueError at test_fuzz.py:")
    ((_, data),) = tally.failures[place].files
    assert b"players" in data
    assert b"\n" not in data
    (folder,) = write(tally, tmp_path)
    assert {path.name for path in folder.iterdir()} == {"pack", "report.txt"}
    assert "players again" in (folder / "report.txt").read_text("utf-8")


def test_a_failing_pack_can_be_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "pack.yaml").write_bytes(b"pack: x\nplayers: [\n")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path}: errors\n"


def test_interrupted_it_keeps_what_it_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packs = 0

    def broken(files: Files) -> str:
        nonlocal packs
        packs += 1
        if packs == 300:
            raise KeyboardInterrupt
        raise ValueError("always")

    monkeypatch.setattr(run, "check", broken)
    assert main(["--seed", "1", "--minutes", "10", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "interrupted" in said
    assert "1 different failures" in said
    assert (tmp_path / "failure-1" / "report.txt").exists()
