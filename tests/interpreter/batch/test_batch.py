"""Many games as columns equal games played one by one; batches change to a faster backend."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from rulewright.interpreter.backends import policies as playout
from rulewright.interpreter.backends.factory import NAMES, make
from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.batch.batch import GivenUp, ManyGames, OneByOne, Stop, never
from rulewright.interpreter.batch.factory import UpgradingPlayer, many_games
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.state.chance import Stream, seed_state, splitmix
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table.nodes import TableProgram
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
    results = GameResults(9, three, three, three, (three, three), ("bounds",))
    assert results.head(2) == GameResults(9, two, two, two, (two, two), ("bounds",))
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


# ------------------------------------------------------------------ changing over to a faster backend

class Clock:
    """Each game takes so many seconds of it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Stand(ManyGames):
    """Plays games that end with their numbers."""

    def __init__(self, name: str, clock: Clock, seconds: float) -> None:
        self.name, self._clock, self._seconds = name, clock, seconds

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> GameResults:
        self._clock.now += self._seconds * count
        nothing = array("i", bytes(4 * count))
        return GameResults(first, nothing, nothing, nothing, (array("i", range(first, first + count)),), ())


class Shop:
    """Makes a faster player, when the test lets it; or fails."""

    def __init__(self, fails: bool = False) -> None:
        self.begun = 0
        self.go, self.done = Event(), Event()
        self._fails = fails

    def __call__(self) -> ManyGames:
        self.begun += 1
        assert self.go.wait(60)
        self.done.set()
        if self._fails:
            raise BuildError("it does not work")
        return Stand("quick", Clock(), 0.0)


def made(fails: bool = False) -> tuple[UpgradingPlayer, Shop]:
    clock, shop = Clock(), Shop(fails)
    return UpgradingPlayer(Stand("slow", clock, 0.0125), shop, clock), shop


def played(many: UpgradingPlayer, games: int) -> list[str]:
    """Plays so many games, ten at a time; which of them played each ten."""
    names: list[str] = []
    for first in range(0, games, 10):
        results = many.play(1, first, 10)
        assert list(results.cells[0]) == list(range(first, first + 10))
        names.append(many.name)
    return names


def finish(many: UpgradingPlayer, shop: Shop) -> None:
    """Lets the workshop end, and waits until that is known."""
    shop.go.set()
    assert shop.done.wait(60)
    for _ in range(6000):
        if not (many._upgrade._better and many.name == "slow"):
            return
        time.sleep(0.01)
    raise AssertionError("nothing came of it")


def test_it_is_begun_when_as_much_was_spent() -> None:
    """Ten games take an eighth of a second: four times ten are as long as WORTH."""
    many, shop = made()
    assert played(many, 30) == ["slow"] * 3 and shop.begun == 0
    played(many, 20)
    finish(many, shop)
    assert shop.begun == 1 and played(many, 100) == ["quick"] * 10


def test_it_is_begun_when_many_games_are_announced() -> None:
    many, shop = made()
    assert many.prepare() and many.prepare()
    assert played(many, 50) == ["slow"] * 5
    finish(many, shop)
    assert shop.begun == 1 and played(many, 50) == ["quick"] * 5
    assert not many.prepare()


def test_where_it_cannot_be_made_nothing_changes() -> None:
    many, shop = made(fails=True)
    many.prepare()
    finish(many, shop)
    assert set(played(many, 400)) == {"slow"}
    assert shop.begun == 1 and not many.prepare()


def test_a_process_that_was_forked_begins_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    many, shop = made()
    many.prepare()
    other = os.getpid() + 1
    monkeypatch.setattr("rulewright.interpreter.batch.factory.os.getpid", lambda: other)
    many.prepare()
    finish(many, shop)
    assert shop.begun == 2 and many.name == "quick"
