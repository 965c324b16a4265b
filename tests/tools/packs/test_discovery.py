"""Finding packs by name: the order of places, and broken or hostile folders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import discovery as finding
from rulewright.tools.packs import loading as packs
from rulewright.tools.packs.discovery import Finder, FoundPack, name_of, user_folder
from tests.tools.harness import ROOT, Run

GAME = "pack: {name}\nversion: 1.0.0\nplayers: 2\n"
RULES = "pack: {name}\nversion: 0.2.0\nextends: {{lanterns: '>=1'}}\n"


def pack(folder: Path, name: str = "lanterns", text: str = GAME) -> Path:
    """A pack in a folder; only its head matters here."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.yaml").write_text(text.format(name=name), "utf-8")
    return folder


def distribution(
    site: Path, name: str, points: str, files: dict[str, str], record: bool = True, version: str = "1.0"
) -> None:
    """An installed distribution as `pip` leaves it."""
    about = site / f"{name}-{version}.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    (about / "entry_points.txt").write_text(points, "utf-8")
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text, "utf-8")
    if record:
        rows = [*files, *(f"{about.name}/{one}" for one in ("METADATA", "entry_points.txt", "RECORD"))]
        (about / "RECORD").write_text("".join(f"{row},,\n" for row in rows), "utf-8")


def found(name: str, *beside: Path) -> tuple[Path, str] | None:
    one = Finder(beside=beside).find(name)
    return (one.root, one.source) if one else None


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "data" / "rulewright" / "packs"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


# ------------------------------------------------------------------ names

@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pack: lanterns\n", "lanterns"),
        ("# a comment\npack: 'night-2' # so called\nplayers: 2\n", "night-2"),
        ('# pack: other\r\npack:   "lanterns"\r\n', "lanterns"),
        ("values: {a: 1}\n---\npack: lanterns\n", "lanterns"),
        ("\ufeffpack: lanterns\n", "lanterns"),  # from here on the whole is read
        ("pack:\n  lanterns\n", "lanterns"),
        ("{pack: lanterns, players: 2}\n", "lanterns"),
        ("pack: [lanterns]\n", ""),
        ("text: |\n  pack: lanterns\n", ""),
        ("verb: pack(s)\ndo: rest\n", ""),
        ("pack: {\n", ""),
        ("", ""),
        ("pack: lanterns\n#" + "x" * 2_000_000, ""),
    ],
)
def test_a_pack_is_called_what_it_says(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "pack.yaml").write_text(text, "utf-8", newline="")
    assert name_of(tmp_path) == name


def test_what_cannot_be_read_has_no_name(tmp_path: Path) -> None:
    assert name_of(tmp_path) == ""
    (tmp_path / "pack.yaml").write_bytes(b"\xff\xfepack: caf\xe9\n")
    assert name_of(tmp_path) == ""
    (tmp_path / "folder" / "pack.yaml").mkdir(parents=True)
    assert name_of(tmp_path / "folder") == ""


# ------------------------------------------------------------------ places

