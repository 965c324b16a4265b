"""The mutants of how cards are kept fit the code; `.ci/mutants` tries them."""

from __future__ import annotations

from tests.interpreter.compilers import needs_compiler
from tests.interpreter.kept_mutants import SLIPS

pytestmark = needs_compiler


def test_every_mutant_has_its_place() -> None:
    assert SLIPS.stale() == []
