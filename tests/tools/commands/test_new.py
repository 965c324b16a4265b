"""`rulewright new`: everything it creates is valid and has an effect, and nothing is overwritten."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import jsonschema
import pytest

from rulewright.ruleset.documents.play import FaceDocument
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.lower.reasons import lower_reasons
from rulewright.ruleset.pipeline import load
from rulewright.ruleset.source.nodes import plain
from rulewright.ruleset.source.reader import read_documents
from rulewright.tools.commands.new import STARTER
from rulewright.tools.common.text_edit import with_member
from rulewright.tools.scaffolding import ENTRIES, KERNEL, SCHEMA
from tests.interpreter.lockstep import lockstep
from tests.suites.contract import contract
from tests.suites.secrecy import secrecy
from tests.tools.harness import CONTENT, ROOT, Run

EDITOR = (".vscode/.gitignore", SCHEMA, ".vscode/settings.json")
"""Files for editors in a new pack."""
PACKS = [STARTER, CONTENT, *sorted((ROOT / "tests" / "packs").iterdir())]
TRIED = PACKS if os.environ.get("ALL_PACKS") else [*PACKS[:2], *PACKS[2::3]]
"""Packs that get one of everything: with `ALL_PACKS=1` all, else the first two and one in three of the others."""
MISSING = {
    ("rattus-cartus", "joker"), ("echo", "modifier"), ("exits", "modifier"), ("verdict", "claim"),
    ("coup", "series"), ("dominion", "series"), ("rubber", "series"),
}  # fmt: skip
"""Refused with a reason: a modifier needs a function, or a field with a number; a card that a component makes alone
stays alone; a pack has one series."""


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def text(name: str) -> str:
    return Path(name).read_text("utf-8")


# ------------------------------------------------------------------ packs

def test_a_new_pack_is_sound(run: Run) -> None:
    ran = run("new", "pack", "night-market")
    assert (ran.code, ran.err) == (0, "")
    assert "rulewright play night-market" in ran.out
    assert "  rulewright serve night-market\n" in ran.out
    assert run("validate", "--strict", "night-market").code == 0
    assert run("test", "night-market").code == 0
    assert text("night-market/pack.yaml").count("starter") == 0
    assert "pack: night-market\n" in text("night-market/pack.yaml")
    assert "name: {en: Night market, es: Night market}\n" in text("night-market/pack.yaml")


def test_bots_play_a_new_pack_to_the_end(run: Run) -> None:
    run("new", "pack", "night-market")
    ran = run("simulate", "night-market", "-n", "60", "--players", "2-4", "--every-option", "--json")
    assert ran.code == 0
    played = json.loads(ran.out)
    assert (played["games"], played["cases"], played["failed"], played["faults"]) == (60, 6, [], [])
    assert [table["players"] for table in played["by_players"]] == [2, 3, 4]
    assert all(table["no_winner"] == 0 and table["decisions"]["min"] > 5 for table in played["by_players"])


@pytest.mark.usefixtures("machine_code")
@pytest.mark.parametrize("seats", [2, 4])
def test_the_starter_keeps_what_every_pack_must_keep(seats: int) -> None:
    program = load(STARTER).program
    assert program is not None
    table = lower(program, seats)
    contract(table, 1, 11, "together")
    secrecy(table, 1, 12, "walker", lower_reasons(program, seats))
    lockstep(table, 1, 13)


def test_a_copy_differs_in_its_name_alone(run: Run, pack: Path) -> None:
    (pack / "notes.md").write_text("sealed: what I think\n")
    main = pack / "pack.yaml"
    main.write_text(main.read_text("utf-8").replace("pack: sealed", "pack: sealed   # sealed"), "utf-8")
    for left_out in ("sealed-1.journal", ".notes", ".git/config", "__pycache__/x.pyc", ".vscode/settings.json"):
        (pack / left_out).parent.mkdir(exist_ok=True)
        (pack / left_out).write_text("old")
    before = files(pack)
    ran = run("new", "pack", "opened", "--from", str(pack))
    assert (ran.code, ran.err) == (0, "")
    assert files(pack) == before
    after = files(Path("opened"))
    assert sorted(after) == [*EDITOR, "notes.md", "pack.yaml"]
    assert after[".vscode/settings.json"] != b"old"
    assert after["notes.md"] == before["notes.md"]
    assert after["pack.yaml"] == before["pack.yaml"].replace(b"pack: sealed ", b"pack: opened ")
    assert run("validate", "--strict", "opened").code == 0


@pytest.mark.slow
def test_the_shipped_game_can_be_copied_and_played(run: Run) -> None:
    assert run("new", "pack", "my-town", "--from", "rattus-cartus").code == 0
    assert run("validate", "--strict", "my-town").code == 0
    old, new = files(CONTENT), files(Path("my-town"))
    assert {*old, *EDITOR} == set(new)
    assert {name for name in old if old[name] != new[name]} == {"pack.yaml"}
    assert run("simulate", "my-town", "-n", "3").code == 0


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Night Market", "did you mean night-market?"),
        ("2nd", "invalid name"),
        ("a--b", "did you mean a-b?"),
        ("../x", "did you mean x?"),
        ("player", "a reserved word of the language"),
        ("", "invalid name"),
    ],
)
def test_names_of_packs(run: Run, name: str, says: str) -> None:
    ran = run("new", "pack", name)
    assert ran.code == 2
    assert says in ran.err
    assert list(Path().iterdir()) == []


def test_a_folder_that_exists_is_left_alone(run: Run) -> None:
    Path("mine").mkdir()
    ran = run("new", "pack", "mine")
    assert ran.code == 2
    assert "already exists" in ran.err
    assert list(Path("mine").iterdir()) == []


def test_no_pack_is_made_inside_of_a_pack(run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pack)
    assert "packs cannot be nested" in run("new", "pack", "inner").err
    assert not (pack / "inner").exists()


# ------------------------------------------------------------------ documents of every pack

def accepted_by_editors(pack: Path) -> None:
    """What was written fits the schema of the pack."""
    validator = jsonschema.Draft202012Validator(json.loads((pack / SCHEMA).read_text("utf-8")))
    for path in pack.rglob("brand-new-*.yaml"):
        for document in read_documents(path.name, path.read_text("utf-8"))[0]:
            assert [error.message for error in validator.iter_errors(plain(document.root))] == []


@pytest.mark.slow
@pytest.mark.parametrize("original", TRIED, ids=lambda path: path.name)
def test_everything_new_is_sound_in_every_pack(run: Run, original: Path, tmp_path: Path) -> None:
    """One of each, one after the other, in one copy of the pack."""
    copy = tmp_path / original.name
    shutil.copytree(original, copy)
    assert run("schema", str(copy), "--editor").code == 0
    loaded = load(copy)
    assert loaded.program is not None
    kernel = [*KERNEL][::3] if original == CONTENT else [*KERNEL, *ENTRIES]  # a large pack takes long to check
    kinds = [*loaded.declared.kinds, *kernel]
    for kind in kinds:
        before = files(copy)
        faceless = [one for one in loaded.declared.kinds if one not in loaded.declared.all_of(FaceDocument)]
        if kind == "face" and not faceless:
            continue
        name = faceless[0] if kind == "face" else f"brand-new-{kind}"
        ran = run("new", kind, name, "--in", str(copy))
        after = files(copy)
        if ran.code:
            assert (original.name, kind) in MISSING, ran.err
            assert after == before
            continue
        assert (original.name, kind) not in MISSING or kind == "modifier"  # after `function`, all have one
        gone = [name for name in before if name not in after]
        assert not gone
        added = {name for name in after if name not in before}
        assert len(added) == (0 if kind in ENTRIES else 1), added
    accepted_by_editors(copy)
    again = load(copy)
    assert again.findings == loaded.findings
    assert again.program is not None
    names = {f"brand-new-{kind}" for kind in loaded.declared.kinds if (original.name, kind) not in MISSING}
    assert names <= set(again.declared.definitions)
    lower(again.program, again.program.least_players)


# ------------------------------------------------------------------ what is written

SHELF = """\
pack: shelf
name: {en: Shelf, es: Estante, fr: Rayon}
text: {en: Gems on a shelf., es: Gemas en un estante., fr: Des gemmes sur un rayon.}
players: 2 to 3
languages: [en, es, fr]
enumerations: {colour: {red: {en: red, es: rojo, fr: rouge}, green: {en: green, es: verde, fr: vert}}}
kinds:
  gem:
    fields:
      colour: colour
      weight: 2 to 9
      price: number
      bright: boolean
      twin: gem
      marks: list of colour
      edge: {type: 1 to 3, per: copy}
      worth: {type: number, default: 7}
    effects:
      play: {takes: {victim: player}}
      shine: {optional: true}
      fade: {default: do nothing}
    expressions:
      value: number
