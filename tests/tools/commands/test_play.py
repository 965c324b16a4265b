"""`rulewright play`: bots alone, a person who types, and a game that is resumed."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from rulewright.interpreter.game import journal as journals
from rulewright.tools.playing.kept_rules import table_of
from tests.tools.harness import ROOT, Run

GAME = "rattus-cartus"
BOTS = ("play", GAME, "--players", "3", "--seats", "random,random,random", "--seed", "1")
PERSON = ("play", GAME, "--players", "2", "--seed", "3")
ON = "1\n1-2\n1-3\n1-4\n1-5\n1-6\n1-7\nall\n" * 150
"""Answers to everything: the first option or, where more are due, the first few."""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_log_of_a_game(run: Run, language: str) -> None:
    ran = run(*BOTS, "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    word = {"en": "Round", "es": "Ronda"}[language]
    rounds = [int(found) for found in re.findall(rf"^{word} (\d+) ─", ran.out, re.MULTILINE)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) > 5
    assert {"en": "Final scores", "es": "Puntuación final"}[language] in ran.out
    assert "{" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 120


@pytest.mark.slow
def test_the_same_seed_is_the_same_game(run: Run) -> None:
    assert run(*BOTS).out == run(*BOTS).out
    assert run(*BOTS[:-1], "2").out != run(*BOTS).out
    assert run(*BOTS, "--game", "1").out != run(*BOTS).out


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80, 120])
def test_widths(run: Run, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(len(line.rstrip()) for line in run(*BOTS).out.splitlines()) <= width


@pytest.mark.parametrize("name", ["bluff", "echo", "hooks", "scry", "sealed"])
def test_any_pack(run: Run, name: str) -> None:
    seats = "random,random,random" if name not in ("echo", "hooks", "scry") else "random,random"
    ran = run("play", str(ROOT / "tests" / "packs" / name), "--seats", seats, "--seed", "4")
    assert ran.code in (0, 2), ran.err
    assert ran.code == 0 or "is for" in ran.err


@pytest.mark.slow
def test_a_person_plays_to_the_end(run: Run) -> None:
    ran = run(*PERSON, "--save", "game.journal", typed=ON)
    assert (ran.code, ran.err) == (0, "")
    assert "Player 1, it is your decision" in ran.out
    assert "Final scores" in ran.out
    assert "rulewright replay game.journal" in ran.out
    assert "Player 2 draws 5 cards" in ran.out, "a person does not see what others draw"
    assert run("replay", "game.journal").code == 0


def test_what_cannot_be_meant_is_asked_again(run: Run) -> None:
    ran = run(*PERSON, typed="\n9\n2-1\n1-9\nx\n1 2\n?\nv\nq\n")
    assert ran.code == 0
    for message in (
        "Choose 1; you chose none",
        "9 is not an option; type 1 to 2",
        "2-1: in a range the smaller number comes first",
        "1-9 is not an option; type 1 to 2",
        "x is not an option; type the number of one",
        "Choose 1; you chose 2",
        "Type the number of an option, or the beginning of its name.",
    ):
        assert message in ran.out, message
    assert ran.out.count("it is your decision") == 2, "once at first, once for v"


@pytest.mark.slow
def test_group_choices(run: Run) -> None:
    """Supply, perhaps a look, then a building, then which cards: all, a range, none."""
    for typed in ("all", "1-2", "1 2", "1,2", ""):
        ran = run(*PERSON, typed=f"2\n1\n1\n{typed}\nq\n")
        assert ran.code == 0
        assert "Entering buildings" in ran.out


@pytest.mark.slow
def test_an_option_by_its_name(run: Run) -> None:
    ran = run(*PERSON, typed="q\n")
    label = re.search(r"^  1 (.+)$", ran.out, re.MULTILINE)
    assert label is not None
    ran = run(*PERSON, typed=f"{label[1][:6].upper()}\nq\n")
    assert "is not an option" not in ran.out
    assert "supply action of the Monastery" in ran.out or "You use" in ran.out


def test_taking_back(run: Run) -> None:
    ran = run(*PERSON, typed="u\n1\n1\n1\nu\nu\nu\nq\n")
    assert "You have no answer to take back." in ran.out
    assert ran.out.count("Your last answer was taken back.") >= 2


@pytest.mark.slow
def test_taking_back_and_going_on_is_as_if_nothing_had_been(run: Run) -> None:
    straight = run(*PERSON, "--save", "a", typed=ON)
    around = run(*PERSON, "--save", "b", typed="1\n1\n1\nu\n1\nu\nu\nu\n" + ON)
    assert "Final scores" in around.out
    assert straight.code == around.code == 0
    assert Path("a").read_bytes() == Path("b").read_bytes()


@pytest.mark.slow
def test_leaving_and_going_on(run: Run) -> None:
    """The game that was left goes on as the one that was not, bots included."""
    straight = run(*PERSON, "--save", "a", typed="1\n" * 7 + ON)
    left = run(*PERSON, "--save", "b", typed="1\n" * 7 + "q\n")
    command = re.search(r"Resume with: rulewright (.+)$", left.out, re.MULTILINE)
    assert command is not None
    again = run(*command[1].split(), typed=ON)
    assert "Final scores" in again.out
    assert straight.code == left.code == again.code == 0
    assert Path("a").read_bytes() == Path("b").read_bytes()


@pytest.mark.slow
def test_the_end_of_the_input_saves(run: Run) -> None:
    ran = run(*PERSON, typed="1\n1\n")
    assert ran.code == 0
    folder = Path(os.environ["RULEWRIGHT_SAVES"])
    assert f"Saved in {folder / 'rattus-cartus-3.journal'}." in " ".join(ran.out.split())
    journal = journals.read((folder / "rattus-cartus-3.journal").read_text("utf-8"), table_of)
    assert len(journal.entries) >= 2
    again = run(*PERSON, typed="1\n1\n")
    assert "rattus-cartus-3-2.journal." in again.out, "nothing is overwritten"


def test_saving_without_leaving(run: Run) -> None:
    ran = run(*PERSON, typed="1\ns\ns other.journal\ns /no/where\n1\n")
    assert "rattus-cartus-3.journal." in ran.out
    assert not any(Path(os.environ["RULEWRIGHT_SAVES"]).iterdir()), "the player's own file has it all"
    assert ran.code == 0
    assert "cannot save /no/where" in ran.out
    journal = journals.read(Path("other.journal").read_text("utf-8"), table_of)
    assert len(journal.entries) >= 2, "the game has gone on, and is saved where it was last"


def test_two_people_at_one_keyboard(run: Run) -> None:
    ran = run("play", GAME, "--seats", "human,human", "--seed", "3", typed="1\n1\n1\n\n1\n1\n1\nq\n")
    assert ran.code == 0
    assert "press Enter when only" in ran.out
    assert "Player 1, it is your decision" in ran.out
    assert "Player 2, it is your decision" in ran.out


def test_a_rule_error_ends_a_game_of_bots(run: Run) -> None:
    codes = set()
    for game in range(8):
        ran = run(
            "play",
            str(ROOT / "tests" / "packs" / "piles"),
            "--seats",
            "random,random",
            "--seed",
            "1",
            "--game",
            str(game),
        )
        codes.add(ran.code)
        if ran.code == 1:
            assert "the game cannot go on: rule error" in ran.err
    assert 1 in codes


@pytest.mark.slow
@pytest.mark.parametrize("keys", [b"\x03", b"\x04"], ids=["ctrl-c", "ctrl-d"])
def test_leaving_at_a_real_terminal(tmp_path: Path, keys: bytes) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["PYTHONPATH"] = str(ROOT / "src")
        os.environ["TERM"] = "xterm"
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # it may have been told to ignore it
        os.execv(sys.executable, [sys.executable, "-m", "rulewright", *PERSON])
    shown = read_until(terminal, b"> ")
    assert b"it is your decision" in shown
    assert b"\x1b[" in shown
    os.write(terminal, b"1\r")
    read_until(terminal, b"> ")
    shown = b""
    for _ in range(10):  # what is typed while the line editor changes the terminal's mode may be lost
        os.write(terminal, keys)
        shown += read(terminal, b"--seats human,random", 3)
        if b"--seats human,random" in shown:
            break
    assert b"rattus-cartus-3.journal" in shown
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    code = os.waitstatus_to_exitcode(status)
    assert code == (130 if keys == b"\x03" else 0) or code == -signal.SIGINT


def read_until(terminal: int, mark: bytes) -> bytes:
    shown = read(terminal, mark, 60)
    assert mark in shown, shown.decode(errors="replace")
    return shown


def read(terminal: int, mark: bytes, seconds: float) -> bytes:
    """What a terminal shows up to a mark, or for so long."""
    shown, until = b"", time.monotonic() + seconds
    while mark not in shown and time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                shown += os.read(terminal, 4096)
            except OSError:
                break
    return shown
