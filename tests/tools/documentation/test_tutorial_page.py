"""docs/tutorial/first-game.md goes from an empty folder to content/tutorial.

`pages` tells what its listings are.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from ruleset.declare.kind_schemas import SCHEMA_FILE
from tests.tools.harness import ROOT, Run
from tests.tools.pages import commands, compare, in_a_shell, listings, write

PAGE = ROOT / "docs" / "tutorial" / "first-game.md"
SHIPPED = ROOT / "content" / "tutorial"
FOLDER = "eights"
STAGES = 9
"""So many stages make or change something; the last section only tells where to go on."""


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a pack but the schema for editors, which is generated."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != SCHEMA_FILE)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.slow
def test_the_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stage leaves a pack without findings and shows something; the last leaves what is shipped."""
    monkeypatch.setenv("COLUMNS", "100")
    found = listings(PAGE)
    assert {listing.kind for listing in found} == {"yaml", "diff", "console", "sh"}
    stages = [(stage, list(members)) for stage, members in groupby(found, lambda listing: listing.section)]
    assert [stage.split(".")[0] for stage, _ in stages] == [str(number + 1) for number in range(STAGES)]
    for stage, members in stages:
        for listing in members:
            if listing.kind in ("yaml", "diff"):
                write(listing, (FOLDER,))
            elif listing.kind == "sh":
                mine = files(Path(FOLDER))
                for line in listing.text.splitlines():
                    in_a_shell(run, line, listing.place)
                assert mine.items() <= files(Path(FOLDER)).items(), (
                    f"{listing.place}: what was written is overwritten"
                )
            else:
                for shown in commands(listing):
                    compare(run, shown, listing.place)
        assert members[-1].kind == "console", f"{stage}: nothing is run at the end"
        checked = run("validate", FOLDER, "--strict")
        assert checked.code == 0 and "no findings" in checked.out, f"{stage}: {checked.out}"
    assert files(Path(FOLDER)) == files(SHIPPED)
