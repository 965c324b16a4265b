"""Every command stops within a second of Ctrl-C or SIGTERM, with exit code 130.

It prints no traceback, and the results up to then.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import Journal, header_of, write
from rulewright.tools.packs import loading as packs
from tests.interpreter.compilers import WANTED
from tests.tools.harness import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")

ENVIRONMENT = dict(os.environ)
"""As it is before other tests of commands do without machine code."""
SECOND = 1.0
WAYS = ("Ctrl-C", "SIGTERM")
MARGIN = 1.5
"""Seconds of the processor beyond those of a whole short run: then a command is in the midst of its work."""
IDLE = 5.0
"""Seconds after which a command that does nothing is taken to wait."""
SLOW = """\
pack: slow
version: 0.1.0
format: 3
name: Slow
languages: [en]
players: 2
kinds: {{gem: {{}}}}
tracks: {{steps: {{of: number, at-least: 0, at-most: 300, at-bounds: stop}}}}
components: {{gems: {{kind: gem, starts: heap}}}}
zones: {{heap: {{order: pile, seen-by: all}}}}
---
gem: ruby
name: ruby
copies: 40
---
round: turn
turns-from: first of players
until: steps is 300
steps:
  - id: walk
    options:
      left: |
        if {loops} true: steps += 1
      right: |
        if {loops} true: steps += 1
