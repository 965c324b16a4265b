"""Generate C for procedures: the common part of `stepping` and `playing`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.backends.native.codegen.lists import View
from interpreter.backends.native.codegen.statements import StatementText
from ruleset.table import nodes as t
from ruleset.table.nodes import TableProgram
from ruleset.table.traversal import everything

FRAME_BYTES = 1024
"""Maximum bytes of C's own stack that a call takes besides its lists."""
LISTS_OF_OPTIONS, LISTS_OF_CARDS = 8, 2
"""Maximum number of such lists in the active functions of `runtime.c` and `bots.c`."""


class ProcedureText(StatementText):
    """The common base of `SteppingText` and `PlayingText`."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program)
        self.takes: list[int] = []
        """Bytes of C's stack that the function of each segment or procedure takes."""

    def measured(self, write: Callable[[int], None], number: int) -> None:
        """Write the function of a segment or procedure, and record the size of its lists."""
        before = self.room
        write(number)
        self.takes.append(4 * (self.room - before) + FRAME_BYTES)

    def nested(self) -> int:
        """Return the maximum bytes of the functions written by `measured` that are active at once."""
        return max(self.takes, default=0)

    def stack_bytes(self) -> int:
        """Return the maximum bytes of C's own stack that the text can take. All of it must be written."""
        program = self.program
        runtime = LISTS_OF_OPTIONS * (program.layout.options + 1) + LISTS_OF_CARDS * (len(program.cards) + 1)
        cells = runtime + len(program.zones)
        return 4 * cells + FRAME_BYTES * LISTS_OF_OPTIONS + self.nested() + self._functions()

    def _functions(self) -> int:
        """Return the maximum bytes of nested function calls, which form no cycle (RW502)."""
        calls = [
            {n for part in everything(function.body) for n in _called(self.program, part)}
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
        """Write the code of the program's procedures. Returns declarations that must precede all functions."""
        raise NotImplementedError

    def asked(self, node: t.Ask) -> str:
        """Write the lines that fill all-zero decision slots. Returns the variable of the number of open ones."""
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

    def offered(self, node: t.Ask, seat: str) -> tuple[View, str, str]:
        """Return the options of a decision, and its bounds. Rule error `full` comes before errors of the bounds."""
        with self.binding(node.slot, seat):
            options = self.view(node.options)
            if self.bounds.most(node.options, self.slots) > self.program.layout.options:
                self.fault_if(f"{options.count} > {self.program.layout.options}", "full", node.at)
            return options, self.named(node.least), self.named(node.most)

    def called_ones(self, number: int) -> list[int]:
        """Return the procedures in a table."""
        return sorted({one for one in self.program.tables[number] if one >= 0})


def _called(program: TableProgram, part: object) -> Iterable[int]:
    """Return the functions that a node calls directly."""
    match part:
        case t.Call(function) | t.CallList(function) | t.Do(function):
            return (function,)
        case t.DoTable(number):
            return (one for one in program.tables[number] if one >= 0)
    return ()
