"""The glossary: alphabetical, each term with a link, and used by the pages with the same spelling."""

from __future__ import annotations

import re

import pytest

from tests.docs.links import links, pages
from tests.docs.listings import ROOT

DOCS = ROOT / "docs"
GLOSSARY = DOCS / "reference" / "glossary.md"
ENTRIES = re.findall(r"^- \*\*(.+?)\*\*: (.+)$", GLOSSARY.read_text("utf-8"), re.MULTILINE)


def test_terms_are_in_alphabetical_order() -> None:
    terms = [term.lower() for term, _ in ENTRIES]
    assert len(terms) > 50
    assert terms == sorted(set(terms))


@pytest.mark.parametrize(("term", "text"), ENTRIES, ids=[term for term, _ in ENTRIES])
def test_each_term_is_used_and_linked(term: str, text: str) -> None:
    assert re.search(r"\. See .*\]\([\w./#-]+\)", text), f"`{term}` has no link to where it is explained"
    others = [page for page in pages() if page != GLOSSARY and DOCS in page.parents]
    spelt = re.compile(rf"\b{re.escape(term)}s?\b", re.IGNORECASE)
    assert any(spelt.search(page.read_text("utf-8")) for page in others), f"no page uses `{term}`"


def test_every_line_is_an_entry_and_the_index_links_to_it() -> None:
    assert len(ENTRIES) == sum(line.startswith("- ") for line in GLOSSARY.read_text("utf-8").splitlines())
    assert "reference/glossary.md" in links(DOCS / "README.md")
