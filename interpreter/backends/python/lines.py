"""Python source as lines: what statements are made of."""

from __future__ import annotations

from interpreter.analysis.designated import lowest_moves
from interpreter.analysis.shapes import plain
from interpreter.backends.python.condition_expressions import CONDITIONS
from interpreter.backends.python.expressions import ValueText
from interpreter.backends.python.list_expressions import LISTS
from interpreter.backends.python.number_expressions import NUMBERS
from ruleset.table.nodes import Expr, TableProgram

INDENT = "    "


class LineText(ValueText):
    """Gathers lines of source; `indent` is the present depth."""

    numbers, conditions, lists = NUMBERS, CONDITIONS, LISTS

    def __init__(self, program: TableProgram, narrating: bool) -> None:
        super().__init__(program, narrating)
        self.lines: list[str] = []
        self.indent = 0
        self.temporaries = 0
        self.lowest = lowest_moves(program) if narrating else frozenset[int]()
        """The moves that are seen to begin at the bottom of a pile."""

    def line(self, text: str) -> None:
        """Adds a line at the present depth."""
        self.lines.append(INDENT * self.indent + text)

    def temporary(self) -> str:
        """A variable not used before in this function."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    def text_of(self, node: Expr) -> str:
        """The text of an integer as an argument."""
        return plain(self.number(node))

    def operation(self, name: str, *arguments: str) -> str:
        """The text of a call of a zone operation."""
        last = ["E"] if self.narrating else []
        return f"{name}({', '.join(['S', *arguments, *last])})"
