"""Python source as lines: what statements are made of, and lists that are made before them."""

from __future__ import annotations

from interpreter.analysis.shapes import plain
from interpreter.backends.python.expressions import ValueText
from ruleset.table.nodes import Expr, TableProgram

INDENT = "    "


class LineText(ValueText):
    """Gathers lines of source; `indent` is the present depth."""

    def __init__(self, program: TableProgram, narrating: bool) -> None:
        super().__init__(program, narrating)
        self.lines: list[str] = []
        self.indent = 0
        self.temporaries = 0

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
