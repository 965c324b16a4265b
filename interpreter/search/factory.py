"""Searchers for a table: with a given backend, or with the one at hand until a faster one is ready."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence

from interpreter.backends.factory import make
from interpreter.batch.factory import AUTO
from interpreter.batch.upgrade import AsyncBuilder, Upgrade
from interpreter.search.candidates import Keys
from interpreter.search.evaluation import Moment, PythonSearcher, Searcher
from interpreter.search.opponents import Weights
from interpreter.search.reference_tree import PythonGrower
from interpreter.search.tree_search import TreeGrower, Tried
from ruleset.table.nodes import TableProgram


class ChangingSearcher(Searcher):
    """A searcher that uses the result of `at_hand` until something faster is ready, checked on each call."""

    def __init__(
        self,
        at_hand: Callable[[], Searcher],
        builder: AsyncBuilder[Searcher],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._at_hand = at_hand
        self._upgrade = Upgrade(builder)
        self._clock = clock
        self._searching: Searcher | None = None
        weakref.finalize(self, self._upgrade.leave)  # not all callers know when the bots have finished

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and is never set
        """Name of the backend in use now; `python` before the first use."""
        return self._searching.name if self._searching is not None else "python"

    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        """See `Searcher.weigh`."""
        self._searching = self._upgrade.poll() or self._searching or self._at_hand()
        since = self._clock()
        worth = self._searching.weigh(moment, answers, seed, first, count)
        self._upgrade.spent += self._clock() - since
        return worth

    def prepare(self) -> bool:
        """See `Searcher.prepare`."""
        return self._upgrade.begin()

    def close(self) -> None:
        """See `Searcher.close`."""
        self._upgrade.leave()


class UpgradingGrower(TreeGrower):
    """A grower that uses the result of `at_hand` until something faster is ready, checked before each tree."""

    def __init__(
        self,
        at_hand: Callable[[], TreeGrower],
        builder: AsyncBuilder[TreeGrower],
    ) -> None:
        self._at_hand = at_hand
        self._upgrade = Upgrade(builder)
        self._growing: TreeGrower | None = None
        weakref.finalize(self, self._upgrade.leave)  # not all callers know when the bots have finished

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and is never set
        """Name of the backend in use now; `python` before the first use."""
        return self._growing.name if self._growing is not None else "python"

    def plant(self, moment: Moment, seed: int, weights: Weights | None = None) -> None:
        """See `TreeGrower.plant`."""
        self._upgrade.begin()
        self._growing = self._upgrade.poll() or self._growing or self._at_hand()
        self._growing.plant(moment, seed, weights)

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        """See `TreeGrower.grow`."""
        assert self._growing is not None
        return self._growing.grow(worlds, seconds)

    def tried(self) -> tuple[Tried, ...]:
        """See `TreeGrower.tried`."""
        assert self._growing is not None
        return self._growing.tried()

    def prepare(self) -> bool:
        """See `TreeGrower.prepare`."""
        return self._upgrade.begin()

    def close(self) -> None:
        """See `TreeGrower.close`."""
        self._upgrade.leave()


def grower(program: TableProgram, backend: str = AUTO) -> TreeGrower:
    """Make a grower for a table. Raises as `searcher` does."""
    if backend == AUTO:
        from interpreter.search.native_tree import tree_maker

        return UpgradingGrower(lambda: PythonGrower(program), tree_maker(program))
    if backend == "native":
        from interpreter.search.native_tree import native_grower

        return native_grower(program)
    return PythonGrower(program, make(program, backend))


def searcher(program: TableProgram, backend: str = AUTO) -> Searcher:
    """Make a searcher for a table. Raises ValueError for an unknown backend; `native` raises NoNativeError or
    BuildError if it cannot be made.
    """
    if backend == AUTO:
        from interpreter.search.native_search import search_maker

        return ChangingSearcher(lambda: PythonSearcher(program), search_maker(program))
    if backend == "native":
        from interpreter.search.native_search import native_searcher

        return native_searcher(program)
    return PythonSearcher(program, make(program, backend))
