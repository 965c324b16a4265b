"""Commands for house rules: `--with`, `blame`, `test --compare`, `new house-rule`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.tools.packs import loading as packs
from tests.tools.conftest import Run

HEAD = 'pack: {name}\nversion: 1.0.0\nextends: {{tutorial: ">=1"}}\nlanguages: [en, es]\n'
SMALL = """\
change: value/hand-size
set: {by-players.2: {was: 7, to: 3}}
---
change: verb/draw
after: passes += 1
"""
DEAR = "change: value/hand-size\nset: {by-players.2: 4}\n"


def house(name: str, rules: str, more: str = "") -> Path:
    """House rules for the tutorial's game, in the current folder."""
    Path(name).mkdir()
    Path(name, "pack.yaml").write_text(HEAD.format(name=name) + more, "utf-8")
    Path(name, "rules.yaml").write_text(rules, "utf-8")
    return Path(name)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_validate_alone_and_with_more(run: Run) -> None:
    house("small", SMALL)
    house("dear", DEAR)
    ran = run("validate", "small")
    assert (ran.code, ran.out) == (0, "tutorial+small: no findings in 2 files\n")
    assert run("validate", "tutorial+small").out == "tutorial+small: no findings in 15 files\n"
    ran = run("validate", "tutorial", "--with", "small", "--with", "dear", "--format", "concise")
    assert run("validate", "tutorial+small+dear", "--format", "concise") == ran
    assert (ran.code, ran.out) == (
        1,
        "small/rules.yaml:2:34: error RW623 `dear` sets `value/hand-size.by-players.2` to `4`, and "
        "`small` sets it to `3`\n"
        "12 scenarios, 4 prompts, 1 layout, 1 face and 2 expectations were not checked because the rules have "
        "errors\n",
    )  # fmt: skip


def test_findings_name_the_pack(run: Run) -> None:
    house("small", "change: verb/draw\nafter: passes += 1 +\n")
    ran = run("validate", "small")
    assert " --> small/rules.yaml:2:21 (small)\n" in ran.out
    found = json.loads(run("validate", "small", "--format", "json").out)["findings"]
    assert [(one["code"], one["location"]["pack"]) for one in found] == [("RW411", "small")]


def test_rule_errors_name_the_pack(run: Run) -> None:
    house("small", "change: verb/draw\nafter: passes += 2000000\n")
    ran = run("simulate", "small", "-n", "3")
    assert ran.code == 1
    assert "3 games failed (first: game 0): rule error bounds at small/rules.yaml:2:8 of small\n" in ran.out
    ran = run("play", "tutorial", "--with", "small", "--seats", "random,random", "--seed", "1")
    assert ran.code == 1 and "rule error bounds (small/rules.yaml:2:8 of small)" in ran.err


def test_warnings_of_the_game_are_for_its_author(run: Run) -> None:
    """A pack is told its own warnings and all errors, not the warnings of what it builds on."""
    Path("game").mkdir()
    Path("game/pack.yaml").write_text("pack: game\nplayers: 2\nlanguages: [en, es]\nname: {en: Game}\n", "utf-8")
    assert run("validate", "game", "--format", "concise").out.count("warning") == 1
    Path("rules").mkdir()
    Path("rules/pack.yaml").write_text('pack: rules\nversion: 1.0.0\nextends: {game: "*"}\n', "utf-8")
    assert run("validate", "rules").out == "game+rules: no findings in 1 file\n"


def test_blame(run: Run) -> None:
    house("small", SMALL)
    game = packs.shipped()["tutorial"]
    ran = run("blame", "tutorial", "value/hand-size", "--with", "small")
    assert ran.out == (
        "value/hand-size\n"
        "  by-players.2: 3\n"
        f"      tutorial  declares  {game}/pack.yaml:12  7\n"
        "      small     set       small/rules.yaml:2  3\n"
        "  by-players.default: 5\n"
        f"      tutorial  declares  {game}/pack.yaml:12  5\n"
    )
    told = json.loads(run("blame", "small", "verb/draw", "--json").out)
    assert [(one["path"], one["words"][-1]["pack"]) for one in told["values"]] == [
        ("verb", "tutorial"), ("do", "tutorial"), ("after", "small"),
    ]  # fmt: skip
    assert told["packs"] == [{"pack": "tutorial", "version": "1.0.0"}, {"pack": "small", "version": "1.0.0"}]


def test_blame_of_what_is_not_there(run: Run) -> None:
    house("small", "change: function/can-draw\nremove: true\n")
    ran = run("blame", "tutorial", "verb/drow")
    assert (ran.code, ran.err) == (2, "rulewright: verb/drow not found in tutorial; did you mean verb/draw?\n")
    ran = run("blame", "small", "function/can-draw")
    assert ran.code == 0
    assert "  (removed)\n" in ran.out and "      small     remove    small/rules.yaml:1\n" in ran.out


def test_a_cards_maker_is_blamed(run: Run) -> None:
    ran = run("blame", "tutorial", "playing-card/hearts-8")
    assert "  each.suit: all\n" in ran.out


def test_compare(run: Run) -> None:
    house("small", SMALL)
    ran = run("test", "tutorial", "--with", "small", "--compare", "-k", "Two players")
    game = packs.shipped()["tutorial"]
    assert ran.code == 0
    assert ran.out == (
        "changed: Two players have seven cards each, and a card lies face up beside the stock\n"
        f"  {game}/scenarios/dealing.yaml:1:11\n"
        "  before: passed\n"
        "  after:  expected: count(ann's hand) is 7; found: `count(ann's hand)` is 3\n"
        "          expected: count(ben's hand) is 7; found: `count(ben's hand)` is 3\n"
        "          expected: count(stock) is 37; found: `count(stock)` is 45\n"
        f"  rule:   {game}/rules.yaml:9:26 (tutorial)\n"
        "\n"
        "tutorial with small: 1 changed, 0 unchanged\n"
    )


def test_compare_tells_what_no_longer_fits(run: Run) -> None:
    """A scenario that names what is gone is no error of the rules."""
    house("small", "change: option/free-draw\nremove: true\n---\nchange: function/excused\n"
          "set: {is: no card in p's hand where fits(it)}\n")  # fmt: skip
    told = json.loads(run("test", "tutorial", "--with", "small", "--compare", "--format", "json").out)
    assert [(one["scenario"], one["reason"]) for one in told["skipped"]] == [
        ("With free drawing, a player can draw although a card in hand fits",
         "small removes option/free-draw (small/rules.yaml:1)"),
    ]  # fmt: skip
    assert told["changed"] == []


def test_compare_needs_house_rules(run: Run) -> None:
    ran = run("test", "tutorial", "--compare")
    assert (ran.code, "--compare requires one PACK, house rules (--with PACK)" in ran.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tutorial", "coup", "dominion", "rattus-cartus", "dominion+long-reign"])
def test_new_house_rules_are_sound(run: Run, game: str) -> None:
    ran = run("new", "house-rule", "own", "--for", game)
    assert ran.code == 0
    assert run("validate", "own", "--strict").code == 0
    ran = run("test", "own")
    assert ran.code == 0 and ran.out.endswith("+own: 1 passed\n")


def test_ideas_of_new_house_rules_work(run: Run) -> None:
    """What stands behind a `#` can be used as it is; a warning tells that it makes no difference yet."""
    run("new", "house-rule", "own", "--for", "tutorial")
    path = Path("own/rules.yaml")
    lines = path.read_text("utf-8").splitlines()
    begun = next(number for number, line in enumerate(lines) if line == "#")
    ideas = [line.removeprefix("# ") for line in lines[begun:-1]]
    changes = "\n".join("---" if line == "#" else line for line in ideas)
    assert changes.count("change: ") == 3
    path.write_text("\n".join(lines[:begun]) + f"\n{changes}\n", "utf-8")
    ran = run("validate", "own", "--format", "concise")
    assert ran.code == 0 and ran.out.count("RW") == ran.out.count("warning RW639") == 2  # a step may be empty
    path.write_text(path.read_text("utf-8").replace("to: 7", "to: 6").replace("around: proceed", "after: draw 1"))
    assert run("validate", "own", "--strict").code == 0


def test_new_house_rules_need_a_game(run: Run) -> None:
    ran = run("new", "house-rule", "own")
    assert ran.code == 2
    assert ran.err.startswith("rulewright: house-rule requires --for PACK, without --from and --in: ")
    ran = run("new", "house-rule", "own", "--for", "tutorail")
    assert ran.code == 2 and "did you mean tutorial?" in ran.err
    assert not Path("own").exists()


def test_a_journal_of_combined_packs(run: Run) -> None:
    """It replays by itself, with the names of shipped packs."""
    save = ("--save", "game.journal")
    run("play", "coup", "--with", "eight-coins", "--seats", "random,random", "--seed", "3", *save)
    ran = run("replay", "game.journal")
    assert ran.code == 0 and "Duke" in ran.out
