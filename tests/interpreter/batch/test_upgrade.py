"""Batches switch to a faster backend in the middle of many games."""

from __future__ import annotations

import os
import time
from array import array
from threading import Event

import pytest

from interpreter.backends.native.compiler.library import BuildError
from interpreter.batch.batch import ManyGames, Stop, never
from interpreter.batch.results import Results
from interpreter.batch.upgrade import UpgradingPlayer


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

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> Results:
        self._clock.now += self._seconds * count
        nothing = array("i", bytes(4 * count))
        return Results(first, nothing, nothing, nothing, (array("i", range(first, first + count)),), ())


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
    monkeypatch.setattr("interpreter.batch.upgrade.os.getpid", lambda: other)
    many.prepare()
    finish(many, shop)
    assert shop.begun == 2 and many.name == "quick"
