"""Packs that cost much and fail: remembered, so that not each page tries them again."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

from rulewright.tools.packs.pack_set import PackSet

HEAVY = 2.0
"""Seconds of processor time from which on a failure is remembered: others may be due to what came before."""
MOST_PACKS = 32


@define
class HeavyPacks:
    """The packs of a worker that could not be loaded, with their files and the error, by what was asked for."""

    _known: OrderedDict[tuple[object, ...], tuple[PackSet, Exception]] = field(init=False, factory=OrderedDict)

    @contextmanager
    def loading(self, asked: tuple[object, ...], files: PackSet) -> Iterator[None]:
        """Load packs from their files; raise the error again that these files have led to before."""
        known = self._known.pop(asked, None)
        if known is not None and known[0] == files:
            self._known[asked] = known
            raise known[1].with_traceback(None)
        began = time.process_time()
        try:
            yield
        except Exception as error:
            if time.process_time() - began >= HEAVY:
                self._known[asked] = files, error
            if len(self._known) > MOST_PACKS:
                self._known.popitem(last=False)
            raise
