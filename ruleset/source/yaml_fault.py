"""The error at which a YAML parser stopped, with its place in the file."""

from __future__ import annotations

from typing import Literal, NamedTuple

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.yaml_scalars import Source, Style


class Last(NamedTuple):
    """The parser's last result: a scalar, or the end of a `{...}` or `[...]`. Offsets are those of the source."""

    style: Style | Literal["flow"]
    start: int
    end: int


@frozen(repr=False)
class Fault(Record):
    """A parser's error: `at` is where reading stopped, `since` is the start of the unfinished part (or `at`)."""

    source: Source
    at: int
    since: int
    context: str
    problem: str
    last: Last | None

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def char(self) -> str:
        return self.text[self.at : self.at + 1]

    def line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def line(self, at: int) -> str:
        return self.text[self.line_start(at) : self.line_end(at)]

    def filled(self, at: int) -> int:
        """Return `at`, or the end of the last text before it if there is only white space at `at`."""
        if self.text[at : at + 1].strip():
            return at
        return max(len(self.text[:at].rstrip()) - 1, 0)

    def found(
        self, code: str, start: int, end: int, message: str, hint: str | None, label: Label | None = None
    ) -> Diagnostic:
        span = self.source.span(start, min(max(end, start), len(self.text)))
        return Diagnostic(code, span, message, hint, (label,) if label else ())

    def label(self, start: int, end: int, text: str) -> Label:
        return Label(self.source.span(start, end), text)
