"""Scenarios and rules that no longer apply under other packs are skipped, with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.harness import Run

GAME = """\
pack: market
version: 1.0.0
format: 3
name: {en: Market}
players: 2
languages: [en]
---
kinds:
  fruit: {fields: {worth: 0 to 9}}
---
fruit: apple
worth: 1
---
fruit: pear
worth: 2
---
fruit: quince
worth: 3
---
components:
  fruits: {kind: fruit, copies: 2, starts: barn}
---
zones:
  barn: {order: bag, seen-by: all, name: {en: barn}}
  deep: {order: pile, seen-by: nobody, name: {en: deep}}
  basket: {scope: player, order: bag, seen-by: all, name: {en: basket}}
---
options:
  long: {default: false, text: {en: A long game.}}
  calm: {default: false, text: {en: Nothing is put back.}}
---
layout: table
groups:
  - {name: {en: Middle}, show: [barn, deep]}
  - {name: {en: Players}, show: [basket]}
---
round: day
turns-from: first of players
steps:
  - id: act
    options:
      take: {each: {fruit: barn}, when: count(barn) > 0, do: move fruit to basket}
      swap: {each: {fruit: basket}, when: not calm, do: move fruit to barn}
      rest: do nothing
  - id: gift
    do: |
      choose up to 1 card from basket as given
      move given to barn
      if count(deep) > 0: move top of deep to barn
until: count(barn) < 3 and (not long or barn is empty)
---
finish: end
awards: [worth]
---
award: worth
sum: total worth over basket
---
winner: best
among: players
order: [most score]
---
prompts:
  day.act.choice: {en: What do you do?}
  day.act.choice.take: {en: Take}
  day.act.choice.swap: {en: Swap}
  day.act.choice.rest: {en: Rest}
  day.gift.given: {en: What do you give back?}
---
bot: fruity
answers:
  - {choice: day.act.choice, prefer: ["take:quince", "take:pear", swap:apple, rest]}
  - {choice: day.gift.given, prefer: [quince, apple], otherwise: none}
"""
SCENARIOS = """\
scenario: An apple is taken
source: the market's rules
players: [ann, ben]
when:
  - ann: {act.choice: take apple}
