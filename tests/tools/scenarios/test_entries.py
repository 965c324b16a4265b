"""Scenarios of house rules that begin at steps which a pack has put something around."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import ROOT, Run

PACKS = ROOT / "tests" / "packs"
HOUSE = """\
pack: house
version: 1.0.0
extends: {entries: "*"}
---
change: step/act.count
around: {id: rarely, when: rounds < 3}
---
change: step/act.draw
around: {id: more, while: count(box) > 2}
---
change: step/begin.deal
around: {id: seldom, unless: count(players) is 3}
"""
SCENARIOS = """\
scenario: The condition around a step is not asked where a game begins at the step
players: [ann, ben]
given: {phase: act.count, rounds: 4}
then: [rounds is 6]
---
scenario: The while around a step goes on
players: [ann, ben]
given: {phase: act.draw, box: [2 ruby], ann: {hand: none}, ben: {hand: rest}}
then: [count(ann's hand) is 1 and count(box) is 1]
---
scenario: A wrapped step of the set-up
players: [ann, ben, cam]
given: {phase: begin.deal, box: [9 gem], tray: rest, bush: none}
then: [count(box) is 2]                     # 9 - 6, and one that is drawn
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_PACKS", str(PACKS))
    folder = tmp_path / "house"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "pack.yaml").write_text(HOUSE, "utf-8")
    (folder / "scenarios" / "some.yaml").write_text(SCENARIOS, "utf-8")
    return folder


def test_games_begin_at_wrapped_steps(run: Run, house: Path) -> None:
    ran = run("test", str(house))
    assert ran.code == 0, ran.out + ran.err
    assert "entries+house: 3 passed" in ran.out


def test_a_step_inside_turns_cannot_be_entered(run: Run, house: Path) -> None:
    text = HOUSE.replace("{id: rarely, when: rounds < 3}", "{id: rarely, turns: players}")
    (house / "pack.yaml").write_text(text, "utf-8")
    ran = run("test", str(house))
    assert ran.code == 1
    assert "a game cannot be entered at `act.count`: the step around it runs for each player or thing" in ran.out
