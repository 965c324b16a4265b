"""Relative links between pages lead to existing files and headings, and old addresses still work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.links import anchors, is_there, links, pages, sources
from tests.docs.listings import ROOT

DOCS = ROOT / "docs"
MOVED = {
    "architecture.md": "explanation/architecture.md",
    "ci.md": "how-to/check-in-ci.md",
    "designing.md": "tutorial/designers-first-hour.md",
    "findings.md": "reference/findings.md",
    "house-rules.md": "how-to/house-rules.md",
    "language.md": "reference/language.md",
    "migrating.md": "how-to/migrate.md",
    "playing.md": "how-to/play.md",
    "rule-errors.md": "reference/rule-errors.md",
    "simulating.md": "how-to/simulate.md",
    "speed.md": "explanation/speed.md",
    "tutorial.md": "tutorial/first-game.md",
    "how-to/common-mechanisms.md": "how-to/recipes.md",
}
"""The pages that once had another place, with their new ones. A short page remains at each old place."""
SPLIT = {"language.md": {"reference/scenarios.md", "reference/bots.md", "reference/house-rules.md"}}
"""Pages of which some sections are now pages of their own."""
OLD_ANCHORS = {
    "designing.md": {"1-install"},
    "findings.md": {"rw101", "rw425", "rw640", "rw721"},
    "how-to/common-mechanisms.md": {"durations", "open-bidding", "small-things", "while-a-card-is-in-play"},
    "language.md": {"allowing-a-warning", "bots", "change", "scenarios", "traps", "where-packs-are-found"},
    "rule-errors.md": {"absent", "fuel"},
}
"""Some anchors that older pages, messages and bookmarks link to."""
NAMED = re.compile(r"(?<![\w/.+-])docs/((?:[\w-]+/)*[\w-]+\.md)(?:#([\w-]+))?")


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    lost = [target for target in links(page) if not is_there(page, target)]
    assert not lost, f"{page.relative_to(ROOT)}: {lost}"


def test_there_are_links() -> None:
    assert len(pages()) > 20
    assert len(links(ROOT / "README.md")) > 5 and len(links(DOCS / "reference" / "findings.md")) > 100


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_address_leads_to_the_new_one(old: str, new: str) -> None:
    stub = DOCS / old
    targets = [(stub.parent / target).relative_to(DOCS).as_posix() for target in links(stub)]
    assert targets[0] == new and (DOCS / new).is_file()
    assert {target.partition("#")[0] for target in targets} == {new} | SPLIT.get(old, set())
    assert OLD_ANCHORS.get(old, set()) <= anchors(stub)
    sections = [target.partition("#")[2] or Path(target).stem for target in targets[1:]]
    assert all(f'<a id="{section}"></a>[' in stub.read_text("utf-8") for section in sections)


def test_sections_that_became_pages_keep_their_anchors() -> None:
    moved = {"scenarios", "bots", "house-rules", "change", "a-pack-on-top-of-another", "where-packs-are-found"}
    assert moved <= anchors(DOCS / "reference" / "language.md")


def test_the_pages_directly_in_docs_have_moved() -> None:
    assert {path.name for path in DOCS.glob("*.md")} == {"README.md", *(old for old in MOVED if "/" not in old)}


def test_the_index_lists_every_page() -> None:
    listed = {target.partition("#")[0] for target in links(DOCS / "README.md")}
    assert {path.relative_to(DOCS).as_posix() for path in DOCS.glob("*/*.md")} - set(MOVED) <= listed
    assert not listed & set(MOVED)


def test_pages_are_named_by_their_new_places() -> None:
    """In code, messages, and prose: `docs/…` with a file that exists, is no stub, and has the anchor."""
    named = {
        (source, found[1], found[2])
        for source in sources()
        for found in NAMED.finditer(source.read_text("utf-8", errors="replace"))
    }
    assert len(named) > 15
    lost = [
        (str(source.relative_to(ROOT)), path, anchor)
        for source, path, anchor in named
        if path in MOVED or not is_there(DOCS / path, f"#{anchor}" if anchor else (DOCS / path).name)
    ]
    assert not [one for one in lost if one[0] != "tests/docs/test_links.py"]


def test_headings_and_listings_are_told_apart(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    headings = "# One `two`: three\n## Same\n## Same\n"
    page.write_text(headings + '````text\n```\n# No\n[a](b)\n````\n[x](y#z) `[c](d)` <a id="q">')
    assert anchors(page) == {"one-two-three", "same", "same-1", "q"}
    assert links(page) == ["y#z"]
    assert is_there(page, "#same-1") and not is_there(page, "#no") and not is_there(page, "y#z")
