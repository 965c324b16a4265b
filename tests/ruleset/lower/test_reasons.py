"""Reasons are lowered beside a table program, and with its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rulewright.ruleset.lower.reasons import lower_reasons
from rulewright.ruleset.table.canonical import program_hash
from tests.house.shipped import is_game
from tests.positions import pack_of, program_of

ROOT = Path(__file__).parents[3]
GAMES = [path for path in (ROOT / "content").glob("*/pack.yaml") if is_game(path.parent)]
PACKS = sorted([*(ROOT / "tests" / "packs").glob("*/pack.yaml"), *GAMES])


@pytest.mark.slow
@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.parent.name)
def test_reasons_stand_beside_the_program(path: Path) -> None:
    """Every table, list and function of the game has the number that it has in play."""
    pack = pack_of(path.parent)
    for seats in {pack.least_players, pack.most_players}:
        played, reasons = program_of(path.parent, seats), lower_reasons(pack, seats)
        for name in ("tables", "lists", "functions"):
            own = getattr(played, name)
            assert getattr(reasons.table, name)[: len(own)] == own
        alike = evolve(reasons.table, tables=played.tables, lists=played.lists, functions=played.functions)
        assert program_hash(alike) == program_hash(played)
        assert len(reasons.sites) == len(played.sites)
