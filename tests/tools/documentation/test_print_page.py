"""docs/how-to/print.md shows what the commands print."""

from __future__ import annotations

import pytest

from tests.tools.harness import ROOT, Run
from tests.tools.pages import commands, compare, listings

PAGE = ROOT / "docs" / "how-to" / "print.md"


@pytest.mark.slow
def test_the_page(run: Run) -> None:
    for listing in listings(PAGE):
        if listing.kind == "console":
            for shown in commands(listing):
                compare(run, shown, listing.place)
