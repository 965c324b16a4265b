"""Findings as JSON. New fields may come under the same version; fields that go or change raise it."""

from __future__ import annotations

import json
from typing import Any

from ruleset.catalogue import entry
from ruleset.diagnostic import Diagnostic
from ruleset.report import Report, counts
from ruleset.span import NOWHERE, Span

JSON_VERSION = 1


def as_json(report: Report) -> str:
    """`findings` and `suppressed` are lists of the same shape; the latter have a `suppression` with its reason."""
    errors, warnings = counts(report.findings)
    data = {
        "version": JSON_VERSION,
        "findings": [_finding(item) for item in report.findings],
        "suppressed": [
            _finding(item.finding) | {"suppression": {"reason": item.reason, "location": _location(item.comment)}}
            for item in report.suppressed
        ],
        "summary": {"errors": errors, "warnings": warnings, "suppressed": len(report.suppressed)},
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _finding(item: Diagnostic) -> dict[str, Any]:
    about = entry(item.code)
    return {
        "code": item.code,
        "name": about.name,
        "severity": about.severity,
        "message": item.message,
        "hint": item.hint,
        "location": _location(item.span),
        "related": [{"location": _location(label.span), "message": label.text} for label in item.labels],
    }


def _location(span: Span) -> dict[str, Any] | None:
    if span.path == NOWHERE.path:
        return None
    return {
        "path": span.path,
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }
