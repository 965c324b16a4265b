"""The cache of findings is correct, fast to read, and never prevents a check."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulewright.interpreter import cache as cache_bound
from rulewright.interpreter.cache import FINDINGS, _checksum, cache_folder
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.source.pack_files import read_pack
from rulewright.tools.packs import findings_cache as cache
from rulewright.tools.packs.findings_cache import CachedFindings
from tests.tools.harness import ROOT, Run

SPAN = Span("pack.yaml", 1, 2, 3, 4)
FOUND = CachedFindings(
    "sealed",
    (
        Diagnostic("RW101", SPAN, "what «is» wrong", None, (Label(SPAN, "there"),)),
        Diagnostic("RW102", SPAN, "a", "b"),
    ),
    {},
)


def entries(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("*"))


def test_findings_survive(pack: Path) -> None:
    files = read_pack(pack)
    key = cache.key_of([files])
    assert cache.fetch(key, [files]) is None
    cache.store(key, FOUND)
    known = cache.fetch(key, [files])
    assert known is not None
    assert (known.pack, known.findings) == (FOUND.pack, FOUND.findings)
    assert known.sources == {name: data.decode() for name, data in files.files}


def test_a_change_of_anything_is_another_key(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {cache.key_of([read_pack(pack)]), cache.key_of([read_pack(pack, "shown/otherwise")])}
    (pack / "more.yaml").write_text("", "utf-8")
    keys.add(cache.key_of([read_pack(pack)]))
    (pack / "more.yaml").rename(pack / "most.yaml")
    keys.add(cache.key_of([read_pack(pack)]))
    (pack / "most.yaml").write_text("#", "utf-8")
    keys.add(cache.key_of([read_pack(pack)]))
    monkeypatch.setattr(cache, "VERSION", "0.0.0")
    keys.add(cache.key_of([read_pack(pack)]))
    monkeypatch.setattr(cache, "own_files", lambda *_: [])
    keys.add(cache.key_of([read_pack(pack)]))
    assert len(keys) == 7


def test_a_picture_that_comes_or_changes_is_another_key(pack: Path) -> None:
    keys = {cache.key_of([read_pack(pack)])}
    for data in (b"", b"<svg/>", b'<svg xmlns="http://www.w3.org/2000/svg"/>'):
        (pack / "a.svg").write_bytes(data)
        keys.add(cache.key_of([read_pack(pack)]))
    assert len(keys) == 4


@pytest.mark.parametrize("damage", [b"", b"\n", b"nonsense", b"0" * 32 + b"\n{}", b"\xff\n\xff"])
def test_a_damaged_entry_is_as_good_as_none(pack: Path, tmp_path: Path, run: Run, damage: bytes) -> None:
    said = run("validate", str(pack))
    (entry,) = entries(tmp_path)
    sound = entry.read_bytes()
    entry.write_bytes(damage or sound[: len(sound) // 2])
    assert run("validate", str(pack)) == said
    assert entry.read_bytes() == sound


def test_an_entry_with_a_right_sum_and_wrong_contents(pack: Path) -> None:
    files = read_pack(pack)
    key = cache.key_of([files])
    cache.store(key, FOUND)
    place = Path(cache_folder() or "")
    for body in (b"[]", b'{"pack":"x"}', b'{"pack":"x","findings":[1]}', b'{"pack":"x","findings":[["RW1"]]}'):
        (place / f"{key}.findings").write_bytes(_checksum(body) + b"\n" + body)
        assert cache.fetch(key, [files]) is None


def test_many_writers_at_a_time(pack: Path, tmp_path: Path) -> None:
    files = read_pack(pack)
    key = cache.key_of([files])

    def work(_: int) -> bool:
        cache.store(key, FOUND)
        return cache.fetch(key, [files]) is not None

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(200)))
    assert len(entries(tmp_path)) == 1


def test_old_entries_are_forgotten(pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cache_bound.MOST, FINDINGS, 3)
    for number in range(6):
        cache.store(f"{number}", FOUND)
        os.utime(tmp_path / "cache" / f"{number}.findings", (number, number))
    assert [entry.stem for entry in entries(tmp_path)] == ["3", "4", "5"]


def test_no_cache_where_none_is_wanted_or_possible(
    pack: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_NO_CACHE", "1")
    assert run("validate", str(pack)).code == 0
    assert entries(tmp_path) == []
    monkeypatch.delenv("RULEWRIGHT_NO_CACHE")
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file" / "cache"))
    assert run("validate", str(pack)).code == 0


def test_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == "/somewhere/rulewright"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert cache_folder() == "/home/me/.cache/rulewright"


def test_a_warm_run_imports_little(pack: Path) -> None:
    code = (
        "import sys\nfrom rulewright.tools.cli import run\n"
        f"code = run(['validate', {str(pack)!r}])\n"
        "heavy = {'lark', 'yaml', 'jsonschema', 'rich', 'importlib.metadata'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else code)"
    )
    command = [sys.executable, "-c", code]
    subprocess.run(command, cwd=ROOT, capture_output=True)
    second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (second.returncode, second.stderr) == (0, "")
