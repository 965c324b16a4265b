"""Bots of the pack `shells` are tuned: its rules say which numbers are the best."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.batch.batch import never, stepping_many
from rulewright.tools.balance.interventions import with_bots
from rulewright.tools.packs import loading
from rulewright.tools.simulation.columns import columns_of
from rulewright.tools.tuning.search import TunedValues, TuningRequest, search
from rulewright.tools.tuning.trials import (
    BLOCK,
    MARK,
    WIN,
    BotNumber,
    OpenBot,
    Tallies,
    Trials,
    numbers_of,
    opened,
    with_constants,
    with_values,
)
from tests.tools.harness import ROOT, Run

SHELLS = Path(__file__).parent / "shells"
QUICK = ("--generations", "4", "--worlds", "50", "--json")
SHARED_OUT = "from rulewright.tools.simulation.execution import local as workers\nworkers._alone = lambda *_: 1.0\n"
"""Lines after which even a few games are shared out among processes."""


@pytest.fixture
def shells(tmp_path: Path) -> Path:
    """A copy of the pack."""
    return Path(shutil.copytree(SHELLS, tmp_path / "shells"))


def tuned(run: Run, pack: Path | str, bot: str, *more: str) -> dict[str, Any]:
    ran = run("tune", bot, "--in", str(pack), *QUICK, *more)
    assert ran.code == 0, ran
    found: dict[str, Any] = json.loads(ran.out)
    return found


def numbers(found: dict[str, Any]) -> list[int]:
    return [one["after"] for one in found["numbers"]]


def opened_bot(pack: Path | str, bot: str, players: int = 2) -> tuple[OpenBot, tuple[BotNumber, ...]]:
    packs = loading.read_pack_set(str(pack), scenarios=False)
    own = packs.asked[0]
    found = numbers_of(own, bot)
    marked = evolve(packs, asked=(with_values(own, found, range(MARK, MARK + len(found))),))
    program, places = opened(loading.compile_pack_set(marked, "it").program, bot, [one.value for one in found])
    return with_constants(loading.table(program, players, ()), bot, [one.value for one in found], places), found


# ------------------------------------------------------------------ a bot with open numbers

@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "bot", "values"),
    [
        (SHELLS, "porter", [(4, 1), (0, 7), (3, 3)]),
        (SHELLS, "careless", [(3, 1), (1, 0), (0, 5)]),
        ("rattus-cartus", "townsman", [(5, 2, 5), (9, 7, 1), (0, 0, 0)]),
        ("dominion", "big-money", [(2, 4, 10, 4), (6, 0, 3, 1)]),
    ],
)
def test_constants_play_as_a_pack_with_these_numbers(
    pack: Path | str, bot: str, values: list[tuple[int, ...]]
) -> None:
    """The same games, to the cell, as if the numbers had been written into the file."""
    table, found = opened_bot(pack, bot)
    assert table.free == tuple(range(len(found))) and table.original == values[0]
    packs = loading.read_pack_set(str(pack), scenarios=False)
    for some in values:
        changed = evolve(packs, asked=(with_values(packs.asked[0], found, some),))
        written = loading.table(loading.compile_pack_set(changed, "it").program, 2, ())
        addresses = columns_of(written).addresses
        given = with_bots(table.program, [table.with_values("some", some)])
        expected = stepping_many(written, addresses, AUTO, (bot, bot)).play(1, 0, 12)
        assert stepping_many(given, addresses, AUTO, ("some", "some")).play(1, 0, 12) == expected
    assert stepping_many(table.program, addresses, AUTO, (bot, bot)).play(1, 0, 12) != expected


def test_numbers_that_are_no_amounts_are_left_as_they_are(shells: Path) -> None:
    """How many cards are looked at is no amount: nothing says how much room the list needs."""
    answer = "  - choice: tide.gather.found\n    when: any s in top 1 of beach where s's sheen > 2\n"
    bot = f"bot: looker\nanswers:\n{answer}    score: it's sheen + 3\n"
    (shells / "bots" / "looker.yaml").write_text(bot)
    (shells / "pack.yaml").write_text(
        (SHELLS / "pack.yaml").read_text().replace("beach: {order: row", "beach: {order: pile")
    )
    table, found = opened_bot(shells, "looker")
    assert [one.value for one in found] == [1, 2, 3]
    assert table.free == (1, 2)


# ------------------------------------------------------------------ trials

def trials(bot: str, candidates: tuple[tuple[int, ...], ...], worlds: int, *opponents: str) -> Trials:
    return Trials(opened_bot(SHELLS, bot)[0], candidates, opponents, 0, worlds, 1, 5)


def test_each_candidate_has_each_seat_equally_often() -> None:
    work = trials("porter", ((4, 1),), 4 * BLOCK, "porter", "")
    seen: dict[tuple[str, int], set[int]] = {}
    for first in range(0, work.games, 7):
        for opponent, seat, begin, last in work.parts(first, min(first + 7, work.games)):
            worlds = seen.setdefault((opponent, seat), set())
            assert not worlds & set(range(begin, last))
            worlds |= set(range(begin, last))
    assert {key: len(worlds) for key, worlds in seen.items()} == dict.fromkeys(
        [("porter", 0), ("porter", 1), ("", 0), ("", 1)], 2 * BLOCK
    )


def test_parts_of_trials_add_up_in_any_order() -> None:
    work = trials("porter", ((4, 1), (0, 1)), 2 * BLOCK, "porter", "")
    whole = work.player().play(0, work.games, never).counts
    parts, player = work.empty(), work.player()
    for first, end in ((130, 200), (0, 3), (3, 130)):
        parts.merge(player.play(first, end, never).counts)
    assert (parts.worth, parts.played, parts.games) == (
        whole.worth,
        whole.played,
        whole.games,
    ) and whole.games == 200
    assert [vars_of(one) for one in parts.pairs] == [vars_of(one) for one in whole.pairs]


def vars_of(pairs: dict[str, Any]) -> dict[str, tuple[int, int, int]]:
    return {name: (one.first, one.second, one.squares) for name, one in pairs.items()}


def test_the_same_bot_gains_nothing_and_wins_half() -> None:
    """Shared wins count a half each. So does the lead of a bot against itself: none, over both seats."""
    found = trials("porter", ((4, 1), (4, 1), (8, 2)), 8 * BLOCK, "porter").player()
    counts = found.play(0, 8 * BLOCK, never).counts
    for pairs in counts.pairs:
        assert all(one.squares == 0 and one.first == one.second for one in pairs.values())
    assert counts.worth[0] == counts.worth[1] == counts.worth[2]
    assert abs(counts.worth[0] / counts.games / WIN - 0.5) < 0.1


# ------------------------------------------------------------------ the command

def test_the_best_numbers_are_found_and_only_digits_change(run: Run, shells: Path) -> None:
    """The porter looks at weights, which are worth nothing: the number before sheen must become the larger one."""
    file = shells / "bots" / "bots.yaml"
    before = file.read_text("utf-8")
    found = tuned(run, shells, "porter")
    weight, sheen = numbers(found)
    assert sheen > 4 * weight
    assert found["better"] and found["gain"]["win"]["low"] > 0.3 and found["gain"]["score"]["low"] > 2
    assert file.read_text("utf-8") == before.replace(
        "4 * it's weight +  1 *", f"{weight} * it's weight +  {sheen} *"
    )
    assert found["wrote"] and Path(found["wrote"]).name == "bots.yaml"
    assert run("validate", str(shells)).code == 0
    left = sorted(path.relative_to(shells).as_posix() for path in shells.rglob("*") if path.is_file())
    assert left == ["bots/bots.yaml", "pack.yaml"]
    assert (shells / "pack.yaml").read_bytes() == (SHELLS / "pack.yaml").read_bytes()


@pytest.mark.slow
def test_thresholds_are_tuned_too(run: Run, shells: Path) -> None:
    """A bot that looks at shells only in the last of four tides had better do so from the first."""
    found = tuned(run, shells, "careless", "--against", "jeweller,random", "--dry-run")
    assert numbers(found)[0] == 0 and found["gain"]["win"]["low"] > 0.2
    assert found["against"] == ["jeweller", "random"]


@pytest.mark.slow
def test_a_dry_run_writes_nothing(run: Run, shells: Path) -> None:
    file = shells / "bots" / "bots.yaml"
    ran = run("tune", "porter", "--in", str(shells), *QUICK[:-1], "--dry-run")
    assert ran.code == 0 and "because of --dry-run" in ran.out
    assert "- 5: 4 * it's weight + 1 * it's sheen" in ran.out
    assert file.read_bytes() == (SHELLS / "bots" / "bots.yaml").read_bytes()


@pytest.mark.slow
def test_a_bot_that_is_the_best_already_stays_as_it_is(run: Run, shells: Path) -> None:
    """The jeweller takes the highest sheen: no numbers choose better, so any gain is luck of the search."""
    found = tuned(run, shells, "jeweller")
    assert numbers(found) == [5] and not found["better"] and found["wrote"] is None
    assert (shells / "bots" / "bots.yaml").read_bytes() == (SHELLS / "bots" / "bots.yaml").read_bytes()


@pytest.mark.slow
def test_generations_give_the_same_in_any_number_of_processes(run: Run, shells: Path) -> None:
    arguments = ["tune", "porter", "--in", str(shells), *QUICK, "--dry-run", "--seed", "5"]
    words = [*arguments, "--jobs", "2"]
    code = f"import sys\nfrom rulewright.tools.cli import run\n{SHARED_OUT}sys.exit(run({words!r}))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=Path.cwd(), capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    shared, alone = (json.loads(text) for text in (ran.stdout, run(*arguments, "--jobs", "1").out))
    for one in (shared, alone):
        assert one.pop("backend") in ("walker", "native"), "whichever played most, while native code was made"
    assert shared == alone


@pytest.mark.slow
def test_native_code_gives_the_same(run: Run, shells: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    native = tuned(run, shells, "porter", "--dry-run", "--generations", "1")
    monkeypatch.setenv("RULEWRIGHT_CC", "none")
    walker = tuned(run, shells, "porter", "--dry-run", "--generations", "1")
    assert (walker.pop("backend"), native.pop("backend")) == ("walker", "native")
    assert walker == native


@pytest.mark.slow
def test_an_interrupt_of_the_search_compares_the_best_so_far(shells: Path) -> None:
    """After 3,000 games, with a budget of an hour: 400 worlds decide whether it is written."""
    code = (
        "import os, signal, sys, rulewright.tools.commands.tune as t\nfrom rulewright.tools.cli import run\n"
        "sent = []\n"
        "def done(self, games):\n"
        "    if games > 3000 and not sent:\n"
        "        sent.append(os.kill(os.getpid(), signal.SIGINT))\n"
        "t.Progress.done = done\n"
        "import rulewright.tools.tuning.search as s\ns.AFTER_INTERRUPT = 0.0\ns.WORLDS = (50, 100)\n"
        f"sys.exit(run(['tune', 'porter', '--in', {str(shells)!r}, '--budget', '1h', '--json', '--jobs', '1']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode in (130, -signal.SIGINT), ran.stderr
    found = json.loads(ran.stdout)
    assert found["interrupted"] and found["worlds_compared"] == 400
    assert found["better"] == (found["wrote"] is not None)
    weight, sheen = numbers(found)
    assert (f"{weight} * it's weight +  {sheen} *" in (shells / "bots" / "bots.yaml").read_text()) == found[
        "better"
    ]


def whole(work: Trials) -> tuple[Tallies, str, bool]:
    return work.player().play(0, work.games, never).counts, "walker", False


def searched(stopped: Callable[[], bool], run: Any = whole, generations: int = 4) -> TunedValues:
    table, _ = opened_bot(SHELLS, "porter")
    request = TuningRequest(table, (0, 0), ("porter",), 1, 60.0, generations, 50)
    return search(request, run, lambda _: None, stopped)


@pytest.mark.slow
def test_an_interrupt_between_two_runs_ends_the_search() -> None:
    asked = iter([False, False, True])
    found = searched(lambda: next(asked, True))
    assert found.interrupted and found.generations == 1 and found.compared > 0
    assert searched(lambda: True).gains == {}, "nothing but the pilot was played"


@pytest.mark.slow
def test_no_stage_sees_the_worlds_of_another() -> None:
    """Pilot, generations, two choices, and the comparison."""
    seen: list[tuple[int, int]] = []

    def noting(work: Trials) -> tuple[Tallies, str, bool]:
        seen.append((work.start, work.start + work.worlds))
        return whole(work)

    found = searched(lambda: False, noting)
    assert found.generations == 4 and len(seen) == 1 + 4 + 2 + 1
    assert all(end <= start for (_, end), (start, _) in zip(sorted(seen), sorted(seen)[1:], strict=False))
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("given", "code", "expected"),
    [
        (["porters"], 2, "unknown bot 'porters': did you mean porter?"),
        (["porter", "--against", "greedy"], 2, "--against: unknown bot 'greedy': expected random, porter"),
        (["wishful"], 1, "wishful has no numbers that could be tuned"),
        (["porter", "--worlds", "50"], 2, "--worlds requires --generations"),
        (["porter", "--players", "3"], 2, "shells is for 2 players, not 3"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, given: list[str], code: int, expected: str) -> None:
    ran = run("tune", *given, "--in", str(SHELLS))
    assert ran.code == code and expected in ran.err, ran


def test_installed_packs_are_not_rewritten(run: Run) -> None:
    ran = run("tune", "big-money", "--in", "dominion")
    assert ran.code == 2 and "installed pack; add --dry-run" in ran.err


@pytest.mark.slow
def test_a_file_that_changed_meanwhile_is_left_alone(
    run: Run, shells: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = shells / "bots" / "bots.yaml"

    def edited(*_: object) -> tuple[None, None]:
        file.write_text("# edited\n")
        return None, None

    monkeypatch.setattr("rulewright.tools.packs.rewriting.checked", edited)
    ran = run("tune", "porter", "--in", str(shells), *QUICK)
    assert ran.code == 2 and "changed by another program meanwhile" in ran.err
    assert file.read_text() == "# edited\n"


def test_a_missing_package_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.tools.commands.tune.find_spec", lambda name: None if name == "cma" else name)
    ran = run("tune", "porter", "--in", str(SHELLS))
    assert ran.code == 2 and "requires the package cma; install it with: pip install 'rulewright[lab]'" in ran.err
