"""Python source as lines: the base of statements."""

from __future__ import annotations

from interpreter.analysis.designated import lowest_moves
from interpreter.analysis.shapes import plain
from interpreter.backends.python.condition_expressions import CONDITIONS
from interpreter.backends.python.expressions import ValueText
from interpreter.backends.python.list_expressions import LISTS
from interpreter.backends.python.number_expressions import NUMBERS
from ruleset.table.nodes import Expr, List, TableProgram

INDENT = "    "


class LineText(ValueText):
    """Lines of source; `indent` is the current depth."""

    numbers, conditions, lists = NUMBERS, CONDITIONS, LISTS
    opaque: tuple[type[List], ...] = ()
    """Lists of which no part is made in earlier lines (`python.lists`)."""

    def __init__(self, program: TableProgram, narrating: bool) -> None:
        super().__init__(program, narrating)
        self.lines: list[str] = []
        self.indent = 0
        self.temporaries = 0
        self.lowest = lowest_moves(program) if narrating else frozenset[int]()
        """The moves that visibly begin at the bottom of a pile."""

    def line(self, text: str) -> None:
        """Add a line at the current depth."""
        self.lines.append(INDENT * self.indent + text)

    def temporary(self) -> str:
        """Return a variable that is new in this function."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    def text_of(self, node: Expr) -> str:
        """Return the text of an integer as an argument."""
        return plain(self.number(node))

    def operation(self, name: str, *arguments: str) -> str:
        """Return the text of a call of a zone operation."""
        last = ["E"] if self.narrating else []
        return f"{name}({', '.join(['S', *arguments, *last])})"
