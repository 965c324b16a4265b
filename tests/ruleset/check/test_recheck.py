"""Rechecking units whose parameters can be none gives the result of checking everything again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.ruleset.check import checker as check
from rulewright.ruleset.check.declarations.definitions import Rechecker
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load

ROOT = Path(__file__).parents[3]
PACKS = ("content/coup", "content/dominion", "content/rattus-cartus", "tests/packs/bluff", "tests/packs/gaps")
RUNS = {"content/coup": 2, "content/dominion": 2, "content/rattus-cartus": 1, "tests/packs/bluff": 1}
"""How often the rules are read. In the first packs an effect reads the track of a player who can be nobody: this
is checked when it is read, so what comes after has other numbers."""


def everything(again: Rechecker) -> bool:
    """All is checked again until no parameter is nothing unexpectedly."""
    new = again.context.maybe_none_seen - again.context.maybe_none
    again.context.maybe_none |= new
    return not new


def _loaded(path: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Loaded, int]:
    runs = []
    run = check._Checker.run

    def counted(checker: check._Checker, *more: Any) -> check.CheckedPack | None:
        runs.append(checker.context.maybe_none)
        return run(checker, *more)

    with monkeypatch.context() as patch:
        patch.setattr(check._Checker, "run", counted)
        return load(ROOT / path), len(runs)


@pytest.mark.slow
@pytest.mark.parametrize("path", PACKS)
def test_the_program_is_that_of_checking_everything_again(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick, runs = _loaded(path, monkeypatch)
    monkeypatch.setattr(Rechecker, "settled", everything)
    slow, most = _loaded(path, monkeypatch)
    assert quick.program is not None
    assert quick.program == slow.program
    assert quick.findings == slow.findings
    assert runs <= min(most, RUNS.get(path, 2))