components:
  gems: {kind: gem, copies: 4, starts: box}
zones: {box: {name: {en: box, es: caja, fr: boîte}}}
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "pack.yaml").write_text(SHELF)
    return folder


def test_a_modifier_changes_a_field_where_there_is_no_function(run: Run, shelf: Path) -> None:
    assert run("new", "modifier", "sale", "--in", str(shelf)).code == 0
    text = "".join(path.read_text("utf-8") for path in shelf.rglob("*.yaml"))
    about = "a field of a kind: gem.weight, gem.price, gem.bright, gem.edge, gem.worth"
    assert re.search(f"^changes: gem.weight +# {about}$", text, re.MULTILINE)


def test_a_face_shows_what_its_kind_has(run: Run, shelf: Path) -> None:
    assert run("new", "face", "gem", "--in", str(shelf)).code == 0
    text = (shelf / "faces" / "gem.yaml").read_text("utf-8")
    numbers = "weight, price, edge, worth, value"
    assert re.search(rf"^corners: {{top-left: weight}} +# for example: {numbers}$", text, re.MULTILINE)
    assert re.search(r"^colours: {colour: {red: violet}} +# amber, green, ", text, re.MULTILINE)
    assert load(shelf).findings == ()


def test_all_lines_of_an_expectation_are_good(run: Run, game: Path) -> None:
    """Also those in comments, once an option is chosen."""
    ran = run("new", "expect", "crowd", "--in", str(game))
    assert (ran.code, ran.out.splitlines()[-1].split()) == (0, ["rulewright", "balance", str(game), "--check"])
    file = game / "expect" / "crowd.yaml"
    text = file.read_text("utf-8")
    assert "\nfirst-seat-wins: at most 60 %" in text
    file.write_text(re.sub(r"^# ", "", text, flags=re.MULTILINE).replace("…", "types-drawn"), "utf-8")
    loaded = load(game)
    assert loaded.findings == () and loaded.program is not None
    whats = {one.what for table in loaded.program.expected if table.key == "crowd" for one in table.expectations}
    assert {"first-seat-wins", "no-winner", "mean-length", "usual-length"} < whats


