"""Findings in one line each: short for people (`concise`), or as GitHub's annotations (`github`)."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic
from rulewright.ruleset.common.terminal_text import harmless, like
from rulewright.ruleset.findings.catalogue import entry
from rulewright.ruleset.findings.causes import groups
from rulewright.ruleset.findings.report import Report, Style


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
