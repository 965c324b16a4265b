"""A few fixed spliced packs; each limit of the process that tries them holds."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import splice, splicing
from tests.fuzz.__main__ import main
from tests.fuzz.inputs import ROOT
from tests.fuzz.oracle import Files
from tests.fuzz.run import Failing
from tests.fuzz.splice import spliced
from tests.fuzz.splicing import Splicing, bounded, check

CRATES: Files = (("pack.yaml", (ROOT / "tests" / "packs" / "crates" / "pack.yaml").read_bytes()),)


def test_some_packs() -> None:
    run = Splicing()
    assert list(run.run(31, 6)) == list(range(31, 37))
    assert {place: failing.report for place, failing in run.tally.failures.items()} == {}
    assert run.tally.packs == 6
    assert run.tally.ends["errors"] < 6


def test_a_number_is_a_pack() -> None:
    assert spliced(3) == spliced(3) != spliced(4)


def test_small_packs_have_a_larger_share() -> None:
    """Each pack has the same share of the text that is checked: its size times its weight is the same."""
    packs, weights = splice._packs()
    assert set(packs) == {*splice._small(), *splice._large()}
    sizes = [sum(len(data) for _, data in files) for files in packs]
    assert [size * weight for size, weight in zip(sizes, weights, strict=True)] == pytest.approx([1] * len(packs))


def test_what_passes_is_played() -> None:
    assert check(CRATES) in ("result", "stopped")


def test_the_walker_does_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splicing, "STEPS", 2000)
    assert check(CRATES) == "enough"


@pytest.mark.slow
def test_many_rounds_without_a_question() -> None:
    """20,000 rounds of several steps each, which took the walker more than 10 seconds."""
    path = ROOT / "tests" / "packs" / "sealed" / "pack.yaml"
    text, found = re.subn(rb"(?m)^until: .*$", b"until: rounds >= 20001", path.read_bytes())
    assert found == 1
    assert bounded((("pack.yaml", text),)) == "enough"


def _broken(how: str) -> str:
    if how == "raises":
        raise ValueError("players again")
    if how == "late":
        while True:
            pass
    if how == "large":
        return str(len(bytearray(4 << 30)))
    time.sleep(3600)
    return ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "place"),
    [
        ("raises", "ValueError at test_splicing.py"),
        ("late", "TooLongError at "),
        ("large", "MemoryError at test_splicing.py"),
        ("hangs", "process: it hung"),
    ],
)
def test_bounds(how: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splicing, "check", lambda files: _broken(how))
    monkeypatch.setattr(splicing, "MOST_SECONDS", 0.2)
    monkeypatch.setattr(splicing, "PATIENCE", 5 if how == "hangs" else 200)
    monkeypatch.setattr(splicing, "MOST_TRIES", 3)
    run = Splicing()
    assert list(run.run(1, 2)) == [1, 2]
    assert run.tally.ends == {"failure": 2}
    assert all(found.startswith(place) for found in run.tally.failures)


def test_failures_are_made_small_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(files: Files) -> str:
        if any(b"players" in data for _, data in files):
            raise ValueError("players again")
        return "errors"

    monkeypatch.setattr(splicing, "check", broken)
    assert main(["--splice", "--packs", "3", "--seed", "1", "--out", str(tmp_path)]) == 1
    (report,) = tmp_path.glob("failure-1/report.txt")
    assert "players again" in report.read_text("utf-8")
    (file,) = (path for path in (tmp_path / "failure-1" / "pack").rglob("*") if path.is_file())
    assert b"players" in file.read_bytes() and b"\n" not in file.read_bytes()
    assert main(["--splice", str(tmp_path / "failure-1")]) == 1
    assert "players again" in capsys.readouterr().out


def test_failures_are_written_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A run that is killed keeps what it found."""

    def run(self: Splicing, first: int, packs: int) -> Iterator[int]:
        for number in range(first, first + packs):
            self.tally.failures[f"place {number}"] = Failing(CRATES, "players again")
            yield number
        reports = sorted(tmp_path.glob("failure-*/report.txt"))
        assert [path.read_text("utf-8") for path in reports] == [
            f"place {number}\n\nplayers again" for number in range(1, 4)
        ]
        raise MemoryError("the run is over")

    monkeypatch.setattr(Splicing, "run", run)
    with pytest.raises(MemoryError, match="the run is over"):
        main(["--splice", "--packs", "3", "--seed", "1", "--out", str(tmp_path)])
