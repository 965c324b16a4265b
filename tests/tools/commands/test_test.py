"""`rulewright test`: reports about failed scenarios and about unreached branches."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as Xml
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.tools.harness import ROOT, Run

LANTERNS = ROOT / "tests" / "docs" / "lanterns.yaml"
BEGIN = """\
scenario: Ann buys a lantern
players: [ann, ben]
given:
  phase: market
  starting-player: ann
  row: [red-1, green-2, blue-3]
  ann: {hand: [bell, feather], coins: 4}
  ben: {hand: none, coins: 2}
"""
WRONG = {
    "a fact": "when: [{ann: {choice: lantern red-1}}]\nthen: [ann's coins is 2, ann's coins + 1 > 1]\n",
    "a fact about cards": "when: [{ann: {choice: lantern red-1}}]\nthen: [(last of row) is blue-2]\n",
    "two facts in one": "then: [ann's coins is 4 and ben's coins is 3]\n",
    "a choice that is not asked": "when: [{ben: {choice: pass}}]\n",
    "an option that is not offered": "when: [{ann: {choice: lantern red-2}}]\n",
    "an answer that is not refused": "when: [{refuses: {ann: {choice: pass}}}]\n",
    "other options": "then: [{offers: {ann: [pass, lantern red-1, play feather]}}]\n",
    "others are asked": "then: [{asks: {ben: choice}}]\n",
    "nobody has won": "then: [{wins: ann}]\n",
    "somebody else has won": "when: [{ann: {choice: pass}}, {ben: {choice: pass}}]\nthen: [{wins: [ben]}]\n",
    "what a seat sees": "then: [{sees: {ben: {hand of ann: [bell, feather]}}}]\n",
    "the value that a seat sees": "then: [{sees: {ben: {coins of ann: 3}}}]\n",
    "a refusal of nothing": "when: [{refuses: {ann: {choice: lantern red-1-9}}}]\n",
    "what is never asked": "when: [{until: given-up}]\n",
}
"""What follows `BEGIN`; each goes wrong in one way."""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "lanterns"
    (folder / "scenarios").mkdir(parents=True)
    shutil.copy(LANTERNS, folder / "pack.yaml")
    return folder


def write(pack: Path, text: str) -> None:
    (pack / "scenarios" / "one.yaml").write_text(text, "utf-8")


def test_scenarios_that_hold(run: Run, pack: Path) -> None:
    write(
        pack,
        BEGIN
        + """\
when:
  - offers: {ann: [lantern red-1, lantern green-2, lantern blue-3, play bell, pass]}
  - refuses: {ann: {choice: play feather}}
  - ann: {choice: lantern red-1}
  - then: ann's coins is 1 and ann's fame[red] is 1 and count(row) is 2
  - asks: {ben: market.buy.choice}
  - sees: {ben: {hand of ann: [red-1, 2 ?], coins of ann: 1}, ann: {hand: [bell, feather, red-1]}}
  - offers: {ben: pass}
  - ben: {choice: pass}
then:
  - ben's coins is 3 and starting-player is ben
