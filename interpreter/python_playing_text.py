"""Python source that plays whole games: what `python_playing` runs.

Every procedure becomes one Python function with ordinary variables, since nothing needs to stop: where the rules
ask, the policy answers at once. A segment with one entrance stands in the text of what leads to it; the others are
cases of a loop, chosen by `pc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.python_control import (
    Kept,
    answers_kept,
    before_closing,
    entrances,
    most_frames,
    regions,
    successors,
    tree_weight,
    weights,
)
from interpreter.python_nodes import folded, read_slots, walk
from interpreter.python_segments import PythonSource
from interpreter.python_statements import StatementText
from interpreter.python_values import plain, slot_name
from interpreter.random_policy import in_order, side_by_side
from ruleset import table
from ruleset.table import RESULT, Const, Expr, List, Stmt, TableProgram, Tree


def generate_playing(program: TableProgram) -> tuple[PythonSource, int]:
    """The source, and how many frames of calls there can be at once.

    It needs the names that `python_runtime` gives, the functions of the policy, and `Finished`.
    """
    text = PlayingText(folded(program))
    for number in range(len(program.functions)):
        text.function(number)
    for number in range(len(program.procedures)):
        text.procedure(number)
    text.line(f"FUNCTIONS = [{', '.join(f'f{number}' for number in range(len(program.functions)))}]")
    text.line(f"PROCEDURES = [{', '.join(f'p{number}' for number in range(len(program.procedures)))}]")
    for number in sorted(text.called_tables):
        called = (f"p{n}" if n >= 0 else "None" for n in program.tables[number])
        text.line(f"P{number} = [{', '.join(called)}]")
    text.line(f"entry = p{program.entry}" if text.nests else f"entry = lambda S, fp: p{program.entry}(S)")
    return PythonSource("\n".join(text.lines) + "\n", tuple(text.codes)), text.frames


class PlayingText(StatementText):
    """Lines of a module with one function for each procedure: `p3(S, ...)`."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program, False)
        self.entered = entrances(program)
        self.regions = regions(program, self.entered)
        self.frames, self.nests = most_frames(program)
        """Only where calls may need more stack than there is do functions take `fp`, the frame's address."""
        self.kept = answers_kept(program, self.entered)
        self.opens = Kept.CELLS in self.kept.values()
        """Whether decision slots are used: else there is nothing to close."""
        self.called_tables: set[int] = set()
        self.answer: tuple[Kept, str] = (Kept.CELLS, "")
        """Where the present code finds the answer, and its text."""
        self.number = -1
        """The present procedure."""
        self.head = -1
        self.loops = False
        """Whether the present region is a loop of its own."""
        self.weights: dict[int, int] = {}
        self.used: set[int] = set()

    # -------------------------------------------------------------- answers

    def number_of(self, node: Expr) -> str:
        """The text of an integer."""
        kept, answer = self.answer
        if isinstance(node, table.First | table.Last) and isinstance(node.items, table.Answer):
            if kept is Kept.NUMBER:
                return answer
        elif isinstance(node, table.Count) and isinstance(node.items, table.Answer) and kept is Kept.LIST:
            return f"len({answer})"
        return super().number_of(node)

    def items(self, node: List) -> str:
        """The text of a list."""
        if isinstance(node, table.Answer) and self.answer[0] is Kept.LIST:
            return self.answer[1]
        return super().items(node)

    # -------------------------------------------------------------- procedures

    def procedure(self, number: int) -> None:
        """The function of a procedure."""
        procedure = self.program.procedures[number]
        self.number, self.temporaries = number, 0
        first = ["S", "fp"] if self.nests else ["S"]
        self.line(f"def p{number}({', '.join([*first, *map(slot_name, range(procedure.parameters))])}):")
        self.indent += 1
        self.used = self._used(number)
        for slot in self.program.segments[procedure.entry].live:
            # What is read before it is assigned, on some way through the segments, is zero or empty.
            if slot >= procedure.parameters:
                self.line(f"{slot_name(slot)} = {'()' if procedure.slots[slot].capacity else 0}")
        heads = [n for n in self.regions if self.program.segments[n].procedure == number]
        if heads == [procedure.entry]:
            self._region(procedure.entry)
        else:
            self.line(f"pc = {procedure.entry}")
            self.line("while True:")
            self.indent += 1
            self._cases(sorted(heads))
            self.indent -= 1
        self.indent -= 1

    def _used(self, number: int) -> set[int]:
        """The slots that a procedure's text reads."""
        used: set[int] = set()
        for place, segment in enumerate(self.program.segments):
            if segment.procedure != number:
                continue
            end = segment.tree.end
            if isinstance(end, table.Ask) and self.kept[place] is not Kept.CELLS:
                used |= read_slots((segment.tree.body, end.options, end.least, end.most))
                if self._binds_seat(end):
                    used |= read_slots(end.seats)
            else:
                used |= read_slots(segment.tree)
        answering = {end.resume: kept for end, kept in self._asks(number) if kept is not Kept.CELLS}
        for resume in answering:
            # The seat of an answer that is kept in the text is not read.
            tree = self.program.segments[resume].tree
            seats = [part.seat for part in walk(tree) if isinstance(part, table.Answer)]
            reads = [part for part in walk(tree) if isinstance(part, table.Local)]
            for slot in {seat.slot for seat in seats if isinstance(seat, table.Local)}:
                in_seats = sum(seat == table.Local(slot) for seat in seats)
                elsewhere = sum(read.slot == slot for read in reads) - in_seats
                if not elsewhere and not self._read_besides(number, slot, resume):
                    used.discard(slot)
        return used
