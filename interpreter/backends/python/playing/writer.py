"""The base of Python text that plays whole games: answers and calls, for all segments."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.analysis.control_flow import (
    CallGraph,
    Kept,
    Weights,
    answers_kept,
    entrances,
    regions,
    segments_of,
)
from interpreter.backends.python.statements import StatementText
from ruleset.table import nodes as t
from ruleset.table.nodes import RESULT, Const, Expr, List, Stmt, TableProgram, Tree
from ruleset.table.traversal import everything

GIVEN = t.Cell(Const(RESULT))
TAKEN = t.SetCell(Const(RESULT), Const(0))


class PlayingWriter(StatementText):
    """Lines of a module, and the position in the table program of the current line."""

    def __init__(self, program: TableProgram, seated: bool = False) -> None:
        super().__init__(program, False)
        self.seated = seated
        """Whether the policy gets the seat and site of a question."""
        self.entered = entrances(program)
        self.segments_of = segments_of(program)
        self.regions = regions(program, self.entered)
        graph = CallGraph(program)
        self.frames, self.nests = graph.most([1] * len(program.procedures)), graph.exceeds()
        """Whether calls may exceed the stack. Only then do functions take `fp`, the frame's address."""
        self.kept = answers_kept(program, self.entered)
        self.opens = Kept.CELLS in self.kept.values()
        """Whether decision slots are used; if not, there is nothing to close."""
        self.giving = storing(program)
        """The procedures whose result has to be stored."""
        self.called_tables: set[int] = set()
        self.used: set[int] | None = None
        """The slots that the current procedure's text reads; None in functions."""
        self.head = self.segment = -1
        """The current region and the current segment in it."""
        self.loops = False
        """Whether the current region is a loop of its own."""
        self.chained = False
        """Whether the regions of the current procedure follow each other in a chain."""
        self.weights: Weights | None = None
        """Of the trees of the current region."""
        self.answer: tuple[Kept, str] = (Kept.CELLS, "")
        """Where the current code finds the answer, and its text."""
        self.done = 0
        """Number of statements of the following segment that are already written."""

    # -------------------------------------------------------------- answers

    def number(self, node: Expr) -> str:
        """Return the text of an integer."""
        kept, answer = self.answer
        if isinstance(node, t.First | t.Last) and isinstance(node.items, t.Answer):
            if kept is Kept.NUMBER:
                return answer
        elif isinstance(node, t.Count) and isinstance(node.items, t.Answer) and kept is Kept.LIST:
            return f"len({answer})"
        return super().number(node)

    def items(self, node: List) -> str:
        """Return the text of a list."""
        if isinstance(node, t.Answer) and self.answer[0] is Kept.LIST:
            return self.answer[1]
        return super().items(node)

    # -------------------------------------------------------------- statements

    def statements(self, body: Sequence[Stmt]) -> None:
        """Write statements, without those that nothing depends on."""
        super().statements([statement for statement in body if not self._idle(statement)])

    def _idle(self, node: Stmt) -> bool:
        if isinstance(node, t.CloseDecisions):
            return not self.opens
        if self.used is None or not isinstance(node, t.SetLocal | t.SetList) or node.slot in self.used:
            return False
        return not self.can_fail(node) and not any(isinstance(part, t.Answer) for part in everything(node))

    # -------------------------------------------------------------- calls

    def passed(self, arguments: Sequence[Expr | List]) -> str:
        """Return the text of a call's arguments."""
        caller = self.program.procedures[self.program.segments[self.head].procedure]
        first = ["S", f"fp + {caller.size}"] if self.nests else ["S"]
        return ", ".join([*first, *map(self.value, arguments)])

    def kept_result(self, call: str, called: Sequence[int]) -> str:
        """Return the line of a call whose result stays in its cell, which is zero if there is no result."""
        return f"S[{RESULT}] = {call}" if self.giving.intersection(called) else call

    def check_stack(self, size: str, at: int) -> None:
        """Write the line that checks whether a frame of some size fits after this one."""
        if self.nests:
            caller = self.program.procedures[self.program.segments[self.head].procedure]
            self.line(f"if fp + {size} > {self.program.layout.cells - caller.size}: no_stack({at})")


def storing(program: TableProgram) -> set[int]:
    """Return the procedures whose result has to be stored: those that give a number, or all.

    If each number is taken at once, the cell of the result is zero before every call, and a call that gives none
    leaves it alone. Lowering takes them at once; other programs may read an old result.
    """
    giving = {segment.procedure for segment in program.segments if gives(segment.tree)}
    for call in everything(tuple(segment.tree for segment in program.segments)):
        if isinstance(call, t.Invoke):
            called = {call.procedure}
        elif isinstance(call, t.InvokeTable):
            called = set(program.tables[call.table])
        else:
            continue
        if called & giving and not takes(program.segments[call.resume].tree.body):
            return set(range(len(program.procedures)))
    return giving


def takes(body: Sequence[Stmt]) -> bool:
    """Return whether code begins with taking the result of a call, so that its cell is zero again."""
    return len(body) > 1 and isinstance(body[0], t.SetLocal) and body[0].value == GIVEN and body[1] == TAKEN


def gives(tree: Tree) -> bool:
    """Return whether code may return with a number that is not zero."""
    return any(isinstance(part, t.Return) and part.value not in (None, Const(0)) for part in everything(tree))
