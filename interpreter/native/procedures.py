"""What C for procedures needs whether it stops at decisions (`native.stepping`) or not (`native.playing`)."""

from __future__ import annotations

from interpreter.native.lists import View
from interpreter.native.statements import StatementText
from ruleset import table


class ProcedureText(StatementText):
    """What both ways share."""

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
