"""Segments before their slots are known, and how the work on them is done without depth in Python's stack."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from attrs import frozen

from ruleset.common.record import Record
from ruleset.table import nodes as t

Made = TypeVar("Made")
Work = Generator["Work[Any]", Any, Made]
"""Work that yields other work and is sent what that has made."""
Next = Callable[[], Work[t.Tree]]


def worked(work: Work[Made]) -> Made:
    """Do a piece of work with all that it waits for."""
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
    return made  # type: ignore[no-any-return]  # what the first piece of work made, which is the last to end


def ready(tree: t.Tree) -> Next:
    """A continuation whose tree is there."""

    def work() -> Work[t.Tree]:
        return tree
        yield

    return work


@frozen(repr=False)
class Draft(Record):
    """A segment before liveness is known."""

    procedure: int
    tree: t.Tree
