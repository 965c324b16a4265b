"""`rulewright validate`: its findings for each sort of path, and their wording."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.tools.harness import ROOT, Ran, Run

WARNING = "verb: doze(s)\ndo: take 1 #coin\n"


def spoil(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


SHELF = {
    "pack.yaml": "pack: shelf\nplayers: 2\n",
    "kinds.yaml": "kinds: {coin: {}, gem: {fields: {worth: 1 to 9}, effects: {play: {}}}}\n",
    "zones.yaml": "zones: {shelf: {}, hand: {scope: player, seen-by: owner}}\n",
    "tracks.yaml": "tracks: {shine: {scope: player}}\n",
    "verbs.yaml": "verb: take(s) <n>\ndo: move n cards from shelf to hand\n",
    "gems/opal.yaml": "gem: opal\nworth: 3\nplay: take 1\n",
    "gems/ruby.yaml": "gem: ruby\nworth: 5\nplay: take 2 then shine += 1\n",
}


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A pack of several files."""
    for name, text in SHELF.items():
        place = tmp_path / "shelf" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return tmp_path / "shelf"


def told(run: Run, *paths: Path) -> list[tuple[str, str]]:
    """File and code of each finding, and whether the exit code fits."""
    ran = run("validate", "--format", "json", *map(str, paths))
    report = json.loads(ran.out)
    assert ran.code == (1 if report["summary"]["errors"] else 0)
    return [(Path(item["location"]["path"]).name, item["code"]) for item in report["findings"]]


def test_a_clean_pack(run: Run, pack: Path) -> None:
    ran = run("validate", str(pack))
    assert (ran.code, ran.out, ran.err) == (0, "sealed: no findings in 1 file\n", "")


@pytest.mark.slow
def test_the_shipped_packs_are_clean(run: Run) -> None:
    ran = run("validate", "--strict", "--shipped")
    assert ran.code == 0
    names = sorted(path.parent.name for path in (ROOT / "content").glob("*/pack.yaml"))
    told = ran.out.partition(": no findings in ")[0].split(", ")
    assert [name.rpartition("+")[2] for name in told] == names


def test_without_any_pack_here_nothing_is_checked(run: Run) -> None:
    """It checked the shipped packs, and said that all is well."""
    for command in ("validate", "test"):
        ran = run(command)
        assert (ran.code, ran.out) == (2, "")
        assert "no pack found: no pack.yaml in this folder, below it, or above it" in ran.err
        assert "--shipped" in ran.err


