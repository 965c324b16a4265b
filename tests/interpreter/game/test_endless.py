"""Explanations of rule errors: which rule ran how often, and what stayed the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.batch.batch import player_of
from interpreter.game import endless
from interpreter.game.endless import why, why_no_fuel
from interpreter.game.game import Game, RuleFault
from interpreter.state.backend_base import TableBackend
from interpreter.state.rule_error_pages import ENTRIES, pack_of
from ruleset.table.nodes import TableProgram
from tests.interpreter.limits import work
from tests.interpreter.programs_long import LOOPS, nested
from tools.packs import loading as packs

CIRCLE = Path(__file__).parents[1] / "circle"
ROUNDS = """\
pack: rounds
version: 0.1.0
format: 3
name: Rounds
languages: [en]
players: 2
kinds: {gem: {}}
tracks:
  over: {of: boolean}
  secret: {of: number, seen-by: nobody}
  turns: {of: number, at-least: 0, at-most: 900, at-bounds: stop}
components: {gems: {kind: gem, starts: heap}}
zones: {heap: {order: pile, seen-by: all}}
---
gem: ruby
name: ruby
copies: 3
---
round: turn
turns-from: first of players
until: over or secret is 5 or heap is empty
steps:
  - id: ask
    options: {left: do nothing, right: do nothing}
    when: turns is 0
  - id: go-round
    do: turns += 1
---
winner: all
among: players
"""


def table(text: str, folder: Path) -> TableProgram:
    (folder / "pack.yaml").write_text(text, encoding="utf-8")
    return packs.table(packs.compile_pack(str(folder)).program, 2, ())


@pytest.mark.slow
def test_fuel_names_the_loop_and_what_stayed_the_same(tmp_path: Path) -> None:
    """Nobody is asked in any round but the first. What nobody sees is not told, and what changed is not."""
    game = Game.start(table(ROUNDS, tmp_path), 1)
    before = game.state
    with pytest.raises(RuleFault) as fault:
        game.apply(game.decisions[0].seat, ["left"])
    told = fault.value.told()
    assert game.state == before
    assert ": `turn` ran " in told
    assert told.endswith("no player was asked; `over` stayed false; `heap` kept 3 cards")
    assert "secret" not in told and "turns" not in told


def test_fuel_of_a_loop_within_an_effect(tmp_path: Path) -> None:
    """`repeat while rounds < 9`: one unit of fuel is for the round; the coins change, the rounds do not."""
    entry = next(one for one in ENTRIES if one.code == "fuel")
    program = table(pack_of(entry), tmp_path)
    with pytest.raises(RuleFault) as fault:
        Game.start(program, 1)
    told = fault.value.told()
    assert told.startswith("rule error fuel (")
    assert told.endswith(": the loop ran 19,999 times and no player was asked; `rounds` stayed 0")
    assert why(program, "fuel", 1, 0, player_of(program)) in told


def test_fuel_of_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    work(monkeypatch, 10)
    program = nested(6, 20, LOOPS["any"])
    said = why_no_fuel(program, TableBackend(program).start(1))
    assert "went through lists for" in said and "steps and no player was asked" in said


def test_endless_names_the_decisions_and_what_changes(tmp_path: Path) -> None:
    program = packs.table(packs.compile_pack(str(CIRCLE)).program, 2, ())
    sleepers = player_of(program, ("sleeper", "sleeper"))
    said = why(program, "endless", 1, 0, sleepers)
    assert said.startswith("the last 1,000 questions were `day.act.choice` again and again; no card moved")
    ended = why(program, "endless", 1, 0, player_of(program, ("sleeper", "ender")))
    assert ended == ""


def test_other_rule_errors_get_no_explanation(tmp_path: Path) -> None:
    entry = next(one for one in ENTRIES if one.code == "zero-division")
    with pytest.raises(RuleFault) as fault:
        Game.start(table(pack_of(entry), tmp_path), 1)
    assert fault.value.told() == str(fault.value)


def test_a_game_that_takes_long_is_explained_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer that is played when the time is over is the one that takes it; of a game without an end nothing
    is said, since its last questions are not known.
    """
    program = table(ROUNDS.replace("when: turns is 0", "when: false"), tmp_path)
    circle = packs.table(packs.compile_pack(str(CIRCLE)).program, 2, ())
    monkeypatch.setattr(endless, "REPLAY_SECONDS", 0.0)
    assert why(program, "fuel", 1, 0, player_of(program)).startswith("`turn` ran ")
    assert why(circle, "endless", 1, 0, player_of(circle, ("sleeper", "sleeper"))) == ""


def test_a_failed_answer_is_run_again_for_little_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = table(ROUNDS, tmp_path)
    game = Game.start(program, 1)
    with pytest.raises(RuleFault) as fault:
        game.apply(game.decisions[0].seat, ["left"])
    assert endless.SECONDS + endless.REPLAY_SECONDS <= 3
    monkeypatch.setattr(endless, "SECONDS", 0.0)
    assert ": `turn` ran more than 1 time and no player" in fault.value.told()
