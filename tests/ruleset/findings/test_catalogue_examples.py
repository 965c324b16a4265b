"""The examples of the catalogue give their finding, and only that; their remedies give none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.check.lints import CODES
from rulewright.ruleset.common.limits import MOST_FILES
from rulewright.ruleset.findings.catalogue import CATALOGUE, CatalogueEntry
from rulewright.ruleset.pipeline import load
from tests.ruleset.sample import findings_of

ELSEWHERE = (
    *("RW10", "RW11", "RW12", "RW15", "RW2", "RW61", "RW62", "RW63", "RW64", "RW73"),
    *(f"RW{code}" for code in (*range(340, 346), 360, 361)),
)
"""Codes of which one file in this pack is no example: files, shapes, bots, packs together, and expectations."""
ENTRIES = [
    entry
    for entry in CATALOGUE.values()
    if (not entry.code.startswith(ELSEWHERE) or entry.code == "RW126") and entry.code != "RW444"
]
WITHOUT = ("RW397", "RW401", "RW426", "RW601", "RW602", "RW603", "RW604", "RW605", "RW711", "RW721")
"""No short document shows these. Most have tests below."""


def test_the_pack_around_them_has_no_findings() -> None:
    assert findings_of("") == ()


def test_those_without_examples_are_few() -> None:
    assert tuple(entry.code for entry in ENTRIES if not entry.page.wrong) == WITHOUT


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.code in CODES], ids=lambda entry: str(entry.code))
def test_examples_of_lints(entry: CatalogueEntry) -> None:
    """The pack around them lacks much, too: only the code of the example counts, and only in the example."""

    def lints_of(snippet: str) -> list[str]:
        return [
            one.code
            for one in findings_of(snippet, lints=True)
            if one.code == entry.code and one.span.path == "snippet.yaml"
        ]

    assert lints_of(entry.page.wrong) == [entry.code]
    assert lints_of(entry.page.right) == []
    assert findings_of(entry.page.wrong) == findings_of(entry.page.right) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry",
    [e for e in ENTRIES if e.page.wrong and e.code not in CODES],
    ids=lambda entry: str(entry.code),
)
def test_examples(entry: CatalogueEntry) -> None:
    wrong = findings_of(entry.page.wrong)
    assert {finding.code for finding in wrong} == {entry.code}
    assert all(finding.span.path == "snippet.yaml" for finding in wrong)
    assert findings_of(entry.page.right) == ()


def test_a_text_may_be_too_deep() -> None:
    text = "do: sparks += " + "(" * 60 + "1" + ")" * 60
    assert [finding.code for finding in findings_of(text)] == ["RW401"]


def test_files_that_make_no_pack(tmp_path: Path) -> None:
    assert [finding.code for finding in load(tmp_path).findings] == ["RW603"]
    (tmp_path / "pack.yaml").write_text("verb: rest\ndo: do nothing\n")
    assert [finding.code for finding in load(tmp_path).findings] == ["RW605"]
    (tmp_path / "pack.yaml").write_text("pack: sample\nplayers: 2\n")
    assert load(tmp_path).findings == ()
    (tmp_path / "latin.yaml").write_bytes(b"verb: caf\xe9\ndo: do nothing\n")
    assert [finding.code for finding in load(tmp_path).findings] == ["RW604"]


def test_links_that_lead_out(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "pack.yaml").write_text("pack: sample\nplayers: 2\n")
    (tmp_path / "other.yaml").write_text("verb: rest\ndo: do nothing\n")
    (pack / "other.yaml").symlink_to(tmp_path / "other.yaml")
    assert [finding.code for finding in load(pack).findings] == ["RW601"]


def test_too_many_files(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("pack: sample\nplayers: 2\n")
    for number in range(MOST_FILES):
        (tmp_path / f"{number}.yaml").touch()
    assert [finding.code for finding in load(tmp_path).findings] == ["RW602"]
