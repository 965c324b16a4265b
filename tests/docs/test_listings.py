"""The listings of the documentation are right.

Each listing that begins with ```yaml is checked on top of a base: the one that the last comment
`<!-- base: PATH -->` before it names (a file, a folder, or `none` for a listing that is a whole pack). Scenarios in
a listing are played. A listing whose fence says more than `yaml` is not a fragment of a pack and is left alone.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.state.chance import Stream
from rulewright.ruleset.findings.render import render
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.nodes import OVER, STATUS
from rulewright.tools.generate import references as reference
from rulewright.tools.generate.__main__ import main
from rulewright.tools.generate.references import PART
from tests.docs.listings import LANTERNS, ROOT, with_fragment, wrong_scenarios

FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_PIECE = re.compile(r"<!-- base: (\S+) -->|^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


NO_PICTURE = "RW399"
"""A page shows the patterns of pictures, and has no folder with the pictures."""


def listings(path: Path) -> list[tuple[str, int, str, str]]:
    """File, line, base and text of each listing of a file."""
    text = path.read_text("utf-8")
    base = ""
    found: list[tuple[str, int, str, str]] = []
    for piece in _PIECE.finditer(text):
        if piece[1]:
            base = piece[1]
        else:
            found.append((path.name, text.count("\n", 0, piece.start()) + 1, base, piece[2]))
    return found


LISTINGS = [listing for path in FILES for listing in listings(path)]


def test_there_are_listings() -> None:
    assert {name for name, *_ in LISTINGS} >= {path.name for path in reference.WRITTEN}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "line", "base", "text"), LISTINGS, ids=[f"{n}:{at}" for n, at, _, _ in LISTINGS])
def test_listing(name: str, line: int, base: str, text: str) -> None:
    assert base, f"{name}:{line}: no comment `<!-- base: PATH -->` stands before this listing"
    loaded = with_fragment(base, text)
    found = [one for one in loaded.findings if one.code != NO_PICTURE]
    assert not found, f"{name}:{line}:\n{render(found, loaded.sources)}"
    if re.search(r"^scenario: ", text, re.MULTILINE):
        assert not wrong_scenarios(loaded)


def test_the_little_game_can_be_played() -> None:
    loaded = with_fragment(LANTERNS, "")
    assert loaded.program is not None, render(loaded.findings, loaded.sources)
    backend = make(lower(loaded.program, 2))
    state = backend.start(1)
    play_out(backend, state, Stream(1))
    assert state[STATUS] == OVER


def test_the_generated_parts_are_fresh() -> None:
    assert main(["--check", "language"]) == 0, "run `python -m rulewright.tools.generate language`"


def test_all_of_the_vocabulary_and_all_documents_are_in_the_reference() -> None:
    from rulewright.ruleset.schema.check_documents import KERNEL

    pages = [path.read_text("utf-8") for path in reference.WRITTEN]
    parts = [found[2] for page in pages for found in PART.finditer(page)]
    documents = {f"document {kind}" for kind in (*KERNEL, "definition", "step")}
    tables = {"sentences", "blocks", "statements", "expressions", "functions", "words", "limits"}
    assert sorted(parts) == sorted(tables | documents)
