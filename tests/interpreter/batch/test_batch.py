"""Many games as columns equal the same games played one by one, on every backend."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.backends.factory import NAMES, make
from interpreter.backends.policies import random_player as playout
from interpreter.batch.batch import GivenUp, OneByOne
from interpreter.batch.factory import many_games
from interpreter.batch.results import Results
from interpreter.state.chance import Stream, seed_state, splitmix
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import TableProgram
from tests.positions import program_of

PACKS = Path(__file__).parents[2] / "packs"
SEED = 11


def table(pack: str) -> TableProgram:
    return program_of(PACKS / pack, 2)


def alone(program: TableProgram, game: int, addresses: tuple[int, ...]) -> tuple[str, int, int, tuple[int, ...]]:
    """A game by itself, on the walker: the code and the place of its fault, its decisions, its cells."""
    backend = make(program, "walker")
    state = backend.start(SEED, game)
    try:
        decisions = playout.play_out(backend, state, Stream(splitmix(seed_state(SEED, game))))
    except RuleError as error:
        return error.code, error.at, 0, (0,) * len(addresses)
    return "", 0, decisions, tuple(state[address] for address in addresses)


@pytest.mark.slow
@pytest.mark.parametrize("backend", NAMES)
@pytest.mark.parametrize("pack", ["piles", "sealed"])
def test_columns_say_what_each_game_ends_with(pack: str, backend: str) -> None:
    """Rules of `piles` fail in most games, in several ways."""
    program = table(pack)
    track = next(track for track in program.tracks if track.count > 1)
    addresses = (track.address, 0, track.address + 1, 0)
    results = many_games(program, addresses, backend).play(SEED, 5, 40)
    games = [alone(program, game, addresses) for game in range(5, 45)]
    codes = ("", *results.codes)
    assert (results.first, results.count) == (5, 40)
    assert [codes[fault] for fault in results.faults] == [game[0] for game in games]
    assert list(results.places) == [game[1] for game in games]
    assert list(results.decisions) == [game[2] for game in games]
    assert [list(column) for column in results.cells] == [[game[3][n] for game in games] for n in range(4)]
    assert {column.typecode for column in (results.faults, *results.cells)} == {"i"}
    if pack == "piles":
        assert len(set(results.faults)) > 2, "another pack should be looked for: this one does not fail"


def test_nothing_asked_and_nothing_played() -> None:
    many = many_games(table("sealed"), ())
    assert many.play(SEED, 0, 3).cells == ()
    none = many_games(table("sealed"), (7, 8)).play(SEED, 3, 0)
    assert (none.count, [len(column) for column in none.cells]) == (0, [0, 0])


def test_an_unknown_backend() -> None:
    with pytest.raises(ValueError, match="abacus"):
        many_games(table("sealed"), (), "abacus")


def test_the_head_of_results() -> None:
    two, three = array("i", [1, 2]), array("i", [1, 2, 3])
    results = Results(9, three, three, three, (three, three), ("bounds",))
    assert results.head(2) == Results(9, two, two, two, (two, two), ("bounds",))
    assert results.head(3) == results.head(4) == results


# ------------------------------------------------------------------ ending early


def counted(stop_at: int, how: Callable[[], None] = lambda: None) -> tuple[OneByOne, list[int]]:
    """What plays games of one cell, their number; before game `stop_at` it does something else."""
    begun: list[int] = []

    def play(seed: int, game: int) -> tuple[list[int], int]:
        if game == stop_at:
            how()
        begun.append(game)
        return [game], 1

    return OneByOne("none", play, (0,)), begun


def test_being_stopped_it_ends_the_game_in_play() -> None:
    many, begun = counted(-1)
    results = many.play(SEED, 10, 100, lambda: begun[-1] == 14)
    assert (begun, list(results.cells[0])) == ([10, 11, 12, 13, 14],) * 2


def test_a_game_is_given_up_and_those_before_it_are_kept() -> None:
    def give_up() -> None:
        raise GivenUp

    results = counted(13, give_up)[0].play(SEED, 10, 100)
    assert list(results.cells[0]) == [10, 11, 12]
    assert list(results.decisions) == [1, 1, 1]


def test_an_interrupt_of_another_kind_is_for_others() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counted(13, interrupt)[0].play(SEED, 10, 100)
