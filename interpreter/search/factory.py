"""Growers of trees for a table, which change over to faster code when it is ready."""

from __future__ import annotations

import time
from collections.abc import Callable

from rulewright.interpreter.backends.native.backend import compiler, quick_compiler
from rulewright.interpreter.batch.upgrade import Upgrade
from rulewright.interpreter.search.evaluation import Moment
from rulewright.interpreter.search.native_tree import native_grower
from rulewright.interpreter.search.opponents import Weights
from rulewright.interpreter.search.tree_search import TreeGrower, Tried
from rulewright.ruleset.table.nodes import TableProgram


class UpgradingGrower(TreeGrower):
    """A grower that changes over to a faster one, checked before each tree."""

    def __init__(self, upgrade: Upgrade[TreeGrower], clock: Callable[[], float] = time.perf_counter) -> None:
        self._upgrade, self._clock = upgrade, clock
        self._growing = upgrade.now()

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and is never set
        """Name of the backend in use now."""
        return self._growing.name

    def plant(self, moment: Moment, seed: int, weights: Weights | None = None) -> None:
        """See `TreeGrower.plant`."""
        self._growing = self._upgrade.now()
        self._growing.plant(moment, seed, weights)

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        """See `TreeGrower.grow`."""
        since = self._clock()
        grown = self._growing.grow(worlds, seconds)
        self._upgrade.spent += self._clock() - since
        return grown

    def tried(self) -> tuple[Tried, ...]:
        """See `TreeGrower.tried`."""
        return self._growing.tried()

    def prepare(self) -> bool:
        """See `TreeGrower.prepare`."""
        return self._upgrade.begin()


def grower(program: TableProgram, flat: bool = False) -> TreeGrower:
    """Make a grower for a table, of flat trees or of others. Raises NoNativeError or BuildError."""
    best, quick = compiler(), quick_compiler()
    at_hand = native_grower(program, quick, flat=flat)
    if best == quick:
        return at_hand
    return UpgradingGrower(Upgrade(at_hand, lambda: native_grower(program, best, flat=flat)))