def test_the_order_of_places(tmp_path: Path, user: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place hides those behind it: taken away one by one, the next one shows."""
    name = "tutorial"  # is shipped
    points = "[rulewright.packs]\ntutorial = some_rules.tutorial\n"
    distribution(site, "some-rules", points, {"some_rules/tutorial/pack.yaml": GAME.format(name=name)})
    places = [
        (pack(tmp_path / "given", name), "given"),
        (pack(tmp_path / "beside" / name, name), "beside"),
        (pack(tmp_path / "one" / name, name), "environment"),
        (pack(tmp_path / "two" / name, name), "environment"),
        (pack(user / name, name), "user"),
        (site / "some_rules" / "tutorial", "installed"),
        (ROOT / "content" / "tutorial", "shipped"),
    ]
    monkeypatch.setenv("RULEWRIGHT_PACKS", os.pathsep.join([str(tmp_path / "one"), str(tmp_path / "two")]))
    given = {name: places[0][0]}
    for root, source in places:
        one = Finder(given, (tmp_path / "beside",)).find(name)
        assert one is not None
        assert (one.root.resolve(), one.source) == (root.resolve(), source)
        given = {}
        if source not in ("given", "shipped"):
            (root / "pack.yaml").unlink()


def test_a_folder_may_have_another_name(tmp_path: Path) -> None:
    """What a folder is called is a guess: the one that only has the name does not count."""
    pack(tmp_path / "lanterns", "kites")
    right = pack(tmp_path / "z-copy", "lanterns")
    assert found("lanterns", tmp_path) == (right, "beside")
    assert found("kites", tmp_path) == (tmp_path / "lanterns", "beside")
    assert found("z-copy", tmp_path) is None


def test_of_several_the_folder_of_that_name_counts(tmp_path: Path) -> None:
    pack(tmp_path / "a-copy", "lanterns")
    right = pack(tmp_path / "lanterns")
    assert found("lanterns", tmp_path) == (right, "beside")


def test_folders_are_searched_one_level_deep(tmp_path: Path) -> None:
    pack(tmp_path / "more" / "lanterns")
    pack(tmp_path / ".hidden", "kites")
    assert found("lanterns", tmp_path) is None
    assert found("kites", tmp_path) is None
    assert found("lanterns", tmp_path / "more") == (tmp_path / "more" / "lanterns", "beside")


def test_the_variable_names_folders_of_packs_and_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = pack(tmp_path / "one" / "a"), pack(tmp_path / "two", "kites")
    nowhere = str(tmp_path / "nowhere")
    monkeypatch.setenv("RULEWRIGHT_PACKS", os.pathsep.join(["", nowhere, str(tmp_path / "one"), str(two)]))
    assert found("lanterns") == (one, "environment")
    assert found("kites") == (two, "environment")
    assert Finder().everything()[1] == [f"RULEWRIGHT_PACKS names {nowhere}, which is not a folder"]


def test_the_users_folder(tmp_path: Path, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found("lanterns") is None
    own = pack(user / "lanterns")
    assert found("lanterns") == (own, "user")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # means nothing, says the standard
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_folder() == tmp_path / ".local" / "share" / "rulewright" / "packs"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert user_folder() == tmp_path / ".local" / "share" / "rulewright" / "packs"


@pytest.mark.parametrize("name", ["", "..", "../lanterns", "/lanterns", "a\0b", "Lanterns", "a/b", "x" * 5000])
def test_what_is_no_name_is_not_looked_for(tmp_path: Path, name: str) -> None:
    pack(tmp_path / "lanterns")
    (tmp_path / "inner").mkdir()
    assert found(name, tmp_path / "inner", tmp_path) is None


def test_what_nobody_may_read_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Path) -> os.stat_result:
        raise PermissionError(13, "no", str(path))

    pack(tmp_path / "lanterns")
    monkeypatch.setattr("rulewright.ruleset.common.regular_files.os.stat", forbidden)
    assert found("lanterns", tmp_path) is None


# ------------------------------------------------------------------ installed

RAISES = "raise SystemExit('this was run')\n"


def test_a_distribution_is_found_and_never_run(site: Path) -> None:
    points = "[console_scripts]\nx = y:z\n\n[rulewright.packs]\nlanterns = glowing.packs.first\n"
    files = {
        "glowing/__init__.py": RAISES,
        "glowing/packs/__init__.py": RAISES,
        "glowing/packs/first/__init__.py": RAISES,
        "glowing/packs/first/pack.yaml": GAME.format(name="lanterns"),
    }
    distribution(site, "glowing", points, files)
    one = Finder().find("lanterns")
    assert one == FoundPack("lanterns", site / "glowing" / "packs" / "first", "installed", "package glowing")
    assert not {name for name in sys.modules if name.startswith("glowing")}


def test_an_entry_point_may_have_any_name_and_lead_to_several(site: Path) -> None:
    files = {f"glowing/{name}/pack.yaml": GAME.format(name=name) for name in ("lanterns", "kites")}
    distribution(site, "glowing", "[rulewright.packs]\nall = glowing\n", files)
    assert found("lanterns") == (site / "glowing" / "lanterns", "installed")
    assert found("kites") == (site / "glowing" / "kites", "installed")


def test_an_editable_install_is_never_run(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files lie elsewhere, and Python is told where the package is."""
    source = tmp_path / "source"
    pack(source / "glowing" / "lanterns")
    (source / "glowing" / "__init__.py").write_text(RAISES)
    points = "[rulewright.packs]\nlanterns = glowing.lanterns\n"
    distribution(site, "glowing", points, {"glowing.pth": f"{source}\n"})
    monkeypatch.syspath_prepend(source)
    assert found("lanterns") == (source / "glowing" / "lanterns", "installed")
    assert "glowing" not in sys.modules


def test_of_two_distributions_of_one_name_the_first_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("late", "early"):
        files = {f"glowing/{place}/pack.yaml": GAME.format(name="lanterns")}
        distribution(tmp_path / place, "glowing", f"[rulewright.packs]\nlanterns = glowing.{place}\n", files)
        monkeypatch.syspath_prepend(tmp_path / place)
    assert found("lanterns") == (tmp_path / "early" / "glowing" / "early", "installed")
    assert [one.root.name for one in Finder().everything()[0] if one.pack == "lanterns"] == ["early"]


def test_without_a_record(site: Path) -> None:
    files = {"glowing/pack.yaml": GAME.format(name="lanterns")}
    distribution(site, "glowing", "[rulewright.packs]\nlanterns = glowing\n", files, record=False)
    assert found("lanterns") == (site / "glowing", "installed")


BROKEN = [
    # its entry points, and what is told
    (
        "[rulewright.packs]\nkites = not.there\n",
        "the entry point kites = not.there of package broken does not point to a folder with a pack.yaml",
    ),
    (
        "[rulewright.packs]\nkites = json\n",
        "the entry point kites = json of package broken does not point to a folder with a pack.yaml",
    ),
    (
        "[rulewright.packs]\nkites = ../../etc\n",
        "the entry point kites = ../../etc of package broken does not point to a folder with a pack.yaml",
    ),
    (
        "[rulewright.packs]\nkites = \n",
        "the entry point kites =  of package broken does not point to a folder with a pack.yaml",
    ),
    (
        "[rulewright.packs]\nkites\n",
        "the entry points of package broken cannot be read: ",
    ),
]


@pytest.mark.parametrize(("points", "told"), BROKEN)
def test_a_broken_distribution_hides_no_other(site: Path, points: str, told: str) -> None:
    distribution(site, "broken", points, {})
    files = {"glowing/lanterns/pack.yaml": GAME.format(name="lanterns")}
    distribution(site, "glowing", "[rulewright.packs]\nlanterns = glowing.lanterns\n", files)
    assert found("lanterns") == (site / "glowing" / "lanterns", "installed")
    assert found("kites") is None
    (trouble,) = Finder().everything()[1]
    assert trouble.startswith(told)


def test_more_that_is_broken(site: Path) -> None:
    """Metadata that is no text, a file where a folder is expected, a folder that is gone."""
    distribution(site, "bytes", "", {})
    (site / "bytes-1.0.dist-info" / "entry_points.txt").write_bytes(b"[rulewright.packs]\nkites = \xff\xfe\n")
    (site / "file-1.0.dist-info").write_text("[rulewright.packs]\n")
    (site / "empty-1.0.dist-info").mkdir()
    distribution(site, "unnamed", "[rulewright.packs]\nkites = some.folder\n", {})
    (site / "unnamed-1.0.dist-info" / "METADATA").unlink()
    assert found("kites") is None
    assert len(Finder().everything()[1]) == 2


def test_a_hook_of_imports_that_fails(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hook:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "glowing":
                raise RuntimeError("not today")

    distribution(site, "glowing", "[rulewright.packs]\nlanterns = glowing.lanterns\n", {})
    monkeypatch.setattr(sys, "meta_path", [Hook(), *sys.meta_path])
    assert found("lanterns") is None
    assert Finder().everything()[1] == [
        "the entry point lanterns = glowing.lanterns of package glowing cannot be loaded: RuntimeError"
    ]


def test_metadata_is_imported_only_where_somebody_offers_packs() -> None:
    code = (
        "import sys\nfrom rulewright.tools.packs.loading import find\n"
        "print(find('tutorial').name, 'importlib.metadata' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (told.stdout, told.stderr) == ("tutorial False\n", "")


# ------------------------------------------------------------------ commands

def test_commands_take_names(run: Run, user: Path) -> None:
    text = (ROOT / "tests" / "packs" / "sealed" / "pack.yaml").read_text("utf-8")
    text = text.replace("pack: sealed", "pack: shut")
    pack(user / "anything")
    (user / "anything" / "pack.yaml").write_text(text, "utf-8")
    assert packs.find("shut") == user / "anything"
    assert run("validate", "shut").code == 0
    ran = run("simulate", "shut", "-n", "2")
    assert (ran.code, ran.err) == (0, "")


def test_beside_is_beside_the_pack_around_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = pack(tmp_path / "a" / "one", "lanterns"), pack(tmp_path / "a" / "two", "kites")
    (one / "cards").mkdir()
    monkeypatch.chdir(one / "cards")
    assert packs.find("kites") == two
    monkeypatch.chdir(tmp_path / "a")
    assert packs.find("kites") == two
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Usage):
        packs.find("kites")


def test_what_is_needed_is_found_beside_who_needs_it(tmp_path: Path) -> None:
    game = pack(tmp_path / "a" / "the-game", "lanterns")
    rules = pack(tmp_path / "a" / "night", "night", RULES)
    together = packs.read_pack_set(str(rules))
    assert {name: files.root for name, files in together.needed.items()} == {"lanterns": game}


def test_a_path_counts_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = pack(tmp_path / "a" / "tutorial", "lanterns")
    monkeypatch.chdir(tmp_path / "a")
    assert packs.find("tutorial").resolve() == here


def test_where_was_looked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RULEWRIGHT_PACKS", str(tmp_path / "more"))
    pack(tmp_path / "more" / "a", "lanterns")
    places = "~/here, RULEWRIGHT_PACKS, ~/data/rulewright/packs, installed packages, or the shipped packs"
    start = "rulewright: {0} not found: no such file or folder, and no such pack in " + places
    assert run("play", "lantrens").err == start.format("lantrens") + "; did you mean lanterns?\n"
    shipped = ", ".join(finding.shipped())
    assert run("play", "xyz").err == start.format("xyz") + f"; shipped packs: {shipped}\n"


def test_nothing_is_written_into_what_is_installed(run: Run, site: Path) -> None:
    files = {"glowing/lanterns/pack.yaml": GAME.format(name="lanterns")}
    distribution(site, "glowing", "[rulewright.packs]\nlanterns = glowing.lanterns\n", files)
    ran = run("new", "verb", "shine", "--in", "lanterns")
    assert ran.err == (
        "rulewright: lanterns belongs to the package glowing; "
        "copy it first: rulewright new pack NAME --from lanterns\n"
    )


# ------------------------------------------------------------------ instead of shipped packs

@pytest.mark.parametrize("command", [["validate"], ["validate", "--format", "json"], ["show", "--in"], ["test"]])
def test_a_folder_that_claims_a_shipped_name_is_reported(run: Run, tmp_path: Path, command: list[str]) -> None:
    place = tmp_path / "here" / "mine"
    shutil.copytree(ROOT / "content" / "tutorial", place)
    ran = run(*command, "tutorial")
    assert ran.err == f"rulewright: tutorial is {finding.shorter(place)} (beside), not the shipped pack\n"
    assert "not the shipped pack" not in ran.out
    if command[-1] == "json":
        assert json.loads(ran.out)["findings"] == []


def test_a_folder_of_a_shipped_name_is_reported(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "here" / "tutorial"
    shutil.copytree(ROOT / "content" / "tutorial", place)
    expected = f"rulewright: tutorial is {finding.shorter(place)} (folder of that name), not the shipped pack\n"
    assert run("validate", "tutorial").err == expected
    assert run("validate", "./tutorial").err == ""


def test_each_command_says_it_anew(run: Run, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "content" / "tutorial", tmp_path / "here" / "mine")
    first = run("validate", "tutorial")
    assert "not the shipped pack" in first.err
    assert run("validate", "tutorial") == first
    shutil.rmtree(tmp_path / "here" / "mine")
    assert run("validate", "tutorial").err == ""


def test_a_game_that_a_pack_needs_is_reported(run: Run, tmp_path: Path) -> None:
    here = tmp_path / "here"
    shutil.copytree(ROOT / "content" / "coup", here / "coup")
    shutil.copytree(ROOT / "content" / "eight-coins", here / "eight-coins")
    spoil = here / "eight-coins" / "pack.yaml"
    spoil.write_text(spoil.read_text("utf-8").replace("pack: eight-coins", "pack: nine-coins"), "utf-8")
    told = f"rulewright: coup is {finding.shorter(here / 'coup')} (beside), not the shipped pack\n"
    assert run("validate", "./eight-coins").err == told


def test_shipped_packs_alone_say_nothing(run: Run) -> None:
    assert run("validate", "tutorial").err == ""


# ------------------------------------------------------------------ the list

def test_the_list_has_the_findings_of_packs_that_cannot_be_read(run: Run, user: Path) -> None:
    """Also of one whose name can be read: what else it says is not known then."""
    texts = {
        "latin": b"pack: latin\nname: Caf\xe9\n",
        "listed": b"- pack: listed\n",
        "open": b"pack: open\nname: [a\n",
    }
    for name, data in texts.items():
        pack(user / name, name, "").joinpath("pack.yaml").write_bytes(data)
    expected = [
        f"{finding.shorter(user / name)} cannot be read: {why}"
        for name, why in (
            ("latin", "pack.yaml:2:10: the byte 0xE9 is not UTF-8 text (RW121)"),
            ("listed", "pack.yaml:1:1: expected `key: value` lines, found a list (RW117)"),
            ("open", "pack.yaml:2:7: this `[` has no matching `]` (RW104)"),
        )
    ]
    ran = run("packs")
    assert (ran.code, ran.err.splitlines()) == (0, [f"rulewright: {line}" for line in expected])
    assert {"latin", "open"} <= {line.split()[0] for line in ran.out.splitlines()}
    data = json.loads(run("packs", "--json").out)
    assert data["troubles"] == expected
    assert {*expected} <= {*json.loads(run("doctor", "--json").out)["faults"]}


def test_the_list(run: Run, site: Path, user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(finding, "shipped", lambda: {"kites": pack(tmp_path / "content" / "kites", "kites")})
    pack(user / "night", "night", RULES)
    pack(user / "kites", "kites", "pack: kites\nplayers: 2\n")
    pack(user / "strange", "", "verb: rest\ndo: rest\n")
    files = {"glowing/lanterns/pack.yaml": GAME.format(name="lanterns")}
    distribution(site, "glowing", "[rulewright.packs]\nlanterns = glowing.lanterns\nx = y\n", files)
    ran = run("packs")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "PACK      VERSION  EXTENDS       FOUND                             FOLDER",
        "kites     -        -             your packs                        ~/data/rulewright/packs/kites",
        "kites     1.0.0    -             shipped, hidden by the one above  ~/content/kites",
        "lanterns  1.0.0    -             package glowing                   ~/site/glowing/lanterns",
        "night     0.2.0    lanterns >=1  your packs                        ~/data/rulewright/packs/night",
    ]
    assert ran.err.splitlines() == [
        "rulewright: the entry point x = y of package glowing does not point to a folder with a pack.yaml",
        "rulewright: ~/data/rulewright/packs/strange cannot be read: pack.yaml does not begin with `pack: NAME`",
    ]
    ran = run("packs", "--json")
    data = json.loads(ran.out)
    assert (ran.code, ran.err, data["version"], len(data["troubles"])) == (0, "", 1, 2)
    assert [(one["pack"], one["version"], one["found"], one["hidden"]) for one in data["packs"]] == [
        ("kites", None, "user", False),
        ("night", "0.2.0", "user", False),
        ("lanterns", "1.0.0", "installed", False),
        ("kites", "1.0.0", "shipped", True),
    ]
    assert data["packs"][1] == {
        "pack": "night",
        "version": "0.2.0",
        "extends": {"lanterns": ">=1"},
        "requires": {},
        "conflicts": {},
        "after": {},
        "found": "user",
        "where": "your packs",
        "folder": str(user / "night"),
        "hidden": False,
        "instead-of-shipped": False,
    }


def test_the_list_obeys_nobody(run: Run, user: Path) -> None:
    pack(user / "night", "night", 'pack: night\nversion: "\\e[31m"\nextends: {{"\\e[2J": "*"}}\n')
    line = next(line for line in run("packs").out.splitlines() if line.startswith("night"))
    assert line.isprintable()
