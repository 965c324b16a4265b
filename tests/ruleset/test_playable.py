"""Parts that are omitted when a pack is only checked do not change the findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.scenario import Facts
from rulewright.ruleset.source.pack_files import PackFiles, read_pack
from rulewright.tools.packs.loading import load_pack_set, pack_set_of
from tests.docs.listings import ROOT
from tests.ruleset.test_chunks import BAD, BASE

SCENARIOS = [path for path in BAD if "scenario:" in path.read_text("utf-8")]
PACKS = sorted(path.parent for path in ROOT.glob("content/*/pack.yaml"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_mistakes_are_found_all_the_same(path: Path) -> None:
    data = path.read_bytes()
    base = () if data.startswith(b"pack:") or b"\npack:" in data else (("base.yaml", BASE),)
    files = PackFiles(Path(), (*base, (path.name, data)))
    findings = load_files(files).findings
    assert findings
    assert load_files(files, playable=False).findings == findings


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_a_good_pack_is_good_all_the_same(pack: Path) -> None:
    together = pack_set_of([read_pack(pack)])
    whole, checked = load_pack_set(together).program, load_pack_set(together, playable=False).program
    assert whole is not None and checked is not None
    assert len(whole.scenarios) == len(checked.scenarios)
    sides = [
        sum(
            len(fact.sides)
            for one in program.scenarios
            for step in one.steps
            if isinstance(step, Facts)
            for fact in step.facts
        )
        for program in (whole, checked)
    ]
    assert sides[1] == 0
    assert sides[0] > 0 or len(together.needed) > 0  # house rules may have few scenarios
    assert len(whole.units) == len(checked.units) + sides[0]
