"""Searchers for a table, which change over to faster code when it is ready."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from interpreter.backends.native.backend import compiler, quick_compiler
from interpreter.batch.upgrade import Upgrade
from interpreter.search.candidates import Keys
from interpreter.search.evaluation import Moment, Searcher
from interpreter.search.native_search import native_searcher
from interpreter.search.native_tree import native_grower
from interpreter.search.opponents import Weights
from interpreter.search.tree_search import TreeGrower, Tried
from ruleset.table.nodes import TableProgram


class UpgradingSearcher(Searcher):
    """A searcher that changes over to a faster one, checked on each call."""

    def __init__(self, upgrade: Upgrade[Searcher], clock: Callable[[], float] = time.perf_counter) -> None:
        self._upgrade, self._clock = upgrade, clock

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and is never set
        """Name of the backend in use now."""
        return self._upgrade.now().name

    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        """See `Searcher.weigh`."""
        searching, since = self._upgrade.now(), self._clock()
        worth = searching.weigh(moment, answers, seed, first, count)
        self._upgrade.spent += self._clock() - since
        return worth

    def prepare(self) -> bool:
        """See `Searcher.prepare`."""
        return self._upgrade.begin()


class UpgradingGrower(TreeGrower):
    """A grower that changes over to a faster one, checked before each tree."""

    def __init__(self, upgrade: Upgrade[TreeGrower]) -> None:
        self._upgrade = upgrade
        self._growing = upgrade.now()

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and is never set
        """Name of the backend in use now."""
        return self._growing.name

    def plant(self, moment: Moment, seed: int, weights: Weights | None = None) -> None:
        """See `TreeGrower.plant`."""
        self._upgrade.begin()
        self._growing = self._upgrade.now()
        self._growing.plant(moment, seed, weights)

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        """See `TreeGrower.grow`."""
        return self._growing.grow(worlds, seconds)

    def tried(self) -> tuple[Tried, ...]:
        """See `TreeGrower.tried`."""
        return self._growing.tried()

    def prepare(self) -> bool:
        """See `TreeGrower.prepare`."""
        return self._upgrade.begin()


def grower(program: TableProgram) -> TreeGrower:
    """Make a grower for a table. Raises NoNativeError or BuildError."""
    best, quick = compiler(), quick_compiler()
    at_hand = native_grower(program, quick)
    if best == quick:
        return at_hand
    return UpgradingGrower(Upgrade(at_hand, lambda: native_grower(program, best)))


def searcher(program: TableProgram) -> Searcher:
    """Make a searcher for a table. Raises NoNativeError or BuildError."""
    best, quick = compiler(), quick_compiler()
    at_hand = native_searcher(program, by=quick)
    if best == quick:
        return at_hand
    return UpgradingSearcher(Upgrade(at_hand, lambda: native_searcher(program, by=best)))
