"""Files named `*.yml` are files of a pack like `*.yaml`, `pack.yml` too."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleset.files import read_pack
from tests.tools.harness import Run
from tools.tables import checksum, checksum_of
from tools.watch import Watch


@pytest.fixture
def other(pack: Path) -> Path:
    """A sound pack whose files are all named `*.yml`."""
    for path in list(pack.rglob("*.yaml")):
        path.rename(path.with_suffix(".yml"))
    return pack


def test_a_pack_of_such_files_is_a_pack(run: Run, other: Path) -> None:
    assert run("validate", "--strict", str(other)).code == 0
    assert run("validate", "--strict", str(other.parent)).code == 0
    assert run("test", str(other)).code == 0
    assert run("simulate", str(other), "-n", "2").code == 0
    assert run("validate", str(other / "pack.yml")).code == 0


def test_it_is_found_by_its_name(run: Run, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_PACKS", str(other.parent))
    assert run("simulate", "sealed", "-n", "2").code == 0
    assert str(other) in run("packs").out.replace("\n", "")


def test_its_findings_are_shown_where_they_are(run: Run, other: Path) -> None:
    (other / "more.yml").write_text("verb: doze(s)\ndo: drow 1\n", "utf-8")
    ran = run("validate", str(other))
    assert ran.code == 1
    assert "more.yml:2:5" in ran.out + ran.err


def test_a_change_is_noticed(other: Path) -> None:
    root = str(other)
    before = checksum_of(root)
    assert before
    assert before == checksum((name.removeprefix(f"{root}/"), data) for name, data in read_pack(other).files
                              if "scenarios" not in name)  # fmt: skip
    (other / "more.yml").write_text("verb: doze(s)\ndo: do nothing\n", "utf-8")
    assert checksum_of(root) != before


def test_watching_notices_it(other: Path) -> None:
    watch = Watch.__new__(Watch)
    watch.roots = (other,)
    before = watch._stamped()
    assert before
    (other / "more.yml").write_text("verb: doze(s)\ndo: do nothing\n", "utf-8")
    assert watch._stamped() != before


def test_both_files_of_one_pack_are_reported(run: Run, other: Path) -> None:
    (other / "pack.yaml").write_bytes((other / "pack.yml").read_bytes())
    ran = run("validate", str(other))
    assert ran.code == 1
    assert "RW606" in ran.out + ran.err


def test_new_documents_go_into_such_a_pack(run: Run, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(other)
    assert run("new", "zone", "attic").code == 0
    assert "attic" in (other / "pack.yml").read_text("utf-8")
    assert not (other / "pack.yaml").exists()
