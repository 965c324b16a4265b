"""All scenarios of all packs pass on the walker, and one of each table on generated Python.

One is enough, since lock-step compares the two backends.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruleset.program.scenario import Scenario
from tools.commands.test import diagnostic
from tools.packs import loading as packs
from tools.scenarios.perform import perform
from tools.scenarios.stage import Stages

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "content", ROOT / "tests" / "games", ROOT / "tests" / "packs")
PACKS = [pack for folder in FOLDERS for pack in sorted(folder.iterdir())]


@cache
def stages(pack: Path) -> Stages:
    loaded = packs.load_pack_set(packs.read_pack_set(str(pack)))  # with the packs that it extends
    assert loaded.program is not None, loaded.findings
    return Stages(loaded.program, loaded.program.scenarios)


ALL = [(pack, one) for pack in PACKS if (pack / "pack.yaml").is_file() for one in stages(pack).scenarios]


TABLES = {
    (pack, one.entry, one.turn, one.eliminated, len(one.players), one.options): (pack, one) for pack, one in ALL
}


@pytest.mark.parametrize(("pack", "scenario"), ALL, ids=[one.title for _, one in ALL])
def test_scenarios(pack: Path, scenario: Scenario) -> None:
    outcome = perform(stages(pack), scenario)
    assert not outcome.wrong, "\n".join(str(diagnostic(wrong, outcome)) for wrong in outcome.wrong)


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "scenario"), TABLES.values(), ids=[one.title for _, one in TABLES.values()])
def test_scenarios_on_generated_code(pack: Path, scenario: Scenario) -> None:
    outcome = perform(stages(pack), scenario, "python")
    assert not outcome.wrong, "\n".join(str(diagnostic(wrong, outcome)) for wrong in outcome.wrong)
