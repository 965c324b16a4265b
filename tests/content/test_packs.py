"""All packs, on every backend: contract, secrecy, lock-step, equal playouts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter.backends.factory import make
from interpreter.backends.policies.random_player import play_out
from interpreter.backends.python.playing.backend import PlayingBackend
from interpreter.optimiser.canonical_states import CanonicalStates
from interpreter.state.chance import Stream
from ruleset.lower.lowering import lower
from ruleset.lower.reasons import lower_reasons
from ruleset.program.nodes import Program
from ruleset.program.series import whole_series
from ruleset.table import nodes as t
from ruleset.table.nodes import TableProgram
from ruleset.table.traversal import everything
from tests.house.shipped import is_game
from tests.interpreter.lockstep import lockstep
from tests.suites.contract import contract
from tests.suites.play import BACKENDS
from tests.suites.secrecy import secrecy
from tools.packs import loading as packs

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


def fewest(pack: Path) -> int:
    return program_of(pack).least_players


def tables() -> list[tuple[Path, int]]:
    """Every pack with every number of seats, and every series of games that is not too long."""
    seats = {pack: program_of(pack) for pack in PACKS}
    in_series = (pack for pack, one in seats.items() if one.series is not None and pack.name not in LONG)
    seats |= {(long := pack.with_name(pack.name + IN_SERIES)): program_of(long) for pack in tuple(in_series)}
    return [
        (pack, n) for pack, program in seats.items() for n in range(program.least_players, program.most_players + 1)
    ]


@cache
def table_of(pack: Path, seats: int) -> TableProgram:
    return lower(program_of(pack), seats)


TABLES = [pytest.param(pack, seats, id=f"{pack.name}-{seats}") for pack, seats in tables()]
SOUND = [param for param in TABLES if param.values[0].name not in FAULTY]
ON_BACKENDS = [
    pytest.param(pack, seats, backend, id=f"{backend}-{pack.name}-{seats}")
    for pack, seats in tables()
    for backend in BACKENDS
    if pack.name not in FAULTY and (backend != "walker" or pack.name not in LONG or seats == fewest(pack))
]
"""The walker is slow: of packs whose games are long it has the smallest table; lock-step has it at all."""


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "seats", "backend"), ON_BACKENDS)
def test_contract(pack: Path, seats: int, backend: str) -> None:
    contract(table_of(pack, seats), 1, 11, backend)


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "seats", "backend"), ON_BACKENDS)
def test_secrecy(pack: Path, seats: int, backend: str) -> None:
    games = 1 if pack.name in LONG or backend == "walker" else 2
    secrecy(table_of(pack, seats), games, 12, backend, lower_reasons(program_of(pack), seats))


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "seats"), TABLES)
def test_lockstep(pack: Path, seats: int) -> None:
    lockstep(table_of(pack, seats), 1 if pack.name in LONG else 3, 13)


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "seats"), TABLES)
def test_what_only_narration_reads_cannot_fail(pack: Path, seats: int) -> None:
    """Builds that do not narrate leave it out. Winners are a sum of masks, which does not overflow."""
    failing = t.Present, t.Within, t.Checked, t.Total, t.Call, t.CallList
    program = table_of(pack, seats)
    for node in everything((program.functions, program.segments)):
        told = node.chooser if isinstance(node, t.Move) else node if isinstance(node, t.Emit | t.Reveal) else ()
        if not isinstance(node, t.Emit) or node.kind not in ("ended", "series-ended"):
            assert not any(isinstance(part, failing) for part in everything(told)), told


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "seats"), SOUND)
def test_playing_build_leaves_what_stepping_leaves(pack: Path, seats: int) -> None:
    program = table_of(pack, seats)
    stepping, playing, states = make(program), PlayingBackend(program), CanonicalStates(program)
    for game in range(25):
        state, other = stepping.start(14, game), playing.start(14, game)
        answers = play_out(stepping, state, Stream(game))
        assert playing.play(other, Stream(game)) == answers
        assert states.of(other) == states.of(state)
