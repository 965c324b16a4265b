"""Searchers by name, and switching to a faster one in the middle of a game."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import pytest

from interpreter.backends.native.backend import NoNativeError
from interpreter.backends.native.compiler.toolchain import NONE, VARIABLE
from interpreter.batch.upgrade import WORTH, NotBuiltError
from interpreter.search.candidates import Keys
from interpreter.search.evaluation import Moment, PythonSearcher, Searcher
from interpreter.search.factory import ChangingSearcher, searcher
from interpreter.views.knowledge import initial
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.programs_marks import choosing
from tests.interpreter.worlds_beside import Reference, moment_of, weighed

PROGRAM = choosing()


class Clock:
    """Whoever weighs says how long it takes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Scales(Searcher):
    """Weighs in so many seconds."""

    def __init__(self, name: str, clock: Clock, seconds: float) -> None:
        self.name, self._clock, self._seconds = name, clock, seconds

    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        self._clock.now += self._seconds
        return [seed] * len(answers)


class Shop:
    """A workshop that needs two seconds."""

    def __init__(self, clock: Clock, fails: bool = False) -> None:
        self.said: list[str] = []
        self._clock, self._fails = clock, fails
        self._done_at = float("inf")

    def ready(self) -> Searcher | None:
        return Scales("quick", self._clock, 0.001) if self._clock.now >= self._done_at else None

    def begin(self) -> None:
        self.said.append(f"begin at {self._clock.now:g}")
        if self._fails:
            raise NotBuiltError("there is nothing to make it with")
        self._done_at = self._clock.now + 2

    def leave(self) -> None:
        self.said.append("leave")


def made(fails: bool = False) -> tuple[ChangingSearcher, Shop]:
    clock = Clock()
    shop = Shop(clock, fails)
    return ChangingSearcher(lambda: Scales("slow", clock, 0.25), shop, clock), shop


def moment() -> tuple[Moment, Sequence[Keys]]:
    reference = Reference(PROGRAM, 5)
    state = reference.backend.start(1)
    reference.backend.run(state)

    (one,) = weighed(PROGRAM, state, initial(PROGRAM), 0, 1)
    return moment_of(PROGRAM, one), one.answers


def names(changing: ChangingSearcher, times: int) -> list[str]:
    """Who weighs, so many times."""
    (one, answers), found = moment(), []
    for number in range(times):
        assert changing.weigh(one, answers, number, 0, 1) == [number] * len(answers)
        found.append(changing.name)
    return found


def test_it_changes_over_when_it_has_been_made() -> None:
    """A quarter of a second each: it is begun after `WORTH`, and there two seconds later."""
    changing, shop = made()
    slow = round(4 * (WORTH + 2))
    assert names(changing, slow + 5) == ["slow"] * slow + ["quick"] * 5
    assert shop.said == [f"begin at {WORTH:g}"]
    changing.close()
    assert shop.said == [f"begin at {WORTH:g}"], "nobody waits any more"


def test_what_is_announced_is_begun_at_once() -> None:
    changing, shop = made()
    assert changing.prepare() and changing.prepare()
    assert names(changing, 9) == ["slow"] * 8 + ["quick"]
    assert shop.said == ["begin at 0"]


def test_where_it_cannot_be_made_nothing_changes() -> None:
    changing, shop = made(fails=True)
    assert set(names(changing, 20)) == {"slow"}
    assert shop.said == [f"begin at {WORTH:g}"]
    assert not changing.prepare()


def test_who_searches_no_more_leaves_what_is_in_the_making() -> None:
    """Whether somebody says so, or it is just gone."""
    changing, shop = made()
    changing.prepare()
    changing.close()
    assert shop.said == ["begin at 0", "leave"]
    changing, shop = made()
    changing.prepare()
    del changing
    gc.collect()
    assert shop.said == ["begin at 0", "leave"]


def test_searchers_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    one, answers = moment()
    expected = PythonSearcher(PROGRAM).weigh(one, answers, 3, 0, 4)
    for name in ("python", "walker", "auto"):
        found = searcher(PROGRAM, name)
        assert found.weigh(one, answers, 3, 0, 4) == expected
        assert found.name == name or name == "auto"
    with pytest.raises(ValueError, match="abacus"):
        searcher(PROGRAM, "abacus")
    monkeypatch.setenv(VARIABLE, NONE)
    assert searcher(PROGRAM).weigh(one, answers, 3, 0, 4) == expected
    with pytest.raises(NoNativeError):
        searcher(PROGRAM, "native")


@needs_compiler
def test_the_searcher_that_is_made_meanwhile_says_the_same() -> None:
    one, answers = moment()
    native, changing = searcher(PROGRAM, "native"), searcher(PROGRAM)
    expected = PythonSearcher(PROGRAM).weigh(one, answers, 3, 0, 4)
    assert native.weigh(one, answers, 3, 0, 4) == expected
    assert changing.weigh(one, answers, 3, 0, 4) == expected
    assert (native.name, changing.name) == ("native", "native"), "it was made before, so it is taken at once"
