"""Lowering replaces all symbolic nodes, which name what only a table determines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulewright.ruleset.language.vocabulary import SENTENCES
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.lower.reasons import lower_reasons
from rulewright.ruleset.pipeline import load
from rulewright.ruleset.program import nodes as symbolic
from rulewright.ruleset.table import nodes as table
from tests.docs.listings import with_effect
from tests.ruleset.test_chunks import GOOD
from tests.ruleset.test_chunks import loaded as chunk

ROOT = Path(__file__).parents[3]
PACKS = [*sorted(path.parent for path in ROOT.glob("tests/packs/*/pack.yaml")), ROOT / "content/rattus-cartus"]
PLAIN = (int, str, bool, bytes, type(None))
SYMBOLIC = {
    one for one in vars(symbolic).values() if isinstance(one, type) and issubclass(one, table.Node)
    and one.__module__ == symbolic.__name__
}  # fmt: skip
UNWRITTEN = {symbolic.SeatCount}
"""Stands for an unknown number while it is found out whether effects commute; the checker makes none."""


def kinds(value: Any) -> set[type]:
    """The classes of all records in a value."""
    found, seen, waiting = set(), set(), [value]
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if kind in PLAIN or id(one) in seen:
            continue
        seen.add(id(one))
        if kind is dict:
            waiting += (*one.keys(), *one.values())
        elif issubclass(kind, tuple | list | frozenset):
            waiting += one
        elif attrs.has(kind):
            found.add(kind)
            waiting += (getattr(one, field.name) for field in attrs.fields(kind))
    return found


def programs() -> Iterator[symbolic.Program]:
    """Those of some packs, of all small sources without a mistake, and of a sentence that none of them says."""
    remove = next(one.example for one in SENTENCES if one.key == "remove")
    for loaded in (*map(load, PACKS), *map(chunk, GOOD), with_effect(remove)):
        assert loaded.program is not None
        yield loaded.program


@pytest.mark.slow
def test_no_symbolic_node_is_left() -> None:
    for program in programs():
        for seats in {program.least_players, program.most_players}:
            lowered = (lower(program, seats), lower_reasons(program, seats))
            assert SYMBOLIC.isdisjoint(kinds(lowered)), program.pack


@pytest.mark.slow
def test_the_programs_have_all_symbolic_nodes() -> None:
    """Otherwise the test above would not tell much."""
    found = {kind for program in programs() for kind in kinds(program)}
    assert found >= SYMBOLIC - UNWRITTEN
