"""Kill `rulewright play` at random instants; no accepted answer may be lost.

`python -m tests.tools.kills [N] [SEED]`

A game is played through pipes. At a random instant the process gets SIGKILL; then its file must hold every answer
that was accepted (the next question was asked), in order, and the game goes on from the file with `--resume`. Exit
codes: 0 nothing lost, 1 something was.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from attrs import define, field

from rulewright.interpreter.game.journal import JournalEntry
from rulewright.tools.playing.save_file import journal_of, whole_lines
from tests.tools.harness import ROOT

PACK = "rattus-cartus"
QUESTION = "? for help)"
LONGEST = 3.0
"""Seconds from the first question to the kill, at most."""
PATIENCE = 120.0
ANSWERS = (b"1\n", b"1\n", b"1\n", b"2\n", b"1-2\n", b"1-3\n", b"1-4\n", b"all\n", b"\n")
"""To each question one of them is an answer sooner or later."""


@define
class Kills:
    """What happened so far."""

    count: int = 0
    answers: int = 0
    torn: int = 0
    games: int = 0
    faults: list[str] = field(factory=list)


def run(kills: int, seed: int, folder: Path) -> Kills:
    """Plays and kills; each game goes on in the same file until it is over."""
    chance, done = random.Random(seed), Kills()
    while done.count < kills:
        done.games += 1
        file = folder / f"{done.games}.journal"
        known: tuple[JournalEntry, ...] = ()
        new = ["play", PACK, "--seats", "human,random", "--seed", str(seed + done.games), "--save", str(file)]
        arguments = new
        while done.count < kills:
            questions, over = _killed(arguments, chance)
            if over:
                break
            done.count += 1
            if not file.exists():
                if questions:
                    done.faults.append(f"kill {done.count}: a question was asked, and there is no file")
                continue
            data = file.read_bytes()
            journal, torn = journal_of(data, str(file))
            done.torn += torn
            if torn and journal_of(whole_lines(data)[0], str(file))[0] != journal:
                done.faults.append(f"kill {done.count}: the file is torn")
            if journal.entries[: len(known)] != known:
                done.faults.append(f"kill {done.count}: earlier answers have changed")
            own = sum(entry.seat == 0 for entry in journal.entries) - sum(entry.seat == 0 for entry in known)
            if own < questions - 1:
                done.faults.append(f"kill {done.count}: of {questions - 1} accepted answers {own} are in the file")
            done.answers += max(0, questions - 1)
            known = journal.entries
            arguments = ["play", PACK, "--resume", str(file), "--seats", "human,random"]
    return done


def _killed(arguments: list[str], chance: random.Random) -> tuple[int, bool]:
    """Plays until it is killed: how many questions were asked, and whether the game was over before."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rulewright", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1", "RULEWRIGHT_CC": "none"},
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    shown: list[bytes] = []
    asked = threading.Event()

    def read() -> None:
        assert process.stdout is not None
        while part := os.read(process.stdout.fileno(), 65536):
            shown.append(part)
            if part.rstrip(b" ").endswith(b">"):
                asked.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    early = chance.random() < 0.1
    if early:  # while it starts
        time.sleep(chance.random() * 3)
    until = time.monotonic() + PATIENCE
    first = True
    while not early and process.poll() is None and time.monotonic() < until:
        if not asked.wait(0.05):
            continue
        if first:
            until, first = time.monotonic() + chance.random() * LONGEST, False
        asked.clear()
        try:
            process.stdin.write(chance.choice(ANSWERS))
            process.stdin.flush()
        except BrokenPipeError:
            break
    process.kill()
    process.wait()
    reader.join()
    process.stdin.close()
    process.stdout.close()
    text = b"".join(shown).decode("utf-8", "replace")
    return text.count(QUESTION), process.returncode == 0


def main(arguments: list[str]) -> int:
    """The command."""
    kills = int(arguments[0]) if arguments else 100
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        done = run(kills, seed, Path(folder))
    print(
        f"{done.count} kills in {done.games} games, {done.answers} accepted answers, {done.torn} lines cut off; "
        f"{len(done.faults)} faults"
    )
    print(*done.faults, sep="\n")
    return 1 if done.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
