"""Each rule error has a page, and its example raises it on every backend."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.batch.factory import many_games
from interpreter.state.rule_error_pages import ENTRIES, RuleErrorEntry, explained, pack_of
from interpreter.state.rule_errors import CODES
from ruleset.findings.catalogue import CATALOGUE
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.limits import most_answers
from tools.packs import loading as packs


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
@pytest.mark.parametrize("backend", ["walker", pytest.param("native", marks=needs_compiler)])
def test_the_example_raises_it(
    entry: RuleErrorEntry, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most_answers(monkeypatch, 300)
    (tmp_path / "pack.yaml").write_text(pack_of(entry), encoding="utf-8")
    loaded = packs.load_pack_set(packs.read_pack_set(str(tmp_path)))
    assert loaded.program is not None and not [one for one in loaded.findings if one.severity == "error"]
    results = many_games(packs.table(loaded.program, 2, ()), (), backend).play(1, 0, 2)
    assert [results.codes[fault - 1] for fault in results.faults] == [entry.code] * 2
    assert entry.code in (explained(entry.code) or "")


def test_all_have_a_page_and_no_finding_has_such_a_name() -> None:
    assert [entry.code for entry in ENTRIES] == list(CODES)
    assert not {*CODES} & {entry.name for entry in CATALOGUE.values()}
    assert explained("house") is None
