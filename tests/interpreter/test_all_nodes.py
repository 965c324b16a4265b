"""The random and shaped programs contain every node of the table program, with all its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import attrs
import pytest

from rulewright.interpreter.backends.walker import backend, expressions, statements
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import Expr, Node
from tests.interpreter.lockstep import lockstep
from tests.interpreter.programs import PROGRAMS
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_rich import rich_program
from tests.interpreter.programs_shaped import beside

SEEDS = range(NEWER, NEWER + 12)
"""Of the random programs; they are few, so that no node is rare."""
NOT_PLAYED = {table.Shown}
"""Values that texts show: only the walker evaluates them, on a game that stands still."""


def classes() -> Iterator[type[Node]]:
    """The nodes that occur in programs; their bases do not."""
    for one in vars(table).values():
        own = isinstance(one, type) and issubclass(one, Node) and one.__module__ == table.__name__
        if own and not one.__subclasses__() and one not in NOT_PLAYED:
            yield one


@cache
def made() -> frozenset[object]:
    """The classes of the nodes in the programs, and the fields that differ from their defaults there."""
    programs = [*map(random_program, SEEDS), *map(rich_program, SEEDS), *beside()]
    found: set[object] = set()
    for node in everything(tuple((one.functions, one.segments) for one in programs)):
        found.add(type(node))
        fields = attrs.fields(type(node))
        found |= {(type(node), one.name) for one in fields if getattr(node, one.name) != one.default}
    return frozenset(found)


def test_every_node_is_made() -> None:
    assert issubclass(table.Within, Expr) and {table.Within, table.Restart} <= set(classes())
    missing = [one.__name__ for one in classes() if one not in made()]
    assert not missing, "add them to `programs_random` or `programs_rich`"


def test_every_field_with_a_default_differs_from_it_somewhere() -> None:
    missing = [
        f"{one.__name__}.{field.name}"
        for one in classes()
        for field in attrs.fields(one)
        if field.default is not attrs.NOTHING and (one, field.name) not in made()
    ]
    assert not missing, "add them to `programs_random` or `programs_rich`"


@pytest.mark.slow
def test_every_node_is_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    """In games of the programs by hand and of two random ones."""
    seen: set[type] = {table.Branch}

    def noting(kind: type, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        def note(*arguments: Any) -> Any:
            seen.add(kind)
            return evaluate(*arguments)

        return note

    for dispatch in (expressions._NUMBERS, expressions._LISTS, statements._STATEMENTS, backend._ENDS):
        for kind, evaluate in list(dispatch.items()):
            monkeypatch.setitem(dispatch, kind, noting(kind, evaluate))
    for name, program in {**PROGRAMS, "0": random_program(0), "1": random_program(1)}.items():
        lockstep(program, 80 if name == "failures" else 16, 1, [Walker(program)], limit=30)
    evaluated = {one for one in classes() if issubclass(one, (Expr, table.List, table.Stmt, table.End))}
    assert evaluated - seen == set()
