"""docs/how-to/simulate.md and docs/how-to/tournament.md show what the commands print."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.tools.harness import ROOT, Run

PAGES = [ROOT / "docs" / "how-to" / f"{name}.md" for name in ("simulate", "tournament")]
LISTING = re.compile(r"^```console\n\$ rulewright (.*?)\n(.*?)^```$", re.M | re.S)
LISTINGS = [listing for page in PAGES for listing in LISTING.findall(page.read_text("utf-8"))]
PACE = re.compile(r"in [\d.,]+ s on \w+: [\d.,]+ games/s")


def test_there_are_listings() -> None:
    assert len(LISTINGS) >= 6


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), LISTINGS, ids=[command for command, _ in LISTINGS])
def test_listing(run: Run, monkeypatch: pytest.MonkeyPatch, command: str, shown: str) -> None:
    """But for how quick it was."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(ROOT / "tests" / "docs")
    ran = run(*shlex.split(command))
    assert ran.code == 0
    told = "".join(f"{line.rstrip()}\n" for line in ran.out.splitlines())
    assert PACE.sub("in … s", told) == PACE.sub("in … s", shown)
