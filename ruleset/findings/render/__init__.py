"""Render reports for people (`full`, `concise`), programs, and GitHub.

The text is plain by default. For colour, `style` receives each piece of text with its kind (`KINDS`) and returns it
with markup. `findings.report` names the function of each format; its module is imported on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from rulewright.ruleset.common.diagnostic import Diagnostic, Findings
from rulewright.ruleset.findings.causes import ordered
from rulewright.ruleset.findings.report import FORMATS, PackReport, Report, Style, counts

__all__ = ["FORMATS", "KINDS", "Style", "counts", "render", "render_report"]

KINDS = (
    *("error", "warning", "message", "place", "hint", "summary"),
    *("gutter", "source", "caret", "underline", "label"),
)
"""The kinds of pieces that a style receives."""


def render(
    findings: Findings | Iterable[Diagnostic],
    sources: Mapping[str, str],
    format: str = "full",
    style: Style | None = None,
) -> str:
    """Render findings, causes first (`causes.ordered`). `sources` maps paths to the texts of files.

    The result ends with a newline; without findings, `full`, `concise`, and `github` are empty. Raises ValueError
    for a format that is not in `FORMATS`.
    """
    items = ordered(findings.items if isinstance(findings, Findings) else findings, sources)
    return render_report(Report((PackReport("", tuple(sources), items, (), sources),)), format, style)


def render_report(report: Report, format: str = "full", style: Style | None = None) -> str:
    """Render a whole report; see `render`."""
    if format not in FORMATS:
        raise ValueError(f"there is no format {format!r}; the formats are {', '.join(FORMATS)}")
    module, _, function = FORMATS[format].partition(":")
    write: Callable[[Report, Style], str] = getattr(import_module(f"{__name__}.{module}"), function)
    return write(report, style or _plain)


def _plain(kind: str, text: str) -> str:
    return text
