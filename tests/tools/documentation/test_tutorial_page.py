"""docs/tutorial/first-game.md goes from an empty folder to content/tutorial.

`pages` tells what its listings are.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
import yaml

from tests.tools.harness import ROOT, Run
from tests.tools.pages import commands, compare, in_a_shell, listings, write

PAGE = ROOT / "docs" / "tutorial" / "first-game.md"
SHIPPED = ROOT / "content" / "tutorial"
FOLDER = "eights"
STAGES = 9
"""So many stages make or change something; the last section only tells where to go on."""


BOOK = ("rulings.es.md",)
"""Files of the shipped pack that only its rule book uses."""
WORDS = ("text", "because")
"""Keys of steps and options with words for the rule book and reasons, which the page leaves out."""


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a pack."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def rules(folder: Path) -> dict[str, object]:
    """Return what the files of a pack say, without words that only readers of the rule book see."""
    found = {name: data for name, data in files(folder).items() if name not in BOOK}
    return {
        name: without_words([*yaml.safe_load_all(data)]) if name in ("rules.yaml", "scoring.yaml") else data
        for name, data in found.items()
    }


def without_words(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_words(one) for key, one in value.items() if key not in WORDS}
    return [without_words(one) for one in value] if isinstance(value, list) else value


@pytest.mark.slow
def test_the_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stage leaves a pack without findings and shows something; the last leaves what is shipped,
    but for words of the rule book."""
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
    assert rules(Path(FOLDER)) == rules(SHIPPED)
