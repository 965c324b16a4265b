"""Spans: places in source files, and which contain others."""

from __future__ import annotations

import pytest

from rulewright.ruleset.common.diagnostic import Span

OUTER = Span("a.yaml", 3, 5, 6, 2)


@pytest.mark.parametrize(
    ("inner", "lies"),
    [
        (OUTER, True),
        (Span("a.yaml", 3, 5, 3, 9), True),
        (Span("a.yaml", 4, 1, 5, 80), True),
        (Span("a.yaml", 6, 1, 6, 2), True),
        (Span("a.yaml", 3, 4, 3, 9), False),
        (Span("a.yaml", 2, 9, 4, 1), False),
        (Span("a.yaml", 5, 1, 6, 3), False),
        (Span("a.yaml", 5, 1, 7, 1), False),
        (Span("b.yaml", 4, 1, 4, 2), False),
    ],
)
def test_within(inner: Span, lies: bool) -> None:
    assert inner.within(OUTER) is lies