def test_each_field_has_the_least_value_of_its_type(run: Run, shelf: Path) -> None:
    assert run("new", "gem", "opal", "--in", str(shelf)).code == 0
    lines = (shelf / "gems" / "opal.yaml").read_text("utf-8").splitlines()
    assert [line.partition("  #")[0].rstrip() for line in lines] == [
        "gem: opal",
        "name: {en: Opal, es: Opal, fr: Opal}",
        "colour: red",
        "weight: 2",
        "price: 0",
        "bright: false",
        "twin: opal",
        "edge: 1",
        "play: do nothing",
        "text:",
        "  en: What it does.",
        "  es: Qué hace.",
        "  fr: What it does.",
        "# marks: []",
        "# worth: 7",
        "# shine: do nothing",
        "# fade: do nothing",
        "# value: 0",
        "# copies: 4",
        "# plural: opals",
        "# source: …",
    ]
    said = {line.partition(":")[0]: line.partition("  # ")[2] for line in lines if "  # " in line}
    assert said["colour"] == "red, green"
    assert said["weight"] == "2 to 9"
    assert said["edge"] == "1 to 3; or a list with one value per copy"
    assert said["play"] == "an effect; it can use victim (a player)"
    assert run("validate", "--strict", str(shelf)).code == 0


def test_what_is_left_out_may_be_put_in(run: Run, shelf: Path) -> None:
    """Each line that is a comment is right as it stands, but for the text that has to be one's own."""
    run("new", "gem", "opal", "--in", str(shelf))
    file = shelf / "gems" / "opal.yaml"
    head, *lines = file.read_text("utf-8").splitlines()
    said = [line.removeprefix("# ") for line in lines if "…" not in line]
    file.write_text("\n".join([head, *said]) + "\n", "utf-8")
    assert run("validate", "--strict", str(shelf)).code == 0


