"""Counts of use, comparisons of packs, and sweeps over options, against the rules of small packs."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.ruleset.pipeline import load
from rulewright.ruleset.program.nodes import Program
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading as packs
from rulewright.tools.packs.tables import cases, numbers_of_players
from rulewright.tools.simulation.output import usage_report
from rulewright.tools.simulation.players import Batch
from rulewright.tools.simulation.statistics import PairSums
from rulewright.tools.simulation.sweep import NumberName, Versus, differences
from tests.tools.harness import ROOT, Run

PACKS = ROOT / "tests" / "packs"
TIMES = ("seconds", "games_per_second", "decisions_per_second")

SHOP = (ROOT / "tests" / "docs" / "stall" / "pack.yaml").read_text("utf-8")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return written(tmp_path / "shop", SHOP)


def written(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "pack.yaml").write_text(text)
    return folder


def program_of(folder: Path) -> Program:
    loaded = load(folder)
    assert loaded.program is not None, loaded.findings
    return loaded.program


def simulated(run: Run, *arguments: str, code: int = 0) -> dict[str, Any]:
    ran = run("simulate", *arguments, "--json")
    assert (ran.code, ran.err) == (code, "")
    found: dict[str, Any] = json.loads(ran.out)
    for key in TIMES:
        found.pop(key, None)
    return found


def named(entries: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(entry for entry in entries if entry["name"] == name)


# ------------------------------------------------------------------ use

def test_use_is_what_the_rules_imply(run: Run, shop: Path) -> None:
    """Six turns a game, each with one decision between passing and one of the gems of the bank, of which there are
    eight.
    """
    found = simulated(run, str(shop), "-n", "50", "--usage")
    usage = found["usage"]
    turns = 6 * 50
    assert usage["games"] == 50
    passed, took = (named(usage["choices"], f"turn.buy.choice/{option}") for option in ("pass", "take"))
    assert passed["offered"] == took["offered"] == turns == found["decisions"]
    assert passed["chosen"] + took["chosen"] == turns
    ruby, opal = (named(usage["choices"], f"gem/{gem}") for gem in ("ruby", "opal"))
    assert ruby["chosen"] + opal["chosen"] == took["chosen"]
    assert took["chosen"] <= ruby["offered"] <= turns
    assert [entry["definition"] for entry in (passed, took, ruby, opal)] == [False, False, True, True]
    assert {entry["decision"] for entry in usage["choices"]} == {"turn.buy.choice"}
    done = usage["performed"]
    assert named(done, "effect/ruby.use")["times"] == ruby["chosen"]
    assert named(done, "effect/opal.use")["times"] == opal["chosen"]
    assert (named(done, "step/turn.count")["times"], named(done, "step/turn.count")["per_game"]) == (turns, 6)
    assert named(done, "step/deal.gift")["games"] == 50
    points = 2 * ruby["chosen"] + opal["chosen"]
    award = named(usage["awards"], "award/all")
    assert award["points"] == points and award["mean"] == pytest.approx(points / 50, abs=1e-5)
    assert [named(usage["owned"], f"gem/{gem}")["copies"] for gem in ("ruby", "opal")] == [
        ruby["chosen"], opal["chosen"]
    ]  # fmt: skip
    sizes = [abs(entry["score"]["mean"]) for entry in usage["choices"] if entry["score"]["significant"]]
    assert sizes == sorted(sizes, reverse=True) and sizes


def test_what_points_win_goes_with_winning(run: Run, shop: Path) -> None:
    """Rubies are worth two points and passing nothing: who takes one has more points and wins more often."""
    choices = simulated(run, str(shop), "-n", "300", "--usage")["usage"]["choices"]
    ruby, passed = named(choices, "gem/ruby"), named(choices, "turn.buy.choice/pass")
    for measure, sign in (("score", 1), ("win", 1), ("rank", -1)):
        assert sign * ruby[measure]["low"] > 0 > sign * passed[measure]["low"]
        assert sign * ruby[measure]["high"] > 0 > sign * passed[measure]["high"]
        assert ruby[measure]["significant"] and passed[measure]["significant"]
        assert ruby[measure]["low"] < ruby[measure]["mean"] < ruby[measure]["high"]


def test_what_is_not_in_the_game_is_not_shown(run: Run, tmp_path: Path) -> None:
    unused = SHOP + "---\ngem: jet\ncopies: 0\nuse: points += 9\n"
    pack = str(written(tmp_path / "more", unused))
    usage = simulated(run, pack, "-n", "20", "--usage")["usage"]
    shown = [entry["name"] for group in ("choices", "performed", "awards", "owned") for entry in usage[group]]
    assert not any("jet" in name for name in shown)
    assert "jet" not in run("simulate", pack, "-n", "20", "--usage").out


def test_without_its_packages_it_says_how_to_get_estimates(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage_report, "find_spec", lambda name: None)
    out = " ".join(run("simulate", str(shop), "-n", "20", "--usage").out.split())
    assert "pip install 'rulewright[lab]'" in out and "gem/ruby" in out and "±" not in out.partition("offered")[2]
    choices = simulated(run, str(shop), "-n", "20", "--usage")["usage"]["choices"]
    assert all(entry["score"] is None and entry["offered"] for entry in choices)


def test_what_had_to_be_taken_is_no_choice(run: Run, tmp_path: Path) -> None:
    """Four coins are taken one by one, with nothing else to do: each time the one option is forced."""
    forced = (
        "pack: hoard\nversion: 0.1.0\nformat: 3\nplayers: 2\n"
        "kinds: {coin: {}}\ncomponents: {coins: {kind: coin, copies: 4, starts: bank, home: bank}}\n"
        "zones: {bank: {seen-by: all}, purse: {scope: player, seen-by: all}}\n---\n"
        "round: turn\nturns-from: first of players\nuntil: bank is empty\nsteps:\n"
        "  - id: take\n    options:\n      one: move 1 coin from bank to purse\n"
    )
    pack = written(tmp_path / "hoard", forced)
    usage = simulated(run, str(pack), "-n", "5", "--usage")["usage"]
    assert usage["choices"] == []
    assert named(usage["performed"], "step/turn.take")["times"] == 20


def test_cards_that_a_seat_does_not_see_are_not_offered_to_it(run: Run) -> None:
    """In `bluff` nobody is offered the roles of another: only lost influence is chosen, from one's own cards."""
    usage = simulated(run, str(PACKS / "bluff"), "-n", "40", "--usage")["usage"]
    roles = [named(usage["choices"], f"role/{role}") for role in ("baron", "thief", "guard")]
    # A seat with two different cards is offered both and gives one; with two equal ones it has no choice.
    assert sum(role["offered"] for role in roles) == 2 * sum(role["chosen"] for role in roles)


