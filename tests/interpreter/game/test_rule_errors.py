"""Rule errors: pages with examples, and explanations: which rule ran how often, what stayed the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.batch.batch import player_of
from rulewright.interpreter.batch.factory import many_games
from rulewright.interpreter.game import endless
from rulewright.interpreter.game.endless import why, why_no_fuel
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.state.backend import TableBackend
from rulewright.interpreter.state.rule_errors import CODES, ENTRIES, RuleErrorEntry, explained, pack_of
from rulewright.ruleset.findings.catalogue import CATALOGUE
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.limits import most_answers, work
from tests.interpreter.programs_long import LOOPS, nested
from tests.small_packs import lowered

HERE = Path(__file__).parent
ROUNDS = (HERE / "rounds.yaml").read_text("utf-8")
CIRCLE = (HERE.parent / "circle" / "pack.yaml").read_text("utf-8")


def test_all_have_a_page_and_no_finding_has_such_a_name() -> None:
    assert [entry.code for entry in ENTRIES] == list(CODES)
    assert not {*CODES} & {entry.name for entry in CATALOGUE.values()}
    assert explained("house") is None


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
@pytest.mark.parametrize("backend", ["walker", pytest.param("native", marks=needs_compiler)])
def test_the_example_raises_it(entry: RuleErrorEntry, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most_answers(monkeypatch, 300)
    results = many_games(lowered(pack_of(entry)), (), backend).play(1, 0, 2)
    assert [results.codes[fault - 1] for fault in results.faults] == [entry.code] * 2
    assert entry.code in (explained(entry.code) or "")


@pytest.mark.slow
def test_fuel_names_the_loop_and_what_stayed_the_same() -> None:
    """Nobody is asked in any round but the first. What nobody sees is not told, and what changed is not."""
    game = Game.start(lowered(ROUNDS), 1)
    before = game.state
    with pytest.raises(RuleFault) as fault:
        game.apply(game.decisions[0].seat, ["left"])
    told = fault.value.told()
    assert game.state == before
    assert ": `turn` ran " in told
    assert told.endswith("no player was asked; `over` stayed false; `heap` kept 3 cards")
    assert "secret" not in told and "turns" not in told


def test_fuel_of_a_loop_within_an_effect() -> None:
    """`repeat while rounds < 9`: one unit of fuel is for the round; the coins change, the rounds do not."""
    entry = next(one for one in ENTRIES if one.code == "fuel")
    program = lowered(pack_of(entry))
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


def test_endless_names_the_decisions_and_what_changes() -> None:
    program = lowered(CIRCLE)
    said = why(program, "endless", 1, 0, player_of(program, ("sleeper", "sleeper")))
    assert said.startswith("the last 1,000 questions were `day.act.choice` again and again; no card moved")
    assert why(program, "endless", 1, 0, player_of(program, ("sleeper", "ender"))) == ""


def test_other_rule_errors_get_no_explanation() -> None:
    entry = next(one for one in ENTRIES if one.code == "zero-division")
    with pytest.raises(RuleFault) as fault:
        Game.start(lowered(pack_of(entry)), 1)
    assert fault.value.told() == str(fault.value)


def test_a_game_that_takes_long_is_explained_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer that is played when the time is over is the one that takes it; of a game without an end nothing
    is said, since its last questions are not known.
    """
    program = lowered(ROUNDS.replace("when: turns is 0", "when: false"))
    monkeypatch.setattr(endless, "REPLAY_SECONDS", 0.0)
    assert why(program, "fuel", 1, 0, player_of(program)).startswith("`turn` ran ")
    assert why(lowered(CIRCLE), "endless", 1, 0, player_of(lowered(CIRCLE), ("sleeper", "sleeper"))) == ""


def test_a_failed_answer_is_run_again_for_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.start(lowered(ROUNDS), 1)
    with pytest.raises(RuleFault) as fault:
        game.apply(game.decisions[0].seat, ["left"])
    assert endless.SECONDS + endless.REPLAY_SECONDS <= 3
    monkeypatch.setattr(endless, "SECONDS", 0.0)
    assert ": `turn` ran more than 1 time and no player" in fault.value.told()
