"""What C for procedures needs whether it stops at decisions (`native.stepping`) or not (`native.playing`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.analysis.nodes import walk
from interpreter.backends.native.codegen.lists import View
from interpreter.backends.native.codegen.statements import StatementText
from ruleset.table import nodes as table
from ruleset.table.nodes import TableProgram

FRAME_BYTES = 1024
"""Of C's own stack: what a call takes beside the lists that it keeps, at most."""
LISTS_OF_OPTIONS, LISTS_OF_CARDS = 8, 2
"""How many of them the functions of `runtime.c` and `bots.c` that are under way keep at most."""


class ProcedureText(StatementText):
    """What both ways share."""

    frames = 1
    """How many of the functions that `measured` writes can be under way within each other, at most."""
    deepest = 0
    """Cells of the lists of that among them that keeps most."""

    def measured(self, write: Callable[[int], None], number: int) -> None:
        """Writes the function of a segment or procedure, and sees how much it keeps."""
        before = self.room
        write(number)
        self.deepest = max(self.deepest, self.room - before)

    def stack_bytes(self) -> int:
        """How much of C's own stack the text can take, at the very most; all of it is written."""
        program = self.program
        runtime = LISTS_OF_OPTIONS * (program.layout.options + 1) + LISTS_OF_CARDS * (len(program.cards) + 1)
        cells = self.frames * self.deepest + runtime + len(program.zones)
        return 4 * cells + FRAME_BYTES * (self.frames + LISTS_OF_OPTIONS) + self._functions()

    def _functions(self) -> int:
        """What functions take that call each other; they do so in no circle (RW502)."""
        calls = [
            {n for part in walk(function.body) for n in _called(self.program, part)}
            for function in self.program.functions
        ]
        own = [4 * room + FRAME_BYTES for room in self.rooms]
        found = own
        for _ in own:
            before = found
            inner = (max((found[n] for n in called), default=0) for called in calls)
            found = [room + more for room, more in zip(own, inner, strict=True)]
            if found == before:
                break
        return max(found, default=0)

    def code(self) -> list[str]:
        """Writes the code of the program's procedures; gives declarations that must stand before all functions."""
        raise NotImplementedError

    def asked(self, node: table.Ask) -> str:
        """The lines that fill the decision slots, which are all zero. Gives the variable of how many are open."""
        seats, open_ = self.owned(node.seats), self.name()
        self.line(f"int {open_} = 0;")
        place, seat = self.name("i"), self.name("x")
        with self.block(f"for (int {place} = 0; {place} < {seats.count}; {place}++)"):
            self.line(f"const int {seat} = {seats.pointer}[{place}];")
            options, least, most = self.offered(node, seat)
            arguments = (
                f"{seat}, {node.site}, {options.pointer}, {options.count}, {least}, {most}, {int(node.always)}"
            )
            self.line(f"{open_} += rw_ask(G, {arguments});")
        return open_

    def offered(self, node: table.Ask, seat: str) -> tuple[View, str, str]:
        """The options of a decision, and its bounds; too many options are a rule error before any of the bounds."""
        with self.binding(node.slot, seat):
            options = self.view(node.options)
            if self.bounds.most(node.options, self.slots) > self.program.layout.options:
                self.fault_if(f"{options.count} > {self.program.layout.options}", "full", node.at)
            return options, self.named(node.least), self.named(node.most)

    def called_ones(self, number: int) -> list[int]:
        """The procedures that a table names."""
        return sorted({one for one in self.program.tables[number] if one >= 0})


def _called(program: TableProgram, part: object) -> Iterable[int]:
    """The functions that a node calls itself."""
    match part:
        case table.Call(function) | table.CallList(function) | table.Do(function):
            return (function,)
        case table.DoTable(number):
            return (one for one in program.tables[number] if one >= 0)
    return ()
