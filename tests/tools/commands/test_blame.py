"""`blame` names each pack that set a value, and `diff` and `show --with` show the current one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.harness import Run

GAME = """\
pack: stall
version: 1.0.0
format: 3
name: {en: Stall}
text: {en: Sell fruit.}
players: 2
languages: [en]
---
values:
  price: 2
  prizes: {by-players: {2: 5, default: 4}}
---
options:
  calm:
    default: false
    text: A calm game.
---
enumerations:
  tag: [sweet, sour, ripe]
---
kinds:
  fruit: {fields: {worth: 0 to 9, tags: list of tag}}
---
fruit: pear
worth: 1
tags: [sweet, sour]
---
components:
  fruits: {kind: fruit, starts: barn}
---
zones:
  barn: {order: bag, seen-by: all, name: {en: barn}}
---
tracks:
  coins: {scope: player, name: {en: coins}}
---
function: cost
takes: {n: number}
gives: number
is: n * price
---
verb: sell(s)
do: coins += cost(1)
---
round: day
turns-from: first of players
steps:
  - {id: act, do: sell}
until: coins > 3
---
finish: end
awards: [rich]
---
award: rich
sum: coins
---
winner: best
among: players
order: [most score]
"""
HEAD = (
    'pack: {name}\nversion: 1.0.0\nformat: 3\nextends: {{stall: "*"}}\nlanguages: [en]\n'
    "name: {{en: Rules of {name}}}\n{more}"
)


@pytest.fixture(autouse=True)
def stall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stall").mkdir()
    Path("stall", "pack.yaml").write_text(GAME, "utf-8")


def line(text: str) -> int:
    """The line of the game in which a text begins."""
    return GAME[: GAME.index(text)].count("\n") + 1


def house(name: str, rules: str, after: str = "") -> None:
    Path(name).mkdir()
    more = f"after: [{after}]\n" if after else ""
    Path(name, "pack.yaml").write_text(HEAD.format(name=name, more=more), "utf-8")
    Path(name, "rules.yaml").write_text(rules, "utf-8")


def words(run: Run, id_: str, *more: str) -> dict[str, list[tuple[str, str, str | None]]]:
    """What each pack says of each value."""
    arguments = [part for name in more for part in ("--with", name)]
    assert run("validate", "stall", *arguments).code == 0
    told = json.loads(run("blame", "stall", *arguments, id_, "--json").out)
    return {
        one["path"]: [(word["pack"], word["action"], word["value"]) for word in one["words"]]
        for one in told["values"]
    }


def values(run: Run, id_: str, *more: str) -> dict[str, str | None]:
    arguments = [part for name in more for part in ("--with", name)]
    told = json.loads(run("blame", "stall", *arguments, id_, "--json").out)
    return {one["path"]: one["value"] for one in told["values"]}


def setting(value: int, text: str = "") -> str:
    return f"change: value/price\n{text}set: {value}\n"


@pytest.mark.parametrize("names", [("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a")])
def test_three_packs_set_a_value(run: Run, names: tuple[str, str, str]) -> None:
    """Whatever their names are: each comes after the one before."""
    one, two, three = names
    house(one, setting(3))
    house(two, setting(4), one)
    house(three, setting(5), two)
    assert words(run, "value/price", *sorted(names)) == {
        "": [("stall", "declares", "2"), (one, "set", "3"), (two, "set", "4"), (three, "set", "5")]
    }


def test_removed_and_then_added(run: Run) -> None:
    house("z", "change: value/prizes\nremove: {by-players: [2]}\n")
    house("b", "change: value/prizes\nadd: {by-players: {2: 7}}\n", "z")
    assert words(run, "value/prizes", "z", "b") == {
        "by-players.2": [("stall", "declares", "5"), ("z", "remove", None), ("b", "add", "7")],
        "by-players.default": [("stall", "declares", "4")],
    }


def test_what_a_later_pack_takes_away_has_no_value(run: Run) -> None:
    house("z", "change: value/prizes\nset: {by-players.2: 7}\n")
    house("b", "change: value/prizes\nset: {by-players: {default: 1}}\n", "z")
    found = words(run, "value/prizes", "z", "b")
    assert found["by-players.default"] == [("stall", "declares", "4"), ("b", "set", "1")]
    assert found["by-players.2"] == [("stall", "declares", "5"), ("z", "set", "7"), ("b", "set", None)]
    assert values(run, "value/prizes", "z", "b") == {"by-players.default": "1", "by-players.2": None}


def test_members_of_a_list(run: Run) -> None:
    """The list that the game declares is shown as it is there."""
    house("a", "change: fruit/pear\nadd: {tags: [ripe]}\n")
    house("b", "change: fruit/pear\nremove: {tags: [sour]}\n")
    assert words(run, "fruit/pear", "a", "b")["tags"] == [
        ("stall", "declares", "[sweet, sour]"), ("a", "add", "ripe"), ("b", "remove", "sour"),
    ]  # fmt: skip
    assert values(run, "fruit/pear", "a", "b")["tags"] == "[sweet, ripe]"
    told = run("blame", "stall", "--with", "a", "--with", "b", "fruit/pear").out
    assert f"      stall  declares  stall/pack.yaml:{line('[sweet, sour]')}  [sweet, sour]\n" in told


def test_an_entry_of_a_section_and_its_texts(run: Run) -> None:
    """A text of one language, and a text that another pack gives anew."""
    house("a", "change: option/calm\nset: {text.en: Be calm.}\n")
    house("b", "change: option/calm\nset: {default: true}\n")
    house("c", "change: option/calm\nset: {text.en: Be quiet.}\n", "a")
    assert words(run, "option/calm", "a", "b", "c") == {
        "default": [("stall", "declares", "false"), ("b", "set", "true")],
        "text.en": [("stall", "declares", "A calm game."), ("a", "set", "Be calm."), ("c", "set", "Be quiet.")],
    }


def test_all_who_said_something_of_what_is_removed(run: Run) -> None:
    house("z", "change: track/spare\nset: {at-least: 0}\n", "")
    Path("stall", "pack.yaml").write_text(GAME.replace("tracks:\n", "tracks:\n  spare: {starts: 1}\n"), "utf-8")
    house("b", "change: track/spare\nremove: true\n", "z")
    (found,) = words(run, "track/spare", "z", "b").values()
    assert [word[:2] for word in found] == [("stall", "declares"), ("z", "set"), ("b", "remove")]


HOOKS = """\
hook: early
before: verb/sell
do: coins += 1
---
hook: late
after: verb/sell
do: coins += 2
---
hook: at-act
after: step/day.act
do: coins += 3
"""
OTHERS = """\
hook: other
instead-of: verb/sell
when: coins > 2
do: coins += 4
---
change: verb/sell
after: coins += 5
---
modifier: dear
changes: cost
is: result + 1
---
modifier: precious
changes: fruit.worth
is: result + 1
---
change: step/day.act
after:
  id: more
  do: |
    start dear until the turn ends
    start precious until the turn ends
    if pear's worth > 1: do nothing
