"""Growers of trees by name, and switching to a faster one in the middle of a game."""

from __future__ import annotations

import time

import pytest

from rulewright.interpreter.backends.native.module import NoNativeError
from rulewright.interpreter.backends.native.toolchain import NONE, VARIABLE
from rulewright.interpreter.batch.factory import Upgrade
from rulewright.interpreter.search.determinise import SearchMoment
from rulewright.interpreter.search.native_tree import UpgradingGrower, grower, native_grower
from rulewright.interpreter.search.opponents import Weights
from rulewright.interpreter.search.tree_search import TreeGrower, TriedAnswer
from rulewright.interpreter.views.knowledge import initial
from tests.interpreter import compilers
from tests.interpreter.batch.test_batch import Clock
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.programs_marks import choosing, mark
from tests.interpreter.search.reference_search import ReferenceGrower
from tests.interpreter.worlds_beside import Reference, grown, moment_of, weighed

PROGRAM = choosing()


class Saplings(TreeGrower):
    """Grows in so many seconds."""

    def __init__(self, name: str, clock: Clock, seconds: float) -> None:
        self.name, self._clock, self._seconds = name, clock, seconds

    def plant(self, moment: SearchMoment, seed: int, weights: Weights | None = None) -> None:
        self._seed = seed

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        self._clock.now += self._seconds
        return True

    def tried(self) -> tuple[TriedAnswer, ...]:
        return (TriedAnswer((), self._seed, 0),)


def moment() -> SearchMoment:
    reference = Reference(PROGRAM, 5)
    state = reference.backend.start(1)
    reference.backend.run(state)
    mark(PROGRAM, state, "a value")
    (one,) = weighed(PROGRAM, state, initial(PROGRAM), 0, 1)
    return moment_of(PROGRAM, one)


def test_it_changes_over_when_it_has_been_made() -> None:
    """What changes over, and when, is tried with players of games (`test_batch`)."""
    one, clock = moment(), Clock()
    slow = Saplings("slow", clock, 0.25)
    changing = UpgradingGrower(Upgrade(slow, lambda: Saplings("quick", clock, 0.001)), clock)
    for number in range(2000):
        assert grown(changing, one, number, 1) == (TriedAnswer((), number, 0),)
        if changing.name == "quick":
            break
        time.sleep(0.01)
    assert changing.name == "quick" and number >= 1


@needs_compiler
@pytest.mark.parametrize("flat", [False, True])
def test_growers_say_what_the_reference_says(flat: bool) -> None:
    one = moment()
    expected = grown(ReferenceGrower(PROGRAM, flat=flat), one, 3, 4)
    assert grown(grower(PROGRAM, flat), one, 3, 4) == expected
    assert grown(native_grower(PROGRAM, compilers.usual(), flat=flat), one, 3, 4) == expected


def test_without_a_compiler_nobody_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, NONE)
    with pytest.raises(NoNativeError, match=f"{VARIABLE} is {NONE}"):
        grower(PROGRAM)