""",
    )
    ran = run("test", str(pack))
    assert (ran.code, ran.out) == (0, "lanterns: 1 passed\n")


@pytest.mark.parametrize("case", list(WRONG))
def test_what_goes_wrong(run: Run, pack: Path, snapshot: SnapshotAssertion, case: str) -> None:
    begin = BEGIN.replace("ann\n  row", "ann\n  rounds: 2\n  row") if "won" in case else BEGIN
    write(pack, begin + WRONG[case])
    ran = run("test", str(pack))
    assert ran.code == 1
    assert ran.out.replace(str(pack), "lanterns") == snapshot


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("row: 4 bell", "there is no bell left for row"),
        ("ben: {hand: [3 bell]}", "there is no bell left for ben's hand"),
        ("deck: none", "would lie nowhere"),
    ],
)
def test_positions_that_cannot_be(run: Run, pack: Path, given: str, said: str) -> None:
    begin = BEGIN.replace("  ben: {hand: none, coins: 2}\n", f"  {given}\n").replace(
        "  row: [red-1, green-2, blue-3]\n", ""
    )
    write(pack, begin if given.startswith(("row", "deck")) else begin + "then: []\n")
    ran = run("test", str(pack), "--format", "concise")
    assert ran.code == 1
    assert said in ran.out, ran.out
    assert "one.yaml:1:" not in ran.out


def test_a_set_up_that_fails_before_the_position(run: Run, tmp_path: Path) -> None:
    """A track of at most 2 cannot rise by 3: the scenario fails, and says which rule did it."""
    folder = tmp_path / "debts"
    (folder / "scenarios").mkdir(parents=True)
    rules = (
        "pack: debts\nversion: 0.1.0\nformat: 3\nplayers: 2\ntracks: {debt: {at-least: 0, at-most: 2}}\n---\n"
        "setup: lay\nsteps:\n  - {id: owe, do: debt += 3}\n---\n"
        "round: turn\nturns-from: first of players\nuntil: debt is 0\nsteps:\n  - {id: pay, do: debt -= 1}\n"
    )
    (folder / "pack.yaml").write_text(rules, "utf-8")
    text = "scenario: Debts\nplayers: [ann, ben]\ngiven: {phase: turn, turn: ann, debt: 1}\nthen: [debt is 1]\n"
    (folder / "scenarios" / "one.yaml").write_text(text, "utf-8")
    found = run("test", str(folder))
    assert found.code == 1
    assert "RW711" in found.out and "the rules fail in the set-up" in found.out
    assert "rule error bounds" in found.out and "pack.yaml:9:19" in found.out


def test_formats(run: Run, pack: Path) -> None:
    write(pack, BEGIN + WRONG["a fact"])
    data = json.loads(run("test", str(pack), "--format", "json").out)
    (finding,) = data["findings"]
    assert (finding["code"], finding["message"]) == ("RW711", "expected: ann's coins is 2")
    suite = Xml.fromstring(run("test", str(pack), "--format", "junit").out)
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    write(pack, BEGIN + WRONG["a fact"] + "---\n" + BEGIN.replace("Ann buys", "Ann sells"))
    suite = Xml.fromstring(run("test", str(pack), "--format", "junit").out)
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite.iter("testcase")] == ["Ann buys a lantern", "Ann sells a lantern"]


def test_json_has_all_scenarios_and_counts(run: Run, pack: Path, two_packs: Path) -> None:
    sells = BEGIN.replace("Ann buys", "Ann sells").replace("players:", "source: p. 4\nplayers:")
    write(pack, f"{BEGIN}{WRONG['a fact']}---\n{sells}")
    data = json.loads(run("test", str(pack), "--format", "json").out)
    buys, sold = data["scenarios"]
    assert (buys["pack"], buys["title"], buys["source"]) == ("lanterns", "Ann buys a lantern", None)
    assert (buys["outcome"], buys["messages"]) == ("failed", ["expected: ann's coins is 2"])
    assert (sold["title"], sold["source"], sold["outcome"], sold["messages"]) == (
        "Ann sells a lantern", "p. 4", "passed", [],
    )  # fmt: skip
    places = [(one["location"]["path"][-18:], one["location"]["start"]["line"]) for one in data["scenarios"]]
    assert places == [("scenarios/one.yaml", 1), ("scenarios/one.yaml", 12)]
    assert data["summary"]["scenarios"] == {"passed": 1, "failed": 1, "skipped": 0}
    assert data["summary"]["not-tested"] == []
    assert data["summary"]["errors"] == len(data["findings"]) == 1
    only = json.loads(run("test", str(pack), "-k", "p. 4", "--format", "json").out)
    assert [one["title"] for one in only["scenarios"]] == ["Ann sells a lantern"]
    several = json.loads(run("test", str(two_packs), "--format", "json").out)["summary"]
    assert several["scenarios"] == {"passed": 0, "failed": 1, "skipped": 0}
    assert several["not-tested"] == ["lanterns"]


def test_only_some(run: Run, pack: Path) -> None:
    write(pack, BEGIN + "---\n" + BEGIN.replace("Ann buys a lantern", "Ann waits\nsource: p. 4"))
    assert run("test", str(pack), "-k", "p. 4").out == "lanterns: 1 passed\n"
    assert run("test", str(pack), "-k", "nothing like this").code == 2


CHOOSING = """\
pack: wishes
version: 1.0.0
format: 3
name: Arguments
players: 2
options: {wished: {some-of: charm, where: cost < 9, count: 2, default: none}}
kinds: {charm: {fields: {cost: 0 to 9}}}
components: {charms: {kind: charm, copies: 1, starts: row}}
zones: {row: {order: row, seen-by: all}}
tracks: {luck: {at-least: 0, at-most: 9}}
---
charm: bell
cost: 3
---
charm: feather
cost: 1
---
charm: whistle
cost: 2
---
charm: crown
cost: 9
---
setup: start
steps:
  - id: wishes
    do: |
      if wished has bell: luck += 1
      if wished has crown: luck += 2