def test_without_a_path_the_packs_below_are_checked(run: Run, pack: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    for place in ("games/sealed", ".venv/sealed", "python/lib/sealed", "js/node_modules/sealed"):
        shutil.copytree(pack, here / place)
    (here / "python" / "pyvenv.cfg").touch()
    (here / "games" / "again").symlink_to(here, target_is_directory=True)
    (here / "loop").symlink_to("loop")
    ran = run("validate")
    assert (ran.code, ran.out) == (0, "sealed: no findings in 1 file\n")
    spoil(here / "games" / "sealed" / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    ran = run("validate", "--format", "concise")
    assert (ran.code, ran.out.partition(":")[0]) == (1, "games/sealed/pack.yaml")


@pytest.mark.parametrize("command", [("validate",), ("test",), ("validate", "."), ("test", ".")])
def test_links_to_packs_below_are_named(run: Run, pack: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    here = tmp_path / "here"
    shutil.copytree(pack, here / "games" / "sealed")
    plain = run(*command)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(pack, elsewhere / "lent")
    (here / "games" / "linked").symlink_to(elsewhere / "lent", target_is_directory=True)
    (here / "shelf").symlink_to(elsewhere, target_is_directory=True)
    (here / "same").symlink_to(here / "games" / "sealed", target_is_directory=True)
    (here / "empty").symlink_to(tmp_path / "cache", target_is_directory=True)
    (here / "again").symlink_to(here, target_is_directory=True)
    ran = run(*command)
    assert (ran.code, ran.out) == (0, plain.out)
    assert plain.err == ""
    assert ran.err == "".join(
        f"rulewright: not checked: {name} is a link; to check it, name it on the command line\n"
        for name in ("shelf", "games/linked")
    )


@pytest.mark.parametrize("command", ["validate", "test"])
def test_a_link_to_a_pack_is_checked_where_it_is_named(run: Run, pack: Path, tmp_path: Path, command: str) -> None:
    here = tmp_path / "here"
    shutil.copytree(pack, here / "sealed")
    (here / "linked").symlink_to(pack, target_is_directory=True)
    assert run(command, ".", "linked").err == ""
    shutil.rmtree(here / "sealed")
    ran = run(command)
    assert ran.code == 2
    assert "not checked: linked is a link" in ran.err
    assert "no pack found" in ran.err


def test_test_takes_folders_of_packs(run: Run, tmp_path: Path) -> None:
    for number in (1, 2):
        place = tmp_path / "here" / "games" / f"game-{number}"
        shutil.copytree(ROOT / "content" / "tutorial", place)
        spoil(place / "pack.yaml", "pack: tutorial", f"pack: game-{number}")
    for arguments in ([], ["games"], ["."]):
        ran = run("test", *arguments)
        assert ran.code == 0
        assert [line.partition(":")[0] for line in ran.out.splitlines()] == ["game-1", "game-2"]


def test_a_shipped_pack_by_name(run: Run) -> None:
    assert run("validate", "rattus-cartus").code == 0


def test_the_pack_around_us(run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pack / "cards").mkdir()
    monkeypatch.chdir(pack / "cards")
    spoil(pack / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    ran = run("validate", "--format", "concise")
    assert ran.code == 1
    assert ran.out.startswith("../pack.yaml:")


def test_errors_are_shown_with_their_place_and_counted(run: Run, pack: Path) -> None:
    spoil(pack / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    ran = run("validate", str(pack))
    assert ran.code == 1
    assert "do: mvoe card to bid" in ran.out
    assert "^" in ran.out
    assert ran.out.rstrip().endswith("found 1 error")
    assert "\x1b[" not in ran.out


# ------------------------------------------------------------------ files

def test_the_shelf_is_clean(run: Run, shelf: Path) -> None:
    assert run("validate", str(shelf)).out == "shelf: no findings in 7 files\n"


def test_a_file_reports_what_is_in_it(run: Run, shelf: Path) -> None:
    spoil(shelf / "gems" / "opal.yaml", "take 1", "tkae 1")
    assert told(run, shelf / "gems" / "opal.yaml") == [("opal.yaml", "RW425")]
    assert told(run, shelf / "gems") == [("opal.yaml", "RW425")]
    ran = run("validate", str(shelf / "gems" / "ruby.yaml"))
    assert ran.code == 0
    assert ran.out == f"{shelf / 'gems' / 'ruby.yaml'}: no findings\n1 more error in other files of shelf\n"
    assert told(run, shelf / "gems" / "ruby.yaml", shelf) == [("opal.yaml", "RW425")]


def test_a_label_in_a_file_is_a_cause(run: Run, shelf: Path) -> None:
    (shelf / "z-twice.yaml").write_text("gem: opal\nworth: 1\n", "utf-8")
    ran = run("validate", str(shelf / "gems" / "opal.yaml"), "--format", "json")
    (finding,) = json.loads(ran.out)["findings"]
    assert ran.code == 1
    assert finding["location"]["path"].endswith("z-twice.yaml")
    assert [label["location"]["path"] for label in finding["related"]] == [str(shelf / "gems" / "opal.yaml")]


def test_what_would_be_otherwise_without_a_file_is_caused_by_it(run: Run, shelf: Path) -> None:
    """A field that is gone from its kind: the cards that have it are wrong, and no label leads from them."""
    spoil(shelf / "kinds.yaml", "worth: 1 to 9", "value: 1 to 9")
    found = told(run, shelf / "kinds.yaml")
    assert {name for name, _ in found} == {"opal.yaml", "ruby.yaml"}
    assert found == told(run, shelf)
    assert told(run, shelf / "zones.yaml") == []


def test_what_a_file_does_not_touch_is_not_told(run: Run, shelf: Path) -> None:
    spoil(shelf / "gems" / "opal.yaml", "worth: 3", "worth: 33")
    spoil(shelf / "verbs.yaml", "take(s) <n>", "take(s) <n> from <who player>")
    caused = told(run, shelf / "verbs.yaml")
    assert [name for name, _ in caused] == ["opal.yaml", "ruby.yaml"]
    (own,) = set(told(run, shelf)) - set(caused)
    assert own[0] == "opal.yaml"
    assert told(run, shelf / "zones.yaml") == []


def test_a_name_that_is_gone_is_found_by_checking_all(run: Run, shelf: Path) -> None:
    (shelf / "tracks.yaml").write_text("tracks: {glow: {scope: player}}\n", "utf-8")
    assert [name for name, _ in told(run, shelf)] == ["ruby.yaml"]
    assert told(run, shelf / "tracks.yaml") == []


def test_files_of_several_packs(run: Run, shelf: Path, pack: Path) -> None:
    spoil(shelf / "gems" / "opal.yaml", "take 1", "tkae 1")
    spoil(pack / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    found = told(run, shelf / "gems" / "opal.yaml", pack / "pack.yaml")
    assert sorted(found) == [("opal.yaml", "RW425"), ("pack.yaml", "RW425")]


def test_a_file_that_is_no_rules_is_a_wrong_use(run: Run, shelf: Path) -> None:
    (shelf / "notes.txt").write_text("", "utf-8")
    ran = run("validate", str(shelf / "notes.txt"))
    assert (ran.code, ran.out) == (2, "")
    assert "is not a rules file; rules files end in .yaml or .yml" in ran.err


# ------------------------------------------------------------------ warnings

def doze(run: Run, shelf: Path, text: str, *arguments: str) -> Ran:
    (shelf / "doze.yaml").write_text(text, "utf-8")
    return run("validate", *arguments, str(shelf))


def test_warnings_are_told_and_are_no_errors(run: Run, shelf: Path) -> None:
    ran = doze(run, shelf, WARNING)
    assert ran.code == 0
    assert ran.out.rstrip().endswith("found 1 warning")


def test_strict(run: Run, shelf: Path) -> None:
    ran = doze(run, shelf, WARNING, "--strict")
    assert ran.code == 1
    assert "warning[RW111 " in ran.out
    assert doze(run, shelf, "", "--strict").code == 0


def test_allowed_warnings_are_counted(run: Run, shelf: Path) -> None:
    text = WARNING.replace("do:", "# rulewright: allow RW111: a remark\ndo:")
    for _ in range(2):  # the second from the cache
        ran = doze(run, shelf, text, "--strict")
        assert ran.code == 0
        assert ran.out == "shelf: no findings in 8 files\n1 warning allowed by comments\n"
    report = json.loads(doze(run, shelf, text, "--format", "json").out)
    assert report["findings"] == []
    (allowed,) = report["suppressed"]
    assert (allowed["code"], allowed["suppression"]["reason"]) == ("RW111", "a remark")
    assert allowed["suppression"]["location"]["start"] == {"line": 2, "column": 1}
    assert report["summary"] == {"errors": 0, "warnings": 0, "suppressed": 1, "skipped": 0}
    assert "by comments" not in run("validate", str(shelf / "zones.yaml")).out


# ------------------------------------------------------------------ other

def test_several_packs_at_once(run: Run) -> None:
    packs = sorted(folder for folder in (ROOT / "tests" / "packs").iterdir() if (folder / "pack.yaml").exists())
    ran = run("validate", *map(str, packs))
    assert ran.code == 0, ran.out
    assert "sealed" in ran.out
    assert run("validate", str(ROOT / "tests" / "packs")).out == ran.out


def test_all_packs_below_a_folder(run: Run, shelf: Path, pack: Path) -> None:
    deep = shelf.parent / "games" / "old"
    deep.mkdir(parents=True)
    (shelf.parent / "games" / ".hidden").mkdir()
    shelf.rename(deep / "shelf")
    pack.rename(shelf.parent / "games" / ".hidden" / "sealed")
    ran = run("validate", str(shelf.parent / "games"))
    assert (ran.code, ran.out) == (0, "shelf: no findings in 7 files\n")


def test_bytes_that_are_no_text(run: Run, pack: Path) -> None:
    (pack / "bad.yaml").write_bytes(b"\xff\xfe\x00")
    ran = run("validate", str(pack))
    assert ran.code == 1
    assert "RW604" in ran.out
    assert ran.out == run("validate", str(pack)).out


@pytest.mark.parametrize(("color", "dressed"), [(None, True), ("1", False)])
def test_colour_on_a_terminal(
    run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch, color: str | None, dressed: bool
) -> None:
    monkeypatch.setattr("rulewright.tools.commands.validate.style_for", lambda stream: _style_for_terminal())
    monkeypatch.setenv("TERM", "xterm")
    if color:
        monkeypatch.setenv("NO_COLOR", color)
    spoil(pack / "pack.yaml", "do: move card to bid", "do: mvoe card to bid")
    assert ("\x1b[" in run("validate", str(pack)).out) is dressed


def _style_for_terminal() -> object:
    import io

    from rulewright.tools.common.output import style_for

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    return style_for(Terminal())
