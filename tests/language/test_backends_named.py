"""Tests of the language that are called native run native code."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest

from rulewright.interpreter.backends.native.module import NativeBackend
from rulewright.interpreter.state.events import RawEvent
from tests.interpreter.lockstep import PackSet
from tests.small_packs import Course

PACK = Course("pack: brief\nplayers: 2\ntracks: {sum: number, rounds: number}\n")


def test_a_table_on_native_code_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walker narrates beside it, and both are compared: code that does something else is noticed."""
    ran: Counter[str] = Counter()
    run = NativeBackend.run

    def counted(self: NativeBackend, state: array[int], events: list[RawEvent] | None = None) -> None:
        ran["native"] += 1
        run(self, state, events)

    monkeypatch.setattr(NativeBackend, "run", counted)
    table = PACK.started("sum = 2")
    assert table.number("sum") == 2 and isinstance(table.engine, PackSet)
    before = ran["native"]
    assert before > 0
    monkeypatch.setattr(NativeBackend, "run", lambda self, state, events=None: None)
    with pytest.raises(AssertionError, match=r"cells \[.*\] differ on native"):
        PACK.started("sum = 3")
