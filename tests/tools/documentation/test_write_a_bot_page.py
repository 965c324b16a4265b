"""docs/how-to/write-a-bot.md works, from first line to last; `pages` explains its listings."""

from __future__ import annotations

import pytest

from tests.tools.harness import ROOT, Run
from tests.tools.pages import commands, compare, in_a_shell, listings, write

PAGE = ROOT / "docs" / "how-to" / "write-a-bot.md"


@pytest.mark.slow
def test_the_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    found = listings(PAGE)
    assert {listing.kind for listing in found} == {"yaml", "console", "sh"}
    for listing in found:
        if listing.kind == "yaml":
            write(listing, ("my-game",))
        elif listing.kind == "sh":
            for line in listing.text.splitlines():
                in_a_shell(run, line.partition("  #")[0], listing.place)
        else:
            for shown in commands(listing):
                compare(run, shown, listing.place)
