"""docs/how-to/simulate.md shows what the commands print."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.tools.harness import ROOT, Run

PAGE = ROOT / "docs" / "how-to" / "simulate.md"
LISTINGS = re.findall(r"^```console\n\$ rulewright (.*?)\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
PACE = re.compile(r"in [\d.,]+ s on \w+: [\d.,]+ games/s")


def test_there_are_listings() -> None:
    assert len(LISTINGS) >= 5


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
