"""All scenarios of all packs pass on the walker, and one of each table beside native code.

One is enough, since lock-step compares the two backends.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from unittest import mock

import pytest

from rulewright.ruleset.program.scenario import Scenario
from rulewright.tools.commands.test import diagnostic
from rulewright.tools.packs import loading as packs
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import Stages
from tests.interpreter.lockstep import PackSet

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "content", ROOT / "tests" / "games", ROOT / "tests" / "packs")
PACKS = [path.parent for folder in FOLDERS for path in sorted(folder.glob("*/pack.yaml"))]


MANY = {"rattus-cartus", "dominion", "coup"}
"""Packs with hundreds of scenarios."""
QUICK = [pytest.param(pack, marks=pytest.mark.slow if pack.name in MANY else ()) for pack in PACKS]


@cache
def stages(pack: Path) -> Stages:
    loaded = packs.load_pack_set(packs.read_pack_set(str(pack)))  # with the packs that it extends
    assert loaded.program is not None, loaded.findings
    return Stages(loaded.program, loaded.program.scenarios)


def wrong(pack: Path, scenarios: Iterable[Scenario]) -> list[str]:
    """What is not as it should be in scenarios of a pack."""
    outcomes = (perform(stages(pack), one) for one in scenarios)
    return [str(diagnostic(one, outcome)) for outcome in outcomes for one in outcome.wrong]


@pytest.mark.parametrize("pack", QUICK, ids=lambda pack: pack.name)
def test_scenarios(pack: Path) -> None:
    assert wrong(pack, stages(pack).scenarios) == []


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_scenarios_beside_native_code(pack: Path) -> None:
    tables = {
        (one.entry, one.turn, one.eliminated, len(one.players), one.options): one for one in stages(pack).scenarios
    }
    with mock.patch("rulewright.interpreter.game.game.walker_of", PackSet):
        assert wrong(pack, tables.values()) == []
