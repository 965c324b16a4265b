"""What a change did, beside the sums that the rules of the quarry give.

A seat that always takes marble is 40 - 4 · (0 + w) / 2 ahead of one that avoids it, where w is the worth of slate:
36 with a worth of 2, and 28 with 6. So marble loses 8 points if slate becomes richer by 4.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.tools.balance.estimates import Estimate, difference_of
from rulewright.tools.balance.output.report import ReportNames, report
from rulewright.tools.balance.output.sentences import Changes, change_report, change_sentences, changes
from rulewright.tools.balance.study import Study, study
from rulewright.tools.packs import loading
from tests.tools.balance.test_reports import shown
from tests.tools.balance.test_study import inside, request, studied, whole

NAMES = ReportNames(lambda one: f"The {one.key}", lambda kind: kind)
RICHER = """\
pack: richer
version: 1.0.0
format: 3
extends: {quarry: ">=1"}
---
change: stone/slate
set: {worth: 6}
"""
LONGER = RICHER.replace("stone/slate\nset: {worth: 6}", "round/shift\nset: {until: shifts >= 5}")


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    @cache
    def make(rules: str) -> tuple[Study, Changes]:
        folder = tmp_path_factory.mktemp("rules") / "richer"
        folder.mkdir()
        (folder / "pack.yaml").write_text(rules, "utf-8")
        own = Path(__file__).parent / "quarry"
        program = loading.compile_pack(f"{own}+{folder}").program
        after = study(evolve(request(), program=loading.table(program, 2, ())), whole)
        return after, changes(studied(), after)

    return make


def test_what_depends_on_a_change_changes(changed: Any) -> None:
    _, found = changed(RICHER)
    marble = next(one for one in found.definitions if one.subject.key == "marble")
    assert marble.difference is not None and marble.significant
    assert inside(marble.difference, -8)
    assert (marble.before.rank, marble.after.rank) == (1, 1)


@pytest.mark.slow
def test_games_are_compared_in_pairs(changed: Any) -> None:
    """Each seat has one turn more, in every game."""
    _, found = changed(LONGER)
    assert found.games == 5000
    assert found.decisions.low < found.decisions.mean == 2 < found.decisions.high < 2.01


def test_the_same_rules_differ_in_nothing() -> None:
    found = changes(studied(), studied())
    assert [one.significant for one in found.definitions] == [False] * 3
    assert {one.difference.mean for one in found.definitions if one.difference} == {0}
    assert {one.mean for one in found.wins} == {0}
    assert found.decisions is not None and found.decisions.mean == 0


def test_intervals_of_independent_estimates_are_added_as_squares() -> None:
    """Half widths of 3 and 4 give 5. At the edge of a 95 % interval, p is 5 %."""
    found = difference_of(Estimate(10, 7, 13, 0.0), Estimate(15, 11, 19, 0.0))
    assert (found.mean, found.low, found.high) == (5, 0, 10)
    assert found.p == pytest.approx(0.05)


@pytest.mark.parametrize("form", ["text", "markdown", "page"])
def test_every_format_says_what_changed(changed: Any, form: str) -> None:
    after, found = changed(RICHER)
    data = report(studied(), NAMES) | {"change": change_report(found, studied(), after, (NAMES, NAMES))}
    text = " ".join(shown(form, data).split())
    assert "The slate became stronger: +" in text
    assert "The marble became weaker: -" in text
    text = text.replace("\\", "")
    assert "What the change did: from quarry 1.0.0 to quarry+richer 1.0.0" in text
    assert text.index("The slate became stronger") < text.index("Strongest stone"), "the answer is first"


def test_nothing_is_said_of_what_chance_explains() -> None:
    data = change_report(changes(studied(), studied()), studied(), studied(), (NAMES, NAMES))
    text = shown("markdown", report(studied(), NAMES) | {"change": data})
    assert "No difference was found that is larger than chance explains." in text


@pytest.mark.parametrize(("mean", "said"), [(0.04, False), (0.1, True)])
def test_nothing_is_said_of_what_would_be_written_as_nothing(mean: float, said: bool) -> None:
    data = change_report(changes(studied(), studied()), studied(), studied(), (NAMES, NAMES))
    data["decisions"] = {"mean": mean, "low": mean - 0.01, "high": mean + 0.01}
    assert any("decisions" in sentence for sentence in change_sentences(data)) == said
