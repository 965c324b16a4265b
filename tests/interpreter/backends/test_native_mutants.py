"""The mutants of native code fit the code; `.ci/mutants` tries them."""

from __future__ import annotations

from tests.interpreter.native_mutants import stale


def test_every_mutant_has_its_place() -> None:
    assert stale() == []
