"""All packs, on the walker beside native code: contract, secrecy, lock-step, equal playouts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.lower.reasons import lower_reasons
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.traversal import whole_series
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.packs import loading as packs
from tests.house.shipped import is_game
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import same_many
from tests.suites.contract import contract
from tests.suites.secrecy import secrecy

HERE = Path(__file__).parents[1]
SHIPPED = [path.parent for path in (HERE.parent / "content").glob("*/pack.yaml")]
PACKS = sorted([*(HERE / "packs").iterdir(), *(HERE / "games").iterdir(), *filter(is_game, SHIPPED)])
"""House rules are tried in `tests/house`."""
LONG = {"dominion", "rattus-cartus"}
"""Packs whose games have hundreds of answers: one game of them tries as much as several of the others."""
FAULTY = {"piles", "gaps"}
"""Packs that break rules of the engine on purpose: their games may end in a rule error."""


IN_SERIES = "@series"
"""At the end of a pack's name: its series of games."""


@cache
def program_of(pack: Path) -> Program:
    if pack.name.endswith(IN_SERIES):
        return whole_series(program_of(pack.with_name(pack.name.removesuffix(IN_SERIES))))
    loaded = packs.load_pack_set(packs.read_pack_set(str(pack)))  # with the packs that it extends
    assert not loaded.findings, loaded.findings
    assert loaded.program is not None
    return loaded.program


def seats_of(pack: Path) -> range:
    program = program_of(pack)
    return range(program.least_players, program.most_players + 1)


@cache
def table_of(pack: Path, seats: int) -> TableProgram:
    return lower(program_of(pack), seats)


def tables(pack: Path) -> list[tuple[Path, int]]:
    """A pack with every number of seats, and its series of games, if it has one that is not too long."""
    found = [(pack, seats) for seats in seats_of(pack)]
    if program_of(pack).series is not None and pack.name not in LONG:
        long = pack.with_name(pack.name + IN_SERIES)
        found += [(long, seats) for seats in seats_of(long)]
    return found


def of_packs(packs: Iterable[Path]) -> pytest.MarkDecorator:
    """A test for each pack; its programs are made when it runs."""
    return pytest.mark.parametrize("pack", packs, ids=lambda pack: pack.name)


all_packs = of_packs(PACKS)
sound_packs = of_packs([pack for pack in PACKS if pack.name not in FAULTY])


@pytest.mark.slow
@sound_packs
def test_contract(pack: Path) -> None:
    for one, seats in tables(pack):
        contract(table_of(one, seats), 1, 11, "together")


@pytest.mark.slow
@sound_packs
def test_secrecy(pack: Path) -> None:
    games = 1 if pack.name in LONG else 2
    for one, seats in tables(pack):
        secrecy(table_of(one, seats), games, 12, "together", lower_reasons(program_of(one), seats))


@pytest.mark.slow
@all_packs
def test_lockstep(pack: Path) -> None:
    for one, seats in tables(pack):
        lockstep(table_of(one, seats), 1 if pack.name in LONG else 3, 13)


@pytest.mark.slow
def test_what_only_narration_reads_cannot_fail() -> None:
    """Builds that do not narrate leave it out. Winners are a sum of masks, which does not overflow."""
    failing = t.Present, t.Within, t.Checked, t.Total, t.Call, t.CallList
    programs = (table_of(one, seats) for pack in PACKS for one, seats in tables(pack))
    for node in (node for program in programs for node in everything((program.functions, program.segments))):
        told = node.chooser if isinstance(node, t.Move) else node if isinstance(node, t.Emit | t.Reveal) else ()
        if not isinstance(node, t.Emit) or node.kind not in ("ended", "series-ended"):
            assert not any(isinstance(part, failing) for part in everything(told)), told


@pytest.mark.slow
@sound_packs
def test_whole_games_leave_what_stepping_leaves(pack: Path) -> None:
    for one, seats in tables(pack):
        same_many(table_of(one, seats), 25, 14)