@pytest.mark.parametrize(
    ("step", "score"),
    [
        ("options: {grab: coins += 1, wait: do nothing}", "score: {grab: 4, wait: 3}  "),
        ("do: choose 1 gem from box as kept then move kept to bottom of box", "score: 1  "),
    ],
)
def test_a_bot_has_an_answer_with_a_score(run: Run, tmp_path: Path, step: str, score: str) -> None:
    """For a menu, a score for each option; for another choice, one. Without `prefer`, it is sound, too."""
    game = f"""\
pack: boxes
players: 2
kinds: {{gem: {{}}}}
components: {{gems: {{kind: gem, copies: 3, starts: box}}}}
zones: {{box: {{order: row, name: {{en: box}}}}}}
tracks: {{coins: {{name: {{en: coins}}}}}}
---
gem: ruby
name: {{en: Ruby}}
---
gem: opal
name: {{en: Opal}}
---
round: turn
turns-from: first of players
until: true
steps:
  - id: act
    {step}
---
finish: end
---
winner: one
among: players
"""
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / "pack.yaml").write_text(game, "utf-8")
    pack = str(tmp_path / "boxes")
    assert run("new", "bot", "chooser", "--in", pack).code == 0
    file = tmp_path / "boxes" / "bots" / "chooser.yaml"
    written = file.read_text("utf-8")
    assert f"    {score}" in written
    assert run("validate", pack).out.endswith("no findings in 2 files\n"), run("validate", pack).out
    first = written.index("  - choice: ")
    file.write_text(written[:first] + written[written.index("  - choice: ", first + 1) :], "utf-8")
    assert "found" not in run("validate", pack).out
    assert run("simulate", pack, "--seats", "chooser,random", "-n", "5").code == 0


COINS = """\
pack: purse
players: 2
kinds: {coin: {}}
zones: {bank: {}, hand: {scope: player}}
components: {coins: {kind: coin, copies: 9, starts: bank, home: bank}}
"""


@pytest.mark.parametrize(("does", "sound"), [("move 2 coins from bank to hand", True), ("grab coin", False)])
def test_the_only_card_of_its_kind(run: Run, tmp_path: Path, does: str, sound: bool) -> None:
    """A component makes it, and `coin` is its name; with another coin, `coin` can only be the kind."""
    (tmp_path / "purse").mkdir()
    (tmp_path / "purse" / "pack.yaml").write_text(
        f"{COINS}---\nverb: grab(s) <thing coin>\ndo: do nothing\n---\nverb: begin(s)\ndo: {does}\n"
    )
    ran = run("new", "coin", "penny", "--in", str(tmp_path / "purse"))
    assert ran.code == (0 if sound else 2)
    assert ("the only card of its kind" in ran.err) is not sound
    assert run("validate", "--strict", str(tmp_path / "purse")).code == 0


@pytest.mark.slow
def test_beside_its_like(run: Run, game: Path) -> None:
    """One file for each: in the same folder. Several in a file: in a folder of the file's name."""
    assert run("new", "building", "chapel", "--in", str(game)).code == 0
    assert (game / "buildings" / "chapel.yaml").is_file()
    assert run("new", "special", "drum", "--in", str(game)).code == 0
    assert (game / "specials" / "drum.yaml").is_file()
    assert run("new", "award", "finest", "--in", str(game)).code == 0
    assert "finest]" in (game / "scoring.yaml").read_text("utf-8")


def test_the_pack_around_us(run: Run, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shelf)
    ran = run("new", "gem", "opal")
    assert ran.out.startswith("Created gems/opal.yaml\n")
    assert "rulewright validate gems/opal.yaml\n" in ran.out
    assert run("new", "gem", "ruby").code == 0
    monkeypatch.chdir(shelf.parent)
    assert "missing --in PACK" in run("new", "gem", "ruby").err


