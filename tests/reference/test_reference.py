"""Play and tell the reference games again; all of them in the slow tests."""

from __future__ import annotations

import shlex
from collections import Counter

import pytest

from rulewright.interpreter.backends.native.toolchain import VARIABLE
from tests.interpreter import compilers
from tests.reference.recording import GROUPS, IN_SERIES, Table, play, read_games, read_told, tables, tell, told

ON = ("walker", *(["native"] if compilers.WANTED else []))


@pytest.fixture(autouse=True)
def quick_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    if compilers.WANTED:
        monkeypatch.setenv(VARIABLE, shlex.join(compilers.quick().command))


def same(kept: list[str], found: list[str], what: str) -> None:
    """Raises AssertionError with the first lines that are only in one of two lists."""
    gone, new = ([*(Counter(one) - Counter(two)).elements()] for one, two in ((kept, found), (found, kept)))
    differing = [*(f"- {line}" for line in gone[:10]), *(f"+ {line}" for line in new[:10])]
    head = f"{what}: {len(gone)} of {len(kept)} lines gone, {len(new)} new; if meant, run python -m tests.reference"
    assert kept == found, "\n".join([head, *differing])


def tell_again(chosen: list[Table]) -> None:
    kept = read_told()
    for table in chosen:
        same(kept[table.name], tell(table).text.split("\n"), table.name)


@pytest.mark.parametrize("backend", ON)
def test_a_game_of_each_pack(backend: str) -> None:
    kept, chosen = read_games(), {one.of: one for one in reversed(told()) if IN_SERIES not in one.of}.values()
    found = [next(play(table, backend)).line for table in chosen]
    same([kept[table.name][0] for table in chosen], found, backend)


def test_ten_games_are_told() -> None:
    tell_again(told()[::5][:10])


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("backend", ON)
def test_all_games(backend: str, group: str) -> None:
    kept, found = read_games(), [one.line for table in tables(group) for one in play(table, backend)]
    same([line for table in tables(group) for line in kept[table.name]], found, backend)


@pytest.mark.slow
def test_all_games_are_told() -> None:
    tell_again(told())


@pytest.mark.slow
def test_every_table_is_kept() -> None:
    assert sorted(read_games()) == sorted(table.name for group in GROUPS for table in tables(group))
    assert sorted(read_told()) == sorted(table.name for table in told())
