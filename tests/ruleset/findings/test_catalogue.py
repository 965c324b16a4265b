"""The catalogue of codes is complete, and its examples are correct."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.ruleset.findings import catalogue
from rulewright.ruleset.findings.catalogue import CATALOGUE, PAGES, CatalogueEntry, entry, explain, find
from rulewright.ruleset.source.reader import read_documents

RULESET = Path(__file__).parents[3] / "ruleset"
TOOLS = RULESET.parent / "tools"
ENTRIES = list(CATALOGUE.values())
DOCUMENTS = [item for item in ENTRIES if item.code < "RW130" and item.code != "RW126"]


def emitted() -> dict[str, set[str]]:
    """The codes in the sources, each with the modules that name it."""
    codes: dict[str, set[str]] = {}
    for path in sorted([*RULESET.rglob("*.py"), *TOOLS.rglob("*.py")]):
        if path.name != "catalogue.py":
            for code in re.findall(r"\bRW\d{3}\b", path.read_text(encoding="utf-8")):
                codes.setdefault(code, set()).add(path.name)
    return codes


def test_every_emitted_code_is_listed() -> None:
    assert {code: modules for code, modules in emitted().items() if code not in CATALOGUE} == {}


def test_every_listed_code_is_emitted() -> None:
    assert sorted(set(CATALOGUE) - set(emitted())) == []


def test_codes_and_names_are_unique() -> None:
    codes = re.findall(r'^    \("(RW\d+)"', Path(catalogue.__file__).read_text("utf-8"), re.MULTILINE)
    assert codes == sorted(set(codes)) and set(codes) == set(CATALOGUE)
    assert len({item.name for item in ENTRIES}) == len(ENTRIES)


def test_each_code_has_a_page_and_each_page_a_code() -> None:
    assert sorted(path.stem for path in PAGES.iterdir()) == sorted(CATALOGUE)


@pytest.mark.parametrize("item", ENTRIES, ids=lambda item: str(item.code))
def test_entries_are_well_formed(item: CatalogueEntry) -> None:
    assert re.fullmatch(r"RW[1-7]\d\d", item.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", item.name)
    page, text = item.page, (PAGES / f"{item.code}.md").read_text("utf-8")
    assert page.title
    assert not page.title.endswith(".")
    assert page.explanation.endswith(".")
    assert bool(page.wrong) == bool(page.right)
    assert text.count("```") == (4 if page.wrong else 0), "an example is not read"


@pytest.mark.parametrize("item", [i for i in DOCUMENTS if i.page.wrong], ids=lambda item: str(item.code))
def test_examples_of_documents(item: CatalogueEntry) -> None:
    shortened = item.code in ("RW112", "RW115", "RW118")  # the whole example would be long
    _, problems = read_documents("wrong.yaml", item.page.wrong)
    assert shortened or [problem.code for problem in problems] == [item.code]
    _, problems = read_documents("right.yaml", item.page.right)
    assert shortened or problems == ()


CHANGED = (444, *range(620, 630), 635, 636, 638, 639)
WITHOUT_A_SOURCE = {
    "RW119": "a file of more than a MiB; `test_document` makes one",
    "RW121": "bytes that are no text: `load` says RW604 of the whole file; only files read alone give it",
    "RW150": "FIFOs and loops of links; `test_files` makes them",
    "RW397": "picture files; `test_pictures` makes them",
    "RW426": "sentences that could be two verbs are refused where the verbs are declared, with RW314",
    "RW601": "links; `test_catalogue_examples` makes one",
    "RW602": "thousands of files; `test_catalogue_examples` makes them",
    "RW603": "a folder without a pack; `test_catalogue_examples` makes one",
    "RW604": "bytes that are no text; `test_catalogue_examples` makes them",
    "RW605": "a pack without its document; `test_catalogue_examples` makes one",
    **{f"RW{code}": "several packs together; `test_dependencies` has them" for code in range(610, 618)},
    **{f"RW{code}": "packs on top of others; `tests/house` has them" for code in CHANGED},
}
"""Codes that no source of `chunks/bad` shows, each with the reason. RW7xx are about scenarios, which have tests."""


def test_every_code_has_a_bad_source() -> None:
    shown: set[str] = set()
    for path in (RULESET.parent / "tests" / "chunks" / "bad").glob("*.yaml"):
        shown.update(path.read_text("utf-8").partition("\n")[0].removeprefix("# expect:").split())
    rules = {code for code in CATALOGUE if code < "RW7"}
    assert rules - shown == set(WITHOUT_A_SOURCE)


def test_explain() -> None:
    text = explain("duplicate-key")
    assert text == explain("rw110")
    assert text.startswith("RW110 duplicate-key (error)\n\nA key appears twice\n\n")
    assert text.endswith("Right:\n\n    thing: lantern\n    cost: 4\n")
    assert explain("duplicate-kye") == "there is no code `duplicate-kye`; did you mean `duplicate-key`?\n"
    assert find("nonsense") is None
    assert entry("RW999").severity == "error"