def test_the_tables_of_use(run: Run, shop: Path) -> None:
    ran = run("simulate", str(shop), "-n", "20", "--usage")
    assert ran.code == 0
    for words in ("gem/ruby", "turn.buy.choice  ", "take ", "not necessarily a", "effect/opal.use", "owned"):
        assert words in ran.out
    assert "award/all" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("--usage",),
        ("--seats", "greedy:1,random", "--usage"),
        ("--versus-option", "mode=rich", "--usage"),
        ("--every-option", "--players", "2-3", "--tables", "9"),
        ("--every-option", "--usage"),
    ],
)
def test_the_totals_do_not_depend_on_the_jobs(run: Run, shop: Path, arguments: tuple[str, ...]) -> None:
    games = ("-n", "24", "--seed", "3")
    assert simulated(run, str(shop), *games, *arguments) == simulated(
        run, str(shop), *games, *arguments, "--jobs", "2"
    )


def test_all_backends_count_alike(run: Run, shop: Path) -> None:
    ways = [
        simulated(run, str(shop), "-n", "40", "--usage", "--backend", backend) for backend in ("native", "walker")
    ]
    assert [way.pop("backend") for way in ways] == ["native", "walker"]
    assert ways[0] == ways[1]


def test_a_seat_that_searches_is_counted(run: Run, shop: Path) -> None:
    """Its six turns a game have a choice, and so have those of the other seat."""
    usage = simulated(run, str(shop), "-n", "6", "--seats", "greedy:2,random", "--usage")["usage"]
    assert named(usage["choices"], "turn.buy.choice/take")["offered"] == 6 * 6
    award, ruby, opal = usage["awards"][0], *(named(usage["choices"], f"gem/{gem}") for gem in ("ruby", "opal"))
    assert award["points"] == 2 * ruby["chosen"] + opal["chosen"]


