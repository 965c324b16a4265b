"""The shipped house rules, alone and in pairs, and the properties that each must keep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.lower.reasons import lower_reasons
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.packs import loading as packs
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import same_many
from tests.suites.contract import contract
from tests.suites.secrecy import secrecy

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


def game_of(name: str) -> str:
    """The game that a pack extends, as its first file says."""
    found = re.search(r"^extends: \{([\w-]+):", (CONTENT / name / "pack.yaml").read_text("utf-8"), re.MULTILINE)
    assert found is not None, name
    return found[1]


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


def keeps(names: str, seats: int, games: int) -> Iterator[str]:
    """Puts a table through the suites; tells what was tried."""
    table = table_of(names, seats)
    contract(table, games, 11, "together")
    yield "contract"
    secrecy(table, games, 12, "together", lower_reasons(program_of(names), seats))
    yield "secrecy"
    lockstep(table, games, 13)
    yield "lock-step"
    same_many(table, games * 10, 14)
    yield "equal playouts"


