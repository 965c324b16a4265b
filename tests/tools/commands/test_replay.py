"""`rulewright replay`: the log of a journal, and journals that do not replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.interpreter.game import journal as journals
from tests.tools.harness import ROOT, Run

GAME = ("play", "rattus-cartus", "--seats", "random,random,random", "--seed", "1")


@pytest.fixture
def journal(run: Run) -> Path:
    assert run(*GAME, "--save", "game.journal").code == 0
    return Path("game.journal")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_game_is_told_again(run: Run, journal: Path, language: str) -> None:
    played = run(*GAME, "--lang", language)
    replayed = run("replay", str(journal), "--lang", language)
    assert (replayed.code, replayed.out) == (0, played.out)


@pytest.mark.slow
def test_a_game_that_goes_on(run: Run, journal: Path) -> None:
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    journal.write_text("".join(lines[:20]), "utf-8")
    ran = run("replay", str(journal))
    assert ran.code == 0
    assert "rulewright play --resume game.journal" in ran.out
    assert "Final scores" not in ran.out
    watched = run("play", "--resume", str(journal), "--seats", "random,random,random")
    assert watched.code == 0
    assert watched.out.split("\n  Saved")[0] == run(*GAME).out.rstrip("\n")


def test_a_pack_that_is_not_shipped(run: Run) -> None:
    pack = str(ROOT / "tests" / "packs" / "sealed")
    assert run("play", pack, "--seats", "random,random", "--seed", "1", "--save", "x").code == 0
    told = run("play", pack, "--seats", "random,random", "--seed", "1").out
    for arguments in (("replay", "x"), ("replay", "x", "--pack", pack)):
        again = run(*arguments)
        assert (again.code, again.out) == (0, told)
    assert run("replay", "x", "--pack", "nowhere").code == 2


def changed(journal: Path, number: int, part: int, value: object) -> None:
    lines = journal.read_text("utf-8").split("\n")
    entry = json.loads(lines[number])
    entry[part] = (entry[part] + value) % 3 if part == 1 else value
    lines[number] = json.dumps(entry)
    journal.write_text("\n".join(lines), "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("part", "value"), [(0, "no.such.choice"), (2, ["nothing"]), (3, "0000"), (1, 1)])
def test_an_answer_that_does_not_fit(run: Run, journal: Path, part: int, value: object) -> None:
    changed(journal, 12, part, value)
    replay, resume = ["replay", str(journal)], ["play", "--resume", str(journal)]
    for command, what in ((replay, "cannot be replayed to its end"), (resume, "cannot be replayed")):
        ran = run(*command)
        assert ran.code == 1
        assert ran.err.startswith(f"rulewright: game.journal {what}: entry 10, ")
        assert ran.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:100],
        lambda text: text[: len(text) - 20] + "\n",
        lambda text: text.replace("rattus", "hamster", 1),
        lambda text: text.replace('"eN', '"eM'),
        lambda text: text.replace('"seed":1', '"seed":"1"'),
        lambda text: text.replace('"journal":2', '"journal":1'),
        lambda text: "[" * 100_000,
    ],
)
def test_a_damaged_journal(run: Run, journal: Path, damage: object) -> None:
    assert callable(damage)
    journal.write_text(damage(journal.read_text("utf-8")), "utf-8")
    for command in (["replay", str(journal)], ["play", "--resume", str(journal)]):
        ran = run(*command)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("rulewright: game.journal cannot be replayed")
        assert ran.err.count("\n") == 1


def test_a_journal_with_too_many_events(run: Run, journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "MAX_TOLD", 3_000)
    for command in (["replay", str(journal)], ["play", "--resume", str(journal)]):
        ran = run(*command)
        assert ran.code == 2
        assert ran.err.endswith("needs too much memory: it has too many events\n")
        assert ran.err.count("\n") == 1


def test_bytes_that_are_no_text(run: Run) -> None:
    Path("x").write_bytes(b"\xff\xfe\x00")
    assert run("replay", "x").code == 2
