"""Findings as JSON. New fields keep the version; removed or changed fields raise it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic, Span, Suppressed
from rulewright.ruleset.common.terminal_text import json_text
from rulewright.ruleset.findings.catalogue import entry
from rulewright.ruleset.findings.causes import Skipped
from rulewright.ruleset.findings.report import Report, Style

JSON_VERSION = 1


def as_json(report: Report, _: Style) -> str:
    """Render the report as JSON."""
    return json_text(report_data(report)) + "\n"


def report_data(report: Report) -> dict[str, Any]:
    """Return the report as data for JSON.

    `findings` and `suppressed` have items of the same shape; those of `suppressed` also have a `suppression` with
    its reason. `omitted` counts unreported findings by file; `unchecked` counts, by category, documents not checked
    because the rules have errors. `skipped` lists parts that no longer apply, with the packs (`by`) and the change
    (`at`) that cause this. `summary` counts all findings, including unreported ones.
    """
    errors, warnings = report.counts
    owners = report.owners
    return {
        "version": JSON_VERSION,
        "findings": [_finding(item, owners) for item in report.findings],
        "suppressed": [_suppressed(item, owners) for item in report.suppressed],
        "omitted": [{"path": path, "errors": lost, "warnings": less} for path, lost, less in report.omitted],
        "unchecked": dict(report.unchecked),
        "skipped": [_skipped(item, owners) for item in report.skipped],
        "summary": {
            "errors": errors,
            "warnings": warnings,
            "suppressed": len(report.suppressed),
            "skipped": len(report.skipped),
        },
    }


def _skipped(item: Skipped, owners: Mapping[str, str]) -> dict[str, Any]:
    return {
        "sort": item.category,
        "name": item.name,
        "location": location_data(item.span, owners),
        "by": list(item.by),
        "reason": item.reason,
        "at": location_data(item.at, owners),
        "finding": _finding(item.finding, owners),
    }


def _suppressed(item: Suppressed, owners: Mapping[str, str]) -> dict[str, Any]:
    comment = {"reason": item.reason, "location": location_data(item.comment, owners)}
    return _finding(item.finding, owners) | {"suppression": comment}


def _finding(item: Diagnostic, owners: Mapping[str, str]) -> dict[str, Any]:
    about = entry(item.code)
    return {
        "code": item.code,
        "name": about.name,
        "severity": about.severity,
        "message": item.message,
        "hint": item.hint,
        "location": location_data(item.span, owners),
        "related": [
            {"location": location_data(label.span, owners), "message": label.text} for label in item.labels
        ],
    }


def location_data(span: Span, owners: Mapping[str, str]) -> dict[str, Any] | None:
    """Return a range, with its pack if several packs are combined."""
    if span.path == NOWHERE.path:
        return None
    pack = {"pack": owners[span.path]} if span.path in owners else {}
    return {
        "path": span.path,
        **pack,
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }
