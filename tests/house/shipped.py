"""The shipped house rules, alone and in pairs, and the properties that each must keep."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

from interpreter.backends.factory import make
from interpreter.backends.policies.random_player import play_out
from interpreter.backends.python.playing.backend import PlayingBackend
from interpreter.optimiser.canonical_states import CanonicalStates
from interpreter.state.chance import Stream
from ruleset.lower.lowering import lower
from ruleset.lower.reasons import lower_reasons
from ruleset.program.nodes import Program
from ruleset.table.nodes import TableProgram
from tests.interpreter.lockstep import lockstep
from tests.suites.contract import contract
from tests.suites.secrecy import secrecy
from tools.packs import loading as packs

CONTENT = Path(__file__).parents[2] / "content"


def is_game(pack: Path) -> bool:
    """Whether a pack is a game of its own."""
    return "\nextends:" not in f"\n{(pack / 'pack.yaml').read_text('utf-8')}"


HOUSE = sorted(path.parent for path in CONTENT.glob("*/pack.yaml") if not is_game(path.parent))


@cache
def program_of(names: str) -> Program:
    """The program of `RULES` or `RULES+MORE`, with the game. No finding is allowed."""
    loaded = packs.load_pack_set(packs.read_pack_set(names, scenarios=False))
    assert not loaded.findings, loaded.findings
    assert loaded.program is not None
    return loaded.program


@cache
def game_of(name: str) -> str:
    return program_of(name).pack.partition("+")[0]


def alone() -> list[str]:
    return [pack.name for pack in HOUSE]


def pairs() -> list[str]:
    """All two for the same game: they may all be combined."""
    return [f"{a}+{b}" for a, b in combinations(alone(), 2) if game_of(a) == game_of(b)]


@cache
def table_of(names: str, seats: int) -> TableProgram:
    return lower(program_of(names), seats)


def seats_of(names: str) -> range:
    program = program_of(names)
    return range(program.least_players, program.most_players + 1)


def keeps(names: str, seats: int, backends: tuple[str, ...], games: int) -> Iterator[str]:
    """Puts a table through the suites; tells what was tried."""
    table = table_of(names, seats)
    for backend in backends:
        contract(table, games, 11, backend)
        yield f"contract on {backend}"
        secrecy(table, games, 12, backend, lower_reasons(program_of(names), seats))
        yield f"secrecy on {backend}"
    lockstep(table, games, 13)
    yield "lock-step"
    same_playouts(table, games * 10)
    yield "equal playouts"


def same_playouts(table: TableProgram, games: int) -> None:
    """The playing build leaves what stepping leaves."""
    stepping, playing, states = make(table), PlayingBackend(table), CanonicalStates(table)
    for game in range(games):
        state, other = stepping.start(14, game), playing.start(14, game)
        answers = play_out(stepping, state, Stream(game))
        assert playing.play(other, Stream(game)) == answers
        assert states.of(other) == states.of(state)