---
winner: all
among: players
"""
LOOPS = " ".join(f"any {name} in heap where" for name in ("one", "two"))
NEVER = f"{LOOPS} no last in heap where one is last or two is last or"
"""Three loops within each other, which go through all their items."""
SCENARIO = """\
scenario: a step
players: [ann, bob]
when:
"""
SCENARIO += "  - ann: {choice: left}\n  - bob: {choice: left}\n" * 600 + 'then: ["steps is 300"]\n'
HUGE = 45_000
"""Cards of a pack that takes seconds to check."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pack whose rules take seconds, a saved game of it, and a pack that takes seconds to check."""
    folder = tmp_path_factory.mktemp("signals")
    for levels in LEVELS:
        (folder / f"nested-{levels}").mkdir()
        (folder / f"nested-{levels}" / "pack.yaml").write_text(nested(levels))
    for name, loops in (("slow", NEVER), ("quick", "")):
        (folder / name).mkdir()
        (folder / name / "pack.yaml").write_text(SLOW.format(loops=loops).replace("pack: slow", f"pack: {name}"))
    (folder / "slow" / "scenario.yaml").write_text(SCENARIO)
    (folder / "huge").mkdir()
    (folder / "huge" / "pack.yaml").write_text(SLOW.format(loops="").replace("pack: slow", "pack: huge"))
    for number in range(20):
        gems = [f"---\ngem: gem-{number}-{i}\nname: gem {number} {i}\ncopies: 1\n" for i in range(HUGE // 20)]
        (folder / "huge" / f"gems-{number}.yaml").write_text("".join(gems))
    (folder / "game.rw").write_text(write(saved(folder)))
    return folder


@pytest.fixture(scope="module")
def busy(place: Path) -> float:
    """Seconds of the processor after which every command is in the midst of its work, on this machine: more than
    one with two worker processes needs for a short piece of work.
    """
    before = os.times()
    begun(place, "simulate quick -n 100 --jobs 2 --backend walker --json").communicate()
    after = os.times()
    return MARGIN + after.children_user - before.children_user + after.children_system - before.children_system


def saved(folder: Path) -> Journal:
    """A game of the slow pack that nobody has played: the quick one offers the same."""
    game = Game.start(packs.table(packs.compile_pack(str(folder / "quick")).program, 2, ()), 1)
    while game.result is None:
        game.apply(game.decisions[0].seat, ["left"])
    table = packs.table(packs.compile_pack(str(folder / "slow")).program, 2, ())
    return evolve(game.journal, header=header_of(table, 1, 0), program=table)


NESTED = """\
pack: nested-{levels}
version: 0.1.0
format: 3
name: Nested
languages: [en]
players: 2
kinds: {{gem: {{}}}}
tracks: {{steps: {{of: number, at-least: 0, at-most: 300, at-bounds: stop}}}}
components: {{gems: {{kind: gem, starts: heap}}}}
zones: {{heap: {{order: pile, seen-by: all}}}}
---
gem: ruby
name: ruby
copies: 40
---
function: told
gives: number
is: {total}
---
round: turn
turns-from: first of players
until: steps is 300
steps:
  - id: walk
    options:
      left: {{when: not ({exists}), do: steps += 1}}
      right: |
        if told > 0: steps += 1
        {each}
      stay: steps += count(heap where {where})
---
winner: all
among: players
---
bot: thinker
answers:
  - choice: "*"
    when: {exists}
    prefer: [left]
---
scenario: a step
players: [ann, bob]
when: [ann: {{choice: left}}]
then: ["{exists}"]
"""
LEVELS = (3, 5, 7)


def nested(levels: int) -> str:
    """A pack with so many loops inside each other, wherever a rule, a bot or a scenario can have them: far more
    turns than there is fuel for.
    """
    names = [f"x{level}" for level in range(levels)]
    total = "1"
    where = "1 < 0"
    for _ in names:
        total, where = f"(total {total} over heap)", f"count(heap where {where}) > 50"
    each = "".join(f"each {name} in heap:\n{' ' * (10 + 2 * level)}" for level, name in enumerate(names))
    exists = " ".join(f"any {name} in heap where" for name in names) + " x0 is not x0"
    return NESTED.format(levels=levels, total=total, where=where, each=f"{each}steps += 0", exists=exists)


COMMANDS = {
    "validate": "validate huge",
    "test": "test slow",
    "play": "play slow --seats random,random",
    "simulate native": "simulate slow -n 1000000 --backend native --jobs 1 --json",
    "simulate walker": "simulate slow -n 1000000 --backend walker --jobs 1 --json",
    "simulate jobs": "simulate slow -n 1000000 --jobs 2 --backend walker --json",
    "simulate usage": "simulate slow -n 1000000 --usage --jobs 1 --json",
    "simulate greedy": "simulate slow -n 1000000 --seats greedy,random --jobs 1 --json",
    "replay": "replay game.rw --pack slow",
    "diff": "diff huge slow",
}
FEW = {"validate", "test", "play", "simulate native", "simulate jobs", "simulate greedy", "replay"}
"""Those that the suite tries; with ALL_SIGNALS in the environment it tries all commands, each both ways."""
CASES = [
    pytest.param(name, way, id=f"{name}-{way}")
    for number, name in enumerate(COMMANDS)
    for way in WAYS
    if os.environ.get("ALL_SIGNALS") or (name in FEW and way == WAYS[number % 2])
]

OF_NESTED = {
    **{
        f"simulate {backend} {jobs}": f"simulate PACK -n 1000000000 --backend {backend} --jobs {jobs}"
        for backend in ("native", "walker")
        for jobs in (1, 2)
    },
    "simulate bots": "simulate PACK -n 1000000000 --backend native --seats thinker,thinker --jobs 1",
    "simulate greedy": "simulate PACK -n 1000000 --seats greedy,thinker --jobs 2",
    "simulate usage": "simulate PACK -n 1000000 --usage --jobs 1",
    "simulate versus": "simulate PACK -n 1000000 --jobs 2 --versus nested-3",
    "coverage": "test PACK --coverage -n 1000000",
    "test": "test PACK",
    "play": "play PACK --seats thinker,thinker",
}
FEW_NESTED = {("simulate native 2", 7, "SIGTERM"), ("simulate bots", 3, "SIGTERM"), ("coverage", 5, "SIGTERM")}
NESTED_CASES = [
    pytest.param(name, levels, way, id=f"{name}-{levels}-{way}")
    for name in OF_NESTED
    for levels in LEVELS
    for way in WAYS
    if os.environ.get("ALL_SIGNALS") or (name, levels, way) in FEW_NESTED
]


def begun(place: Path, command: str) -> subprocess.Popen[str]:
    """A command in a process group of its own, as a terminal starts it."""
    return subprocess.Popen(
        [sys.executable, "-m", "rulewright", *command.split()],
        cwd=place,
        env={**ENVIRONMENT, "PYTHONPATH": str(ROOT / "src"), "RULEWRIGHT_CACHE": str(place / "cache")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def work_until(running: subprocess.Popen[str], seconds: float) -> None:
    """Waits until a command has used so much of the processor: how fast it gets there depends on what else runs.

    Also until it has used none for some seconds: it waits for somebody to read what it prints.
    """
    until = time.monotonic() + 60
    before, since = -1.0, time.monotonic()
    while time.monotonic() < until and running.poll() is None:
        known = Path("/proc/self/stat").exists()
        used = used_by(running.pid) if known else 60 + time.monotonic() - until
        if used >= seconds or time.monotonic() > since + IDLE:
            return
        if used != before:
            before, since = used, time.monotonic()
        time.sleep(0.02)


def used_by(group: int) -> float:
    """Seconds of the processor that all processes of a group have used, and those that they have waited for."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def stopped(running: subprocess.Popen[str], way: str, code: int = 130) -> tuple[str, str]:
    """Stops a command, which ends with this code; gives what it said."""
    assert running.poll() is None, "it has ended before it could be stopped"
    since = time.monotonic()
    if way == "Ctrl-C":
        os.killpg(running.pid, signal.SIGINT)
    else:
        running.terminate()
    out, err = running.communicate(timeout=60)
    seconds = time.monotonic() - since
    assert running.returncode == code, (out, err)
    assert "Traceback" not in err
    assert seconds < SECOND, f"it took {seconds:.2f} s"
    return out, err


def code_of(name: str, way: str) -> int:
    """The exit code: a game in play tells by which signal it was stopped."""
    return 143 if name == "play" and way == "SIGTERM" else 130


@pytest.mark.slow
@pytest.mark.parametrize(("name", "way"), CASES)
def test_a_command_stops_within_a_second(place: Path, busy: float, name: str, way: str) -> None:
    if name == "simulate native" and not WANTED:
        pytest.skip("no compiler")
    running = begun(place, COMMANDS[name])
    work_until(running, busy)
    out, _ = stopped(running, way, code_of(name, way))
    if "--json" in COMMANDS[name]:
        found = json.loads(out)
        assert found["interrupted"] is True and found["games"] < found["asked"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", ["doctor", "simulate slow", "validate quick"])
def test_a_command_stops_while_it_begins(place: Path, command: str, way: str) -> None:
    """Also where it only imports what it needs."""
    running = begun(place, command)
    work_until(running, 0.1)
    _, err = stopped(running, way)
    assert err == "rulewright: interrupted\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(("command", "code"), [("validate quick", 0), ("validate none-such", 2)])
def test_a_command_that_is_done_ends_with_its_own_code(place: Path, command: str, code: int, number: str) -> None:
    """The signal comes when everything is told and Python clears up."""
    late = f"import atexit, os, signal\natexit.register(os.kill, os.getpid(), signal.{number})\n"
    ran = subprocess.run(
        [sys.executable, "-c", f"{late}from rulewright.tools.main import main; main()", *command.split()],
        cwd=place,
        env={**ENVIRONMENT, "PYTHONPATH": str(ROOT / "src"), "RULEWRIGHT_CACHE": str(place / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran
    assert "interrupted" not in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("name", "levels", "way"), NESTED_CASES)
def test_loops_inside_each_other_stop_within_a_second(
    place: Path, busy: float, name: str, levels: int, way: str
) -> None:
    """Wherever they are: in rules, conditions of bots, scenarios; also while it is found out why a rule failed."""
    if "native" in OF_NESTED[name] and not WANTED:
        pytest.skip("no compiler")
    running = begun(place, OF_NESTED[name].replace("PACK", f"nested-{levels}"))
    work_until(running, busy)
    if name in ("test", "play") and running.poll() is not None:  # a single game: its fuel was used up first
        running.communicate()
        assert running.returncode == 1
        return
    stopped(running, way, code_of(name, way))