then: count(ann's basket) is 1
---
scenario: A quince is taken
source: page 7
players: [ann, ben]
when:
  - ann: {act.choice: take quince}
then: count(ann's basket) is 1
---
scenario: A long game
players: [ann, ben]
options: {long: true}
then: count(barn) is 6
"""
HEAD = 'pack: {name}\nversion: 1.0.0\nformat: 3\nextends: {{market: "*"}}\nlanguages: [en]\nname: {{en: Own}}\n'
NO_QUINCE = "change: fruit/quince\ntext: {en: There are no quinces.}\nremove: true\n"
NO_OPTION = "change: option/long\nremove: true\n---\nchange: round/day\nset: {until: count(barn) < 3}\n"
NO_ZONE = "change: zone/deep\nremove: true\n---\nchange: step/day.gift\nset: {do: 'move basket to barn'}\n"
NO_GIFT = "change: step/day.gift\nremove: true\n"
OWN = "scenario: Own\nplayers: [ann, ben]\nwhen:\n  - ann: {act.choice: take quince}\nthen: count(barn) is 3\n"


@pytest.fixture(autouse=True)
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("market", "scenarios").mkdir(parents=True)
    Path("market", "pack.yaml").write_text(GAME, "utf-8")
    Path("market", "scenarios", "all.yaml").write_text(SCENARIOS, "utf-8")


def house(name: str, rules: str, more: str = "", scenarios: str = "") -> None:
    Path(name).mkdir()
    Path(name, "pack.yaml").write_text(HEAD.format(name=name) + more, "utf-8")
    Path(name, "rules.yaml").write_text(rules, "utf-8")
    if scenarios:
        Path(name, "scenarios").mkdir()
        Path(name, "scenarios", "own.yaml").write_text(scenarios, "utf-8")


def notes(run: Run, *arguments: str) -> list[str]:
    return [line for line in run(*arguments).out.splitlines() if " skipped: " in line]


def test_the_game_is_sound(run: Run) -> None:
    assert run("validate", "market", "--strict").out == "market: no findings in 2 files\n"
    assert run("test", "market").out == "market: 3 passed\n"


@pytest.mark.parametrize("name", ["a-no-quince", "z-no-quince"])
def test_a_removed_card(run: Run, name: str) -> None:
    """One of the three scenarios takes a quince, and the bot prefers one at two choices."""
    house(name, NO_QUINCE)
    reason = f"{name} removes fruit/quince ({name}/rules.yaml:1)"
    ran = run("validate", "market", "--with", name)
    assert (ran.code, ran.out) == (
        0, f"1 scenario and 2 bot lines of market skipped: {reason}\nmarket+{name}: no findings in 4 files\n",
    )  # fmt: skip
    ran = run("validate", name)  # the game is read without its scenarios
    assert (ran.code, ran.out.splitlines()[0]) == (0, f"2 bot lines of market skipped: {reason}")
    ran = run("test", "market", "--with", name, "-k", "taken", "--verbose")
    assert (ran.code, ran.out) == (
        0,
        "passed   An apple is taken\n"
        f"skipped  A quince is taken ({reason})\n"
        f"1 scenario of market skipped: {reason}\n"
        f"market+{name}: 1 passed, 1 skipped\n",
    )


def test_other_scenarios_are_played(run: Run) -> None:
    """Four fruits are in the barn, not six."""
    house("no-quince", NO_QUINCE)
    ran = run("test", "market", "--with", "no-quince")
    assert (ran.code, ran.out.splitlines()[-1]) == (1, "market+no-quince: 1 failed, 1 passed, 1 skipped")
    assert "`count(barn)` is 4" in ran.out


def test_a_title_or_source_of_what_is_skipped(run: Run) -> None:
    house("no-quince", NO_QUINCE)
    ran = run("test", "market", "--with", "no-quince", "-k", "page 7")
    assert (ran.code, ran.out.splitlines()[-1]) == (
        0, "market+no-quince: 1 skipped"
    )  # fmt: skip
    assert run("test", "market", "--with", "no-quince", "-k", "page 8").code == 2


@pytest.mark.parametrize(("rules", "skipped"), [
    (NO_OPTION, "1 scenario of market skipped: odd removes option/long (odd/rules.yaml:1)"),
    (NO_GIFT, "1 bot line and 1 prompt of market skipped: odd removes step/day.gift (odd/rules.yaml:1)"),
    (NO_ZONE, "1 bot line, 1 prompt and 1 layout line of market skipped: odd changes step/day.gift.do "
              "(odd/rules.yaml:5); odd removes zone/deep (odd/rules.yaml:1)"),
    ("change: pack/market\nset: {players: 3 to 4}\n",
     "3 scenarios of market skipped: odd changes pack/market.players (odd/rules.yaml:2)"),
])  # fmt: skip
def test_other_changes(run: Run, rules: str, skipped: str) -> None:
    house("odd", rules)
    ran = run("validate", "market", "--with", "odd", "--strict")
    assert (ran.code, ran.out) == (0, f"{skipped}\nmarket+odd: no findings in 4 files\n")


def test_a_packs_own_scenarios_know_its_changes(run: Run) -> None:
    """Its own mistakes are errors, and come first."""
    house("own", NO_QUINCE, scenarios=OWN)
    ran = run("validate", "market", "--with", "own", "--format", "concise")
    first, second = ran.out.splitlines()
    assert (ran.code, first.partition(" no choice")[0]) == (1, "own/scenarios/own.yaml:4:23: error RW705")
    assert second.startswith("1 scenario and 2 bot lines of market skipped: ")


@pytest.mark.parametrize(("names", "more", "code"), [
    (("odd", "no-quince"), "", 0),
    (("odd", "a-no-quince"), "", 0),
    (("odd", "no-quince"), "after: [no-quince]\n", 1),
    (("odd", "no-quince"), 'requires: {no-quince: "*"}\n', 1),
])  # fmt: skip
def test_strangers_excuse_and_acquaintances_do_not(run: Run, names: tuple[str, str], more: str, code: int) -> None:
    """A scenario of one pack takes what the other removes."""
    own, other = names
    house(other, NO_QUINCE)
    house(own, "change: option/calm\nset: {default: true}\n", more, OWN)
    ran = run("validate", "market", "--with", own, "--with", other, "--format", "concise")
    assert ran.code == code
    told = f"1 scenario of {own} skipped: {other} removes fruit/quince ({other}/rules.yaml:1)"
    assert (told in ran.out) == (code == 0)


def test_mistakes_of_the_game_stay_errors(run: Run) -> None:
    """They are there without the house rules, too."""
    path = Path("market", "scenarios", "all.yaml")
    path.write_text(SCENARIOS.replace("take apple", "take plum"), "utf-8")
    house("no-quince", NO_QUINCE)
    ran = run("validate", "market", "--with", "no-quince", "--format", "concise")
    assert ran.code == 1
    assert ran.out.startswith("market/scenarios/all.yaml:5:23: error RW705 no choice offers `plum`")
    assert "1 scenario and 2 bot lines of market skipped: " in ran.out


def test_errors_in_the_rules_come_first(run: Run) -> None:
    """Nothing is skipped before the rules are right: a scenario may not apply because of that mistake."""
    house("no-quince", NO_QUINCE + "---\nchange: step/day.gift\nset: {do: count +}\n")
    ran = run("validate", "market", "--with", "no-quince")
    assert ran.code == 1 and "were not checked because the rules have errors" in ran.out
    assert " skipped: " not in ran.out


def test_two_layouts_stay_an_error(run: Run) -> None:
    house("a", "layout: mine\ngroups: [{name: {en: All}, show: [barn, deep, basket]}]\n")
    house("b", "layout: mine\ngroups: [{name: {en: All}, show: [barn, deep, basket]}]\n")
    assert "RW332" in run("validate", "market", "--with", "a", "--with", "b", "--format", "concise").out


def test_a_bot_plays_without_what_is_gone(run: Run) -> None:
    """Of what it prefers, the pear is left."""
    house("no-quince", NO_QUINCE)
    ran = run("play", "market", "--with", "no-quince", "--seats", "fruity,fruity", "--seed", "1")
    assert ran.code == 0
    for player in (1, 2):
        assert f"  Player {player} takes pear from the barn into their basket.\n" in ran.out


def test_as_data(run: Run) -> None:
    house("no-quince", NO_QUINCE)
    for command in ("validate", "test"):
        told = json.loads(run(command, "market", "--with", "no-quince", "--format", "json").out)
        one = next(one for one in told["skipped"] if one["sort"] == "scenario")
        assert (one["name"], one["by"], one["at"]["path"]) == (
            "A quince is taken", ["no-quince"], "no-quince/rules.yaml"
        )  # fmt: skip
        assert (one["location"]["pack"], one["location"]["start"]["line"]) == ("market", 8)
        assert one["finding"]["code"] == "RW705"
        assert told["summary"]["skipped"] == len(told["skipped"]) == {"validate": 3, "test": 1}[command]


def test_as_junit(run: Run) -> None:
    from xml.etree import ElementTree

    house("no-quince", NO_QUINCE)
    whole = ElementTree.fromstring(run("test", "market", "--with", "no-quince", "--format", "junit").out)
    (suite,) = whole
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    assert (whole.get("tests"), whole.get("failures")) == ("3", "1")
    (case,) = (one for one in suite if one.find("skipped") is not None)
    skipped = case.find("skipped")
    assert case.get("name") == "A quince is taken" and skipped is not None
    assert skipped.get("message") == "no-quince removes fruit/quince (no-quince/rules.yaml:1)"


def test_compared(run: Run) -> None:
    house("no-quince", NO_QUINCE)
    ran = run("test", "market", "--with", "no-quince", "--compare")
    assert ran.code == 0 and ran.out.endswith(
        "skipped: A quince is taken\n"
        "  market/scenarios/all.yaml:8:11\n"
        "  reason: no-quince removes fruit/quince (no-quince/rules.yaml:1)\n"
        "\n"
        "market with no-quince: 1 changed, 1 unchanged, 1 skipped\n"
    )
    told = json.loads(run("test", "market", "--with", "no-quince", "--compare", "--format", "json").out)
    assert [one["scenario"] for one in told["changed"]] == ["A long game"]
    assert [(one["scenario"], one["line"], one["by"], one["at"]) for one in told["skipped"]] == [
        ("A quince is taken", 8, ["no-quince"], {"file": "no-quince/rules.yaml", "line": 1})
    ]


def test_from_the_cache(run: Run) -> None:
    house("no-quince", NO_QUINCE)
    assert run("validate", "market", "--with", "no-quince") == run("validate", "market", "--with", "no-quince")


def test_a_file_that_is_asked_about(run: Run) -> None:
    house("no-quince", NO_QUINCE)
    ran = run("validate", "market/scenarios/all.yaml", "--with", "no-quince")
    assert notes(run, "validate", "market/scenarios/all.yaml", "--with", "no-quince") == [
        "1 scenario of market skipped: no-quince removes fruit/quince (no-quince/rules.yaml:1)"
    ]
    assert ran.code == 0


@pytest.mark.parametrize("name", ["a-few", "z-few"])
def test_a_position_for_which_too_few_cards_are_left(run: Run, name: str) -> None:
    """Two quinces in one basket: there is one of each fruit. The same position in the pack's own scenario fails."""
    two = (
        "scenario: {}\nplayers: [ann, ben]\ngiven: {{phase: day, ann: {{basket: [2 quince]}}}}\n"
        "then:\n  - count(ann's basket) is 2\n"
    )
    rules = "change: component/fruits\nset: {copies: 1}\n"
    Path("market", "scenarios").mkdir(exist_ok=True)
    Path("market", "scenarios", "two.yaml").write_text(two.format("Two quinces"), "utf-8")
    house(name, rules)
    assert run("test", "market", "-k", "Two quinces").code == 0
    ran = run("test", "market", "--with", name, "-k", "Two quinces")
    reason = f"with {name}, there is no quince left for ann's basket"
    assert (ran.code, ran.out) == (
        0, f"1 scenario of market skipped: {reason}\nmarket+{name}: 1 skipped\n"
    )  # fmt: skip
    compared = run("test", "market", "--with", name, "--compare", "-k", "Two quinces")
    assert (compared.code, compared.out.splitlines()) == (0, [
        "skipped: Two quinces", f"  {Path('market/scenarios/two.yaml')}:1:11", f"  reason: {reason}", "",
        f"market with {name}: 0 changed, 0 unchanged, 1 skipped",
    ])  # fmt: skip
    own = Path(name, "scenarios")
    own.mkdir()
    Path(own, "own.yaml").write_text(two.format("Two quinces of ours"), "utf-8")
    ran = run("test", "market", "--with", name, "-k", "Two quinces")
    assert (ran.code, ran.out.splitlines()[-1]) == (1, f"market+{name}: 1 failed, 1 skipped")
