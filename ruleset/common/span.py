"""Ranges of source files. Lines and columns count characters from 1; the end is exclusive."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.record import Record


@frozen(order=True, repr=False)
class Span(Record):
    """A range of one file. `path` is written as by the author, with forward slashes."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    def within(self, other: Span) -> bool:
        """Whether this range is inside `other`, in the same file; they may share either end."""
        return (
            self.path == other.path
            and (other.line, other.column) <= (self.line, self.column)
            and (self.end_line, self.end_column) <= (other.end_line, other.end_column)
        )


NOWHERE = Span("", 1, 1, 1, 1)
"""The span of kernel declarations, which are in no file."""
