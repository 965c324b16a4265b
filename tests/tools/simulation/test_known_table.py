"""Short simulations at known tables: the usual output, and no outdated entries."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from rulewright.interpreter import cache as cache_bound
from rulewright.interpreter import cache as store
from rulewright.interpreter.backends.native import library, module
from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.cache import TABLES
from rulewright.ruleset.source.pack_files import read_pack
from rulewright.tools.bench import growth
from rulewright.tools.packs import findings_cache
from rulewright.tools.simulation import known_table, runs
from rulewright.tools.simulation.columns import Columns, CountedTable
from rulewright.tools.simulation.known_table import KnownTable
from tests.tools.harness import ROOT, Run

pytestmark = pytest.mark.skipif(
    not (shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")), reason="there is no compiler here"
)
RULES = "eight-coins"
STALL = ROOT / "tests" / "docs" / "stall"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_CC", raising=False)
    monkeypatch.setattr(library, "_LOADED", {})
    monkeypatch.setattr(known_table, "own_files", lambda *_: [])  # somebody may be working on it meanwhile
    monkeypatch.setattr(known_table, "SECONDS", 600.0)  # a slow machine is as good as any
    monkeypatch.setattr(known_table, "MOST_SECONDS", 600.0)


@pytest.fixture
def stall(tmp_path: Path) -> Path:
    """A copy of a little pack."""
    return Path(shutil.copytree(STALL, tmp_path / "stall"))


Shortly = Callable[..., str | None]


@pytest.fixture
def shortly(run: Run, monkeypatch: pytest.MonkeyPatch) -> Shortly:
    """What is printed where a table is known; None where a pack would have to be compiled."""

    class CompiledError(Exception):
        pass

    def refuse(*_: object) -> NoReturn:
        raise CompiledError

    def printed(*arguments: str) -> str | None:
        with monkeypatch.context() as patch:
            patch.setattr(runs, "simulate", refuse)
            found = run("simulate", *arguments)
        assert found.code == (3 if "CompiledError" in found.err else 0)
        return None if found.code else found.out

    return printed


def know(run: Run, *arguments: str) -> None:
    """Plays at a table, which leaves its library."""
    assert run("simulate", *arguments, "-n", "1").code == 0


def told(out: str | None) -> str:
    """What was printed, without how long it took and what played."""
    assert out is not None
    out = re.sub(r'"(seconds|games_per_second|decisions_per_second)": [0-9.e+-]+', r'"\1": 0', out)
    out = re.sub(r'"backend": "\w+"', '"backend": ""', out)
    return re.sub(r"in [0-9.,]+ s on \w+: [0-9,]+ games/s", "in no time", out)


# ------------------------------------------------------------------ the same words

@pytest.mark.slow
def test_what_is_printed_is_the_same(run: Run, shortly: Shortly) -> None:
    know(run, "coup", "--with", RULES)
    for more in ((), ("--json",), ("--seed", "7", "-n", "20"), ("--games=1", "--seed=18446744073709551615")):
        out = shortly("coup", "--with", RULES, *more)
        assert told(out) == told(run("simulate", f"coup+{RULES}", *more, "--backend", "walker").out)
        assert told(out) == told(shortly(f"coup+{RULES}", *more))
    assert '"backend": "native"' in (shortly("coup", "--with", RULES, "--json") or "")
    assert shortly("coup") is None


@pytest.mark.slow
def test_tables_are_told_apart(stall: Path, run: Run, shortly: Shortly) -> None:
    tables = ((), ("--players", "3"), ("--option", "mode=rich"), ("--option", "mode=rich", "--players", "2"))
    for more in tables:
        assert shortly(str(stall), *more) is None
        know(run, str(stall), *more)
    for more in tables:
        assert told(shortly(str(stall), *more)) == told(run("simulate", str(stall), *more, "--jobs", "1").out)


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        "--players 2-3", "--usage", "--versus coup", "--versus-option mode=rich", "--every-option", "--jobs 2",
        "--seats random,random", "--backend walker", "--out rows.csv", "--games 100001",
    ],
)  # fmt: skip
def test_all_else_is_for_a_run_with_the_pack(more: str, stall: Path, run: Run, shortly: Shortly) -> None:
    know(run, str(stall))
    assert shortly(str(stall)) is not None
    assert shortly(str(stall), *more.split()) is None


def test_scenarios_are_not_read(stall: Path, run: Run, shortly: Shortly) -> None:
    """Games follow the rules alone, whether or not the table is known."""
    folder = stall / "scenarios"
    folder.mkdir(exist_ok=True)
    (folder / "broken.yaml").write_text("scenario: [\n", "utf-8")
    assert run("validate", str(stall)).code == 1
    know(run, str(stall))
    assert run("simulate", str(stall), "-n", "3", "--jobs", "1").code == 0
    (folder / "broken.yaml").write_text("scenario: {\n", "utf-8")
    assert shortly(str(stall)) is not None


def test_long_runs_are_for_all_cores(
    stall: Path, run: Run, shortly: Shortly, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(run, str(stall))
    monkeypatch.setattr(known_table, "SECONDS", 0.0)
    assert shortly(str(stall)) is None


def test_a_rule_that_fails_is_told_in_full(stall: Path, run: Run, shortly: Shortly) -> None:
    """Who takes two opals and then a ruby divides by nought; games before the first such one are played shortly."""
    file = stall / "pack.yaml"
    text = file.read_text("utf-8")
    assert "use: points += 2\n" in text
    file.write_text(text.replace("use: points += 2\n", "use: points += 2 div (points - 2)\n"), "utf-8")
    failed = json.loads(run("simulate", str(stall), "-n", "400", "--json").out)["failed"]
    assert failed[0] > 0
    know(run, str(stall))
    assert told(shortly(str(stall), "-n", str(failed[0]))) == told(
        run("simulate", str(stall), "-n", str(failed[0]), "--jobs", "1").out
    )
    assert shortly(str(stall), "-n", str(failed[0] + 1)) is None


# ------------------------------------------------------------------ what does not hold any more

CHANGES: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "a file of the pack": lambda stall, _: (stall / "more.yaml").write_text("# nothing\n", "utf-8"),
    "another compiler": lambda _, patch: patch.setenv("RULEWRIGHT_CC", "none"),
    "no cache": lambda _, patch: patch.setenv("RULEWRIGHT_NO_CACHE", "1"),
    "our own code": lambda _, patch: patch.setattr(known_table, "own_files", lambda *_: [("more.py", 1, 2)]),
    "the library is gone": lambda *_: [file.unlink() for file in Path(store.usable()).glob(f"*{store.SUFFIX}")],
}


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_seen(
    change: str, stall: Path, run: Run, shortly: Shortly, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(run, str(stall))
    (stall / "notes.txt").write_text("what has nothing to do with it", "utf-8")
    assert shortly(str(stall)) is not None
    CHANGES[change](stall, monkeypatch)
    assert shortly(str(stall)) is None


def test_our_own_code_is_all_that_makes_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for asking in (known_table, findings_cache):
        monkeypatch.setattr(asking, "own_files", lambda *folders: asked.extend(folders) or [])
    known_table.key_of([read_pack(STALL)], None, (), False)
    assert set(asked) == {"ruleset", "interpreter", "tools", "schemas"}


def test_the_state_of_our_code_is_that_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = ["ruleset", "ruleset/check/statements", "interpreter/backends/native", "tools"]
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "one.py").write_text("", "utf-8")
    monkeypatch.setattr(findings_cache, "ROOT", str(tmp_path))

    def state() -> str:
        return repr(findings_cache.own_files("ruleset", "interpreter", "tools"))

    states = [state()]
    for folder in folders:
        (tmp_path / folder / "one.py").write_text(folder, "utf-8")
        states.append(state())
    (tmp_path / "interpreter" / "more.c").write_text("", "utf-8")
    states.append(state())
    (tmp_path / "interpreter" / "more.txt").write_text("", "utf-8")
    (tmp_path / "interpreter" / "__pycache__").mkdir()
    (tmp_path / "interpreter" / "__pycache__" / "one.py").write_text("", "utf-8")
    assert state() == states[-1]
    (tmp_path / "tools" / "one.py").rename(tmp_path / "ruleset" / "check" / "one.py")
    assert len({*states, state()}) == len(folders) + 3


def test_without_a_cache_nothing_is_built_for_the_next_time(
    stall: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def load(text: str, _: object) -> None:
        begun.append(text)
        raise BuildError

    monkeypatch.setattr(runs, "load", load)
    for times, cache in ((0, "1"), (1, "")):
        monkeypatch.setenv("RULEWRIGHT_NO_CACHE", cache)
        assert run("simulate", str(stall), "-n", "1").code == 0
        assert len(begun) == times


# ------------------------------------------------------------------ entries

@pytest.mark.slow
@pytest.mark.parametrize("body", [b"", b"nonsense", b"[]", b"7", b'["key", "stall", "1", [], 2, [7], [], [], []]'])
def test_a_damaged_entry_is_as_good_as_none(
    body: bytes, stall: Path, tmp_path: Path, run: Run, shortly: Shortly
) -> None:
    from rulewright.interpreter.cache import keep_entry

    know(run, str(stall))
    (entry,) = (tmp_path / "cache").glob(f"*{TABLES}")
    whole = entry.read_bytes()
    for damaged in (whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], body):
        entry.write_bytes(damaged)
        assert shortly(str(stall)) is None
    keep_entry(entry.name, body)  # with a right checksum
    assert shortly(str(stall)) is None
    assert run("simulate", str(stall), "-n", "1").code == 0
    assert entry.read_bytes() == whole


def test_entries_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cache_bound.MOST, TABLES, 3)
    some = KnownTable(CountedTable("coin", "1", (("mode", "rich"),), Columns(2, (), (3, 4), (), ())), "key")
    for number in range(6):
        known_table.keep(f"coin-{number}", some)
    assert len(list((tmp_path / "cache").glob(f"*{TABLES}"))) == 3
    assert known_table.fetch("coin-5") == some


# ------------------------------------------------------------------ how quick it is

HEAVY = (
    *("jsonschema", "lark", "rich", "yaml"),
    *(f"rulewright.ruleset.{name}" for name in ("program", "pipeline")),
)


@pytest.mark.slow
def test_nothing_heavy_is_imported(stall: Path, run: Run) -> None:
    code = (
        "import sys\nfrom rulewright.tools.cli import run\nrun(['simulate', sys.argv[1], '-n', '1'])\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)\n"
    )
    said = []
    for _ in range(2):
        command = [sys.executable, "-c", code, str(stall)]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        said.append(ran.stderr)
        know(run, str(stall))
    assert "rulewright.ruleset.pipeline" in said[0] and said[1] == "[]\n"


@pytest.mark.slow
def test_a_table_that_native_code_cannot_play_is_simulated_and_not_noted(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choosing among 3,000 cards takes eight lists of them, and native code may take less of the stack here."""
    monkeypatch.setattr(module, "MOST_STACK", 3_000 * 8 * 4)
    pack = tmp_path / "vast"
    pack.mkdir()
    (pack / "pack.yaml").write_text(growth.choice_among(3000), encoding="utf-8")
    found = run("simulate", str(pack), "-n", "2")
    assert (found.code, found.err) == (0, "")
    assert "2 games" in found.out and "on walker" in found.out
    asked = run("simulate", str(pack), "-n", "2", "--backend", "native")
    assert asked.code == 2 and "KiB of the stack" in asked.err and "omit --backend" in asked.err
