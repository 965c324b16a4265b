"""`play --watch`: saved changes are checked during play, and the same game continues."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulewright.interpreter import Game
from rulewright.interpreter.game import journal as journals
from rulewright.tools import cli
from rulewright.tools.playing.kept_rules import table_of
from tests.tools.harness import ROOT, Ran, Run

GAME = """\
pack: pond
players: 2
languages: [en, es]
tracks: {coins: {scope: player}, fish: {scope: player}, turns: number}
---
verb: gain(s) <n> coin(s)
do: coins += n
---
round: turn
turns-from: first of players
until: turns >= 8
steps:
  - id: act
    options:
      work: gain 2 coins
      angle: fish += 1
      rest: do nothing
  - id: count
    do: turns += 1
"""
Typed = str | tuple[str, str]
"""A line that is typed, or a text of the pack that is saved as another while the person waits."""


class Keyboard:
    """What is typed; an editor saves in between."""

    def __init__(self, file: Path, script: list[Typed]) -> None:
        self.file = file
        self.script: Iterator[Typed] = iter(script)

    def isatty(self) -> bool:
        return False

    def readline(self, *_: object) -> str:
        one = next(self.script, None)
        if one is None:
            return ""
        if isinstance(one, str):
            return f"{one}\n"
        save(self.file, *one)
        return "1\n"


def save(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    os.utime(file, ns=(save.clock, save.clock))
    save.clock += 1_000_000_000


save.clock = 2_000_000_000_000_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "pond" / "pack.yaml"
    place.parent.mkdir()
    place.write_text(GAME, "utf-8")
    return place


@pytest.fixture
def play(file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def played(*script: Typed, more: tuple[str, ...] = ()) -> Ran:
        monkeypatch.setattr("sys.stdin", Keyboard(file, list(script)))
        seats = ("--seats", "human,human", "--seed", "1", "--save", "pond.journal")
        code = cli.run(["play", str(file.parent), "--watch", *seats, *more])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Ran(code, " ".join(out.split()), err)

    return played


TWO = ("", "work", "", "angle", "")
"""An answer of each player, who take the keyboard with Enter; then it is the first one's turn again."""
SAME = "The same game goes on by the new rules: all answers so far (2) fit them."


def coins(ran: Ran) -> list[str]:
    """The coins of both, each time the table was drawn."""
    return [" ".join(found) for found in re.findall(r"Coins (\d+|·) (\d+|·)", ran.out)]


def test_a_changed_number_changes_what_was(play: Callable[..., Ran]) -> None:
    """Working gives 5 coins: also in the first turn, which was played when it gave 2."""
    ran = play(*TWO, ("gain 2", "gain 5"), "q")
    assert ran.code == 0
    assert "pond/pack.yaml." in ran.out
    assert SAME in ran.out
    assert coins(ran)[-2:] == ["2 ·", "5 ·"]
    kept = journals.read(Path("pond.journal").read_text("utf-8"), table_of)
    assert [entry.keys for entry in kept.entries] == [("work",), ("angle",)]
    assert Game.replay(kept).result is None


def test_what_was_typed_for_the_old_rules_is_not_taken(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, ("gain 2", "gain 5"), "q")
    assert "What you typed was not taken" in ran.out
    assert len(journals.read(Path("pond.journal").read_text("utf-8"), table_of).entries) == 2


FIRST = "By the new rules answer 1 of 2 is another decision: Player 1, at turn.act.choice, chose work."
SECOND = "By the new rules answer 2 of 2 is another decision: Player 2, at turn.act.choice, chose angle."


@pytest.mark.parametrize("answer", ["g", "k"])
def test_an_option_that_is_gone_names_the_first_decision(play: Callable[..., Ran], answer: str) -> None:
    """The second answer was `angle`; but the first question already offers less."""
    ran = play(*TWO, ("      rest: do nothing\n", ""), "?", answer, "", "u", "q")
    assert FIRST in ran.out
    assert "No longer offered: rest." in ran.out
    assert "The rule: step/turn.act," in ran.out
    assert re.search(r"pond/pack\.yaml:13", ran.out)
    if answer == "g":
        assert "The game goes on by the new rules, from answer 1." in ran.out
        assert "You have no answer to take back." in ran.out
        assert not Path("pond.journal").exists(), "nothing is answered under the new rules yet"
    else:
        assert "The rules stay as they were" in ran.out
        assert "Your last answer was taken back." in ran.out


def test_a_later_decision_keeps_the_answers_before_it(play: Callable[..., Ran]) -> None:
    """Only the first player may angle: that leaves the first answer, and takes the second away."""
    only = "angle: {when: you is first of players, do: fish += 1}"
    ran = play(*TWO, ("angle: fish += 1", only), "g", "", "work", "q")
    assert SECOND in ran.out
    assert "No longer offered: angle." in ran.out
    assert "The game goes on by the new rules, from answer 2." in ran.out
    kept = journals.read(Path("pond.journal").read_text("utf-8"), table_of)
    assert [entry.keys for entry in kept.entries] == [("work",), ("work",)]


