"""Searchers by name, and switching to a faster one in the middle of a game."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from interpreter.backends.native.backend import NoNativeError
from interpreter.backends.native.compiler.toolchain import NONE, VARIABLE
from interpreter.batch.upgrade import Upgrade
from interpreter.search.candidates import Keys
from interpreter.search.evaluation import Moment, Searcher
from interpreter.search.factory import UpgradingSearcher, grower, searcher
from interpreter.search.native_search import native_searcher
from interpreter.views.knowledge import initial
from tests.interpreter import compilers
from tests.interpreter.batch.test_batch import Clock
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.programs_marks import choosing
from tests.interpreter.search.reference_search import ReferenceSearcher
from tests.interpreter.worlds_beside import Reference, moment_of, weighed

PROGRAM = choosing()


class Scales(Searcher):
    """Weighs in so many seconds."""

    def __init__(self, name: str, clock: Clock, seconds: float) -> None:
        self.name, self._clock, self._seconds = name, clock, seconds

    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        self._clock.now += self._seconds
        return [seed] * len(answers)


def moment() -> tuple[Moment, Sequence[Keys]]:
    reference = Reference(PROGRAM, 5)
    state = reference.backend.start(1)
    reference.backend.run(state)
    (one,) = weighed(PROGRAM, state, initial(PROGRAM), 0, 1)
    return moment_of(PROGRAM, one), one.answers


def test_it_changes_over_when_it_has_been_made() -> None:
    """What changes over, and when, is tried with players of games (`test_batch`)."""
    (one, answers), clock = moment(), Clock()
    changing = UpgradingSearcher(Upgrade(Scales("slow", clock, 0.25), lambda: Scales("quick", clock, 0.001)), clock)
    for number in range(2000):
        assert changing.weigh(one, answers, number, 0, 1) == [number] * len(answers)
        if changing.name == "quick":
            break
        time.sleep(0.01)
    assert changing.name == "quick" and number >= 1


@needs_compiler
def test_searchers_say_what_the_reference_says() -> None:
    one, answers = moment()
    expected = ReferenceSearcher(PROGRAM).weigh(one, answers, 3, 0, 4)
    assert searcher(PROGRAM).weigh(one, answers, 3, 0, 4) == expected
    assert native_searcher(PROGRAM, by=compilers.usual()).weigh(one, answers, 3, 0, 4) == expected


def test_without_a_compiler_nobody_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, NONE)
    for make in (searcher, grower):
        with pytest.raises(NoNativeError, match=f"{VARIABLE} is {NONE}"):
            make(PROGRAM)
