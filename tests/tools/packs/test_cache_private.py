"""The cache folder is private, bounded, and cleaned up; files of other users are not used."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from rulewright.interpreter import cache as cache_bound
from rulewright.interpreter import cache as store
from rulewright.interpreter.cache import (
    COMPILERS,
    FINDINGS,
    OLD_SECONDS,
    PART,
    TABLES,
    cache_folder,
    private,
    read_own,
    tidy,
    write_own,
)
from rulewright.ruleset.source.pack_files import read_pack
from rulewright.tools.packs import findings_cache as cache
from tests.tools.harness import Run


def test_a_folder_of_ours_alone_is_private(tmp_path: Path) -> None:
    place = tmp_path / "own"
    place.mkdir(mode=0o700)
    assert private(str(place))
    assert not private(str(tmp_path / "missing"))


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_write_to_is_not(tmp_path: Path, mode: int) -> None:
    place = tmp_path / "open"
    place.mkdir()
    place.chmod(mode)
    assert not private(str(place))


def test_a_link_is_not(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "own")
    assert not private(str(tmp_path / "link"))


def test_what_others_may_read_is_made_private(tmp_path: Path) -> None:
    place = tmp_path / "read"
    place.mkdir()
    place.chmod(0o755)
    assert private(str(place))
    assert place.stat().st_mode & 0o777 == 0o700


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@as_root
def test_a_folder_of_another_user_is_not(tmp_path: Path) -> None:
    place = tmp_path / "theirs"
    place.mkdir(mode=0o700)
    os.chown(place, 12345, 12345)
    assert not private(str(place))


def test_validating_leaves_an_open_folder_alone(run: Run, pack: Path) -> None:
    """The folder is made for its user alone; once others can write to it, no findings are kept in it."""
    place = Path(os.environ["RULEWRIGHT_CACHE"])
    assert run("validate", str(pack)).code == 0
    assert place.stat().st_mode & 0o777 == 0o700
    (kept,) = place.glob("*.findings")
    kept.unlink()
    place.chmod(0o777)
    assert run("validate", str(pack)).code == 0
    assert not [*place.glob("*.findings")]


# ------------------------------------------------------------------ files

@pytest.fixture
def folder() -> Path:
    """The cache folder, with one for libraries."""
    place = Path(os.environ["RULEWRIGHT_CACHE"])
    (place / "native").mkdir(parents=True)
    return place


FORGED = {
    "a link": lambda file: file.symlink_to(file.rename(file.with_name("moved"))),
    "writable by others": lambda file: file.chmod(0o602),
    "a FIFO": lambda file: (file.unlink(), os.mkfifo(file)),
    "of another user": lambda file: os.chown(file, 12345, 12345),
}


HOW = [pytest.param(each, marks=as_root if "user" in each else ()) for each in FORGED]


@pytest.mark.parametrize("how", ["", *HOW])
def test_findings_that_others_could_have_written_are_not_read(pack: Path, how: str) -> None:
    """A forged entry says that a faulty pack has no findings, with a right checksum."""
    (pack / "pack.yaml").write_text("pack: sealed\nunknown: 1\n", "utf-8")
    files = read_pack(pack)
    key = cache.key_of([files])
    cache.store(key, cache.CachedFindings("sealed", (), {}))
    place = Path(cache_folder() or "")
    assert cache.fetch(key, [files]) is not None
    if how:
        FORGED[how](place / f"{key}{FINDINGS}")
    assert (cache.fetch(key, [files]) is None) == bool(how)


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path: Path) -> None:
    """The bound is the most that is read. Nothing waits for a FIFO."""
    write_own(str(tmp_path / "entry"), b"1234")
    assert read_own(str(tmp_path / "entry"), 4) == b"1234"
    os.mkfifo(tmp_path / "fifo", 0o600)
    for name, most in (("entry", 3), ("fifo", 100)):
        with pytest.raises(OSError, match="not a regular file, or too large"):
            read_own(str(tmp_path / name), most)


@pytest.mark.parametrize("linked", ["", "native"])
def test_no_link_is_followed_to_libraries(
    folder: Path, tmp_path: Path, linked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.usable() == str(folder / "native")
    (folder / "native" / store.file_name("0" * 32, b"library")).write_bytes(b"library")
    monkeypatch.setattr(store, "opened", lambda path, _: path)
    assert store.fetch("0" * 32) is not None
    folder = folder / linked
    folder.rename(tmp_path / "real")
    folder.symlink_to(tmp_path / "real")
    with pytest.raises(store.StoreError, match=f"{folder}: it is a link"):
        store.usable()
    assert store.fetch("0" * 32) is None


def test_libraries_of_a_folder_that_others_write_to_are_not_used(folder: Path) -> None:
    """Whoever can write to the folder around them can put another folder there."""
    folder.chmod(0o777)
    with pytest.raises(store.StoreError, match="others can write to it"):
        store.usable()


def test_names_of_parts_cannot_be_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made anew (O_EXCL), for this user alone, and nothing of them is left when writing fails."""
    made = []
    real = os.open

    def opened(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        if flags & os.O_CREAT:
            made.append((Path(path).name, flags & os.O_EXCL, mode))
        return real(path, flags, mode, **more)

    monkeypatch.setattr(os, "open", opened)
    for _ in range(2):
        write_own(str(tmp_path / "entry"), b"all of it")
    assert read_own(str(tmp_path / "entry"), 100) == b"all of it"
    assert [(flag, mode) for _, flag, mode in made] == [(os.O_EXCL, 0o600)] * 2
    assert made[0][0] != made[1][0] and all(name.startswith(PART) for name, _, _ in made)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_own(str(tmp_path / "folder"), b"x")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["entry", "folder", "here"]


# ------------------------------------------------------------------ bounds and left-overs

NOW = 2_000_000_000.0


def put(file: Path, size: int, used: float) -> Path:
    file.write_bytes(bytes(size))
    os.utime(file, (used, used))
    return file


def test_all_sorts_of_files_share_one_bound_of_bytes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """1,000,000 bytes hold three of these files of 300,000 bytes: those used last, whatever their sort."""
    monkeypatch.setenv(cache_bound.VARIABLE, "1")
    names = [f"a{FINDINGS}", f"native/b{store.SUFFIX}", f"c{TABLES}", f"d{COMPILERS}", f"e{FINDINGS}"]
    files = [put(folder / name, 300_000, NOW + number) for number, name in enumerate(names)]
    other = put(folder / "of somebody.txt", 5_000_000, 1)
    tidy(str(folder), NOW)
    assert [file.exists() for file in files] == [False, False, True, True, True]
    assert other.exists()  # who gives a folder that has other files in it keeps these
    tidy(str(folder), NOW, str(files[2]))
    monkeypatch.setenv(cache_bound.VARIABLE, "0")
    tidy(str(folder), NOW, str(files[2]))
    assert [file.exists() for file in files] == [False, False, True, False, False]


def test_without_a_number_there_is_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in ("", "many", "-1", "1e9", "²"):
        monkeypatch.setenv(cache_bound.VARIABLE, said)
        assert cache_bound.most_bytes() == 256_000_000


def test_findings_that_are_used_are_young(pack: Path) -> None:
    files = read_pack(pack)
    key = cache.key_of([files])
    cache.store(key, cache.CachedFindings("sealed", (), {}))
    place = Path(cache_folder() or "")
    os.utime(place / f"{key}{FINDINGS}", (1, 1))
    assert cache.fetch(key, [files]) is not None
    assert (place / f"{key}{FINDINGS}").stat().st_mtime > 1


def left_over(folder: Path, name: str, size: int, age: float, within: str = "native") -> Path:
    place = folder / within / name
    place.mkdir()
    (place / store.BUILT).write_bytes(bytes(size))
    os.utime(place, (NOW - age, NOW - age))
    return place


def test_left_overs_are_removed(folder: Path, tmp_path: Path) -> None:
    killed = left_over(folder, f"{store.MAKING}{'1' * 32}-x", 10, OLD_SECONDS + 1)
    busy = left_over(folder, f"{store.MAKING}{'2' * 32}-x", 10, OLD_SECONDS - 1)
    future = left_over(folder, f"{store.MAKING}{'4' * 32}-x", 10, -OLD_SECONDS - 1)
    parts = [put(folder / f"{PART}{age}", 5, NOW - age) for age in (OLD_SECONDS - 1, OLD_SECONDS + 1)]
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").touch()
    link = folder / "native" / f"{store.MAKING}{'5' * 32}-x"
    link.symlink_to(tmp_path / "outside")
    os.utime(link, (1, 1), follow_symlinks=False)
    tidy(str(folder), NOW)
    assert [each.exists() for each in (killed, busy, future)] == [False, True, False]
    assert [each.exists() for each in parts] == [True, False]
    assert not link.is_symlink() and (tmp_path / "outside" / "file").exists()


def test_left_overs_in_the_folder_itself_are_removed(folder: Path) -> None:
    """Nothing of ours builds there, but whatever is called so counts, and does not stay for ever."""
    names = [f"{store.MAKING}{digit * 32}-x" for digit in "1234"]
    killed = left_over(folder, names[0], 10, OLD_SECONDS + 1, within="")
    busy = left_over(folder, names[1], 30, OLD_SECONDS - 1, within="")
    file = put(folder / names[3], 5, NOW - OLD_SECONDS - 1)
    assert cache_bound.contents(str(folder)).size == 45
    tidy(str(folder), NOW)
    assert [each.exists() for each in (killed, busy, file)] == [False, True, False]


def test_left_overs_count_among_the_bytes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_bound.VARIABLE, "1")
    file = put(folder / f"a{FINDINGS}", 300_000, NOW)
    left_over(folder, f"{store.MAKING}{'1' * 32}-x", 600_000, 0)
    tidy(str(folder), NOW)
    assert file.exists()
    left_over(folder, f"{store.MAKING}{'2' * 32}-x", 200_000, 0)
    tidy(str(folder), NOW)
    assert not file.exists()


