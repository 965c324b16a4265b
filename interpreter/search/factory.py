"""Who searches for a table: by a backend that is named, or by what is there until something quicker is."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence

from interpreter.backends.factory import make
from interpreter.batch.factory import AUTO
from interpreter.batch.upgrade import AsyncBuilder, Upgrade
from interpreter.search.candidates import Keys
from interpreter.search.evaluation import Moment, PythonSearcher, Searcher
from ruleset.table.nodes import TableProgram


class ChangingSearcher(Searcher):
    """Searches with what `at_hand` makes, until something quicker is there. It looks when it is asked something."""

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
        weakref.finalize(self, self._upgrade.leave)  # not all who let bots play know when they have done

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and nobody sets it
        """Of what searches now; `python` before it does."""
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


def searcher(program: TableProgram, backend: str = AUTO) -> Searcher:
    """What weighs answers at a table. Raises ValueError for an unknown backend; with `native` NoNativeError or
    BuildError where that cannot be made.
    """
    if backend == AUTO:
        from interpreter.search.native_search import search_maker

        return ChangingSearcher(lambda: PythonSearcher(program), search_maker(program))
    if backend == "native":
        from interpreter.search.native_search import native_searcher

        return native_searcher(program)
    return PythonSearcher(program, make(program, backend))
