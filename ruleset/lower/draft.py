"""Segments before their slots are known, and generators that build them without recursion."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.table import nodes as t

Made = TypeVar("Made")
Work = Generator["Work[Any]", Any, Made]
"""A generator that yields work it depends on and receives the result."""
Next = Callable[[], Work[t.Tree]]


def worked(work: Work[Made]) -> Made:
    """Run a piece of work and everything it depends on."""
    waiting: list[Work[Any]] = [work]
    made: Any = None
    while waiting:
        try:
            wanted = waiting[-1].send(made)
        except StopIteration as done:
            waiting.pop()
            made = done.value
        else:
            waiting.append(wanted)
            made = None
    return made  # type: ignore[no-any-return]  # the result of the first piece of work, which ends last


def ready(tree: t.Tree) -> Next:
    """Return a continuation whose tree already exists."""

    def work() -> Work[t.Tree]:
        return tree
        yield

    return work


@frozen(repr=False)
class Draft(Record):
    """A segment before liveness analysis."""

    procedure: int
    tree: t.Tree
