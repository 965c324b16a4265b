"""Play a scenario step by step, until a step fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.check.scenarios import ends_like
from rulewright.ruleset.program.scenario import (
    Answer,
    Asks,
    Facts,
    Offers,
    Reads,
    Refused,
    Results,
    Scenario,
    Sees,
    Until,
    Wins,
)
from rulewright.tools.scenarios import expectations
from rulewright.tools.scenarios.outcome import ASKED, FAILED, Outcome, Stop, Wrong, faulty
from rulewright.tools.scenarios.performance import Performance
from rulewright.tools.scenarios.stage import StageError, Stages

MOST_ANSWERS = 2_000
LEAST_HARM = ("decline", "pass")
"""Options chosen for a player who does as little as possible."""


def perform(stages: Stages, scenario: Scenario) -> Outcome:
    """Play a scenario."""
    try:
        staged = stages.stage(scenario)
    except StageError as error:
        return Outcome(scenario, (Wrong(error.span, str(error), (), error.source, FAILED),))
    try:
        game = Game.start(staged.table, scenario.seed)
    except RuleFault as fault:
        return Outcome(scenario, (faulty(fault, scenario.span),), table=staged.table)
    performance = Performance(staged, game)
    if scenario.turn and not _reached(performance, scenario.entry):
        place = scenario.entry.partition("/")[2]
        message, hint = f"{scenario.turn} has no turn at `{place}`", "name another player under `turn`"
        return Outcome(scenario, (Wrong(scenario.span, message, (hint,)),), game.events(), staged.table)
    try:
        for step in scenario.steps:
            STEPS[type(step)](performance, step)
    except Stop as stop:
        performance.wrong.append(stop.wrong)
    except RuleFault as fault:
        performance.wrong.append(faulty(fault, scenario.span))
    return Outcome(scenario, tuple(performance.wrong), game.events(), staged.table)


def _reached(performance: Performance, entry: str) -> bool:
    """Whether the game has begun at its entry."""
    sources = performance.staged.table.sources
    return any(one.kind == "reached" and sources[one.at].name == entry for one in performance.game.events())


def _answer(performance: Performance, step: Answer) -> None:
    decision = performance.decision(step.player, step.choice, step.items.span)
    refused = performance.game.apply(decision.seat, performance.keys(decision, step.items))
    if isinstance(refused, Refusal):
        offered = f"offered: {', '.join(performance.names(decision)) or 'nothing'}"
        source = performance.staged.table.sources[decision.at]
        raise Stop(Wrong(step.items.span, f"the answer is refused: {refused.message}", (offered,), source, ASKED))


def _refused(performance: Performance, step: Refused) -> None:
    answer = step.answer
    decision = performance.decision(answer.player, answer.choice, answer.items.span)
    before = performance.game.hash
    for word in answer.items.words:
        if not performance.exists(decision, word):
            raise Stop(Wrong(answer.items.span, f"unknown option `{word}`"))
    keys = performance.keys(decision, answer.items, unknown=True)
    if not isinstance(performance.game.apply(decision.seat, keys), Refusal):
        message = f"expected a refusal, but {answer.player} may choose this"
        raise Stop(Wrong(answer.items.span, message, (), performance.source(decision), ASKED))
    assert performance.game.hash == before, "a refusal changes nothing"


def _until(performance: Performance, step: Until) -> None:
    for _ in range(MOST_ANSWERS):
        for one in performance.game.decisions:
            if ends_like(one.choice, step.choice) and step.player in ("", performance.players[one.seat]):
                return
        if performance.game.result is not None:
            break
        one = performance.game.decisions[0]
        performance.game.apply(one.seat, _least(one))
    never = f"{step.player} is never asked" if step.player else "no player is ever asked"
    raise Stop(Wrong(step.span, f"{never} `{step.choice}`", (performance.asking(),)))


def _least(decision: Decision) -> list[str]:
    """Return an answer that chooses as little as possible."""
    for option in decision.options:
        if option.key in LEAST_HARM:
            return [option.key]
    whole = [option.key for option in decision.options for _ in range(option.count)]
    return whole[: decision.least]


STEPS: dict[type, Callable[[Performance, Any], None]] = {
    Answer: _answer,
    Refused: _refused,
    Until: _until,
    Facts: expectations.facts,
    Offers: expectations.offers,
    Asks: expectations.asks,
    Wins: expectations.wins,
    Results: expectations.results,
    Sees: expectations.sees,
    Reads: expectations.reads,
}
"""How each step of a scenario is carried out. Raises Stop and RuleFault."""
