"""A sample of `metamorphic`: changes to packs whose effect on the findings is known beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleset.pipeline import load_files
from tests.ruleset.metamorphic import (
    SHIPPED,
    SMALL,
    backwards,
    changed_by_a_verb,
    hidden,
    names_of_others,
    nonsense,
    told,
)
from tests.ruleset.test_chunks import BAD, files_of

BY_NAME = {folder.name: folder for folder in (*SHIPPED, *SMALL)}
QUICK = ["tutorial", *(folder.name for folder in SMALL)]
"""Packs that are read in a moment; of the others, one has a part."""


@pytest.mark.parametrize("name", ["tutorial", "dominion"])
def test_names_of_other_bodies_are_unknown(name: str) -> None:
    batches = list(names_of_others(BY_NAME[name]))
    assert batches and hidden(BY_NAME[name], batches[0]) == []


@pytest.mark.parametrize("name", QUICK)
def test_every_sentence_is_read(name: str) -> None:
    assert hidden(BY_NAME[name], nonsense(BY_NAME[name])) == []


@pytest.mark.parametrize("name", [*QUICK, "dominion"])
def test_a_verb_more_changes_nothing(name: str) -> None:
    assert changed_by_a_verb(BY_NAME[name]) == []


@pytest.mark.parametrize("path", BAD[::12], ids=lambda path: path.stem)
def test_the_order_of_files_does_not_matter(path: Path) -> None:
    files = files_of(path)
    assert told(load_files(backwards(files)).findings) == told(load_files(files).findings)
