"""Reports as text: for people (`full`, `concise`), programs (`json`, `sarif`, `junit`) and GitHub (`github`).

The text is plain. A caller that wants colour gives `style`, which gets each piece with its kind (`KINDS`) and
returns it dressed. Each format has a module of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ruleset.common.diagnostic import Diagnostic, Findings
from ruleset.findings.causes import ordered
from ruleset.findings.report import Format, PackReport, Report, Style, counts

__all__ = ["FORMATS", "KINDS", "Format", "Style", "counts", "render", "render_report"]

FORMATS: tuple[Format, ...] = ("full", "concise", "json", "github", "junit", "sarif")

KINDS = (
    *("error", "warning", "message", "place", "hint", "summary"),
    *("gutter", "source", "caret", "underline", "label"),
)
"""The kinds of pieces that a style is asked to dress."""


def render(
    findings: Findings | Iterable[Diagnostic],
    sources: Mapping[str, str],
    format: Format = "full",
    style: Style | None = None,
) -> str:
    """The findings, causes first (`causes.ordered`). `sources` holds the files' texts by path.

    Every format ends with a line end; without findings `full`, `concise` and `github` are empty.
    """
    items = ordered(findings.items if isinstance(findings, Findings) else findings, sources)
    return render_report(Report((PackReport("", tuple(sources), items, (), sources),)), format, style)


def render_report(report: Report, format: Format = "full", style: Style | None = None) -> str:
    """A whole report, written as `render` says."""
    if format == "full":
        from ruleset.findings.render.full import full

        return full(report, style or _plain)
    if format == "json":
        from ruleset.findings.render.json_format import as_json

        return as_json(report)
    if format == "sarif":
        from ruleset.findings.render.sarif import sarif

        return sarif(report)
    if format == "junit":
        from ruleset.findings.render.junit import junit

        return junit(report)
    from ruleset.findings.render.one_line import concise, github

    return github(report) if format == "github" else concise(report, style or _plain)


def _plain(kind: str, text: str) -> str:
    return text
