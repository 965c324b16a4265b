"""Places in source files. Lines and columns count from 1, in characters; an end is exclusive."""

from __future__ import annotations

from attrs import frozen


@frozen(order=True)
class Span:
    """A range of one file. `path` is as the author would write it, with forward slashes."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


NOWHERE = Span("", 1, 1, 1, 1)
"""The span of what no file says: kernel declarations."""
