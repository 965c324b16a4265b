"""Answers are on disk before the next question: kills, signals, full disks, two processes."""

from __future__ import annotations

import errno
import io
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulewright.interpreter.game import journal as journals
from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.game.journal import Journal
from rulewright.tools.common import untrusted
from rulewright.tools.playing import save_file
from rulewright.tools.playing.kept_rules import table_of
from rulewright.tools.playing.save_file import MOST, InUse, SaveFile, forget, saved_games
from tests.tools import kills
from tests.tools.commands.test_play import read_until
from tests.tools.harness import ROOT, Run

PROMPT = b"\n> "
PACK = str(ROOT / "tests" / "packs" / "bazaar")
PERSON = ("play", PACK, "--seats", "human,random", "--seed", "3")
WITHOUT_FUEL = """\
pack: rounds
players: 2
tracks: {steps: {at-most: 5, at-bounds: stop}}
---
round: turn
turns-from: first of players
until: steps > 5
steps:
  - {id: ask, when: steps < 3, options: {left: steps += 1, right: steps += 1}}
  - {id: go-on, do: steps += 1}
"""
"""After one answer no rule asks any more."""
ON = "1\n1-2\n1-3\nall\n" * 60
"""Answers to everything."""


def journal(file: str | Path) -> Journal:
    return journals.read(Path(file).read_text("utf-8"), table_of)


def folder() -> Path:
    return Path(os.environ["RULEWRIGHT_SAVES"])


# ------------------------------------------------------------------ while a game is played

class Typing(io.StringIO):
    """Lines that a person types; before each is read, `look` may look at the disk."""

    def __init__(self, lines: list[str], look: object) -> None:
        super().__init__()
        self.lines, self.look = lines, look

    def readline(self, size: int | None = -1, /) -> str:
        assert callable(self.look)
        self.look()
        return self.lines.pop(0) + "\n" if self.lines else ""


def played(run: Run, monkeypatch: pytest.MonkeyPatch, lines: list[str], file: str) -> list[tuple[int, ...]]:
    """Plays; gives the seats of the answers that are in the file at each question."""
    seen: list[tuple[int, ...]] = []

    def look() -> None:
        seen.append(tuple(entry.seat for entry in journal(file).entries) if Path(file).exists() else (-1,))

    from rulewright.tools import cli

    monkeypatch.setattr("sys.stdin", Typing(lines, look))
    assert cli.run([*PERSON, "--save", file]) == 0
    return seen


def test_each_answer_is_in_the_file_at_the_next_question(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots' answers are in it as well, in their order."""
    seen = played(run, monkeypatch, ["1", "1", "1", "u", "1", "q"], "game.journal")
    whole = tuple(entry.seat for entry in journal("game.journal").entries)
    assert seen[0] == ()
    assert [seats.count(0) for seats in seen] == [0, 1, 2, 3, 2, 3]
    assert 1 in whole, "the bot has answered, too"
    for seats in (seen[1], seen[2], seen[4]):
        assert whole[: len(seats)] == seats


def test_a_file_that_was_there_is_replaced_by_the_first_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*PERSON, "--save", "game.journal", typed="1\n1\nq\n")
    before = Path("game.journal").read_bytes()
    run(*PERSON, "--save", "game.journal", "--overwrite", typed="q\n")
    assert Path("game.journal").read_bytes() == before
    run(*PERSON, "--save", "game.journal", "--overwrite", typed="1\nq\n")
    assert 0 < len(journal("game.journal").entries) < len(before.splitlines()) - 2


def test_a_game_without_an_answer_leaves_no_file(run: Run) -> None:
    assert run(*PERSON, typed="q\n").code == 0
    assert run(*PERSON, "--save", "game.journal", typed="q\n").code == 0
    assert not Path("game.journal").exists()
    assert not list(folder().iterdir())


def test_games_of_bots_are_not_saved_by_themselves(run: Run) -> None:
    assert run("play", PACK, "--seats", "random,random", "--seed", "1").code == 0
    assert not folder().exists()