"""


def test_hooks_inserts_and_modifiers(run: Run) -> None:
    house("a", HOOKS)
    house("b", OTHERS)
    found = words(run, "verb/sell", "a", "b")
    assert {path: said for path, said in found.items() if path not in ("verb", "do")} == {
        "after": [("b", "after", "coins += 5")],
        "hook/early before": [("a", "declares", "coins += 1")],
        "hook/late after": [("a", "declares", "coins += 2")],
        "hook/other instead-of": [("b", "declares", "coins += 4")],
    }
    assert words(run, "step/day.act", "a", "b")["hook/at-act after"] == [("a", "declares", "coins += 3")]
    assert words(run, "function/cost", "a", "b")["modifier/dear"] == [("b", "declares", "result + 1")]
    assert words(run, "fruit/pear", "a", "b")["modifier/precious (worth)"] == [("b", "declares", "result + 1")]
    assert words(run, "kind/fruit", "a", "b")["modifier/precious (worth)"] == [("b", "declares", "result + 1")]
    assert "hook/early before" not in words(run, "function/cost", "a", "b")
    told = run("blame", "stall", "--with", "a", "--with", "b", "verb/sell").out
    assert "  hook/late after: coins += 2\n      a      declares  a/rules.yaml:5  coins += 2\n" in told


@pytest.mark.parametrize("names", [("a", "b", "c"), ("b", "a", "c")])
def test_the_text_of_the_pack_whose_value_holds(run: Run, names: tuple[str, str, str]) -> None:
    """A third pack settles what two strangers set."""
    one, two, three = names
    house(one, setting(3, "text: {en: It costs three.}\n"))
    house(two, setting(4, "text: {en: It costs four.}\n"))
    house(three, setting(5, "text: {en: It costs five.}\n"), f"{one}, {two}")
    told = run("diff", "stall", "--with", "a", "--with", "b", "--with", "c").out
    assert "- It costs five. (Price: 5 instead of 2)\n" in told
    assert "three" not in told and "four" not in told
    assert sorted(words(run, "value/price", "a", "b", "c")[""]) == sorted([
        ("stall", "declares", "2"), (one, "set", "3"), (two, "set", "4"), (three, "set", "5"),
    ])  # fmt: skip
    assert values(run, "value/price", "a", "b", "c") == {"": "5"}


@pytest.mark.parametrize(("base", "top"), [("a", "z"), ("z", "a")])
def test_the_text_of_a_house_rule_on_a_house_rule(run: Run, base: str, top: str) -> None:
    house(base, setting(3, "text: {en: It costs three.}\n"))
    house(top, setting(4, "text: {en: It costs four.}\n"), base)
    told = run("diff", "stall", "--with", base, "--with", top).out
    assert "- It costs four. (Price: 4 instead of 2)\n" in told and "three" not in told


def test_no_text_is_better_than_that_of_another_value(run: Run) -> None:
    house("z", setting(3, "text: {en: It costs three.}\n"))
    house("b", setting(4), "z")
    told = run("diff", "stall", "--with", "z", "--with", "b").out
    assert "- Price: 4 instead of 2\n" in told and "three" not in told


def test_all_texts_of_what_several_packs_put_into_a_list(run: Run) -> None:
    house("a", "change: fruit/pear\ntext: {en: Pears are ripe.}\nadd: {tags: [ripe]}\n")
    house("b", "change: fruit/pear\ntext: {en: Pears are never sour.}\nremove: {tags: [sour]}\n")
    told = run("diff", "stall", "--with", "a", "--with", "b").out
    assert "- Pears are ripe. Pears are never sour. (" in told


def test_show_with_house_rules(run: Run) -> None:
    house("a", setting(3))
    ran = run("show", "value/price", "--in", "stall", "--with", "a")
    assert (ran.code, ran.out.splitlines()[3]) == (0, "  is  3")
    assert run("show", "value/price", "--in", "stall+a").out == ran.out
    assert run("show", "value/price", "--in", "stall").out.splitlines()[3] == "  is  2"
    assert json.loads(run("show", "--in", "stall", "--with", "a", "--json").out)["pack"] == "stall+a"
