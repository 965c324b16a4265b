"""Definitions at no cost, beside the sums that the rules of the stall give.

Each of four turns a player pays the price of a fruit and scores its worth: the plum is worth 4 and costs 3, the fig
is worth 3 and costs 1, and the nut is worth nothing and costs nothing.
"""

from __future__ import annotations

import signal
from functools import cache
from pathlib import Path

import pytest

from rulewright.interpreter.batch.batch import never
from rulewright.ruleset.program.nodes import Program
from rulewright.tools.balance.output.report import chosen_field
from rulewright.tools.balance.study import WORLDS, FreeTrials, Study, StudyRequest, study, without, without_cost
from rulewright.tools.balance.subjects import DefinitionTrial, Subject
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading
from rulewright.tools.simulation.protocol import C, Work
from tests.tools.balance.test_study import inside, whole

PACK = Path(__file__).parent / "fruit"


@cache
def program() -> Program:
    return loading.compile_pack(str(PACK)).program


@cache
def studied() -> Study:
    return study(StudyRequest(loading.table(program(), 2, ()), "", (), 1, 60.0, 1, 400), whole)


def test_a_definition_gains_what_it_costs() -> None:
    """Always taking the plum scores 4; avoiding it, (2 + 0) / 2 a turn: 0 ahead. Free, it scores 16: 12 ahead."""
    found, _ = without_cost(studied(), program(), (), "price", whole)
    usual = {one.subject.key: one.taken.by_measure["lead"] for one in studied().weighed}
    free = {one.key: estimates.by_measure["lead"] for one, estimates in found.items()}
    assert inside(usual["plum"], 0)
    assert inside(free["plum"], 12)


def test_what_costs_nothing_is_left_out() -> None:
    assert {one.key for one in without_cost(studied(), program(), (), "price", whole)[0]} == {"plum", "fig"}


def test_only_the_one_definition_changes() -> None:
    plum = Subject("fruit", "plum")
    changed = without(program(), plum, "price")
    assert changed is not None
    prices = {one.key: dict(one.fields)["price"] for one in changed.definitions}
    assert prices == {"plum": (0,), "fig": (1,), "nut": (0,)}
    assert without(program(), Subject("fruit", "nut"), "price") is None


def test_a_stopped_run_gives_what_it_has() -> None:
    def stopped(work: Work[C], what: str) -> tuple[C, bool]:
        """Plays the worlds of one fruit, and is stopped."""
        counts = work.player().play(0, WORLDS, never).counts
        signal.raise_signal(signal.SIGINT)
        return counts, False

    found, interrupted = without_cost(studied(), program(), (), "price", stopped)
    assert interrupted and len(found) == 1


def test_an_unknown_field_is_refused() -> None:
    assert chosen_field("price", program()) == "price"
    with pytest.raises(Usage, match=r"^--free requires a field with a number: price, worth$"):
        chosen_field("colour", program())
    with pytest.raises(Usage, match=r"did you mean price\?$"):
        chosen_field("prise", program())


def test_the_result_does_not_depend_on_how_the_work_is_divided() -> None:
    tables = tuple(
        loading.table(changed, 2, ())
        for key in ("plum", "fig")
        if (changed := without(program(), Subject("fruit", key), "price")) is not None
    )
    trials = tuple(DefinitionTrial(Subject("fruit", key), 0) for key in ("plum", "fig"))
    work = FreeTrials(tables, "", trials, 60, 1, 5)
    expected = work.player().play(0, 120, never).counts
    assert (expected.games, sorted(expected.found)) == (120, [(0, "taken"), (1, "taken")])
    found, player, first = work.empty(), work.player(), 0
    while first < 120:
        part = player.play(first, min(120, first + 17), never)
        found.merge(part.counts)
        first = part.end
    assert found == expected
    assert [work.reach(first, 1, 2) for first in (0, 59, 60)] == [60, 60, 120]
