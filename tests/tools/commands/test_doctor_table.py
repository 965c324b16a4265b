"""`rulewright doctor PACK`: the size of a table, whether native code can play it, and its program."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulewright.interpreter.backends.native import module
from tests.tools.harness import Run

FIRST_GAME = ("dominion", "--option", "kingdom=first-games", "--option", "treasures=all")


def told(run: Run, *given: str) -> str:
    ran = run("doctor", *given)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def examined(run: Run, *given: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(told(run, *given, "--json"))
    return report


def test_a_table(run: Run) -> None:
    """17 piles hold 270 cards. 32 piles, box, and trash; deck, hand, discard, in-play, and aside of each player."""
    first, size, native = told(run, *FIRST_GAME).splitlines()
    assert first.startswith("dominion 1.0.0: 2 players, kingdom=first-games")
    assert size.startswith("270 cards in 44 zones; a state has ")
    assert native == "Native code plays whole games."


def test_the_number_of_players(run: Run) -> None:
    assert examined(run, "coup")["players"] == 2
    assert examined(run, "rattus-cartus", "--table", "3")["players"] == 3
    assert run("doctor", "coup", "--table", "40").code == 2


def test_why_native_code_cannot_play(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STACK", 4096)
    monkeypatch.setattr("rulewright.tools.commands.doctor.playing_source", module.generate_playing)
    last = told(run, "coup").splitlines()[-1]
    assert last.startswith("The walker plays whole games: the longest decisions and lists of this table take ")
    report = examined(run, "coup")
    assert (report["native"], last) == (False, f"The walker plays whole games: {report['why_not']}.")


def test_as_data(run: Run) -> None:
    report = examined(run, "dominion", "--option", "kingdom=random")
    assert (report["version"], report["pack"], report["native"], report["why_not"]) == (2, "dominion", True, None)
    assert report["cards"] == 418
    assert report["options"]["kingdom"] == "random"
    assert "program" not in report


def test_the_program(run: Run) -> None:
    text, report = told(run, "coup", "--program"), examined(run, "coup", "--program")
    lines = report["program"]
    assert any(line.endswith("(the game begins here)") for line in lines)
    assert text == told(run, "coup") + "\n" + "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("given", [("--table", "2"), ("--program",), ("--option", "a=b"), ("--with", "x")])
def test_a_table_needs_a_pack(run: Run, given: tuple[str, ...]) -> None:
    ran = run("doctor", *given)
    assert (ran.code, ran.out) == (2, "")
    assert "name its PACK" in ran.err
