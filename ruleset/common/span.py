"""Places in source files. Lines and columns count from 1, in characters; an end is exclusive."""

from __future__ import annotations

from attrs import frozen

from ruleset.common.record import Record


@frozen(order=True, repr=False)
class Span(Record):
    """A range of one file. `path` is as the author would write it, with forward slashes."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    def within(self, other: Span) -> bool:
        """Whether it lies in another range of the same file; both may begin or end together."""
        return (
            self.path == other.path
            and (other.line, other.column) <= (self.line, self.column)
            and (self.end_line, self.end_column) <= (other.end_line, other.end_column)
        )


NOWHERE = Span("", 1, 1, 1, 1)
"""The span of what no file says: kernel declarations."""
