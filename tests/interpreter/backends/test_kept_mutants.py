"""A sample of the mutants of how cards are kept is caught; `.ci/mutants` tries all of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.interpreter.compilers import needs_compiler
from tests.interpreter.kept_mutants import SLIPS

pytestmark = needs_compiler


def test_every_mutant_has_its_place() -> None:
    assert SLIPS.stale() == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="each mutant is tried in a process that is forked")
def test_some_are_caught() -> None:
    """What is known of a card that is one or another."""
    command = [sys.executable, "-m", "tests.interpreter.kept_mutants", "--only", "Ref.joined"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.stdout.splitlines()[-1:] == ["4 mutants, 0 survive"], done.stdout
    assert done.returncode == 0
