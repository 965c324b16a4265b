"""The dispatch loop: each game is counted once, in order, for any behaviour of workers."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from random import Random

import pytest
from attrs import define, field, frozen

from rulewright.tools.common.progress import Progress
from rulewright.tools.simulation.execution.dispatch import (
    Interval,
    LostError,
    ResultCollector,
    StopRequest,
    WorkQueue,
    dispatch,
    interrupts,
)
from rulewright.tools.simulation.protocol import BatchResult, WorkPlayer
from tests.tools.simulation.test_workers import Rows, Seen

GAMES = 400
Outcome = tuple[Interval | None, BatchResult[Seen] | Exception]


@frozen
class Nothing:
    """Work of which only the numbers matter."""

    games: int = GAMES
    slow: bool = False

    def empty(self) -> Seen:
        return Seen()

    def player(self) -> WorkPlayer[Seen]:
        raise AssertionError("nobody plays here")

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)


def whole(interval: Interval, end: int) -> BatchResult[Seen]:
    games = range(interval.first, end)
    return BatchResult(interval.first, end, Seen(dict.fromkeys(games, 1)), "none", (tuple(games),))


@define
class Odd:
    """Up to five workers, which answer in any order, stop early, say nothing for a while, or die; `then` is called
    before each answer, and what it gives is told instead.
    """

    chance: Random
    most: int = 60
    deaths: float = 0.0
    out: list[Interval] = field(factory=list)
    given: list[Interval] = field(factory=list)
    halted: bool = False
    then: Callable[[], Exception | None] = lambda: None

    @property
    def busy(self) -> bool:
        return bool(self.out)

    def wanted(self, left: int) -> int:
        return self.chance.randint(1, self.most) if len(self.out) < 5 else 0

    def give(self, interval: Interval) -> None:
        assert not self.halted
        self.out.append(interval)
        self.given.append(interval)

    def results(self, seconds: float) -> Iterator[Outcome]:
        for _ in range(self.chance.randint(0, min(2, len(self.out)))):
            interval = self.out.pop(self.chance.randrange(len(self.out)))
            error = self.then()
            if error is not None:
                yield interval, error
            elif self.chance.random() < self.deaths:
                idle = self.chance.random() < 0.2
                yield None if idle else interval, LostError("has died")
                if idle:
                    self.out.append(interval)
            else:
                size = interval.end - interval.first
                part = self.chance.randint(0, size) if self.chance.random() < 0.3 else size
                yield interval, whole(interval, interval.first + part)

    def halt(self) -> None:
        self.halted = True


def shared(
    workers: Odd, prepare: Callable[[StopRequest], None] = lambda stop: None
) -> tuple[ResultCollector[Seen], Rows]:
    work, rows = Nothing(), Rows()
    collector = ResultCollector(work, Progress(GAMES), rows)
    queue = WorkQueue(GAMES, lambda first, most: work.reach(first, most, 5), most_losses=10**6)
    with interrupts() as stop:
        prepare(stop)
        dispatch(queue, workers, stop, collector)
    assert queue.played == collector.counts.games
    return collector, rows


@pytest.mark.parametrize("seed", range(40))
def test_each_game_is_counted_once_whatever_workers_do(seed: int) -> None:
    chance = Random(seed)
    collector, rows = shared(Odd(chance, deaths=0.02 * (seed % 4)))
    assert collector.counts.times == dict.fromkeys(range(GAMES), 1)
    assert rows.rows == list(range(GAMES))


@pytest.mark.parametrize("seed", range(10))
def test_what_is_in_play_when_somebody_stops_is_counted_and_nothing_else_given(seed: int) -> None:
    workers = Odd(Random(seed), most=9)
    stops: list[StopRequest] = []

    def stop_soon() -> None:
        if len(workers.given) > 8 and not stops[0].asked():
            stops[0].interrupt(signal.SIGINT)

    workers.then = stop_soon
    collector, _ = shared(workers, stops.append)
    assert workers.halted and not workers.out
    assert collector.counts.games < GAMES
    assert set(collector.counts.times.values()) == {1}


def test_asked_again_it_waits_for_nobody() -> None:
    workers = Odd(Random(1), most=9)

    def stop_twice(stop: StopRequest) -> None:
        stop.interrupt(signal.SIGINT)
        stop.interrupt(signal.SIGINT)

    collector, _ = shared(workers, stop_twice)
    assert not workers.given and collector.counts.games == 0


@pytest.mark.parametrize("seed", range(10))
def test_the_first_error_is_raised_when_those_in_play_are_counted(seed: int) -> None:
    workers = Odd(Random(seed), most=9)
    errors = iter([ZeroDivisionError("first"), ZeroDivisionError("second")])
    workers.then = lambda: next(errors, None) if len(workers.given) > 8 else None
    work = Nothing()
    collector = ResultCollector(work, Progress(GAMES))
    queue = WorkQueue(GAMES, lambda first, most: work.reach(first, most, 5), most_losses=0)
    with interrupts() as stop, pytest.raises(ZeroDivisionError, match="first"):
        dispatch(queue, workers, stop, collector)
    assert workers.halted and not workers.out
    assert 0 < collector.counts.games < GAMES
