"""Wrong arguments of every command: one message, exit code 2, no traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

import rulewright.tools.commands.validate
from rulewright.tools import VERSION
from rulewright.tools.cli import cli
from tests.tools.harness import CONTENT, ROOT, Run

GAME = "rattus-cartus"

WRONG = [
    (["nonsense"], "no such command 'nonsense'"),
    (["--nonsense"], "no such option"),
    (["validat"], "no such command 'validat'; did you mean 'validate'?"),
    (["simulate", "--jos", "1"], "no such option '--jos'; did you mean '--jobs'"),
    (["validate", "nowhere"], "nowhere not found: no such file or folder"),
    (["validate", "ratus-cartus"], "did you mean rattus-cartus"),
    (["validate", "/"], "/ is not part of a pack"),
    (["validate", ""], "no such file or folder"),
    (["validate", "a\0b"], "no such file or folder"),
    (["validate", "--format", "xml"], "'full', 'concise', 'json', 'github', 'junit', 'sarif'"),
    (["validate", str(CONTENT / "nothing.yaml")], "no such file or folder"),
    (["explain", "RW000"], "there is no code RW000"),
    (["play"], "missing PACK"),
    (["play", "nowhere"], "; shipped packs: "),
    (["play", GAME, "--players", "1"], "for 2 to 5 players, not 1"),
    (["play", GAME, "--players", "6"], "for 2 to 5 players, not 6"),
    (["play", GAME, "--players", "0"], "for 2 to 5 players, not 0"),
    (["play", GAME, "--players", "x"], "expected a whole number, found 'x'"),
    (["play", GAME, "--seats", "random,robot"], "expected human, random, greedy, search, or townsman"),
    (["play", GAME, "--seats", ""], "unknown seat '': expected human, random, greedy, search, or townsman"),
    (["play", GAME, "--seats", "random"], "for 2 to 5 players, not 1"),
    (["play", GAME, "--players", "3", "--seats", "random,random"], "--seats names 2 seats, but there are 3"),
    (["play", GAME, "--seed", "-1"], "expected a whole number from 0 to 18446744073709551615, found '-1'"),
    (["play", GAME, "--lang", "fr"], "'en', 'es'"),
    (["play", GAME, "--option", "x=1"], "no option x; its options: "),
    (["play", GAME, "--option", "nobody-survives=maybe"], "expected no-winner or fewest-rats, found maybe"),
    (["play", "dominion", "--option", "chosen=moat, copper"], "cannot be chosen here: expected a card where not"),
    (["simulate", "dominion", "-n", "1", "--option", "chosen=chapel, coper"], "there is no card called coper"),
    (["play", GAME, "--option", "nobody-survives"], "expected an option as key=value"),
    (["play", GAME, "--save", "/no/where/at/all"], "folder /no/where/at not found"),
    (["play", GAME, "--save", "."], "is a folder"),
    (["play", "--resume", "missing.journal"], "cannot read missing.journal"),
    (["play", "--resume", "x", "--seed", "1"], "--seed cannot be used with --resume"),
    (["play", "--resume", "x", "--option", "a=b"], "--option cannot be used with --resume"),
    (["simulate"], "missing argument"),
    (["simulate", "nowhere"], "; shipped packs: "),
    (["simulate", GAME, "-n", "0"], "expected a whole number of at least 1, found '0'"),
    (["simulate", GAME, "--jobs", "0"], "expected a whole number from 1 to 256, found '0'"),
    (["simulate", GAME, "--players", "9"], "for 2 to 5 players, not 9"),
    (["simulate", GAME, "--players", "0"], "for 2 to 5 players, not 0"),
    (["simulate", GAME, "--backend", "c"], "'auto', 'native', 'walker'"),
    (["simulate", GAME, "--option", "=1"], "expected an option as key=value"),
    (["replay"], "missing argument"),
    (["replay", "missing.journal"], "cannot read missing.journal"),
    (["replay", "."], "cannot read ."),
    (["replay", str(CONTENT / "pack.yaml")], "cannot be replayed: "),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(one)[-60:] for one, _ in WRONG])
def test_what_is_wrong_is_said_in_one_line(run: Run, arguments: list[str], message: str) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.startswith("rulewright: ")
    assert ran.err.count("\n") == 1


def test_help_and_version(run: Run) -> None:
    assert run("--version").out == f"rulewright, version {VERSION}\n"
    assert "simulate" in run("--help").out
    assert run().out == run("--help").out
    for command in cli.commands:
        assert run(command, "--help").code == 0


def test_short_helps_are_whole(run: Run) -> None:
    listed = run("--help").out
    for name, command in cli.commands.items():
        assert re.search(rf"^  {name} +[A-Z].*[^.]\.$", listed, re.M), command.help


def test_every_option_has_a_help_text_and_says_its_default() -> None:
    for name, command in cli.commands.items():
        options = [one for one in command.params if isinstance(one, click.Option)]
        for option in options:
            where = f"{name} {option.opts[0]}"
            assert re.fullmatch(r"[A-Z].*\.", option.help or ""), where
            has_one = isinstance(option.default, str | int) and not option.is_flag
            assert not has_one or option.show_default, where


def test_an_option_of_several_commands_has_one_metavar() -> None:
    metavars: dict[str, set[str | None]] = {}
    for command in cli.commands.values():
        for option in command.params:
            valued = isinstance(option, click.Option) and not option.is_flag
            if valued and not isinstance(option.type, click.Choice):
                metavars.setdefault(option.opts[-1], set()).add(option.metavar)
    several = {name: found for name, found in metavars.items() if len(found) > 1}
    assert several == {
        "--from": {"PACK", "SCENARIO"},  # of `new` and of `play`
        "--players": {None, "N,…"},  # `simulate` also takes several
    }


def test_the_version_is_that_of_the_package() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] == VERSION


def test_explain(run: Run) -> None:
    by_code, by_name = run("explain", "rw101"), run("explain", "colon-in-text")
    assert by_code.code == 0
    assert by_code.out == by_name.out
    assert "Wrong:" in by_code.out


def test_a_pack_with_errors_is_not_played(run: Run, pack: Path) -> None:
    text = (pack / "pack.yaml").read_text("utf-8")
    (pack / "pack.yaml").write_text(text.replace("do: move card", "do: mvoe card"), "utf-8")
    for command in (["play", str(pack), "--seats", "random,random"], ["simulate", str(pack)]):
        ran = run(*command)
        assert ran.code == 1
        assert "mvoe card" in ran.err
        assert "cannot be played until its errors are fixed" in ran.err


def test_a_fault_of_ours(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(rulewright.tools.commands.validate, "validate", fail)
    ran = run("validate")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert "ZeroDivisionError: oh no" in ran.err
    assert "report" in ran.err


def test_a_fault_of_ours_with_its_place() -> None:
    code = (
        "import sys, rulewright.tools.commands.validate as v\nfrom rulewright.tools.cli import run\n"
        "v.validate = lambda *_: 1 / 0\nsys.exit(run(['validate']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env={"RULEWRIGHT_DEBUG": "1"}
    )
    assert ran.returncode == 3
    assert "Traceback" in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("module", ["rulewright.tools.cli", "rulewright.tools.main"])
@pytest.mark.parametrize("closed", [">&-", ">&- 2>&- <&-"])
def test_streams_that_are_closed(module: str, closed: str) -> None:
    """What is written goes nowhere; the exit code is as always."""
    stall = ROOT / "tests" / "docs" / "stall"
    for arguments, code in (
        (f"simulate {stall} -n 3", 0),
        (f"play {stall} --seats random,random", 0),
        ("nothing", 2),
    ):
        command = f"{sys.executable} -c 'from {module} import main; main()' {arguments} {closed}"
        ran = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
        assert (ran.returncode, ran.stdout, "Traceback" in ran.stderr) == (code, "", False)


TUTORIAL = "tutorial"
BRIEF = {
    "balance": (TUTORIAL, "--budget", "1"),
    "blame": (TUTORIAL, "zone/hand"),
    "diff": (TUTORIAL, GAME),
    "doctor": (),
    "explain": ("RW104",),
    "migrate": (str(ROOT / "content" / "tutorial"), "--check"),
    "new": ("--help",),
    "packs": (),
    "play": (TUTORIAL, "--seats", "random,random", "--seed", "1"),
    "print": (TUTORIAL, "--rules"),
    "replay": ("--help",),
    "schema": (TUTORIAL,),
    "serve": ("--help",),
    "show": ("hand", "--in", TUTORIAL),
    "simulate": (TUTORIAL, "-n", "20", "--backend", "walker"),
    "test": (TUTORIAL,),
    "tournament": (TUTORIAL, "-n", "20"),
    "tune": ("--help",),
    "validate": (TUTORIAL,),
}
"""Each command, with arguments that end soon."""


def test_every_command_is_tried() -> None:
    assert set(BRIEF) == set(cli.commands)


_HEADLESS = """
import os, sys
from rulewright.tools.cli import run
outer = os.dup(1)
for arguments in {each!r}:
    reading, writing = os.pipe()
    os.close(reading)
    sys.stdout = os.fdopen(writing, "w")
    os.write(outer, b"%d " % run(arguments))
