"""Findings as text: for people (`full`, `concise`), programs (`json`) and GitHub's annotations (`github`).

The text is plain. A caller that wants colour gives `style`, which gets each piece with its kind (`KINDS`) and
returns it dressed. Source text is shown with carets exactly below it: tabs are four columns wide, letters of
East Asian scripts and emoji two, accents of their own none; characters that act on a terminal are replaced.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from ruleset.catalogue import entry
from ruleset.diagnostic import Diagnostic, Findings
from ruleset.span import NOWHERE, Span

Format: TypeAlias = Literal["full", "concise", "json", "github"]
Style: TypeAlias = Callable[[str, str], str]

KINDS = (
    *("error", "warning", "message", "place", "hint", "summary"),
    *("gutter", "source", "caret", "underline", "label"),
)
"""The kinds of pieces that a style is asked to dress."""

JSON_VERSION = 1
_TAB = "    "
_MOST_LINES = 5
"""A longer range shows its first lines and its last."""


def render(
    findings: Findings | Iterable[Diagnostic],
    sources: Mapping[str, str],
    format: Format = "full",
    style: Style | None = None,
) -> str:
    """The findings in order of their places. `sources` holds the files' texts by path.

    Every format ends with a line end; without findings all but `json` are empty.
    """
    items = (findings if isinstance(findings, Findings) else Findings(tuple(findings))).items
    if format == "json":
        return _json(items)
    if format == "concise":
        return "".join(_concise(item, style or _plain) for item in items)
    if format == "github":
        return "".join(_github(item) for item in items)
    page = _Page(sources, style or _plain)
    for item in items:
        page.finding(item)
    page.summary(items)
    return page.text()


def counts(findings: Iterable[Diagnostic]) -> tuple[int, int]:
    """How many errors and warnings there are."""
    severities = [entry(item.code).severity for item in findings]
    return severities.count("error"), severities.count("warning")


def _plain(kind: str, text: str) -> str:
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split())


# ------------------------------------------------------------------ full


@frozen
class _Page:
    sources: Mapping[str, str]
    style: Style
    lines: list[str] = field(factory=list)
    files: dict[str, list[str]] = field(factory=dict)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def finding(self, item: Diagnostic) -> None:
        about = entry(item.code)
        message, *more = map(_safe, item.message.split("\n"))
        head = self.style(about.severity, f"{about.severity}[{item.code} {about.name}]")
        self.lines.append(f"{head}{self.style('message', f': {message}')}")
        self.lines.extend(self.style("message", line) for line in more)
        shown = [item.span, *(label.span for label in item.labels)]
        gutter = max((len(str(span.end_line)) for span in shown if span.path in self.sources), default=1)
        self._place("-->", item.span, gutter)
        self._excerpt(item.span, gutter, "^", "")
        for label in item.labels:
            if label.span.path not in self.sources:
                place = "" if label.span.path == NOWHERE.path else f"{label.span}: "
                self.lines.append(self.style("label", f"{' ' * gutter} = {place}{label.text}"))
                continue
            self._place(":::", label.span, gutter)
            self._excerpt(label.span, gutter, "-", label.text)
        if item.hint:
            first, *rest = map(_safe, item.hint.split("\n"))
            self.lines.append(f"{self.style('hint', 'hint:')} {first}")
            self.lines.extend(f"      {line}" for line in rest)
        self.lines.append("")

    def summary(self, items: tuple[Diagnostic, ...]) -> None:
        errors, warnings = counts(items)
        if errors or warnings:
            parts = [_many(errors, "error")] * (errors > 0) + [_many(warnings, "warning")] * (warnings > 0)
            self.lines.append(self.style("summary", f"found {' and '.join(parts)}"))

    def _place(self, arrow: str, span: Span, gutter: int) -> None:
        if span.path != NOWHERE.path:
            lead = self.style("gutter", " " * gutter + arrow)
            self.lines.append(f"{lead} {self.style('place', _safe(str(span)))}")

    def _excerpt(self, span: Span, gutter: int, mark: str, label: str) -> None:
        """The lines of the range, each with what is marked in it; the label stands behind the first mark."""
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
            self._row(gutter, str(number), self.style("source", _shown(line)) if line else "")
            start = span.column - 1 if number == span.line else len(line) - len(line.lstrip())
            end = span.end_column - 1 if number == span.end_line else len(line)
            before = _width(line[:start]) + max(start - len(line), 0)
            under = mark * max(_width(line[start:end]), 1)
            if number != span.line and start >= end:
                continue  # an empty line inside of the range
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


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _shown(text: str) -> str:
    return _safe(text.replace("\t", _TAB)).rstrip()


def _safe(text: str) -> str:
    """The text without characters that act on a terminal or turn its direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("\ufffd" if _acts(char) else char for char in text)


def _acts(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in _TURNING


_TURNING = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def _width(text: str) -> int:
    """Columns that the text takes where it is shown."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if char == "\t":
        return len(_TAB)
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


# ------------------------------------------------------------------ one line each


def _concise(item: Diagnostic, style: Style) -> str:
    severity = entry(item.code).severity
    place = "" if item.span.path == NOWHERE.path else style("place", _safe(f"{item.span}")) + ": "
    message = style("message", _safe(_one_line(item.message)))
    return f"{place}{style(severity, f'{severity} {item.code}')} {message}\n"


def _github(item: Diagnostic) -> str:
    about = entry(item.code)
    span = item.span
    properties: dict[str, str | int] = {}
    if span.path != NOWHERE.path:
        properties = {"file": span.path, "line": span.line, "endLine": span.end_line}
        properties |= {"col": span.column, "endColumn": span.end_column}
    properties["title"] = f"{item.code} {about.name}"
    told = ",".join(f"{key}={_github_property(str(value))}" for key, value in properties.items())
    message = item.message if item.hint is None else f"{item.message}\nhint: {item.hint}"
    shown = "\n".join(_safe(line) for line in message.splitlines())
    return f"::{about.severity} {told}::{_github_data(shown)}\n"


def _github_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")


# ------------------------------------------------------------------ JSON


def _json(items: tuple[Diagnostic, ...]) -> str:
    errors, warnings = counts(items)
    report = {
        "version": JSON_VERSION,
        "findings": [_json_finding(item) for item in items],
        "summary": {"errors": errors, "warnings": warnings},
    }
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def _json_finding(item: Diagnostic) -> dict[str, Any]:
    about = entry(item.code)
    return {
        "code": item.code,
        "name": about.name,
        "severity": about.severity,
        "message": item.message,
        "hint": item.hint,
        "location": _json_location(item.span),
        "related": [{"location": _json_location(label.span), "message": label.text} for label in item.labels],
    }


def _json_location(span: Span) -> dict[str, Any] | None:
    if span.path == NOWHERE.path:
        return None
    return {
        "path": span.path,
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }
