"""Findings as data. `findings/render` renders them; `findings/catalogue` lists the codes."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rulewright.ruleset.common.record import Record

# ---- Ranges of source files. Lines and columns count characters from 1; the end is exclusive

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


# ---- Diagnostic

Severity = Literal["error", "warning"]


@frozen(repr=False)
class Label(Record):
    """Another place that is part of a finding, and its role."""

    span: Span
    text: str


@frozen(repr=False)
class Diagnostic(Record):
    """One finding.

    `code` is the key of a catalogue entry, which gives the name and the severity. `message` says what is wrong and
    what was expected; `hint` says what to write instead.
    """

    code: str
    span: Span
    message: str
    hint: str | None = None
    labels: tuple[Label, ...] = ()

    @property
    def advice(self) -> tuple[str, ...]:
        """The hint, as lines that follow the message in formats without source excerpts."""
        return tuple(f"hint: {self.hint}".splitlines()) if self.hint is not None else ()


@frozen(repr=False)
class Suppressed(Record):
    """A warning that a comment in the pack allows, with the comment's reason."""

    finding: Diagnostic
    reason: str
    comment: Span


def _ordered(items: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(set(items), key=_place))


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, int, int, str, str]:
    """Sort key of plain values, so that sorting calls no Python methods."""
    span, code = diagnostic.span, diagnostic.code
    return (span.path, span.line, span.column, span.end_line, span.end_column, code, diagnostic.message)


@frozen(repr=False)
class Findings(Record):
    """Diagnostics sorted by place, without duplicates."""

    items: tuple[Diagnostic, ...] = field(converter=_ordered)
