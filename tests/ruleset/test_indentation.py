"""Which of two lines that do not match is the odd one."""

from __future__ import annotations

import pytest

from rulewright.ruleset.common.indentation import odd_line


@pytest.mark.parametrize(
    ("text", "at", "odd"),
    [
        ("a:\n   b: 1\n  c: 2\n", "c: 2", "b: 1"),
        ("a:\n    b: 1\n  c: 2\n  d: 3\ne:\n  f: 1", "c: 2", "b: 1"),
        ("a:\n b: 1\n  c: 2\n  d: 1\ne:\n  f: 1\n", "c: 2", "b: 1"),
        ("a:\n  b: 1\n c: 2\n", "c: 2", ""),
        ("a:\n  b: 1\n  c: 2\n    d: 3\n", "d: 3", ""),
        ("a:\n    b: 1\n    c: 2\n  d: 3\ne:\n    f: 1\ng:\n    h: 1", "d: 3", ""),
        ("a:\n    b: 1\n     c: 2\n    d: 3\n", "d: 3", ""),
        ("a: 1\n", "a: 1", ""),
    ],
)
def test_the_odd_line(text: str, at: str, odd: str) -> None:
    found = odd_line(text, text.index(at))
    assert ("" if found is None else text[slice(*found)]) == odd
