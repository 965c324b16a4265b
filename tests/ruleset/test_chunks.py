"""Small sources: each in `chunks/bad` has one author's mistake, those in `chunks/good` none.

The first line of a bad source tells the codes that it must give, one for each finding (`# expect: RW425`). A source
that declares no pack is read together with `chunks/base.yaml`. The snapshots are what an author sees.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from rulewright.ruleset.check.lints import CODES
from rulewright.ruleset.findings.catalogue import CATALOGUE
from rulewright.ruleset.findings.render import render
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles

CHUNKS = Path(__file__).parents[1] / "chunks"
BASE = (CHUNKS / "base.yaml").read_bytes()
BAD = sorted((CHUNKS / "bad").glob("*.yaml"))
GOOD = sorted((CHUNKS / "good").glob("*.yaml"))


def files_of(path: Path) -> PackFiles:
    """A source, together with the base unless it is a pack of its own."""
    data = path.read_bytes()
    own = re.search(rb"^pack:", data, re.MULTILINE) is not None
    base = () if own else (("base.yaml", without(BASE, data)),)
    return PackFiles(CHUNKS, (*base, (path.name, data)))


def loaded(path: Path) -> Loaded:
    """What the passes make of a source."""
    return load_files(files_of(path), lints=whole(path))


def whole(path: Path) -> bool:
    """Whether a source is a whole pack: only of such packs is it said what they lack, or do not use."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return first.startswith("# whole") or any(code in first for code in CODES)


def without(base: bytes, data: bytes) -> bytes:
    """The base without its end of the game, or its winner, if a source has its own: a game has one of each."""
    own = {word for word in (b"finish", b"winner") if re.search(rb"^%b:" % word, data, re.MULTILINE)}
    dropped = (*own, *((b"award",) if b"finish" in own else ()))
    kept = (one for one in re.split(rb"^---\n", base, flags=re.MULTILINE) if one.split(b":")[0] not in dropped)
    return b"---\n".join(kept)


def expected(path: Path) -> list[str]:
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    assert re.fullmatch(r"# expect:( RW\d{3})+", first), f"{path.name} does not begin with what it expects"
    return sorted(first.removeprefix("# expect:").split())


def test_the_base_is_good() -> None:
    assert loaded(CHUNKS / "base.yaml").findings == ()


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad(path: Path, snapshot: SnapshotAssertion) -> None:
    result = loaded(path)
    assert sorted(finding.code for finding in result.findings) == expected(path)
    assert all(finding.code in CATALOGUE for finding in result.findings)
    assert result.errors == 0 or result.program is None
    assert render(result.findings, result.sources) == snapshot


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good(path: Path) -> None:
    result = loaded(path)
    assert render(result.findings, result.sources) == ""
    assert result.program is not None
