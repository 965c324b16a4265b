"""Findings in one line each: for people in a hurry (`concise`) and as GitHub's annotations (`github`)."""

from __future__ import annotations

from ruleset.catalogue import entry
from ruleset.diagnostic import Diagnostic
from ruleset.render_text import one_line, safe
from ruleset.report import Style
from ruleset.span import NOWHERE


def concise(item: Diagnostic, style: Style) -> str:
    """Place, severity, code and message."""
    severity = entry(item.code).severity
    place = "" if item.span.path == NOWHERE.path else style("place", safe(f"{item.span}")) + ": "
    message = style("message", safe(one_line(item.message)))
    return f"{place}{style(severity, f'{severity} {item.code}')} {message}\n"


def github(item: Diagnostic) -> str:
    """A command of GitHub's workflows, which shows the finding beside its line."""
    about = entry(item.code)
    span = item.span
    properties: dict[str, str | int] = {}
    if span.path != NOWHERE.path:
        properties = {"file": span.path, "line": span.line, "endLine": span.end_line}
        properties |= {"col": span.column, "endColumn": span.end_column}
    properties["title"] = f"{item.code} {about.name}"
    told = ",".join(f"{key}={_github_property(str(value))}" for key, value in properties.items())
    message = item.message if item.hint is None else f"{item.message}\nhint: {item.hint}"
    shown = "\n".join(safe(line) for line in message.splitlines())
    return f"::{about.severity} {told}::{_github_data(shown)}\n"


def _github_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")
