"""Small memos, keyed by object identity because comparing two programs is slow."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Thing = TypeVar("Thing")
T = TypeVar("T")
KEPT = 4
"""Results that a memo keeps: one process seldom plays more tables at a time."""


def once(work_out: Callable[[Thing], T]) -> Callable[[Thing], T]:
    """Decorate a function of one argument to remember its last results."""
    recent: list[tuple[Thing, T]] = []

    @wraps(work_out)
    def remembered(program: Thing) -> T:
        for known, found in recent:
            if known is program:
                return found
        found = work_out(program)
        recent[:] = [*recent[1 - KEPT :], (program, found)]
        return found

    return remembered
