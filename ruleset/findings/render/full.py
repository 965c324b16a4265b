"""Findings for people, whole and in one line each, and as annotations of GitHub.

A tab is four columns wide, East Asian characters and emoji two, combining accents zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.terminal_text import harmless, like, shown_line, width
from rulewright.ruleset.findings.catalogue import entry
from rulewright.ruleset.findings.causes import groups
from rulewright.ruleset.findings.report import Report, Style, many

_MOST_LINES = 5
"""A longer range shows its first lines and its last line."""
_MOST_LETTERS = 400
"""Of a longer line this many characters are shown, starting 80 characters before the mark."""


def full(report: Report, style: Style) -> str:
    """Render all findings, grouped, with notes and a summary; empty if there are none."""
    page = _Page(report.sources, style, report.owners)
    for first, *more in groups(report.findings, page.sources):
        page.finding(first, more)
    page.notes(report.notes)
    page.summary(*report.counts)
    return page.text()


@frozen(repr=False)
class _Page(Record):
    sources: Mapping[str, str]
    style: Style
    owners: Mapping[str, str]
    lines: list[str] = field(factory=list)
    files: dict[str, list[str]] = field(factory=dict)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def finding(self, item: Diagnostic, more: Sequence[Diagnostic]) -> None:
        about = entry(item.code)
        head = self.style(about.severity, f"{about.severity}[{item.code} {about.name}]")
        self.lines.append(f"{head}{self.style('message', f': {harmless(item.message)}')}")
        shown = [item.span, *(label.span for label in item.labels)]
        gutter = max((len(str(span.end_line)) for span in shown if span.path in self.sources), default=1)
        self._place("-->", item.span, gutter)
        self._excerpt(item.span, gutter, "^", "")
        for label in item.labels:
            if label.span.path not in self.sources:
                place = "" if label.span.path == NOWHERE.path else f"{label.span}: "
                self.lines.append(self.style("label", harmless(f"{' ' * gutter} = {place}{label.text}")))
                continue
            self._place(":::", label.span, gutter)
            self._excerpt(label.span, gutter, "-", harmless(label.text))
        if more:
            self.lines.append(f"{' ' * gutter} = {self.style('label', like(more))}")
        if item.hint:
            first, *rest = map(harmless, item.hint.split("\n"))
            self.lines.append(f"{self.style('hint', 'hint:')} {first}")
            self.lines.extend(f"      {line}" for line in rest)
        self.lines.append("")

    def notes(self, notes: Sequence[str]) -> None:
        self.lines.extend(self.style("message", harmless(note)) for note in notes)

    def summary(self, errors: int, warnings: int) -> None:
        if errors or warnings:
            parts = [many(errors, "error")] * (errors > 0) + [many(warnings, "warning")] * (warnings > 0)
            self.lines.append(self.style("summary", f"found {' and '.join(parts)}"))

    def _place(self, arrow: str, span: Span, gutter: int) -> None:
        if span.path != NOWHERE.path:
            lead = self.style("gutter", " " * gutter + arrow)
            pack = self.owners.get(span.path)
            of = self.style("gutter", f" ({harmless(pack)})") if pack else ""
            self.lines.append(f"{lead} {self.style('place', harmless(str(span)))}{of}")

    def _excerpt(self, span: Span, gutter: int, mark: str, label: str) -> None:
        """Add the lines of a range with marks below them; the label follows the first mark."""
        source = self._file(span.path)
        if source is None:
            return
        last = span.end_line if span.end_column > 1 or span.end_line == span.line else span.end_line - 1
        numbers = list(range(span.line, min(last, len(source)) + 1)) or [span.line]
        hidden = len(numbers) > _MOST_LINES
        if hidden:
            numbers = [*numbers[: _MOST_LINES - 2], numbers[-1]]
        self._row(gutter, "", "")
        for number in numbers:
            line = source[number - 1] if number <= len(source) else ""
            if hidden and number == numbers[-1]:
                self.lines.append(self.style("gutter", f"{'...':<{gutter}}"))
            start = span.column - 1 if number == span.line else len(line) - len(line.lstrip())
            end = span.end_column - 1 if number == span.end_line else len(line)
            if len(line) > _MOST_LETTERS:
                cut = max(start - 80, 0)
                piece = line[cut : cut + _MOST_LETTERS]
                line = "…" * (cut > 0) + piece + "…" * (cut + len(piece) < len(line))
                start, end = start - cut + (cut > 0), min(end - cut + (cut > 0), len(line))
            self._row(gutter, str(number), self.style("source", shown_line(line)) if line else "")
            before = width(line[:start]) + max(start - len(line), 0)
            under = mark * max(width(line[start:end]), 1)
            if number != span.line and start >= end:
                continue  # an empty line inside the range
            under = self.style("caret" if mark == "^" else "underline", under)
            note = f" {self.style('label', label)}" if label and number == span.line else ""
            self._row(gutter, "", " " * before + under + note)

    def _row(self, gutter: int, number: str, text: str) -> None:
        line = f"{self.style('gutter', f'{number:>{gutter}} |')} {text}"
        self.lines.append(line.rstrip())

    def _file(self, path: str) -> list[str] | None:
        if path not in self.files and path in self.sources:
            text = self.sources[path].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
            self.files[path] = text.split("\n")
        return self.files.get(path)


# ---- Findings in one line each: short for people (`concise`), or as GitHub's annotations (`github`)

def concise(report: Report, style: Style) -> str:
    """Render a line for each group of equal findings, and one for each note."""
    lines = [_concise(item, more, style) for item, *more in groups(report.findings, report.sources)]
    return "".join((*lines, *(style("message", f"{harmless(note)}") + "\n" for note in report.notes)))


def _concise(item: Diagnostic, more: Sequence[Diagnostic], style: Style) -> str:
    """Format place, severity, code, and message."""
    severity = entry(item.code).severity
    place = "" if item.span.path == NOWHERE.path else style("place", harmless(f"{item.span}")) + ": "
    message = style("message", harmless(item.message))
    return f"{place}{style(severity, f'{severity} {item.code}')} {message}{f' ({like(more)})' if more else ''}\n"


def github(report: Report, _: Style) -> str:
    """Render workflow commands of GitHub, which shows findings beside their lines and notes at the top.

    GitHub shows at most ten per step, so equal findings are merged.
    """
    lines = [_github(item, more) for item, *more in groups(report.findings, report.sources)]
    notes = (f"::notice title=rulewright::{_github_data(harmless(note))}\n" for note in report.notes)
    return "".join((*lines, *notes))


def _github(item: Diagnostic, more: Sequence[Diagnostic]) -> str:
    about = entry(item.code)
    span = item.span
    properties: dict[str, str | int] = {}
    if span.path != NOWHERE.path:
        properties = {"file": harmless(span.path), "line": span.line, "endLine": span.end_line}
        properties |= {"col": span.column, "endColumn": span.end_column}
    properties["title"] = f"{item.code} {about.name}"
    told = ",".join(f"{key}={_github_property(str(value))}" for key, value in properties.items())
    message = "\n".join((*map(harmless, (item.message, *item.advice)), *([like(more)] if more else [])))
    return f"::{about.severity} {told}::{_github_data(message)}\n"


def _github_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")
