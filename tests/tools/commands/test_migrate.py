"""`rulewright migrate`: exact texts before and after, its output, and files left unchanged.

`migrations/before` and `after` hold the same packs in two formats, with comments in awkward places. They were
written by hand: what `after` says is what an author would have done.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.ruleset.pipeline import load
from rulewright.ruleset.source.format_upgrade import CURRENT, OLDEST
from rulewright.ruleset.source.reader import read
from rulewright.tools.migrations import MIGRATIONS, MigrationOutcome, migrated
from tests.tools.harness import ROOT, Run

CASES = Path(__file__).parents[1] / "migrations"
PACKS = sorted(pack.name for pack in (CASES / "before").iterdir())
BOM = "\ufeff".encode()


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def put(root: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def test_there_is_a_step_to_every_format() -> None:
    assert [*MIGRATIONS] == list(range(OLDEST, CURRENT))


# ------------------------------------------------------------------ to the byte

@pytest.mark.parametrize(("mark", "eol"), [(b"", b"\n"), (b"", b"\r\n"), (BOM, b"\r\n")])
@pytest.mark.parametrize("name", PACKS)
def test_a_pack(name: str, mark: bytes, eol: bytes, tmp_path: Path, run: Run) -> None:
    """Every file becomes what it should be, line ends and all; and a second time nothing is left to do."""
    def written(data: bytes) -> bytes:
        return mark + data.replace(b"\n", eol)

    put(tmp_path / "pack", {file: written(data) for file, data in contents(CASES / "before" / name).items()})
    ran = run("migrate", str(tmp_path / "pack"))
    assert ran.code == 0, ran.out + ran.err
    after = {file: written(data) for file, data in contents(CASES / "after" / name).items()}
    assert contents(tmp_path / "pack") == after
    again = run("migrate", str(tmp_path / "pack"))
    assert (again.code, again.out.endswith(f"already in format {CURRENT}; nothing to do\n")) == (0, True)
    assert contents(tmp_path / "pack") == after


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_is_old_and_then_sound(name: str) -> None:
    """Before, the only finding is that it is old; afterwards there is none."""
    assert [finding.code for finding in load(CASES / "before" / name).findings] == ["RW640"]
    assert load(CASES / "after" / name).findings == ()


# ------------------------------------------------------------------ what it tells

def copied(tmp_path: Path, name: str = "blocks") -> Path:
    shutil.copytree(CASES / "before" / name, tmp_path / "here" / "dusk")
    return tmp_path / "here" / "dusk"


TOLD = [
    "dusk/pack.yaml:1: format 2 became format 3",
    "dusk/state.yaml:1: the scope lamp became lamp card",
    "dusk/state.yaml:3: the scope lamp became lamp card",
]


def test_it_tells_what_it_did_and_check_only_tells(tmp_path: Path, run: Run) -> None:
    pack = copied(tmp_path, "braces")
    before = contents(pack)
    ran = run("migrate", "dusk", "--check")
    assert ran.out.splitlines() == [*TOLD, "dusk: 2 files would be rewritten; nothing was written"]
    assert ran.code == 1 and contents(pack) == before
    ran = run("migrate", "dusk")
    assert ran.out.splitlines() == [*TOLD, "dusk: 2 files rewritten; the pack is now in format 3"]
    assert run("migrate", "dusk", "--check").code == 0


def test_the_pack_around_and_all_of_a_folder(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    copied(tmp_path)
    shutil.copytree(CASES / "before" / "braces", tmp_path / "here" / "dawn")
    assert run("migrate", ".", "--check").out.count("nothing was written") == 2
    monkeypatch.chdir(tmp_path / "here" / "dawn")
    assert run("migrate").out.splitlines()[-1] == "dawn: 2 files rewritten; the pack is now in format 3"
    monkeypatch.chdir(tmp_path)
    assert "missing PACK" in run("migrate").err
    assert run("migrate").code == 2


def test_formats_that_there_are(tmp_path: Path, run: Run) -> None:
    copied(tmp_path)
    assert run("migrate", "dusk", "--to", "2").out == "dusk: already in format 2; nothing to do\n"
    for unknown in ("1", "4"):
        assert f"unknown format {unknown}; this version" in run("migrate", "dusk", "--to", unknown).err
    assert run("migrate", "dusk").code == 0
    assert "cannot be converted to the older format 2" in run("migrate", "dusk", "--to", "2").err


@pytest.mark.parametrize(
    ("number", "code", "hint"),
    [
        (4, "RW641", "install a newer version of rulewright"),
        (1, "RW642", "convert it first with `rulewright migrate` of an earlier version, which reads format 1"),
    ],
)
def test_formats_that_are_not_read(number: int, code: str, hint: str, tmp_path: Path, run: Run) -> None:
    text = f"pack: dusk\nformat: {number}\nplayers: 2\nstate: {{}}\nmoods: [sleepy]\n"
    put(tmp_path / "here" / "dusk", {"pack.yaml": text.encode()})
    ran = run("migrate", "dusk")
    assert ran.code == 1
    assert ran.out.startswith(f"dusk/pack.yaml:2: this pack uses format {number}; this version of rulewright ")
    assert ran.out.endswith(f"; {hint}\n")
    checked = run("validate", "dusk", "--format", "concise")
    assert re.findall(r"RW\d+", checked.out) == [code]


def test_shipped_packs_are_of_today_and_left_alone(run: Run) -> None:
    ran = run("migrate", "tutorial")
    assert (ran.code, "is an installed pack" in ran.err) == (2, True)
    roots = [*sorted((ROOT / "content").iterdir()), ROOT / "tools" / "starter"]
    for root in (root for root in roots if (root / "pack.yaml").is_file()):
        assert run("migrate", str(root), "--check").code == 0, root


# ------------------------------------------------------------------ what it leaves alone

HEAD = "pack: dusk\nversion: 0.1.0\nformat: 2\nplayers: 2\nkinds:\n  lamp: {}\n"


SAFELY = "a scope is written in a way that cannot be changed safely: write each without an anchor or alias"
TWICE = "cannot be read; fix this first: the key `oil` appears twice; only one of its values could count"
LAMPS = "components:\n  lamps: {kind: lamp}\n"


@pytest.mark.parametrize(
    ("sections", "line", "said"),
    [
        ("components:\n  lamps: {kind: &lamp lamp}\ntracks:\n  oil: {scope: *lamp}\n", 8, SAFELY),
        (LAMPS + "zones:\n  heap: &all {scope: lamp}\ntracks:\n  oil: *all\n", 10, SAFELY),
        (LAMPS + "tracks:\n  oil: {scope: lamp}\n  oil: number\n", 11, TWICE),
        ("tracks:\n  oil: {scope: lamp\n", 8, "cannot be read; fix this first: "),
    ],
)
def test_refusals(sections: str, line: int, said: str, tmp_path: Path, run: Run) -> None:
    """What cannot be changed safely is named with its place, and no file changes."""
    files = {"pack.yaml": (HEAD + sections).encode(), "more.yaml": b"lists: {lit-by: {scope: lamp, of: player}}\n"}
    put(tmp_path / "here" / "dusk", files)
    ran = run("migrate", "dusk")
    assert ran.code == 1
    told = ran.out.splitlines()
    assert len(told) == 2 and told[0].startswith(f"dusk/pack.yaml:{line}: {said}"), ran.out
    assert told[1] == "dusk: nothing was written; fix the problems above first"
    assert contents(tmp_path / "here" / "dusk") == files


def test_what_is_wrong_besides_stays_so(tmp_path: Path, run: Run) -> None:
    """Other findings do not hinder a migration, even those of entries that change; it adds none."""
    pack = copied(tmp_path)
    text = (pack / "pack.yaml").read_text("utf-8").replace("of: player\n    scope", "of: plaer\n    scope")
    (pack / "pack.yaml").write_text(text.replace("turns: number", "turns: numbr"), "utf-8")
    before = load(Path("dusk")).findings
    assert run("migrate", "dusk").code == 0
    after = load(Path("dusk")).findings
    assert sorted(one.code for one in before) == sorted(["RW640", *(one.code for one in after)])
    assert len(after) >= 2


def test_a_new_finding_hinders(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a migration to break a pack, nothing of it would be written."""
    pack = copied(tmp_path)
    before = contents(pack)

    def breaking(texts: dict[str, str], start: int, end: int) -> MigrationOutcome:
        out = migrated(texts, start, end)
        return evolve(out, texts={path: text.replace("fame[red]", "fane[red]") for path, text in out.texts.items()})

    monkeypatch.setattr("rulewright.tools.commands.migrate.migrated", breaking)
    ran = run("migrate", "dusk")
    assert ran.code == 1
    why = "the result would have a new finding: dusk/pack.yaml:42: nothing is called `fane` here"
    assert ran.out.splitlines()[-1] == f"dusk: nothing was written, because {why}"
    assert contents(pack) == before


def test_files_that_are_no_text(tmp_path: Path, run: Run) -> None:
    pack = copied(tmp_path)
    put(pack, {"more.yaml": b"messages: {late: caf\xe9}\n"})
    before = contents(pack)
    ran = run("migrate", "dusk")
    assert (ran.code, ran.out) == (1, "dusk/more.yaml:1: this file is not UTF-8; save it as UTF-8\n")
    assert contents(pack) == before


def test_all_files_or_none(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a file cannot be replaced, those before it become again what they were."""
    pack = copied(tmp_path, "braces")
    before = contents(pack)
    replace = os.replace

    def failing(source: str | Path, target: str | Path) -> None:
        if Path(target).name == "state.yaml":
            raise PermissionError(13, "Permission denied", str(target))
        replace(source, target)

    monkeypatch.setattr("rulewright.tools.packs.rewriting.os.replace", failing)
    ran = run("migrate", "dusk")
    assert (ran.code, "state.yaml: Permission denied; nothing was changed" in ran.err) == (2, True)
    assert contents(pack) == before


def test_modes_and_links_stay(tmp_path: Path, run: Run) -> None:
    pack = copied(tmp_path, "braces")
    (pack / "rules").mkdir()
    (pack / "state.yaml").rename(pack / "rules" / "state.txt")
    (pack / "state.yaml").symlink_to("rules/state.txt")
    (pack / "pack.yaml").chmod(0o640)
    assert run("migrate", "dusk").code == 0
    assert (pack / "state.yaml").is_symlink()
    after = (CASES / "after" / "braces" / "state.yaml").read_bytes()
    assert (pack / "rules" / "state.txt").read_bytes() == after
    assert (pack / "pack.yaml").stat().st_mode & 0o777 == 0o640


# ------------------------------------------------------------------ any pack at all

BODIES = {
    "tracks": ("{scope: lamp}", "number", "\n  scope: [player, lamp]", "{ scope: lamp, name: {en: x} }"),
    "lists": ("{of: player}", "{of: player, scope: lamp}", "\n  scope: lamp\n  of: player"),
    "messages": ("{en: Text}", '"a # in quotes"', "|\n  scope: a lamp\n    # text\n"),
}
"""What may stand in a section, as it is written below column 1."""


@st.composite
def packs(draw: st.DrawFn) -> str:
    """A pack with comments and gaps wherever they may be."""
    def gap(*columns: int) -> list[str]:
        some = draw(st.lists(st.sampled_from(["", *columns]), max_size=3))
        return ["" if one == "" else " " * int(one) + "# scope: lamp" for one in some]

    def behind() -> str:
        return "   # {scope: lamp}" if draw(st.integers(0, 3)) == 0 else ""

    lines = ["pack: dusk", "version: 1.0.0", "format: 2" + behind(), "players: 2"]
    names = iter(f"name-{number}" for number in range(100))
    for section in draw(st.permutations([*BODIES]))[: draw(st.integers(1, 3))]:
        column = draw(st.sampled_from([1, 2, 4]))
        lines += [*gap(0), f"{section}:{behind()}"]
        for _ in range(draw(st.integers(1, 3))):
            first, *rest = f"{next(names)}: {draw(st.sampled_from(BODIES[section]))}".split("\n")
            comment = "" if first.endswith("|") else behind()
            lines += [*gap(0, column), " " * column + first.rstrip() + comment]
            lines += [" " * column + line if line else "" for line in rest]
    lines += ["---", *gap(0), "lists:" + behind(), f"   {next(names)}: {{of: player, scope: lamp}}" + behind()]
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    text = eol.join(lines) + (eol if draw(st.booleans()) else "")
    return ("\ufeff" if draw(st.booleans()) else "") + text


@pytest.mark.slow
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(packs())
def test_comments_and_all_other_bytes_survive(text: str) -> None:
    """Only scopes and the format change, which is what a search in the text does to these packs."""
    outcome = migrated({"pack.yaml": text}, OLDEST, CURRENT)
    assert outcome.refused == ()
    expected = re.sub(r"^([^#\n]*scope: (?:\[player, )?lamp)\b", r"\1 card", text, flags=re.MULTILINE)
    after = outcome.texts["pack.yaml"]
    assert after == expected.replace("format: 2", "format: 3")
    assert read("pack.yaml", after).diagnostics == ()


# ------------------------------------------------------------------ house rules in format 2

CHANGES = """\
pack: brighter
version: 0.1.0
format: 2
extends: {dusk: "*"}
---
change: track/oil
set: {scope: {was: lamp, to: [player, lamp]}}   # of each player's lamps
---
change: track/wicks
add:
  scope: [lamp]
remove: {scope: ["lamp"]}
---
change: list/lit-by
set: {scope: lamp, of: player}
---
change: zone/heap
set: {scope: lamp}
---
change: pack/dusk
add: {tracks: {soot: {scope: lamp}}}
"""


def test_scopes_in_changes() -> None:
    """Changes of tracks and lists say `lamp card`, also of the old value; zones stay as they are."""
    expected = CHANGES
    for before, after in (
        ("format: 2", "format: 3"),
        ("was: lamp, to: [player, lamp]", "was: lamp card, to: [player, lamp card]"),
        ("  scope: [lamp]", "  scope: [lamp card]"),
        ('["lamp"]', "[lamp card]"),
        ("{scope: lamp, of", "{scope: lamp card, of"),
        ("soot: {scope: lamp}", "soot: {scope: lamp card}"),
    ):
        assert expected.count(before) == 1
        expected = expected.replace(before, after)
    outcome = migrated({"pack.yaml": CHANGES}, OLDEST, CURRENT)
    assert not outcome.refused
    assert outcome.texts["pack.yaml"] == expected