def test_findings_clean_up(run: Run, pack: Path, folder: Path) -> None:
    """Also where nothing is ever built: keeping findings is enough."""
    left = left_over(folder, f"{store.MAKING}{'1' * 32}-x", 10, NOW - 1)
    assert run("validate", str(pack)).code == 0
    assert not left.exists()


# ------------------------------------------------------------------ doctor

@pytest.mark.usefixtures("no_machine_code")
def test_doctor_tells_of_the_cache(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    put(folder / f"a{FINDINGS}", 300_000, now)
    put(folder / "native" / f"b{store.SUFFIX}", 1_000_000, now)
    os.utime(left_over(folder, f"{store.MAKING}{'1' * 32}-x", 200_000, 0), (now, now))
    told = json.loads(run("doctor", "--json").out)["cache"]
    assert told == {
        "folder": str(folder),
        "writable": True,
        "private": True,
        "reason": None,
        "entries": 1,
        "libraries": 1,
        "left_over": 1,
        "bytes": 1_500_000,
        "most_bytes": 256_000_000,
    }
    line = "private, 1 entry, 1 library, 1 unfinished file, 1.5 MB of 256 MB\n"
    assert f": {line}" in run("doctor").out
    monkeypatch.setenv(cache_bound.VARIABLE, "lots")
    folder.chmod(0o777)
    ran = run("doctor", "--json")
    assert ran.code == 1
    reason = "others can write to it (chmod 700 repairs that)"
    assert json.loads(ran.out)["faults"] == [
        "RULEWRIGHT_CACHE_MB is not a number of megabytes; 256 is used instead",
        f"the cache folder {folder} is not used: {reason}; RULEWRIGHT_CACHE sets another one",
    ]
    assert f": not used ({reason}), 1 entry" in run("doctor").out
