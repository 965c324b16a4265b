"""Batches switch to a faster backend in the middle of many games."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable

import pytest

from interpreter.batch.batch import ManyGames, Stop, never
from interpreter.batch.results import Results
from interpreter.batch.upgrade import WORTH, NotBuiltError, UpgradingPlayer


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
    """A maker that needs a while, or fails at some point."""

    def __init__(self, clock: Clock, takes: float = 1.0, fails: str = "") -> None:
        self.said: list[str] = []
        self._clock, self._takes, self._fails = clock, takes, fails
        self._done_at = float("inf")

    def ready(self) -> ManyGames | None:
        if self._clock.now < self._done_at:
            return None
        if self._fails == "ready":
            raise NotBuiltError("it does not work")
        return Stand("quick", self._clock, 0.00125)

    def begin(self) -> None:
        self.said.append(f"begin at {self._clock.now:g}")
        if self._fails == "begin":
            raise NotBuiltError("there is nothing to make it with")
        self._done_at = min(self._done_at, self._clock.now + self._takes)

    def leave(self) -> None:
        self.said.append("leave")


def made(takes: float = 1.0, fails: str = "") -> tuple[UpgradingPlayer, Shop, Clock]:
    clock = Clock()
    shop = Shop(clock, takes, fails)
    return UpgradingPlayer(lambda: Stand("slow", clock, 0.0125), shop, clock), shop, clock


def played(many: UpgradingPlayer, games: int) -> list[str]:
    """Plays so many games, ten at a time; which of them played each ten."""
    names: list[str] = []
    for first in range(0, games, 10):
        results = many.play(1, first, 10)
        assert list(results.cells[0]) == list(range(first, first + 10))
        names.append(many.name)
    return names


def test_it_is_begun_when_as_much_was_spent() -> None:
    """Ten games take an eighth of a second; it is begun after WORTH of them, and is there a second later."""
    many, shop, _ = made()
    slow = round(8 * (WORTH + 1.0))
    assert played(many, 300) == ["slow"] * slow + ["quick"] * (30 - slow)
    assert shop.said == [f"begin at {WORTH:g}"]


def test_it_is_begun_when_many_games_are_announced() -> None:
    many, shop, _ = made()
    assert many.prepare() and many.prepare()
    assert played(many, 200) == ["slow"] * 8 + ["quick"] * 12
    assert shop.said == ["begin at 0"]
    assert not many.prepare()


def test_a_short_run_begins_nothing() -> None:
    many, shop, _ = made()
    assert set(played(many, 40)) == {"slow"}
    many.close()
    assert shop.said == []


def test_what_was_made_long_ago_is_used_at_once() -> None:
    clock = Clock()
    shop = Shop(clock)
    shop.begin()
    clock.now = 100.0

    def unwanted() -> ManyGames:
        raise AssertionError("it takes time to make it")

    assert set(played(UpgradingPlayer(unwanted, shop, clock), 50)) == {"quick"}


@pytest.mark.parametrize("fails", ["begin", "ready"])
def test_where_it_cannot_be_made_nothing_changes(fails: str) -> None:
    many, shop, _ = made(fails=fails)
    assert set(played(many, 400)) == {"slow"}
    assert shop.said == [f"begin at {WORTH:g}"]
    assert not many.prepare()


def test_what_is_not_awaited_any_more_is_left() -> None:
    many, shop, _ = made(takes=1e6)
    many.prepare()
    many.close()
    assert shop.said == ["begin at 0", "leave"]
    assert set(played(many, 200)) == {"slow"}
    assert shop.said == ["begin at 0", "leave"]


def test_a_process_that_was_forked_begins_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    many, shop, _ = made(takes=1e6)
    many.prepare()
    _as_another_process(monkeypatch)
    many.close()
    assert shop.said == ["begin at 0"], "it leaves what another waits for"
    many, shop, _ = made()
    many.prepare()
    _as_another_process(monkeypatch)
    assert played(many, 300)[-1] == "quick"
    assert shop.said == ["begin at 0", f"begin at {WORTH:g}"]


def _as_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    process: Callable[[], int] = os.getpid
    other = process() + 1
    monkeypatch.setattr("interpreter.batch.upgrade.os.getpid", lambda: other)
