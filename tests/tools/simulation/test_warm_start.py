"""Short simulations from the cache: the same words as without it, and never what does not hold any more."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.backends.native.compiler import library, toolchain
from interpreter.backends.native.compiler.library import BuildError
from interpreter.cache import bound as cache_bound
from interpreter.cache import folder as cache_folder
from interpreter.cache import library_store as store
from ruleset.source import pack_files as files
from tests.tools.harness import ROOT, Run
from tools import main as start
from tools import own_files
from tools.commands import simulate
from tools.packs import discovery as finding
from tools.simulation.execution import local as workers
from tools.simulation.warm import keep as tables_keep
from tools.simulation.warm import records as tables
from tools.simulation.warm import run as quick
from tools.simulation.warm.run import asked

pytestmark = pytest.mark.skipif(
    not (shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")), reason="there is no compiler here"
)
PACKS = ("coup", "tutorial")
RULES = "eight-coins"
STALL = ROOT / "tests" / "docs" / "stall"

Quickly = Callable[..., str | None]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Libraries that an earlier test has built: it takes a second for each."""
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(autouse=True)
def compilers(tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("RULEWRIGHT_CC", raising=False)
    monkeypatch.setattr(library, "_LOADED", {})
    monkeypatch.setattr(tables, "own_state", lambda: "ours")  # somebody may be working on it meanwhile
    monkeypatch.setattr(quick, "SECONDS", 600.0)  # a slow machine is as good as any
    monkeypatch.setattr(quick, "MOST_SECONDS", 600.0)
    native = tmp_path / "cache" / "native"
    native.mkdir(mode=0o700, parents=True)
    for file in shared.iterdir():
        shutil.copy(file, native)
    yield
    for file in native.glob(f"*{store.SUFFIX}"):
        shutil.copy(file, shared)


@pytest.fixture
def quickly(capsys: pytest.CaptureFixture[str]) -> Quickly:
    """What is printed; None where nothing is known."""

    def printed(*arguments: str) -> str | None:
        capsys.readouterr()
        code = start.quickly(["simulate", *arguments])
        out, err = capsys.readouterr()
        assert err == ""
        assert code == (0 if out else None)
        return out or None

    return printed


def built() -> None:
    """Waits until the machine code is there that a run has left to be built."""
    place = Path(store.usable())
    for _ in range(6000):
        if all((each / store.WHOLE).exists() for each in place.glob(f"{store.MAKING}*")):
            return
        time.sleep(0.01)
    raise AssertionError("it was not built")


def told(out: str | None) -> str:
    """What was printed, without how long it took and what played."""
    assert out is not None
    out = re.sub(r'"(seconds|games_per_second|decisions_per_second)": [0-9.e+-]+', r'"\1": 0', out)
    out = re.sub(r'"backend": "\w+"', '"backend": ""', out)
    return re.sub(r"in [0-9.,]+ s on \w+: [0-9,]+ games/s", "in no time", out)


@pytest.fixture
def stall(tmp_path: Path) -> Path:
    """A copy of a little pack, a table of which has been played."""
    folder = tmp_path / "stall"
    shutil.copytree(STALL, folder)
    return folder


def known(run: Run, *arguments: str) -> None:
    assert run("simulate", *arguments, "-n", "1").code == 0
    built()


# ------------------------------------------------------------------ the same words


@pytest.mark.parametrize("name", PACKS)
def test_what_is_printed_is_the_same(name: str, run: Run, quickly: Quickly) -> None:
    known(run, name)
    for more in ((), ("--json",), ("--seed", "7", "-n", "20"), ("--games=1", "--seed=18446744073709551615")):
        out = quickly(name, *more)
        assert told(out) == told(run("simulate", name, *more, "--backend", "python").out)
    assert '"backend": "native"' in (quickly(name, "--json") or "")


def test_tables_are_told_apart(run: Run, quickly: Quickly) -> None:
    tables_of_stall = (
        (),
        ("--players", "3"),
        ("--option", "mode=rich"),
        ("--option", "mode=rich", "--players", "2"),
    )
    for more in tables_of_stall:
        assert quickly(str(STALL), *more) is None
        known(run, str(STALL), *more)
    for more in tables_of_stall:
        assert told(quickly(str(STALL), *more)) == told(run("simulate", str(STALL), *more).out)


def test_packs_on_top_of_others(run: Run, quickly: Quickly) -> None:
    known(run, "coup", "--with", RULES)
    out = told(quickly("coup", "--with", RULES))
    assert out == told(run("simulate", f"coup+{RULES}").out)
    assert out == told(quickly(f"coup+{RULES}"))
    assert quickly("coup") is None


def test_the_lines_are_as_wide_as_the_terminal(run: Run, quickly: Quickly, monkeypatch: pytest.MonkeyPatch) -> None:
    known(run, str(STALL))
    for width in ("40", "60", "200"):
        monkeypatch.setenv("COLUMNS", width)
        out = quickly(str(STALL)) or ""
        # The second line is as long as the number of games in a second.
        assert out.partition("decisions")[2] == run("simulate", str(STALL)).out.partition("decisions")[2]
        assert max(map(len, out.splitlines())) <= int(width)


# ------------------------------------------------------------------ what is asked for


def test_arguments_that_are_plain() -> None:
    plain = asked(["--json", "--seed", "3", "coin", "-n", "5", "--option", "a=b", "--players=4", "--with", "x"])
    assert plain is not None
    assert (plain.pack, plain.options, plain.as_json) == ("coin+x", ["a=b"], True)
    assert plain.numbers == {"games": 5, "seed": 3, "players": 4}


@pytest.mark.parametrize(
    "arguments",
    [
        "", "one two", "one -n", "one -n 0", "one -n x", "one -n -1", "one -n5", "one -n=5", "one --players 2-3",
        "one --players", "one --seed 18446744073709551616", "one --seed ٣", "one --usage", "one --versus two",
        "one --every-option", "one --jobs 2", "one --seats random,random", "one --backend python", "one --help",
        "one --out x.csv", "one --unknown", "one -h", "one --json=1", "one -- two", "one -n 100001", "one -",
    ],
)  # fmt: skip
def test_all_others_are_left_to_the_command_line(arguments: str) -> None:
    assert asked(arguments.split()) is None


def test_other_commands_are_left_to_the_command_line() -> None:
    assert start.quickly([]) is None
    assert start.quickly(["validate"]) is None


# ------------------------------------------------------------------ what does not hold any more


def edited(stall: Path) -> None:
    file = next(file for file in stall.rglob("*.yaml") if b"ruby" in file.read_bytes())
    file.write_bytes(file.read_bytes() + b"\n# another ending\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file is edited": edited,
    "a file more": lambda stall: (stall / "more.yaml").write_text("# nothing\n", "utf-8"),
    "a file is renamed": lambda stall: (stall / "pack.yaml").rename(stall / "others.yaml"),
    "a folder more": lambda stall: (
        (stall / "a" / "b").mkdir(parents=True),
        (stall / "a" / "b" / "c.yaml").touch(),
    ),
    "a link": lambda stall: (stall / "link.yaml").symlink_to(stall / "pack.yaml"),
    "gone": shutil.rmtree,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_pack_that_changed_is_read_again(change: str, stall: Path, run: Run, quickly: Quickly) -> None:
    known(run, str(stall))
    assert quickly(str(stall)) is not None
    CHANGES[change](stall)
    assert quickly(str(stall)) is None


def test_scenarios_and_other_files_change_nothing(stall: Path, run: Run, quickly: Quickly) -> None:
    known(run, str(stall))
    (stall / "notes.txt").write_text("nothing", "utf-8")
    (stall / "scenarios").mkdir(exist_ok=True)
    (stall / "scenarios" / "more.yaml").write_text("scenario: nothing\n", "utf-8")
    assert quickly(str(stall)) is not None


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return tmp_path / "here"


NEARER: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "a folder of that name": lambda here, _: (here / "coup").mkdir(),
    "a pack beside": lambda here, _: shutil.copytree(STALL, here / "stall"),
    "a pack around": lambda here, _: (here.parent / "pack.yaml").write_text("pack: around\n", "utf-8"),
    "a folder of packs": lambda here, patch: patch.setenv("RULEWRIGHT_PACKS", str(here)),
    "packs of the user": lambda here, _: shutil.copytree(
        STALL, here.parent / "data" / "rulewright" / "packs" / "x"
    ),
    "another place": lambda here, patch: ((here / "inner").mkdir(), patch.chdir(here / "inner")),
    "another compiler": lambda _, patch: patch.setenv("RULEWRIGHT_CC", "none"),
    "no cache": lambda _, patch: patch.setenv("RULEWRIGHT_NO_CACHE", "1"),
    "a package more": lambda here, patch: patch.syspath_prepend(str(here)),
}


@pytest.mark.parametrize("change", NEARER)
def test_a_name_may_come_to_mean_something_else(
    change: str, here: Path, run: Run, quickly: Quickly, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(run, "coup")
    assert quickly("coup") is not None
    (here / "result.txt").write_text("what has nothing to do with it", "utf-8")
    assert quickly("coup") is not None
    NEARER[change](here, monkeypatch)
    assert quickly("coup") is None


def test_packages_that_are_installed_later_are_seen(
    here: Path, run: Run, quickly: Quickly, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = here.parent / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    known(run, "coup")
    assert quickly("coup") is not None
    (site / "packs_of_others-1.0.dist-info").mkdir()
    assert quickly("coup") is None


def test_packs_of_packages_are_looked_up_each_time(
    here: Path, run: Run, quickly: Quickly, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = here.parent / "site"
    metadata = site / "packs_of_others-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Name: packs-of-others\nVersion: 1.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text("[rulewright.packs]\nothers = nowhere\n", "utf-8")
    monkeypatch.syspath_prepend(str(site))
    known(run, "coup")
    assert quickly("coup") is None


OWN = tables.own_state


def test_our_own_code_counts(stall: Path, run: Run, quickly: Quickly, monkeypatch: pytest.MonkeyPatch) -> None:
    known(run, str(stall))
    assert quickly(str(stall)) is not None
    monkeypatch.setattr(tables, "own_state", lambda: "another")
    assert quickly(str(stall)) is None


def test_the_state_of_our_code_is_that_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [*tables._OWN, "interpreter/backends/native", "ruleset/check/statements"]
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "one.py").write_text("", "utf-8")
    monkeypatch.setattr(own_files, "ROOT", str(tmp_path))
    states = [OWN()]
    for folder in folders:
        (tmp_path / folder / "one.py").write_text(folder, "utf-8")
        states.append(OWN())
    (tmp_path / "interpreter" / "more.c").write_text("", "utf-8")
    states.append(OWN())
    (tmp_path / "interpreter" / "more.txt").write_text("", "utf-8")
    (tmp_path / "interpreter" / "__pycache__").mkdir()
    (tmp_path / "interpreter" / "__pycache__" / "one.py").write_text("", "utf-8")
    assert OWN() == states[-1]
    (tmp_path / "ruleset" / "one.py").rename(tmp_path / "ruleset" / "check" / "one.py")
    states.append(OWN())
    assert len(set(states)) == len(folders) + 3


MEANWHILE: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "our code": lambda _, patch: patch.setattr(tables, "own_state", lambda: "another"),
    "a pack nearer": lambda here, _: (here / "coup").mkdir(),
}


@pytest.mark.parametrize("what", MEANWHILE)
def test_what_changes_while_games_are_played_is_seen(
    what: str, here: Path, run: Run, quickly: Quickly, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was played is of before; so what is kept does not hold any more."""
    real = workers.play_all

    def play_all(*given: Any) -> bool:
        MEANWHILE[what](here, monkeypatch)
        return real(*given)

    monkeypatch.setattr(simulate, "play_all", play_all)
    known(run, "coup")
    assert quickly("coup") is None


def test_without_a_cache_nothing_is_built_for_the_next_time(
    stall: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def begin(text: str, _: object) -> None:
        begun.append(text)
        raise BuildError

    monkeypatch.setattr(tables_keep, "begin", begin)
    for times, cache in ((0, "1"), (1, "")):
        monkeypatch.setenv("RULEWRIGHT_NO_CACHE", cache)
        assert run("simulate", str(stall), "-n", "1").code == 0
        assert len(begun) == times


# ------------------------------------------------------------------ damage


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"x" * 99, None])
def test_a_damaged_entry_is_as_good_as_none(
    damage: bytes | None, stall: Path, tmp_path: Path, run: Run, quickly: Quickly
) -> None:
    known(run, str(stall))
    (entry,) = (tmp_path / "cache").glob(f"*{cache_folder.TABLES}")
    whole = entry.read_bytes()
    entry.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:] if damage is None else damage)
    assert quickly(str(stall)) is None
    assert run("simulate", str(stall), "-n", "1").code == 0
    assert entry.read_bytes() == whole


def test_an_entry_of_something_else_is_as_good_as_none(
    stall: Path, tmp_path: Path, run: Run, quickly: Quickly
) -> None:
    import marshal

    known(run, str(stall))
    (entry,) = (tmp_path / "cache").glob(f"*{cache_folder.TABLES}")
    for thing in (None, 7, (), ("", (), ()), (tables.own_state(), (("unknown", "x", "y"),), ())):
        body = marshal.dumps(thing)
        entry.write_bytes(tables._checksum(body) + b"\n" + body)
        assert quickly(str(stall)) is None


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_an_entry_of_somebody_else_is_as_good_as_none(
    stall: Path, tmp_path: Path, run: Run, quickly: Quickly
) -> None:
    known(run, str(stall))
    (entry,) = (tmp_path / "cache").glob(f"*{cache_folder.TABLES}")
    os.chown(entry, 12345, -1)
    assert quickly(str(stall)) is None


def test_without_its_library_nothing_is_played(stall: Path, run: Run, quickly: Quickly) -> None:
    known(run, str(stall))
    assert quickly(str(stall)) is not None
    for file in Path(store.usable()).glob(f"*{store.SUFFIX}"):
        file.unlink()
    assert quickly(str(stall)) is None


def test_long_runs_are_for_all_cores(
    stall: Path, run: Run, quickly: Quickly, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(run, str(stall))
    monkeypatch.setattr(quick, "SECONDS", 0.0)
    assert quickly(str(stall)) is None


def test_a_rule_that_fails_is_told_in_full(stall: Path, run: Run, quickly: Quickly) -> None:
    """Who takes two opals and then a ruby divides by nought; games before the first such one are quick."""
    file = stall / "pack.yaml"
    text = file.read_text("utf-8")
    assert "use: points += 2\n" in text
    file.write_text(text.replace("use: points += 2\n", "use: points += 2 div (points - 2)\n"), "utf-8")
    failed = json.loads(run("simulate", str(stall), "-n", "400", "--json").out)["failed"]
    assert failed[0] > 0
    known(run, str(stall))
    assert told(quickly(str(stall), "-n", str(failed[0]))) == told(
        run("simulate", str(stall), "-n", str(failed[0])).out
    )
    assert quickly(str(stall), "-n", str(failed[0] + 1)) is None


def test_entries_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cache_bound.MOST, cache_folder.TABLES, 3)
    some = tables.Known("coin", "1", 2, (), "key", (), 0, 0, ())
    for number in range(6):
        tables.keep(tables.Question(f"coin-{number}", None, ()), tables.Origin(tables.own_state(), ()), some)
    assert len(list((tmp_path / "cache").glob(f"*{cache_folder.TABLES}"))) == 3
    assert tables.fetch(tables.Question("coin-5", None, ())) is not None


# ------------------------------------------------------------------ how quick it is


HEAVY = ("attr", "attrs", "click", "jsonschema", "lark", "rich", "yaml", "ruleset", "multiprocessing", "subprocess")


def test_nothing_heavy_is_imported(stall: Path, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom tools.main import quickly\ncode = quickly(['simulate', sys.argv[1], '-n', '1'])\n"
        f"heavy = [name for name in {HEAVY} if name in sys.modules]\nprint(code, heavy, file=sys.stderr)\n"
        "if code is None:\n    from tools.cli import run\n    run(['simulate', sys.argv[1], '-n', '1'])\n"
    )
    ends = []
    for _ in range(2):
        command = [sys.executable, "-c", code, str(stall)]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        ends.append(ran.stderr)
        built()
    assert ends == ["None []\n", "0 []\n"]


def test_what_is_said_twice_is_said_alike() -> None:
    assert (tables.PACK_FILES, tables.SUFFIXES) == (files.PACK_FILES, files.SUFFIXES)
    assert (tables.APART,) == files.APART
    assert tables.METADATA == finding._METADATA
    assert tables.MOST_FILES == files.MAX_FILES
    assert os.path.isdir(os.path.join(ROOT, "interpreter", "backends", "native"))
    assert toolchain.VARIABLE in tables.SETTINGS
    assert finding.VARIABLE in tables.SETTINGS
