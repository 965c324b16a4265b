"""Invalid house rules and their exact findings.

A source holds packs on top of the little game; each begins with `pack: …`. The first line has the
expected codes.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from rulewright.ruleset.findings.render import render
from tests.house.test_catalogue_examples import loaded

BAD = sorted((Path(__file__).parent / "bad").glob("*.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad(path: Path, snapshot: SnapshotAssertion) -> None:
    first, _, text = path.read_text("utf-8").partition("\n")
    found = loaded(text)
    assert sorted(finding.code for finding in found.findings) == sorted(first.removeprefix("# expect:").split())
    assert render(found.findings, found.sources) == snapshot