---
round: day
turns-from: first of players
until: luck < 9
steps: [{id: rest, do: do nothing}]
---
finish: end
awards: []
---
winner: lucky
among: players
order: [most luck]
"""


def test_random_games_choose_definitions(run: Run, tmp_path: Path) -> None:
    """What needs an option with `some-of` is reached by random games, which draw what can be chosen and no more."""
    (tmp_path / "pack.yaml").write_text(CHOOSING, "utf-8")
    out = run("test", str(tmp_path), "--coverage", "-v", "-n", "100").out
    with_bell, with_crown = (line.split() for line in out.splitlines() if "in games  if " in line)
    assert int(with_bell[3]) > 0, out
    assert with_crown[3] == "0", out


def test_coverage(run: Run, pack: Path) -> None:
    (pack / "more.yaml").write_text(
        "verb: sleep(s)\n"
        "do: coins += 1\n---\n"
        "verb: wake(s)\n"
        "# rulewright: allow RW721: for house rules\n"
        "do: |\n"
        "  if coins > 0: coins -= 1\n"
        "  else: coins += 1\n",
        "utf-8",
    )
    write(pack, BEGIN + "when: [{ann: {choice: play bell}}]\n")
    ran = run("test", str(pack), "--coverage", "-n", "0", "--format", "concise")
    assert ran.code == 0
    never = [line.split("never reached: ")[1] for line in ran.out.splitlines()]
    assert "verb sleep(s)" in never
    assert "verb wake(s)" in never  # its sentence stands above the comment
    assert "if" not in never
    assert "effect bell.play" not in never
    assert run("test", str(pack), "--coverage", "-n", "0", "--strict").code == 1
    whole = run("test", str(pack), "--coverage", "-n", "50")
    assert "for house rules" in whole.out
    assert "option market.buy.lantern" not in whole.out


def test_a_game_from_a_scenario(run: Run, pack: Path) -> None:
    write(pack, BEGIN)
    game = ("play", str(pack), "--from", "buys", "--seats", "random,random", "--save", "one.journal")
    played = run(*game)
    assert played.code == 0
    assert run("replay", "one.journal", "--pack", str(pack)).out.split("\n\n")[0] in played.out
    why = run("play", str(pack), "--from", "buys", "--seats", "human,random", typed="why\nq\n").out
    assert "Not offered:\n  Play: feather\n" in why  # the condition of the pack is not what players read
    assert run("play", str(pack), "--from", "sells").code == 2
    assert "Ann buys a lantern" in run("play", str(pack), "--from", "Ann buys a lantrn").err
    assert run(*game, "--players", "3").code == 2


# ------------------------------------------------------------------ packs with errors

@pytest.fixture
def two_packs(run: Run, pack: Path) -> Path:
    """A folder with a pack whose scenario fails, and one that has an error."""
    write(pack, BEGIN + "then: [ann's coins is 5]\n")
    folder = pack.parent / "several"
    shutil.copytree(pack, folder / "sound")
    shutil.copytree(pack, folder / "broken")
    with (folder / "broken" / "pack.yaml").open("a", encoding="utf-8") as file:
        file.write("---\nverb: glow(s)\ndo: draww 1\n")
    return folder


def test_a_pack_with_errors_does_not_keep_others_from_being_tested(run: Run, two_packs: Path) -> None:
    ran = run("test", str(two_packs))
    assert ran.code == 1
    assert "expected: ann's coins is 5" in ran.out
    assert "unknown verb `draww`" in ran.out
    assert "1 failed\n" in ran.out
    assert "lanterns: not tested, because it has errors\n" in ran.out


@pytest.mark.parametrize("form", ["concise", "json", "github", "junit", "sarif"])
def test_a_report_has_the_errors_of_a_pack(run: Run, two_packs: Path, form: str) -> None:
    for asked in (two_packs, two_packs / "broken"):
        ran = run("test", str(asked), "--format", form)
        assert (ran.code, "RW425" in ran.out, "RW711" in ran.out) == (1, True, asked is two_packs)
    if form == "json":
        assert json.loads(ran.out)["summary"]["errors"] == 1
    if form == "junit":
        assert Xml.fromstring(ran.out).get("failures") == "1"