def test_the_header_says_who_plays_and_whether_it_is_over(run: Run) -> None:
    run(*PERSON, "--lang", "es", typed="1\nq\n")
    (file,) = folder().iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    play = journal(file).header.play
    assert play == journals.Play(("human", "random"), "es")
    ended = run("play", "--resume", "bazaar-3", typed=ON)
    assert "Final scores" in ended.out
    assert "rulewright replay bazaar-3\n" in ended.out
    play = journal(file).header.play
    assert play is not None and play.over
    assert run("replay", "bazaar-3").code == 0


@pytest.mark.parametrize("command", ["replay", "play --resume"])
def test_a_game_of_ones_own_may_be_long(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """A journal from elsewhere has little time, since anybody may have written it; likewise one that others could
    have written.
    """
    run(*PERSON, typed="1\nq\n")
    (own,) = folder().iterdir()
    monkeypatch.setattr(untrusted, "SECONDS", 0.0)
    assert run(*command.split(), own.stem, typed="q\n").code == 0
    shutil.copy(own, "copy.journal")
    assert "takes too long" in run(*command.split(), "copy.journal", typed="q\n").err
    own.chmod(0o622)
    assert "takes too long" in run(*command.split(), own.stem, typed="q\n").err
    own.chmod(0o600)
    folder().chmod(0o777)
    assert "takes too long" in run(*command.split(), own.stem, typed="q\n").err


def test_saving_can_be_turned_off(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_NO_SAVES", "1")
    ran = run(*PERSON, typed="1\nq\n")
    assert "Saved in bazaar-3.journal." in ran.out
    assert not folder().exists()
    assert "RULEWRIGHT_NO_SAVES is set" in run("play", "--resume").out


def test_without_a_folder_the_game_is_played_all_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").touch()
    monkeypatch.setenv("RULEWRIGHT_SAVES", str(Path("file/games").absolute()))
    ran = run(*PERSON, typed="1\nq\n")
    assert ran.code == 0
    assert "This game is not being saved: cannot save in" in ran.out
    assert "Saved in bazaar-3.journal." in ran.out


# ------------------------------------------------------------------ kills and signals

@pytest.mark.slow
def test_kills_at_random_instants(tmp_path: Path) -> None:
    """One of them after an accepted answer; `python -m tests.tools.kills 100` tries more."""
    for seed in range(11, 31):
        done = kills.run(int(os.environ.get("KILLS", "1")), seed, tmp_path)
        assert done.faults == []
        if done.answers:  # on a busy machine the first one may come too early
            return
    raise AssertionError("no answer was accepted before a kill")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_signal_stops_the_game_as_q_does(tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "game.journal"
    arguments = [sys.executable, "-m", "rulewright", *PERSON, "--save", str(file)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # `nohup` around the tests lets it be ignored
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        read_until(process.stdout.fileno(), PROMPT)
        process.stdin.write(b"1\n")
        process.stdin.flush()
        read_until(process.stdout.fileno(), PROMPT)
        process.send_signal(number)
        rest = process.stdout.read()
        assert process.wait(20) == 128 + number
    assert len(journal(file).entries) >= 1
    assert (b"--resume" in rest) == (number == signal.SIGTERM), "nobody is there to read it after SIGHUP"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_a_signal_while_it_is_found_out_why_a_rule_failed(
    run: Run, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """That may take a second or more; the answers before it are kept, and nothing else is said."""

    def asked_to_stop(_fault: RuleFault, _language: str) -> str:
        os.kill(os.getpid(), number)
        time.sleep(5)
        return "it did not stop"

    Path("pack.yaml").write_text(WITHOUT_FUEL)
    monkeypatch.setattr(RuleFault, "told", asked_to_stop)
    ran = run("play", ".", "--seats", "random,random", "--seed", "3", "--save", "game.journal")
    assert ran.code == {signal.SIGTERM: 143, signal.SIGINT: 130}[number], ran
    assert "Traceback" not in ran.err and "it did not stop" not in ran.err
    assert len(journal("game.journal").entries) == 1


def test_closing_the_window_of_the_terminal_loses_nothing(tmp_path: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["PYTHONPATH"] = str(ROOT / "src")
        os.chdir(tmp_path)
        os.execv(sys.executable, [sys.executable, "-m", "rulewright", *PERSON, "--save", "game.journal"])
    read_until(terminal, b"(? for help")
    os.write(terminal, b"1\r")
    read_until(terminal, b"(? for help")
    os.close(terminal)
    until = time.monotonic() + 20
    while (ended := os.waitpid(pid, os.WNOHANG))[0] == 0 and time.monotonic() < until:
        time.sleep(0.05)
    assert ended[0] == pid, "it waits for a terminal that has gone"
    assert len(journal(tmp_path / "game.journal").entries) >= 1


# ------------------------------------------------------------------ torn lines

def test_a_game_that_is_deleted_meanwhile_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    folder().mkdir(parents=True)
    for name in ("a-1", "b-2", "c-3"):
        (folder() / f"{name}.journal").touch()

    def is_regular(place: Path) -> bool:
        if place.name.startswith("b"):
            place.unlink()  # as another process does, just after this look
        return True

    monkeypatch.setattr(save_file, "is_regular", is_regular)
    assert {place.name for place in saved_games()} == {"a-1.journal", "c-3.journal"}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_torn_last_line_is_dropped_and_the_rest_stays(run: Run, language: str) -> None:
    run(*PERSON, "--save", "game.journal", typed="1\n1\n1\nq\n")
    whole = Path("game.journal").read_bytes()
    before, _, last = whole.removesuffix(b"\n").rpartition(b"\n")
    for cut in (1, len(last) // 2, len(last) - 1):
        Path("game.journal").write_bytes(before + b"\n" + last[:cut])
        told = run("replay", "game.journal", "--lang", language)
        assert told.code == 0
        ignored = {"en": "is incomplete and was ignored", "es": "está incompleta y se ha descartado"}
        assert ignored[language] in told.out
        ran = run("play", PACK, "--resume", "game.journal", "--lang", language, typed="q\n")
        assert ran.code == 0
        assert ignored[language] in ran.out
        kept = Path("game.journal").read_bytes().splitlines()[2:]
        assert kept[: len(before.splitlines()) - 2] == before.splitlines()[2:]
        assert kept[-1] == last, "the bot answers so again"


def test_a_last_line_without_its_end_is_an_answer(run: Run) -> None:
    run(*PERSON, "--save", "game.journal", typed="1\n1\n1\nq\n")
    whole = Path("game.journal").read_bytes()
    Path("game.journal").write_bytes(whole.removesuffix(b"\n"))
    ran = run("play", PACK, "--resume", "game.journal", "--seats", "human,random", typed="q\n")
    assert "cut off" not in ran.out
    assert Path("game.journal").read_bytes() == whole


# ------------------------------------------------------------------ files that cannot be written

class Full:
    """A disk that is full after some bytes. The last write that it takes is a part."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: int | None = None
        self.write = os.write
        monkeypatch.setattr(save_file.os, "write", self.take)

    def take(self, handle: int, data: bytes) -> int:
        if self.left is None or handle < 3:
            return self.write(handle, data)
        if not self.left:
            raise OSError(errno.ENOSPC, "No space left on device")
        part = bytes(data)[: self.left]
        self.left -= len(part)
        return self.write(handle, part)


@pytest.mark.parametrize("language", ["en", "es"])
def test_another_place_is_asked_for_when_the_disk_is_full(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    disk = Full(monkeypatch)
    sizes: list[bytes] = []

    def look() -> None:
        number = len(sizes)
        sizes.append(Path("game.journal").read_bytes())
        disk.left = 30 if number == 1 else 30 if number in (2, 3) else None

    from rulewright.tools import cli

    typed = Typing(["1", "1", "", "/no/where/x", "other.journal", "1", "q"], look)
    monkeypatch.setattr("sys.stdin", typed)
    shown = io.StringIO()
    monkeypatch.setattr("sys.stdout", shown)
    assert cli.run([*PERSON, "--save", "game.journal", "--lang", language]) == 0
    out = " ".join(shown.getvalue().split())
    full = {
        "en": "cannot save game.journal: No space left on device",
        "es": "no se puede guardar game.journal: no queda espacio en el disco",
    }
    assert out.count(full[language]) == 2, "Enter tries again"
    assert {"en": "Type another file", "es": "Escribe otro fichero"}[language] in out
    assert {"en": "cannot save /no/where/x", "es": "no se puede guardar /no/where/x"}[language] in out
    assert sizes[2] == sizes[1], "no part of a line is left behind"
    assert sum(entry.seat == 0 for entry in journal("other.journal").entries) == 3
    assert "other.journal" in out.rpartition("--resume")[2]


class AtTerminal(Typing):
    """Lines that a person types at a terminal."""

    def isatty(self) -> bool:
        return True


def typed_at_terminal(monkeypatch: pytest.MonkeyPatch, lines: list[str], *arguments: str) -> str:
    """What a game says to a person who types these lines."""
    from rulewright.tools import cli

    monkeypatch.setattr("sys.stdin", AtTerminal(lines, lambda: None))
    monkeypatch.setattr("sys.stdout", shown := io.StringIO())
    assert cli.run([*arguments]) == 0
    return " ".join(shown.getvalue().split())


ASKING = {"en": "Type another file", "es": "Escribe otro fichero"}


@pytest.mark.parametrize("language", ["en", "es"])
def test_another_place_is_asked_for_before_the_game_begins(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """A folder that does not exist, a folder itself, Enter for the same again, and at last a file."""
    person = (*PERSON, "--save", "no-where/x", "--lang", language)
    out = typed_at_terminal(monkeypatch, [".", "", "kept.journal", "1", "q"], *person)
    missing, folder = {
        "en": ("cannot save no-where/x: folder no-where not found.", "cannot save .: it is a folder."),
        "es": (
            "no se puede guardar no-where/x: no existe la carpeta no-where.",
            "no se puede guardar .: es una carpeta.",
        ),
    }[language]
    assert out.count(missing) == 2
    assert folder in out
    assert out.count(ASKING[language]) == 3
    assert sum(entry.seat == 0 for entry in journal("kept.journal").entries) == 1
    assert "kept.journal" in out.rpartition("--resume")[2]


def test_without_another_place_the_game_begins_all_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = typed_at_terminal(monkeypatch, ["-", "1", "q"], *PERSON, "--save", "no-where/x")
    assert out.count(ASKING["en"]) == 1
    assert len(journal("bazaar-3.journal").entries) >= 1


def test_a_full_disk_when_the_game_begins(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found out when the file is written; a file that another process uses, when it is locked."""
    disk = Full(monkeypatch)
    disk.left = 30
    Path("used.journal").touch()
    used = SaveFile("used.journal")
    assert used.lock()
    from rulewright.tools import cli

    lines = ["used.journal", "kept.journal", "1", "q"]

    def look() -> None:
        disk.left = None

    monkeypatch.setattr("sys.stdin", AtTerminal(lines, look))
    monkeypatch.setattr("sys.stdout", shown := io.StringIO())
    assert cli.run([*PERSON, "--save", "game.journal"]) == 0
    used.close()
    out = " ".join(shown.getvalue().split())
    assert "cannot save game.journal: No space left on device. Type another file," in out
    assert "used.journal is in use" in out
    assert not Path("game.journal").exists()
    assert sum(entry.seat == 0 for entry in journal("kept.journal").entries) == 1


def test_a_game_that_is_resumed_elsewhere(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*PERSON, "--save", "game.journal", typed="1\nq\n")
    arguments = ("play", PACK, "--resume", "game.journal", "--save", "no-where/x")
    out = typed_at_terminal(monkeypatch, ["kept.journal", "1", "q"], *arguments)
    assert "cannot save no-where/x" in out
    assert sum(entry.seat == 0 for entry in journal("game.journal").entries) == 1
    assert sum(entry.seat == 0 for entry in journal("kept.journal").entries) == 2


def test_nobody_is_asked_where_nobody_types_or_plays(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run(*PERSON, "--save", "no-where/x", typed="kept.journal\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "rulewright: cannot save no-where/x: folder no-where not found\n"
    from rulewright.tools import cli

    monkeypatch.setattr("sys.stdin", AtTerminal(["kept.journal"], lambda: None))
    assert cli.run(["play", PACK, "--seats", "random,random", "--save", "no-where/x"]) == 2
    assert not Path("kept.journal").exists()


def test_playing_on_without_saving(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Full(monkeypatch)
    questions = 0

    def look() -> None:
        nonlocal questions
        questions += 1
        disk.left = 0 if questions in (2, 3) else None

    from rulewright.tools import cli

    monkeypatch.setattr("sys.stdin", Typing(["1", "1", "-", "1", "q"], look))
    assert cli.run([*PERSON, "--save", "game.journal"]) == 0
    assert sum(entry.seat == 0 for entry in journal("bazaar-3.journal").entries) == 3


def test_a_file_that_is_deleted_during_the_game_is_written_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> None:
        Path("game.journal").unlink(missing_ok=True)

    from rulewright.tools import cli

    monkeypatch.setattr("sys.stdin", Typing(["1", "1", "q"], look))
    assert cli.run([*PERSON, "--save", "game.journal"]) == 0
    assert sum(entry.seat == 0 for entry in journal("game.journal").entries) == 2


# ------------------------------------------------------------------ two processes

def test_two_processes_do_not_play_the_game_in_one_file(run: Run) -> None:
    run(*PERSON, "--save", "game.journal", typed="1\nq\n")
    other = SaveFile("game.journal")
    assert other.lock()
    before = Path("game.journal").read_bytes()
    for arguments in (("play", PACK, "--resume", "game.journal"), (*PERSON, "--save", "game.journal")):
        ran = run(*arguments, typed="1\nq\n")
        assert ran.code == 2
        assert "game.journal is in use by another process that plays this game" in ran.err
    assert run("play", PACK, "--resume", "game.journal", "--save", "mine", typed="1\nq\n").code == 0
    assert Path("game.journal").read_bytes() == before
    other.close()
    assert run("play", PACK, "--resume", "game.journal", typed="1\nq\n").code == 0


def test_a_file_stays_locked_when_it_is_replaced(run: Run) -> None:
    run(*PERSON, "--save", "game.journal", typed="1\nq\n")
    mine = SaveFile("game.journal")
    assert mine.lock()
    found, _ = mine.read()
    mine.follow(journals.Journal(found.header, found.program, ()))  # cuts
    mine._head = None
    mine.follow(found)  # replaces
    with pytest.raises(InUse):
        SaveFile("game.journal").lock()
    mine.close()
    assert SaveFile("game.journal").lock()


# ------------------------------------------------------------------ the folder

def test_the_list_of_saved_games(run: Run) -> None:
    assert "No saved games" in run("play", "--resume").out
    run(*PERSON, typed="1\nq\n")
    run(*PERSON[:-1], "5", typed=ON)
    (folder() / "torn.journal").write_bytes(b"\x1b[31m{")
    answers = len(journal(folder() / "bazaar-3.journal").entries)
    for language in ("en", "es"):
        out = run("play", "--resume", "--lang", language).out
        word = {"en": "answer" if answers == 1 else "answers", "es": "respuesta" if answers == 1 else "respuestas"}
        open_, over = {"en": ("unfinished", " finished"), "es": ("sin terminar", "terminada")}[language]
        date = r"\d{4}-\d\d-\d\d \d\d:\d\d"
        assert re.search(rf"bazaar 0\.1\.0 · {date} · human, random · {answers} {word[language]} · {open_}", out)
        assert re.search(rf"bazaar .* · {date} · human, random · \d+ \w+ ·.*{over}", out)
        assert "\x1b" not in out
        spoken = " --lang es" if language == "es" else ""
        assert f"rulewright play --resume bazaar-3{spoken}\n" in out
    assert out.index("bazaar-5") < out.index("bazaar-3"), "the newest first"
    assert run("play", "--resume", "bazaar-3", typed="1\nq\n").code == 0


def test_the_last_twenty_are_kept(run: Run) -> None:
    run(*PERSON, typed="1\nq\n")
    data = (folder() / "bazaar-3.journal").read_bytes()
    for number in range(MOST + 2):
        file = folder() / f"bazaar-4-{number + 2}.journal"
        file.write_bytes(data)
        os.utime(file, (number, number))
    (folder() / "My best game.journal").write_bytes(data)
    os.utime(folder() / "My best game.journal", (0, 0))
    used = SaveFile(str(folder() / "bazaar-4-2.journal"))
    assert used.lock()
    forget()
    left = {file.name for file in folder().iterdir()}
    assert len(left) == MOST + 2, "with the player's own and the one that is in use"
    assert {"My best game.journal", "bazaar-4-2.journal", "bazaar-3.journal"} <= left
    assert "bazaar-4-3.journal" not in left
    used.close()
    assert len(saved_games()) == MOST + 2


def test_where_the_folder_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_SAVES")
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    for system, place in (
        ("linux", "/home/me/.local/state/rulewright/games"),
        ("darwin", "/home/me/Library/Application Support/rulewright/games"),
    ):
        monkeypatch.setattr(save_file.sys, "platform", system)
        assert save_file.games_folder() == Path(place)
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert save_file.games_folder() == Path("/state/rulewright/games")


def test_a_broken_header_of_play_is_refused(run: Run) -> None:
    run(*PERSON, "--save", "game.journal", typed="1\nq\n")
    first, _, rest = Path("game.journal").read_text("utf-8").partition("\n")
    for play in ({}, {"seats": ["human"], "language": "en", "pack": None, "over": False},
                 {"seats": ["human", 1], "language": "en", "pack": None, "over": False},
                 {"seats": ["human", "x"], "language": 1, "pack": None, "over": False}):  # fmt: skip
        Path("x").write_text(json.dumps(json.loads(first) | {"play": play}) + "\n" + rest, "utf-8")
        assert run("play", "--resume", "x").code == 2


# ------------------------------------------------------------------ the pack of a saved game

@pytest.mark.parametrize("broken", [False, True])
def test_a_saved_game_needs_its_pack_no_longer(run: Run, tmp_path: Path, broken: bool) -> None:
    """It has its files, so names, rules and texts stay as they were; but not where they were."""
    shutil.copytree(PACK, tmp_path / "mine")
    run("play", str(tmp_path / "mine"), *PERSON[2:], "--save", "game.journal", typed="1\nq\n")
    before = run("play", "--resume", "game.journal", typed="why\nq\n")
    if broken:
        (tmp_path / "mine" / "more.yaml").write_text("nonsense: x\n")
    else:
        shutil.rmtree(tmp_path / "mine")
    after = run("play", "--resume", "game.journal", typed="why\nq\n")
    assert (before.code, after.code, before.out) == (0, 0, after.out)
    assert "Your hand" in after.out
    origin = journal("game.journal").program.origin
    assert origin is not None and str(tmp_path) not in str(origin)


@pytest.mark.slow
def test_a_game_of_a_scenario_goes_on_from_its_position(run: Run) -> None:
    rattus = str(ROOT / "content" / "rattus-cartus")
    begun = ("play", rattus, "--from", "Everybody enters a building", "--seats", "human,random,random,random")
    whole = run(*begun, "--save", "whole", typed="1\n1\n1\n1\nq\n")
    assert whole.code == 0, whole.err
    assert run(*begun, "--save", "parts", typed="1\n1\nq\n").code == 0
    assert run("play", "--resume", "parts", typed="1\n1\nq\n").code == 0
    assert Path("whole").read_bytes() == Path("parts").read_bytes()
    assert journal("parts").program.position is not None


# ------------------------------------------------------------------ files of others

@pytest.mark.parametrize("content", [b"pack: pond\nplayers: 2\n", b"\xff\xfe\x00", b"{}\n{}\n", b"\n"])
def test_a_file_that_is_no_saved_game_is_never_replaced(run: Run, content: bytes) -> None:
    Path("mine.yaml").write_bytes(content)
    ran = run(*PERSON, "--save", "mine.yaml", typed="1\nq\n")
    assert ran.code == 2
    assert "cannot save mine.yaml: it exists and is not a saved game; name another file" in ran.err
    ran = run(*PERSON, "--save", "game.journal", typed="1\ns mine.yaml\n1\nq\n")
    assert ran.code == 0
    assert "it exists and is not a saved game" in ran.out
    assert Path("mine.yaml").read_bytes() == content
    assert sum(entry.seat == 0 for entry in journal("game.journal").entries) == 2
    assert run(*PERSON, "--save", "mine.yaml", "--overwrite", typed="1\nq\n").code == 0
    assert sum(entry.seat == 0 for entry in journal("mine.yaml").entries) == 1


def test_another_game_is_never_replaced(run: Run) -> None:
    """Neither a game with another seed, nor other answers of this one; the beginning of this game is."""
    other = ("play", PACK, "--seats", "human,random", "--seed", "4")
    run(*other, "--save", "other.journal", typed="1\nq\n")
    run(*PERSON, "--save", "longer.journal", typed="1\n1\nq\n")
    before = {name: Path(name).read_bytes() for name in ("other.journal", "longer.journal")}
    for name in before:
        ran = run(*PERSON, "--save", name, typed="1\nq\n")
        assert (ran.code, "it holds another game, or other answers" in ran.err) == (2, True)
    assert "it holds another game" in run(*PERSON, "--save", "x", typed=f"1\ns {name}\nq\n").out
    assert {name: Path(name).read_bytes() for name in before} == before
    run("play", PACK, "--resume", "longer.journal", "--save", "x", typed="1\nq\n")
    assert sum(entry.seat == 0 for entry in journal("x").entries) == 3
    ran = run("play", PACK, "--resume", "other.journal", "--save", "longer.journal", typed="1\nq\n")
    assert ran.code == 2


@pytest.mark.parametrize(("language", "yes", "kept"), [("en", "yes", 0), ("es", "sí", 0), ("es", "no", 1)])
def test_a_person_is_asked_before_another_file_is_replaced(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str, yes: str, kept: int
) -> None:
    Path("mine.yaml").write_text("pack: pond\n")
    lines = ["1", "s mine.yaml", yes, "q"]
    typed_at_terminal(monkeypatch, lines, *PERSON, "--save", "game.journal", "--lang", language)
    assert (Path("mine.yaml").read_text() == "pack: pond\n") == kept
    again = ["", "yes", "1", "q"]
    Path("mine.yaml").write_text("pack: pond\n")
    out = typed_at_terminal(monkeypatch, again, *PERSON, "--save", "mine.yaml")
    assert "Type yes to overwrite it; anything else keeps it." in out
    assert sum(entry.seat == 0 for entry in journal("mine.yaml").entries) == 1


def test_overwrite_is_about_the_file_that_is_named(run: Run) -> None:
    ran = run(*PERSON, "--overwrite", typed="q\n")
    assert (ran.code, ran.err) == (2, "rulewright: --overwrite requires --save FILE\n")
