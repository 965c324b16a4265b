"""Witnesses: positions in which the order of two packs matters."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path

import pytest

from rulewright.tools.packs import loading as packs
from rulewright.tools.witness.orders import OnlyOne, Orders, both_ways, in_order, strangers
from rulewright.tools.witness.search import search
from tests.tools.conftest import Run
from tests.tools.harness import ROOT

HEAD = 'pack: {name}\nversion: 1.0.0\nformat: 3\nextends: {{{game}: "*"}}\nlanguages: [en]\n{more}---\n{rules}'


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
    together = packs.pack_set_of([packs.read(packs.find(name), scenarios=False) for name in (game, one, two)])
    finding = next(item for item in packs.check(together).findings)
    return both_ways(together, finding, [], one, two)


def witnesses(out: str) -> list[str]:
    return [item.get("witness", "") for item in json.loads(out)["findings"]]


TWO = "change: action/income\nset: {effect: take 2 coins}\n"
EACH = "change: action/income\nset: {effect: take (count(influence)) coins}\n"


@pytest.mark.slow
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
    assert ran.out.endswith("Wrote 2 scenarios to kept.yaml\n")
    text = Path("kept.yaml").read_text("utf-8")
    for later, other, rules, end in (("zebra", "ant", EACH, "2"), ("ant", "zebra", TWO, "3")):
        house("ant", TWO)
        house("zebra", EACH)
        house(later, rules, f"after: [{other}]\n")
        Path(later, "scenarios").mkdir()
        Path(later, "scenarios", "kept.yaml").write_text(text, "utf-8")
        ran = run("test", "coup", "--with", "ant", "--with", "zebra", "-k", "comes first", "--verbose")
        told = {title: word for word, title in re.findall(r"(?m)^(passed|failed) +(Where .*)$", ran.out)}
        names = {"2": "Where ant comes first, ann's coins is 2", "3": "Where zebra comes first, ann's coins is 3"}
        assert told == {name: "passed" if value == end else "failed" for value, name in names.items()}
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
    assert found == ["after the deal, count(ann's hand) is 6 where `five` comes first, 5 where `six` comes first"]
    ran = run("validate", "tutorial+five+six", "--no-witness")
    assert "witness" not in ran.out
    ran = run("validate", "tutorial+five+six", "--no-witness", "--witness", "kept.yaml")
    assert (ran.code, ran.err) == (
        2, "rulewright: --witness and --no-witness exclude each other; omit one of them\n"
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
    together = packs.pack_set_of([packs.read(packs.find(name), scenarios=False) for name in ("tutorial", one, two)])
    orders = strangers(together, one, two)
    assert orders is not None
    plain = packs.pack_set_of([packs.read(packs.find("tutorial"), scenarios=False)])
    shuffling, quiet = in_order(together, orders[0]).program, in_order(plain, ()).program
    assert shuffling is not None and quiet is not None
    found = search((quiet, shuffling), 300)
    assert found.difference is None
    assert 0 < found.positions <= 300


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
    together = packs.pack_set_of([packs.read(packs.find(name), scenarios=False) for name in names])
    orders = strangers(together, "ant", "bee")
    assert orders is not None
    first, second = map(set, orders)
    assert first ^ second == {("ant", "bee"), ("bee", "ant")}
    assert ("bee", "dog") in first & second and ("cow", "ant") in first & second
    assert strangers(together, "bee", "dog") is None


@pytest.mark.slow
def test_who_sees_what_is_told_without_a_position(run: Run) -> None:
    for name, who in (("open", "all"), ("sealed", "nobody")):
        house(name, f"change: zone/stock\nset: {{seen-by: {who}}}\n", game="tutorial")
    found = witnesses(run("validate", "tutorial+open+sealed", "--format", "json").out)
    assert found == ["stock, seen by nobody where `open` comes first, by everybody where `sealed` comes first"]


def test_what_the_players_have_together_counts_where_the_lot_decides_who_begins() -> None:
    # At the start of a turn: a card more, then three for the hand; or three for the hand, then a card more. The
    # lot decides which player begins, and has three cards or four.
    house("early", "hook: one\nafter: step/action.begin\ndo: draw 1\n", game="dominion")
    house("late", "hook: new\nafter: step/action.begin\ndo: |\n  discard hand\n  draw 3\n", game="dominion")
    both = games("dominion", "early", "late")
    assert isinstance(both, Orders)
    found = search(both.programs, 10)
    assert found.difference is not None
    hands = {key.words: (value, found.difference.after[1][key]) for key, value in found.difference.after[0].items()}
    assert ("3", "4") in hands.values()


def test_players_that_always_do_the_same_come_to_late_positions() -> None:
    # Who has taken ten turns ends the game; by lot a game is over long before.
    more = "count(players) is 1 or (any p in players where p's {})"
    for name, what in (("rich", "coins >= 15"), ("ten", "turns-taken >= 10")):
        house(name, f'change: round/turn\nset: {{until: "{more.format(what)}"}}\n')
    both = games("coup", "rich", "ten")
    assert isinstance(both, Orders)
    found = search(both.programs, 3_000)
    assert found.difference is not None
    assert any(key.key == "turns-taken" and value == "9" for key, value in found.difference.before.items())


def test_a_search_on_a_busy_machine_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    # By every clock, an hour passes between two looks at it.
    more = "count(players) is 1 or (any p in players where p's {})"
    for name, what in (("rich", "coins >= 15"), ("ten", "turns-taken >= 10")):
        house(name, f'change: round/turn\nset: {{until: "{more.format(what)}"}}\n')
    both = games("coup", "rich", "ten")
    assert isinstance(both, Orders)
    quiet, clock = search(both.programs), count(0, 3_600)
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        monkeypatch.setattr(f"time.{name}", lambda: float(next(clock)))
    busy = search(both.programs)
    assert quiet.difference is not None and busy.difference is not None
    assert (busy.positions, busy.difference.seed) == (quiet.positions, quiet.difference.seed)
    assert busy.difference.after == quiet.difference.after


def test_no_search_of_the_checker_reads_a_clock() -> None:
    searched = [path for folder in ("ruleset", "tools/witness") for path in Path(ROOT, folder).rglob("*.py")]
    assert len(searched) > 200
    clocks = re.compile(r"(?m)^\s*(?:import|from) (?:time|signal|datetime|interpreter\.state\.patience)\b")
    assert [str(path) for path in searched if clocks.search(path.read_text("utf-8"))] == []


def test_a_search_ends_after_its_effort_and_says_how_far_it_came() -> None:
    house("ant", "change: track/coins\nremove: [at-most]\n")  # nobody ever has so many
    house("bee", "change: track/coins\nset: {at-most: 40}\n")
    both = games("coup", "ant", "bee")
    assert isinstance(both, Orders)
    found = search(both.programs, 1_000)
    assert found.difference is None
    assert 500 < found.positions <= 1_000


def test_what_takes_fuel_is_an_effort() -> None:
    # A turn of 5,000 loops is as much work as a hundred turns without any.
    loops = "hook: count-on\nbefore: step/turn.act\ndo: |\n  repeat {} times: coins += 0\n"
    positions = []
    for times in (1, 5_000):
        house("ant", "change: track/coins\nremove: [at-most]\n")  # nobody ever has so many
        house("bee", "change: track/coins\nset: {at-most: 40}\n---\n" + loops.format(times))
        both = games("coup", "ant", "bee")
        assert isinstance(both, Orders)
        positions.append(search(both.programs, 600).positions)
    assert 0 < positions[1] < positions[0] / 10
