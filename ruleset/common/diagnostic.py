"""What is wrong with a pack, as data. Rendering is in `render`; the list of codes is in `catalogue`."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from ruleset.common.record import Record
from ruleset.common.span import Span

Severity = Literal["error", "warning"]


@frozen(repr=False)
class Label(Record):
    """Another place that a finding involves, and what it has to do with it."""

    span: Span
    text: str


@frozen(repr=False)
class Diagnostic(Record):
    """One finding.

    `code` names an entry of the catalogue, which gives the name and the severity. `message` says what is
    wrong and what was expected; `hint` says what to write instead. `witness` tells a position of a game in which it
    matters, or that none was found; it is None where nobody looked.
    """

    code: str
    span: Span
    message: str
    hint: str | None = None
    labels: tuple[Label, ...] = ()
    witness: str | None = None

    @property
    def advice(self) -> tuple[str, ...]:
        """The lines below the message in formats without source: the hint and the witness."""
        hint = f"hint: {self.hint}".splitlines() if self.hint is not None else []
        return (*hint, *([f"witness: {self.witness}"] if self.witness is not None else []))


@frozen(repr=False)
class Suppressed(Record):
    """A warning that a comment in the pack allows, and why."""

    finding: Diagnostic
    reason: str
    comment: Span


def _ordered(items: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(set(items), key=_place))


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, int, int, str, str]:
    """Plain values, which are compared without a step of Python."""
    span, code = diagnostic.span, diagnostic.code
    return (span.path, span.line, span.column, span.end_line, span.end_column, code, diagnostic.message)


@frozen(repr=False)
class Findings(Record):
    """Diagnostics in the order of their places, without repetitions."""

    items: tuple[Diagnostic, ...] = field(converter=_ordered)