def test_a_broken_file_ends_nothing(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, ("gain 2 coins", "gian 2 coins"), ("gian 2 coins", "gain 3 coins"), "q")
    assert "error[RW425" in ran.out
    assert "unknown verb `gian`" in ran.out
    assert "The game goes on by the rules as they were." in ran.out
    assert "by the new rules: all answers so far (3) fit them" in ran.out, "the answer typed meanwhile was taken"
    assert ran.code == 0


def test_a_rule_that_fails_is_told(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, ("fish += 1", "fish += 1 div fish"), "k", "q")
    assert "By the new rules answer 2 of 2 (Player 2, at turn.act.choice) cannot be carried out" in ran.out
    assert "rule error zero-division" in ran.out
    assert len(journals.read(Path("pond.journal").read_text("utf-8"), table_of).entries) == 2


def test_a_game_that_ends_sooner(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, "rest", ("turns >= 8", "turns >= 2"), "k", "q")
    assert "answer 3 of 3" in ran.out
    assert "Now the game is over by then." in ran.out


def test_texts_alone(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, ("coins: {scope: player}", "coins: {scope: player, name: {en: shells}}"), "q")
    assert "The rules are the same; texts may differ." in ran.out
    assert "Shells" in ran.out


def test_more_players_than_may_be(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, ("players: 2", "players: 3 to 4"), "q")
    assert "This game cannot be played by the new rules" in ran.out
    assert len(journals.read(Path("pond.journal").read_text("utf-8"), table_of).entries) == 3


def test_a_file_that_is_saved_unchanged(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, ("gain 2", "gain 2"), "q")
    assert "Saved:" not in ran.out
    assert len(journals.read(Path("pond.journal").read_text("utf-8"), table_of).entries) == 3


def test_undo_goes_back_under_the_new_rules(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, ("gain 2", "gain 5"), "u", "", "rest", "q")
    assert ran.code == 0
    kept = journals.read(Path("pond.journal").read_text("utf-8"), table_of)
    assert [entry.keys for entry in kept.entries] == [("rest",)]


def test_a_resumed_game_takes_the_rules_of_the_pack(play: Callable[..., Ran], run: Run, file: Path) -> None:
    play(*TWO, "q")
    resume = ("play", str(file.parent), "--watch", "--seats", "human,human", "--resume", "pond.journal")
    same = run(*resume, typed="\nq\n")
    assert "rules" not in same.out
    save(file, "gain 2", "gain 7")
    ran = run(*resume, typed="\nq\n")
    assert SAME in " ".join(ran.out.split())
    assert (ran.code, ran.err) == (0, "")
    kept = Game.replay(journals.read(Path("pond.journal").read_text("utf-8"), table_of))
    coins = next(track for track in kept.view(0).tracks if track.key == "coins")
    assert list(coins.values) == [7, 0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("POND", "--seats", "random,random"), "--watch requires a human seat"),
        (("--resume", "pond.journal"), "--watch with --resume requires the pack"),
    ],
)
def test_where_it_means_nothing(
    run: Run, play: Callable[..., Ran], file: Path, arguments: tuple[str, ...], says: str
) -> None:
    play(*TWO, "q")
    ran = run("play", "--watch", *(str(file.parent) if one == "POND" else one for one in arguments))
    assert ran.code == 2
    assert says in ran.err


def test_in_spanish(play: Callable[..., Ran]) -> None:
    ran = play(*TWO, ("gain 2", "gain 5"), "q", more=("--lang", "es"))
    assert "La misma partida sigue con las reglas nuevas: todas las respuestas dadas (2) encajan." in ran.out


@pytest.mark.slow
def test_in_a_terminal_nobody_has_to_press_a_key(file: Path) -> None:
    """Told while the person waits; what is typed then is taken by the new rules."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(file.parent.parent)
        os.environ.update(TERM="xterm", COLUMNS="100", PYTHONPATH=str(ROOT / "src"))
        command = [sys.executable, "-m", "rulewright", "play", "pond", "--watch", "--players", "2", "--seed", "1"]
        os.execv(sys.executable, command)
    try:
        _until(terminal, "Rest")
        save(file, "gain 2", "gain 5")
        _until(terminal, "Rest", "all answers so far")
        save(file, "gain 5", "gian 5")
        _until(terminal, "> ", "as they were.")
        save(file, "gian 5", "gain 9")
        _until(terminal, "Rest", "all answers so far")
        os.write(terminal, b"work\n")
        seen = _until(terminal, "Rest", "Turn 3")
        assert re.search(r"Coins\s+9", re.sub(r"\x1b\[[0-9;]*m", "", seen))
        os.write(terminal, b"q\n")
        _until(terminal, "--resume")
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def _until(terminal: int, words: str, before: str = "") -> str:
    """What the terminal shows next, up to these words, which follow others."""
    shown, deadline = "", time.monotonic() + 60
    while before not in shown or words not in shown[shown.index(before) :]:
        assert time.monotonic() < deadline, shown
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 65536).decode("utf-8", "replace")
    return shown
