"""The catalogue of codes is complete, and its examples are correct."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.ruleset.findings.catalogue import CATALOGUE, TABLES, Entry, entry, explain, find
from rulewright.ruleset.findings.catalogue.yaml import DOCUMENTS
from rulewright.ruleset.source.reader import read_documents

RULESET = Path(__file__).parents[3] / "ruleset"
TOOLS = RULESET.parent / "tools"
ENTRIES = [item for table in TABLES for item in table]


def emitted() -> dict[str, set[str]]:
    """The codes in the sources, each with the modules that name it."""
    codes: dict[str, set[str]] = {}
    for path in sorted([*RULESET.rglob("*.py"), *TOOLS.rglob("*.py")]):
        if path.parent.name != "catalogue":
            for code in re.findall(r"\bRW\d{3}\b", path.read_text(encoding="utf-8")):
                codes.setdefault(code, set()).add(path.name)
    return codes


def test_every_emitted_code_is_listed() -> None:
    assert {code: modules for code, modules in emitted().items() if code not in CATALOGUE} == {}


def test_every_listed_code_is_emitted() -> None:
    assert sorted(set(CATALOGUE) - set(emitted())) == []


def test_codes_and_names_are_unique() -> None:
    assert len({item.code for item in ENTRIES}) == len(ENTRIES)
    assert len({item.name for item in ENTRIES}) == len(ENTRIES)
    for table in TABLES:
        codes = [item.code for item in table]
        assert codes == sorted(codes)


@pytest.mark.parametrize("item", ENTRIES, ids=lambda item: str(item.code))
def test_entries_are_well_formed(item: Entry) -> None:
    assert re.fullmatch(r"RW[1-7]\d\d", item.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", item.name)
    assert item.title
    assert not item.title.endswith(".")
    assert item.explanation.endswith(".")
    assert bool(item.example_wrong) == bool(item.example_right)


@pytest.mark.parametrize("item", [i for i in DOCUMENTS if i.example_wrong], ids=lambda item: str(item.code))
def test_examples_of_documents(item: Entry) -> None:
    shortened = item.code in ("RW112", "RW115", "RW118")  # the whole example would be long
    _, problems = read_documents("wrong.yaml", item.example_wrong)
    assert shortened or [problem.code for problem in problems] == [item.code]
    _, problems = read_documents("right.yaml", item.example_right)
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
