"""Canonical JSON of table programs: lossless, and blind to spans and prompts in the hash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.table.canonical import dumps, program_hash, to_json
from rulewright.ruleset.table.nodes import Binary, Const, Local
from tests.canonical import loads
from tests.interpreter.cellar import cellar

ROOT = Path(__file__).parents[3]


def test_a_program_survives() -> None:
    program = cellar()
    again = loads(dumps(program))
    assert again == program
    assert dumps(again) == dumps(program)


def test_the_form_is_as_documented() -> None:
    node = Binary("+", Const(1), Local(2))
    assert to_json(node) == {"Binary": ["+", {"Const": [1]}, {"Local": [2]}]}


def test_the_hash_is_of_what_the_program_does() -> None:
    program = cellar()
    moved = tuple(evolve(source, span=Span("other.yaml", 7, 7, 7, 8)) for source in program.sources)
    assert program_hash(evolve(program, sources=moved)) == program_hash(program)
    asked = tuple(evolve(site, prompt=(("es", "Elige"),)) for site in program.sites)
    assert program_hash(evolve(program, sites=asked)) == program_hash(program)
    assert program_hash(evolve(program, pack="other", version="1.1")) == program_hash(program)
    assert program_hash(evolve(program, entry=1)) != program_hash(program)
    assert len(program_hash(program)) == 32


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_the_hash_is_the_same_in_every_process(seed: str) -> None:
    code = (
        "from tests.interpreter.cellar import cellar; from rulewright.ruleset.table.canonical import program_hash;"
        "print(program_hash(cellar()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == program_hash(cellar())


def test_only_the_programs_classes_are_written() -> None:
    with pytest.raises(TypeError):
        to_json(object())
