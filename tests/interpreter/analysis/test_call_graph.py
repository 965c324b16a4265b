"""Bounds of how deep calls nest, for the stacks of Python and of C."""

from __future__ import annotations

from rulewright.interpreter.analysis.control_flow import CallGraph
from rulewright.ruleset.table.nodes import Invoke, Return, TableProgram
from tests.interpreter.programs_builder import Builder, c, tree

ROOM = 1000
LONG = 97
"""Members of a list with which a frame has 100 cells: two links, the length, and the members."""


def calling(back: bool) -> TableProgram:
    """The game calls a procedure with a long frame, this one a second with a short one, which may call back."""
    b = Builder(1)
    game, long, short = (b.reserve_procedure() for _ in range(3))
    first, over, call, returns, again, end = b.reserve(6)
    b.procedure([], {first: tree(Invoke(long, (), over, 1)), over: tree(Return(None))}, first, number=game)
    b.procedure([LONG], {call: tree(Invoke(short, (), returns, 2)), returns: tree(Return(None))}, call, number=long)
    inner = tree(Invoke(long, (), end, 3)) if back else tree(Return(c(0)))
    b.procedure([0], {again: inner, end: tree(Return(None))}, again, number=short)
    return b.build(game, stack=ROOM)


def test_calls_that_lead_nowhere_back_are_counted_along_their_longest_chain() -> None:
    graph = CallGraph(calling(back=False))
    assert graph.most([1, 1, 1]) == 3
    assert graph.most([10, 200, 3000]) == 3210
    assert not graph.exceeds(), "2, 100 and 3 cells fit into 1000"


def test_a_cycle_is_bounded_by_the_frames_of_a_procedure_on_it() -> None:
    """The long procedure fits in ten times: before it is the game, after each of them a short one."""
    graph = CallGraph(calling(back=True))
    assert graph.exceeds()
    assert graph.most([1, 1, 1]) == 1 + 10 * (1 + 1) + 1
    assert graph.most([10, 200, 3000]) == 10 + 10 * (200 + 3000) + 3000
