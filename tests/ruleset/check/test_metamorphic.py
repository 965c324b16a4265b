"""A sample of the changes of `metamorphic`, whose effects on the findings are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.pipeline import load_files
from tests.ruleset.metamorphic import (
    SHIPPED,
    SMALL,
    backwards,
    changed_by_a_verb,
    changed_by_order,
    documents_apart,
    hidden,
    names_of_others,
    nonsense,
    pack,
    told,
)
from tests.ruleset.renamed import names_of, new_names, played_otherwise
from tests.ruleset.test_chunks import BAD, GOOD, files_of

BY_NAME = {folder.name: folder for folder in (*SHIPPED, *SMALL)}
QUICK = ["tutorial", *(folder.name for folder in SMALL)]
"""Packs that are read in a moment; of the others, one has a part."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tutorial", "dominion"])
def test_names_of_other_bodies_are_unknown(name: str) -> None:
    batches = list(names_of_others(BY_NAME[name]))
    assert batches and hidden(BY_NAME[name], batches[0]) == []


@pytest.mark.parametrize("name", QUICK)
def test_every_sentence_is_read(name: str) -> None:
    assert hidden(BY_NAME[name], nonsense(BY_NAME[name])) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [*QUICK, "dominion"])
def test_a_verb_more_changes_nothing(name: str) -> None:
    assert changed_by_a_verb(BY_NAME[name]) == []


@pytest.mark.parametrize("path", BAD[::12], ids=lambda path: path.stem)
def test_the_order_of_files_does_not_matter(path: Path) -> None:
    files = files_of(path)
    assert told(load_files(backwards(files)).findings) == told(load_files(files).findings)


OF_TEXTS = "RW1"
"""How the codes begin that are about the text of a file: its documents cannot be told apart."""


@pytest.mark.slow
@pytest.mark.parametrize("path", [*BAD[6::12], *GOOD[::8]], ids=lambda path: path.stem)
def test_the_order_of_documents_does_not_matter(path: Path) -> None:
    files = files_of(path)
    if any(one.code.startswith(OF_TEXTS) for one in load_files(files).findings):
        return
    there, back = (load_files(documents_apart(files, backwards)).findings for backwards in (False, True))
    assert told(there) == told(back)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*QUICK, "coup"])
def test_a_pack_backwards_has_the_same_parts(name: str) -> None:
    assert changed_by_order(BY_NAME[name]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [*QUICK, "coup"])
def test_under_other_names_the_play_is_the_same(name: str) -> None:
    assert list(played_otherwise(BY_NAME[name], 3)) == []


@pytest.mark.slow
def test_nearly_all_names_are_changed() -> None:
    """The others are words of the engine, too, and cannot be told from these by their place alone."""
    declared = [pack(folder).loaded.declared for folder in BY_NAME.values()]
    changed, every = sum(len(new_names(one)) for one in declared), sum(len({*names_of(one)}) for one in declared)
    assert changed >= 0.85 * every