"""


@pytest.mark.slow
def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    """The exit code is the same for all commands, and nothing is said."""
    each = [["--help"], ["--version"], *([command, *arguments] for command, arguments in BRIEF.items())]
    code = _HEADLESS.format(each=each)
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout.split() == ["141"] * len(each), ran.stderr
    assert "rulewright:" not in ran.stderr and "Error" not in ran.stderr


_POORER = """
import os, sys
sys.modules |= dict.fromkeys(("fcntl", "resource", "termios"))
for name in ("geteuid", "getuid", "fchmod", "nice", "killpg", "fork", "sched_getaffinity", "O_NOFOLLOW",
             "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "register_at_fork", "getpgid", "setsid"):
    delattr(os, name)
import signal, time
for name in ("setitimer", "getitimer", "pthread_kill", "pthread_sigmask", "SIGHUP", "SIGPROF", "SIGALRM"):
    delattr(signal, name)
del time.pthread_getcpuclockid
from rulewright.tools.cli import run
for arguments in {each!r}:
    code = run(arguments)
    print(code, arguments[0], file=sys.stderr) if code else None
"""
"""Commands in a Python that lacks what only some systems have."""


@pytest.mark.slow
@pytest.mark.parametrize("cache", [{}, pytest.param({"RULEWRIGHT_NO_CACHE": "1"}, marks=pytest.mark.long)])
def test_a_system_that_lacks_much(tmp_path: Path, cache: dict[str, str]) -> None:
    saved = str(tmp_path / "game")
    each = [[command, *arguments] for command, arguments in BRIEF.items()]
    each += [["play", *BRIEF["play"], "--save", saved], ["replay", saved], ["doctor", TUTORIAL]]
    place = {"RULEWRIGHT_CACHE": str(tmp_path / "cache"), "RULEWRIGHT_SAVES": str(tmp_path / "saves")}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _POORER.format(each=each)],
        cwd=tmp_path, capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "RULEWRIGHT_DEBUG": "1", **place, **cache},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "Error" not in ran.stderr and "internal" not in ran.stderr, ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("width", ["0", "²", "wide"])
def test_a_terminal_without_a_width(width: str) -> None:
    """What is no number of columns is ignored; without a terminal, lines have 80."""
    arguments = [sys.executable, "-m", "rulewright", "show", *BRIEF["show"]]
    ran, same = (
        subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, env={"COLUMNS": columns})
        for columns in (width, "80")
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == same.stdout != ""


@pytest.mark.slow
def test_a_terminal_that_knows_few_letters() -> None:
    game = ["play", GAME, "--seats", "random,random", "--seed", "1", "--lang", "es"]
    command = [sys.executable, "-m", "rulewright", *game]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, env={"PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0
    assert b"Ronda 1" in ran.stdout