def test_the_file_of_definitions(run: Run, shop: Path) -> None:
    found = simulated(run, str(shop), "-n", "60", "--usage", "--out", "games.csv")
    assert found["out"]["definitions"] == "games.definitions.csv"
    with Path("games.definitions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ruby = named(found["usage"]["choices"], "gem/ruby")
    (chosen, owned) = (row for row in rows if row["name"] == "gem/ruby")
    assert (chosen["decision"], int(chosen["offered"])) == ("turn.buy.choice", ruby["offered"])
    assert float(chosen["score_low"]) == ruby["score"]["low"] and chosen["score_significant"] == "1"
    assert int(owned["owned"]) == int(owned["times"]) == ruby["chosen"], "each ruby that is bought is used once"
    (award,) = (row for row in rows if row["kind"] == "award")
    assert int(award["points"]) == found["usage"]["awards"][0]["points"]
    plain = simulated(run, str(shop), "-n", "6", "--out", "plain.csv")
    assert "definitions" not in plain["out"] and not Path("plain.definitions.csv").exists()


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_file_of_definitions_does_not_depend_on_the_jobs(
    run: Run, shop: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for jobs in ("1", "3"):
        run("simulate", str(shop), "-n", "300", "--usage", "--jobs", jobs, "--out", f"by-{jobs}{suffix}")
        monkeypatch.setattr("rulewright.tools.simulation.execution.local._alone", lambda *_: 1.0)
    one, other = (Path(f"by-{jobs}.definitions{suffix}").read_bytes() for jobs in ("1", "3"))
    assert one == other


# ------------------------------------------------------------------ who began

TURNS = (
    "pack: turns\nversion: 0.1.0\nformat: 3\nplayers: 2 to 3\n---\n"
    "tracks: {opener: {of: player, starts: none}, turns: {of: number}}\n---\n"
    "setup: start\nsteps:\n  - id: draw\n    do: |\n"
    "      pick 1 player from players at random as drawn\n      opener = drawn\n---\n"
    "round: turn\nturns-from: opener\nuntil: turns >= 1\nsteps:\n"
    "  - id: act\n    options: {left: turns += 1, right: turns += 1}\n  - id: earn\n    do: your score += 1\n---\n"
    "winner: best\namong: players\norder: [most score]\n"
)


def test_who_began_is_told(run: Run, shop: Path, tmp_path: Path) -> None:
    """Only the first player of a game gets a point: the seat that begins always wins."""
    pack = str(written(tmp_path / "turns", TURNS))
    found = simulated(run, pack, "--players", "3", "-n", "90")
    assert found["began"] == [won["wins"] for won in found["wins"]] and all(found["began"])
    assert [place["wins"] for place in found["by_turn"]] == [90, 0, 0]
    told = run("simulate", pack, "--players", "3", "-n", "90").out
    assert re.search(r"starts +90 +100\.0%", told) and re.search(r"then 3 +0 +0\.0%", told)
    assert "Seat 1 always started." in run("simulate", str(shop), "-n", "5").out


def test_what_is_always_nothing_is_not_shown(run: Run, tmp_path: Path) -> None:
    idle = "---\ntracks: {coins: {scope: player, at-least: 0}, debts: {scope: player, at-least: 0}}\n"
    text = TURNS.replace("do: your score += 1", "do: |\n      your score += 1\n      your coins += 1") + idle
    pack = str(written(tmp_path / "idle", text))
    out = run("simulate", pack, "-n", "20").out
    assert "coins" in out and "debts" not in out
    tracks = {entry["track"] for entry in simulated(run, pack, "-n", "20")["tracks"]}
    assert {"coins", "debts"} <= tracks


def test_counting_changes_nothing_that_is_counted(run: Run, shop: Path) -> None:
    counted = simulated(run, str(shop), "-n", "30", "--usage")
    del counted["usage"]
    assert counted == simulated(run, str(shop), "-n", "30")


# ------------------------------------------------------------------ greedy seats

def test_greedy_seats_win_where_greed_pays(run: Run, shop: Path) -> None:
    found = simulated(run, str(shop), "-n", "30", "--seats", "random,greedy:6")
    assert found["seats"] == ["random", "greedy:6"]
    assert found["wins"][1]["low"] > 0.5
    assert found["scores"][1]["mean"] > found["scores"][0]["mean"]


@pytest.mark.slow
def test_a_greedy_game_can_be_watched(run: Run, shop: Path) -> None:
    """The same bots play the same game: game 2 of three, where the first two are known from two games."""
    seats = ("--seats", "greedy:2,random", "--seed", "9")
    three, two = (
        [row["mean"] * int(n) for row in simulated(run, str(shop), "-n", n, *seats)["scores"]] for n in ("3", "2")
    )
    assert run("play", str(shop), *seats, "--game", "2", "--save", "g.jsonl").code == 0
    watched = run("replay", "g.jsonl", "--pack", str(shop)).out
    scores = [round(one - other) for one, other in zip(three, two, strict=True)]
    told = [line.split() for line in watched.split("Final scores")[1].splitlines() if line.startswith("Player")]
    assert [int(line[3]) for line in told] == scores


# ------------------------------------------------------------------ two packs

def test_a_pack_does_not_differ_from_itself(run: Run, shop: Path) -> None:
    found = simulated(run, str(shop), "--versus", str(shop), "-n", "20", "--usage")
    assert found["pairs"] == 20 and found["left_out"] == 0
    assert found["first"] == found["second"]
    assert found["comparisons"] == len(found["differences"]) > 10
    assert all(entry["difference"] == 0 and not entry["apart"] for entry in found["differences"])
    assert found["only_first"] == found["only_second"] == []


def test_the_difference_that_the_rules_imply(run: Run, shop: Path) -> None:
    """Three points more for all, in the same games: exactly three, whoever wins; and nothing else."""
    found = simulated(run, str(shop), "--versus-option", "mode=rich", "-n", "40")
    for entry in found["differences"]:
        by = 3 if entry["group"] == "score" or entry["name"].startswith("points") else 0
        assert entry["low"] < entry["difference"] == by < entry["high"]
        assert entry["high"] - entry["low"] < 0.2, "40 equal differences say much, but not all"
        assert entry["apart"] == entry["stands"] == bool(by)
        assert entry["second"] - entry["first"] == pytest.approx(by)
    assert found["first"]["options"]["mode"] == "plain"
    assert found["second"]["options"]["mode"] == "rich"


def test_a_changed_pack(run: Run, shop: Path, tmp_path: Path) -> None:
    """Two turns more, and another gem instead of the opal."""
    text = SHOP.replace("turns >= 6", "turns >= 8").replace("opal", "pearl").replace("1.0.0", "1.1.0")
    changed = written(tmp_path / "changed", text)
    ran = run("simulate", str(shop), "--versus", str(changed), "-n", "30", "--usage")
    assert ran.code == 0
    assert "Holm" in ran.out and "comparisons" in ran.out and "Only in shop: gem/opal" in ran.out
    found = simulated(run, str(shop), "--versus", str(changed), "-n", "30", "--usage")
    assert (found["first"]["version"], found["second"]["version"]) == ("1.0.0", "1.1.0")
    count, decisions = (named(found["differences"], name) for name in ("step/turn.count", "decisions"))
    for entry in (count, decisions):
        assert (entry["first"], entry["second"], entry["difference"], entry["stands"]) == (6, 8, 2, True)
    assert "gem/opal chosen" in found["only_first"] and "gem/pearl chosen" in found["only_second"]
    assert "effect/pearl.use" in found["only_second"]


def test_what_one_side_never_did_is_nothing_that_only_the_other_has(shop: Path) -> None:
    """Of rounds, and of numbers that are chosen, only play tells; but the rules tell whether they can be."""
    reached, chosen = NumberName("done", "round/turn"), NumberName("chosen", "turn.buy.choice/7")
    here, there = (packs.table(packs.compile_pack(str(pack)).program, 2, ()) for pack in (shop, PACKS / "sealed"))
    one, other = (Batch(table, 2, 1, usage=True) for table in (here, there))
    numbers = {reached: PairSums(4, 0, 8), chosen: PairSums(0, 2, 2)}
    versus = Versus(one, one)
    found = differences(versus, evolve(versus.empty(), pairs=2, numbers=numbers))
    assert found.only_first == found.only_second == ()
    means = {each.name: (each.first, each.second) for each in found.compared}
    assert (means[reached], means[chosen]) == ((2, 0), (0, 1))
    versus = Versus(one, other)
    found = differences(versus, evolve(versus.empty(), pairs=2, numbers={reached: PairSums(4, 0, 8)}))
    assert reached in found.only_first


def test_of_two_pairs_nothing_is_claimed(run: Run, shop: Path) -> None:
    """Not even of three points more in both games; six pairs are enough, and shares end at 1."""
    few = run("simulate", str(shop), "--versus-option", "mode=rich", "-n", "2")
    assert "Nothing is claimed with fewer than 6 pairs; play more games with -n." in " ".join(few.out.split())
    assert "to +" not in few.out and "*" not in few.out and "beyond chance" not in few.out
    two, six = (simulated(run, str(shop), "--versus-option", "mode=rich", "-n", count) for count in ("2", "6"))
    assert {(one["low"], one["high"], one["p"]) for one in two["differences"]} == {(None, None, None)}
    assert not any(one["apart"] or one["stands"] for one in two["differences"])
    assert {one["apart"] for one in six["differences"] if one["group"] == "score"} == {True}
    for one in six["differences"]:
        assert one["low"] < one["high"] and (one["group"] != "win" or (one["low"] >= -1 and one["high"] <= 1))


def test_games_that_fail_are_left_out_of_pairs(run: Run) -> None:
    piles = str(PACKS / "piles")
    found = simulated(run, piles, "--versus", piles, "-n", "30", code=1)
    assert found["left_out"] == len(found["first"]["failed"]) == 30 - found["pairs"] > 0


# ------------------------------------------------------------------ all options

def test_cases_are_all_combinations(shop: Path) -> None:
    """Two numbers of players, two truth values, three of a number of 21, three modes."""
    found = cases(program_of(shop), (2, 3), (), True, 100, 1)
    assert found.possible == len(found.played) == 2 * 2 * 3 * 3
    assert len({(case.players, case.options) for case in found.played}) == 36
    extras = {option for case in found.played for option in case.options if "extra" in option}
    assert extras == {"extra=0", "extra=10", "extra=20"}
    ends = [case.end for case in found.played]
    assert [case.first for case in found.played] == [0, *ends[:-1]]
    assert ends[-1] == 100
    assert {case.end - case.first for case in found.played} == {2, 3}


def test_given_options_stay(shop: Path) -> None:
    found = cases(program_of(shop), (2,), ("mode=odd",), True, 100, 1)
    assert {next(one for one in case.options if "mode" in one) for case in found.played} == {"mode=odd"}
    assert cases(program_of(shop), (2, 3), ("mode=odd",), False, 10, 1).possible == 2


def test_drawn_cases_have_each_value_equally_often(shop: Path) -> None:
    found = cases(program_of(shop), (2, 3), (), True, 1000, 1, most=12)
    assert len(found.played) == 12
    for value, times in (("mode=odd", 4), ("mode=rich", 4), ("long=true", 6)):
        assert sum(value in case.options for case in found.played) == times
    assert sum(case.players == 3 for case in found.played) == 6
    assert found == cases(program_of(shop), (2, 3), (), True, 1000, 1, most=12)
    assert found != cases(program_of(shop), (2, 3), (), True, 1000, 2, most=12)


@pytest.mark.parametrize(
    ("text", "numbers"), [("3", (3,)), ("2-3", (2, 3)), ("3,2", (3, 2)), ("2-3,3", (2, 3)), (None, (2,))]
)
def test_numbers_of_players(shop: Path, text: str | None, numbers: tuple[int, ...]) -> None:
    assert numbers_of_players(text, program_of(shop), 0) == numbers


@pytest.mark.parametrize("text", ["", "x", "3-2", "2-", "-3", "2 3", "1-3", "4", "²", "9999999999"])
def test_wrong_numbers_of_players(shop: Path, text: str) -> None:
    with pytest.raises(Usage, match="players"):
        numbers_of_players(text, program_of(shop), 0)


def test_all_options_are_played(run: Run, shop: Path) -> None:
    found = simulated(run, str(shop), "--every-option", "--players", "2-3", "-n", "72")
    assert (found["cases"], found["possible_cases"], found["games"], found["failed"]) == (36, 36, 72, [])
    assert [(row["players"], row["games"]) for row in found["by_players"]] == [(2, 36), (3, 36)]
    modes = {row["value"]: row["games"] for row in found["by_option"] if row["option"] == "mode"}
    assert modes == {"plain": 24, "rich": 24, "odd": 24}
    assert all(row["decisions"]["mean"] == 6 for row in found["by_option"])


FAULTY = SHOP.replace("mode is rich", "mode is odd and 1 div extra >= 0")


@pytest.mark.slow
def test_a_failure_is_told_with_the_command_that_shows_it(run: Run, tmp_path: Path) -> None:
    """It divides by nought where the mode is odd and extra is 0: for 2 and 3 players, long and not."""
    pack = str(written(tmp_path / "faulty", FAULTY))
    found = simulated(run, pack, "--every-option", "--players", "2-3", "-n", "36", code=1)
    assert len(found["failed"]) == len(found["failed_games"]) == 4
    assert {(one["players"], one["options"]["long"]) for one in found["failed_games"]} == {
        (2, "false"), (2, "true"), (3, "false"), (3, "true")
    }  # fmt: skip
    assert all((one["options"]["mode"], one["options"]["extra"]) == ("odd", "0") for one in found["failed_games"])
    (fault,) = found["faults"]
    assert (fault["code"], fault["games"]) == ("zero-division", 4)
    assert fault["place"].endswith(f"pack.yaml:{1 + FAULTY[: FAULTY.index('1 div')].count(chr(10))}:26")
    assert fault["first"] == found["failed"][0]
    program, *command = shlex.split(fault["replay"])
    shown = run(*command)
    assert (program, shown.code) == ("rulewright", 1)
    assert "zero-division" in shown.err
    told = run("simulate", pack, "--every-option", "--players", "2-3", "-n", "36")
    assert told.code == 1 and fault["replay"] in told.out


# ------------------------------------------------------------------ mistakes

@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seats", "human,random"), "unknown seat 'human': expected random, greedy, or search"),
        (("--seats", "greedy:0,random"), "greedy takes 1 to 100,000 playouts"),
        (("--seats", "random:3,random"), "random takes no number"),
        (("--seats", "random,random", "--players", "3"), "--seats names 2 seats, but there are 3 players"),
        (("--players", "2-9"), "for 2 to 3 players, not 4"),
        (("--versus", "nowhere"), "no such pack in"),
        (("--versus-option", "mode=none"), "expected plain, rich or odd, found"),
        (("--versus-option", "mode"), "key=value"),
        (("--versus-option", "mode=odd", "--every-option"), "--versus-option requires a single number"),
        (("--every-option", "--option", "x=1"), "no option x"),
        (("--every-option", "--option", "mode=x"), "expected plain, rich or odd, found"),
    ],
)
def test_mistakes(run: Run, shop: Path, arguments: tuple[str, ...], message: str) -> None:
    ran = run("simulate", str(shop), *arguments)
    assert ran.code == 2
    assert message in ran.err
