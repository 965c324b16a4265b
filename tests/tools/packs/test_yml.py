"""`*.yml`, `*.YAML`, and similar names are files of a pack, and `pack.yml` makes a pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.source.pack_files import read_pack
from rulewright.tools.playing.watch import PackWatch
from rulewright.tools.simulation.known_table import key_of
from tests.tools.harness import Run


@pytest.fixture(params=[".yml", ".YAML", ".YML", ".Yaml", ".Yml"])
def suffix(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def other(pack: Path, suffix: str) -> Path:
    """A sound pack whose files all have another suffix."""
    for path in list(pack.rglob("*.yaml")):
        path.rename(path.with_suffix(suffix))
    return pack


def test_a_broken_file_is_not_ignored(run: Run, pack: Path, suffix: str) -> None:
    """Beside a `pack.yaml`, where nothing else would tell that the file is not read."""
    (pack / f"more{suffix}").write_text("verb: doze(s)\ndo: drow 1\n", "utf-8")
    ran = run("validate", str(pack))
    assert ran.code == 1
    assert f"more{suffix}:2:5" in ran.out + ran.err


def test_a_pack_of_such_files_is_a_pack(run: Run, other: Path, suffix: str) -> None:
    assert run("validate", "--strict", str(other)).code == 0
    assert run("validate", "--strict", str(other.parent)).code == 0
    assert run("test", str(other)).code == 0
    assert run("simulate", str(other), "-n", "2").code == 0
    assert run("validate", str(other / f"pack{suffix}")).code == 0


def test_it_is_found_by_its_name(run: Run, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_PACKS", str(other.parent))
    assert run("simulate", "sealed", "-n", "2").code == 0
    assert str(other) in run("packs").out.replace("\n", "")


def test_its_findings_are_shown_where_they_are(run: Run, other: Path, suffix: str) -> None:
    (other / f"more{suffix}").write_text("verb: doze(s)\ndo: drow 1\n", "utf-8")
    ran = run("validate", str(other))
    assert ran.code == 1
    assert f"more{suffix}:2:5" in ran.out + ran.err


def test_a_change_is_noticed(other: Path, suffix: str) -> None:
    before = key_of([read_pack(other)], None, (), False)
    assert key_of([read_pack(other)], None, (), False) == before
    (other / f"more{suffix}").write_text("verb: doze(s)\ndo: do nothing\n", "utf-8")
    assert key_of([read_pack(other)], None, (), False) != before


def test_watching_notices_it(other: Path, suffix: str) -> None:
    watch = PackWatch.__new__(PackWatch)
    watch.roots = (other,)
    before = watch._stamped()
    assert before
    (other / f"more{suffix}").write_text("verb: doze(s)\ndo: do nothing\n", "utf-8")
    assert watch._stamped() != before


def test_both_files_of_one_pack_are_reported(run: Run, other: Path, suffix: str) -> None:
    (other / "pack.yaml").write_bytes((other / f"pack{suffix}").read_bytes())
    ran = run("validate", str(other))
    assert ran.code == 1
    assert "RW606" in ran.out + ran.err


def test_new_documents_go_into_such_a_pack(
    run: Run, other: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(other)
    assert run("new", "zone", "attic").code == 0
    assert "attic" in (other / f"pack{suffix}").read_text("utf-8")
    assert not (other / "pack.yaml").exists()
