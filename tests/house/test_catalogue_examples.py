"""The examples of the catalogue's changes give their finding, and only that; their remedies give none."""

from __future__ import annotations

import re

import pytest

from rulewright.ruleset.findings.catalogue import CATALOGUE, CatalogueEntry
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from tests.house.together import files_of, game


def loaded(example: str) -> Loaded:
    """The little game with the packs of an example."""
    if not example.startswith("pack: "):
        return load_files(game(), more=[files_of("house-rules", example)])
    more = []
    for text in re.split(r"^---\n(?=pack: )", example, flags=re.MULTILINE):
        head, _, rules = text.partition("---\n")
        name = head.splitlines()[0].removeprefix("pack: ")
        own = ("pack:", "version:", "extends:")
        rest = "\n".join(line for line in head.splitlines() if not line.startswith(own))
        more.append(files_of(name, rules, rest))
    return load_files(game(), more=more)


CHANGES = [CATALOGUE[f"RW{code}"] for code in (444, *range(620, 630), 635, 636, 638, 639)]


@pytest.mark.parametrize("entry", CHANGES, ids=lambda entry: str(entry.code))
def test_examples(entry: CatalogueEntry) -> None:
    wrong = loaded(entry.page.wrong)
    assert [finding.code for finding in wrong.findings] == [entry.code]
    assert wrong.program is None or entry.severity == "warning"
    right = loaded(entry.page.right)
    assert right.findings == ()
    assert right.program is not None