@pytest.mark.parametrize(
    ("what", "name", "says"),
    [
        ("gme", "opal", "did you mean gem?"),
        ("gme", "opal", "expected a kind of shelf (gem) or a word of the language (verb, function"),
        ("gem", "red", "`red` is already a member of an enumeration"),
        ("gem", "Opal", "did you mean opal?"),
        ("gem", "it", "a reserved word of the language"),
        ("zone", "red", "`red` is already a member of an enumeration"),
        ("hook", "sale", "rulewright new verb NAME"),
        ("claim", "sale", "scope: player"),
        ("scenario", "\n", "expected one line"),
        ("face", "stone", "named after a kind, and there is no kind stone; kinds: gem"),
    ],
)
def test_what_cannot_be_made(run: Run, shelf: Path, what: str, name: str, says: str) -> None:
    before = files(shelf)
    ran = run("new", what, name, "--in", str(shelf))
    assert ran.code == 2
    assert says in ran.err
    assert files(shelf) == before


def test_no_file_is_overwritten(run: Run, shelf: Path) -> None:
    (shelf / "gems").mkdir()
    (shelf / "gems" / "opal.yaml").write_text("# my notes\n")
    before = files(shelf)
    ran = run("new", "gem", "opal", "--in", str(shelf))
    assert ran.code == 2
    assert "opal.yaml already exists" in ran.err
    assert files(shelf) == before


def test_what_is_shipped_is_copied_first(run: Run) -> None:
    ran = run("new", "building", "chapel", "--in", "rattus-cartus")
    assert ran.code == 2
    assert "rulewright new pack NAME --from rattus-cartus" in ran.err


def test_a_pack_with_errors_can_still_grow(run: Run, shelf: Path) -> None:
    (shelf / "zones.yaml").write_text("zones: {bank: {order: heap}}\n")
    assert run("validate", str(shelf)).code == 1
    assert run("new", "gem", "opal", "--in", str(shelf)).code == 0


# ------------------------------------------------------------------ adding to files

@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: [x, y]   # why\n", "a: [x, y, new]   # why\n"),
        ("a: []\n", "a: [new]\n"),
        ("a: [\n  x,  # why\n  y   # not ]\n]\n", "a: [\n  x,  # why\n  y, new   # not ]\n]\n"),
        ("a: [x, y,]\n", "a: [x, y, new,]\n"),
        ("a:\r\n- x\r\nb: 1\r\n", "a:\r\n- x\r\n- new\r\nb: 1\r\n"),
        ("a: [x,\n    y ]\nb: 1\n", "a: [x,\n    y, new ]\nb: 1\n"),
        ("a:\n  - x   # why\n  - y\nb: 1\n", "a:\n  - x   # why\n  - y\n  - new\nb: 1\n"),
        ("a:\n- x\n\n# b is\nb: 1\n", "a:\n- x\n- new\n\n# b is\nb: 1\n"),
        ("a:\n- x", "a:\n- x\n- new"),
    ],
)
def test_one_more_member(before: str, after: str) -> None:
    items = read_documents("f", before)[0][0].root.get("a")
    assert items is not None
    assert with_member(before, items, "new") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: {x: 1}\n", "a: {x: 1, new: 2}\n"),
        ("a: {}\n", "a: {new: 2}\n"),
        ("a:\n  x: 1  # why\nb: 1\n", "a:\n  x: 1  # why\n  new: 2\nb: 1\n"),
        ("a:\n  x: |\n    one\n\n# b is\nb: 1\n", "a:\n  x: |\n    one\n  new: 2\n\n# b is\nb: 1\n"),
        ("a:\n  x: {y: 1}\n---\nb: 1\n", "a:\n  x: {y: 1}\n  new: 2\n---\nb: 1\n"),
    ],
)
def test_one_more_entry(before: str, after: str) -> None:
    entries = read_documents("f", before)[0][0].root.get("a")
    assert entries is not None
    assert with_member(before, entries, "new: 2") == after
