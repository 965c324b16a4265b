"""Witnesses: positions in which it matters which of two packs comes first."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.tools.conftest import Run
from tools import packs
from tools.witness.orders import OnlyOne, Orders, both_ways, in_order, strangers
from tools.witness.search import search

HEAD = 'pack: {name}\nversion: 1.0.0\nformat: 2\nextends: {{{game}: "*"}}\nlanguages: [en]\n{more}---\n{rules}'


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def house(name: str, rules: str, more: str = "", game: str = "coup") -> str:
    """House rules in the current folder."""
    Path(name).mkdir(exist_ok=True)
    Path(name, "pack.yaml").write_text(HEAD.format(name=name, rules=rules, more=more, game=game), "utf-8")
    return name


def games(game: str, one: str, two: str) -> Orders | OnlyOne | None:
    """Both orders of two packs, whatever the findings."""
    together = packs.gathered([packs.read(packs.find(name), scenarios=False) for name in (game, one, two)])
    finding = next(item for item in packs.check(together).findings)
    return both_ways(together, finding, [], one, two)


def witnesses(out: str) -> list[str]:
    return [item.get("witness", "") for item in json.loads(out)["findings"]]


TWO = "change: action/income\nset: {effect: take 2 coins}\n"
EACH = "change: action/income\nset: {effect: take (count(influence)) coins}\n"


def test_a_witness_is_kept_as_scenarios_of_which_each_passes_in_its_order(run: Run) -> None:
    # With one influence left, Income brings 2 coins by one pack and 1 by the other; who comes first is overruled.
    house("ant", TWO)
    house("zebra", EACH)
    ran = run("validate", "coup", "--with", "ant", "--with", "zebra", "--witness", "kept.yaml")
    assert ran.code == 1
    assert (
        "witness: ann's coins is 1; ann chooses `act income`: "
        "ann's coins is 2 where `ant` comes first, 3 where `zebra` comes first\n"
    ) in ran.out
    assert ran.out.endswith("Wrote the scenarios of 1 witness to kept.yaml\n")
    text = Path("kept.yaml").read_text("utf-8")
    for later, other, rules, end in (("zebra", "ant", EACH, "2"), ("ant", "zebra", TWO, "3")):
        house("ant", TWO)
        house("zebra", EACH)
        house(later, rules, f"after: [{other}]\n")
        Path(later, "scenarios").mkdir()
        Path(later, "scenarios", "kept.yaml").write_text(text, "utf-8")
        ran = run("test", "coup", "--with", "ant", "--with", "zebra", "-k", "comes first", "--verbose")
        told = {title: word for word, title in re.findall(r"(?m)^(ok|failed) +(Where .*)$", ran.out)}
        names = {"2": "Where ant comes first, ann's coins is 2", "3": "Where zebra comes first, ann's coins is 3"}
        assert told == {name: "ok" if value == end else "failed" for value, name in names.items()}
        Path(later, "scenarios", "kept.yaml").unlink()


def test_each_finding_has_its_own_witness(run: Run) -> None:
    house("ant", f"{TWO}---\nchange: action/tax\nset: {{effect: take 4 coins}}\n")
    house("bee", f"{EACH}---\nchange: action/tax\nset: {{effect: take 5 coins}}\n")
    found = witnesses(run("validate", "coup+ant+bee", "--format", "json").out)
    income, tax = found
    assert "ann chooses `act income`: ann's coins is 2 where `ant` comes first, 3 where `bee`" in income
    before, first, second = map(int, re.findall(r"(?:coins is|first,) (\d+)", tax))
    assert (first - before, second - before) == (5, 4)


def test_what_differs_at_the_deal_needs_no_answer(run: Run) -> None:
    house("five", "change: value/hand-size\nset: {by-players.2: 5}\n", game="tutorial")
    house("six", "change: value/hand-size\nset: {by-players.2: 6}\n", game="tutorial")
    found = witnesses(run("validate", "tutorial+five+six", "--format", "json").out)
    assert found == [
        "after the deal, count(ann's hand) is 6 where `five` comes first, 5 where `six` comes first"
    ]
    ran = run("validate", "tutorial+five+six", "--no-witness")
    assert "witness" not in ran.out
    ran = run("validate", "tutorial+five+six", "--no-witness", "--witness", "kept.yaml")
    assert (ran.code, ran.err) == (
        2, "rulewright: --witness keeps what --no-witness does not look for; leave one of them out\n"
    )  # fmt: skip


def test_the_same_rules_have_no_witness() -> None:
    one = house("ant", "change: value/forced-coup\nset: 8\n")
    two = house("bee", "change: value/forced-coup\nset: 9\n")
    both = games("coup", one, two)
    assert isinstance(both, Orders)
    found = search((both.programs[0], both.programs[0]), 100)
    assert (found.difference, found.alike, found.positions) == (None, True, 0)
    assert search(both.programs, 1_000).difference is not None


def test_chance_alone_is_no_difference() -> None:
    # Both packs choose by lot. In either order the lots are drawn, only not the same card by the same lot.
    lot = "change: verb/draw\nafter: |\n  {first}shuffle stock\n"
    one = house("ant", lot.format(first=""), game="tutorial")
    two = house("bee", "change: verb/draw\nafter: passes = passes\n", game="tutorial")
    together = packs.gathered([packs.read(packs.find(name), scenarios=False) for name in ("tutorial", one, two)])
    orders = strangers(together, one, two)
    assert orders is not None
    plain = packs.gathered([packs.read(packs.find("tutorial"), scenarios=False)])
    shuffling, quiet = in_order(together, orders[0]).program, in_order(plain, ()).program
    assert shuffling is not None and quiet is not None
    found = search((quiet, shuffling), 300)
    assert found.difference is None
    assert found.positions == 300


def test_packs_that_combine_in_one_order_say_which(run: Run) -> None:
    house("ant", "change: action/exchange\nremove: true\n")
    house("bee", "change: action/exchange\nset: {effect: take 1 coin}\n")
    both = games("coup", "ant", "bee")
    assert isinstance(both, OnlyOne)
    assert both.earlier == "ant"


def test_the_order_of_others_stays() -> None:
    for name in ("ant", "bee", "cow", "dog"):
        house(name, TWO if name == "ant" else EACH, "after: [bee]\n" if name == "dog" else "")
    names = ("coup", "ant", "bee", "cow", "dog")
    together = packs.gathered([packs.read(packs.find(name), scenarios=False) for name in names])
    orders = strangers(together, "ant", "bee")
    assert orders is not None
    first, second = map(set, orders)
    assert first ^ second == {("ant", "bee"), ("bee", "ant")}
    assert ("bee", "dog") in first & second and ("cow", "ant") in first & second
    assert strangers(together, "bee", "dog") is None
