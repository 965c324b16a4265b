"""docs/how-to/house-rules.md works from the first line to the last.

One kind of listing is this page's own: ```` ```yaml FILE, as it is ```` shows lines of the game. What the page's
`pyproject.toml` says is taken at its word: the packs of an installed distribution like it are found.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from tests.tools.harness import ROOT, Run
from tests.tools.pages import Listing, commands, compare, in_a_shell, listings, write

PAGE = ROOT / "docs" / "how-to" / "house-rules.md"
SHIPPED = ROOT / "content" / "tutorial"
FOLDERS = ("kitchen-table", "early-night", "siesta", "tutorial")
AS_IT_IS = ", as it is"


@pytest.mark.slow
def test_the_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the page says is done in a new folder, and goes as it says."""
    monkeypatch.setenv("COLUMNS", "100")
    found = listings(PAGE)
    assert {listing.kind for listing in found} == {"yaml", "diff", "console", "sh", "toml", "text"}
    for listing in found:
        if listing.more.endswith(AS_IT_IS):
            shown_only(listing)
        elif listing.kind in ("yaml", "diff"):
            write(listing, FOLDERS)
        elif listing.kind == "sh":
            for line in listing.text.splitlines():
                in_a_shell(run, line, listing.place)
        elif listing.kind == "console":
            for shown in commands(listing):
                compare(run, shown, listing.place)
    for name in ("kitchen-table", "early-night", "siesta"):
        checked = run("validate", name, "--strict")
        assert checked.code == 0 and "no findings" in checked.out, f"{name}: {checked.out}"
    assert (Path("tutorial") / "pack.yaml").read_bytes() == (SHIPPED / "pack.yaml").read_bytes()


def shown_only(listing: Listing) -> None:
    """Lines of a file of the game, perhaps without their comments."""
    text = Path(listing.more.removesuffix(AS_IT_IS)).read_text("utf-8")
    lines = {line.partition("  #")[0].rstrip() for line in text.splitlines()}
    lost = [line for line in listing.text.splitlines() if line not in lines]
    assert not lost, f"{listing.place}: the game has no {lost}"


def test_the_package(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution as the page's `pyproject.toml` makes it is one whose packs are found."""
    text = next(listing.text for listing in listings(PAGE) if listing.kind == "toml")
    said = tomllib.loads(text)
    points = said["project"]["entry-points"]["rulewright.packs"]
    (module,) = said["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    site = tmp_path / "site"
    about = site / f"{module}-{said['project']['version']}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {said['project']['name']}\nVersion: 0.1.0\n")
    lines = [f"{name} = {folder}" for name, folder in points.items()]
    (about / "entry_points.txt").write_text("\n".join(["[rulewright.packs]", *lines]) + "\n")
    assert run("new", "house-rule", "kitchen-table", "--for", "tutorial").code == 0
    (site / module).mkdir()
    shutil.move("kitchen-table", site / module / "kitchen-table")
    monkeypatch.syspath_prepend(site)
    listed = run("packs")
    assert f"{site / module / 'kitchen-table'}" in listed.out
    played = run("play", "tutorial", "--with", "kitchen-table", "--seats", "random,random", "--seed", "1")
    assert played.code == 0 and "Kitchen table" in played.out
