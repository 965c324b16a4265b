"""Findings as SARIF 2.1.0, the interchange format of static analysis tools.

Columns count code points, as our spans do (`columnKind`). Paths are written as displayed: relative to the
repository's root, as servers expect, if run from there. A finding's fingerprint is made of its code, its file, and
the lines that it marks, so it does not change when lines are inserted above; equal fingerprints are numbered.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from attrs import define, field

from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic, Span, Suppressed
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.terminal_text import json_text
from rulewright.ruleset.findings.catalogue import CatalogueEntry, entry, explain
from rulewright.ruleset.findings.report import Report, Style

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "rulewright/v1"


def sarif(report: Report, _: Style) -> str:
    """Render the report as one run, in ASCII. Suppressed findings are included with the comment's reason."""
    told: list[tuple[Diagnostic, Suppressed | None]] = [(item, None) for item in report.findings]
    told.extend((item.finding, item) for item in report.suppressed)
    codes = sorted({item.code for item, _ in told})
    prints = _Fingerprints(report.sources)
    driver: dict[str, Any] = {"name": "rulewright"}
    if report.version:
        driver["version"] = driver["semanticVersion"] = report.version
    driver["rules"] = [_rule(entry(code)) for code in codes]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        **_invocation(report),
        "results": [_result(item, codes.index(item.code), prints.of(item), by) for item, by in told],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ascii=True) + "\n"


def _invocation(report: Report) -> dict[str, Any]:
    """Return the report's notes as notifications; empty if there are none."""
    told = [{"level": "note", "message": {"text": note}} for note in report.notes]
    return {"invocations": [{"executionSuccessful": True, "toolExecutionNotifications": told}]} if told else {}


def _rule(about: CatalogueEntry) -> dict[str, Any]:
    return {
        "id": about.code,
        "name": about.name,
        "shortDescription": {"text": f"{about.page.title}."},
        "fullDescription": {"text": about.page.explanation or about.page.title},
        "help": {"text": explain(about.code), "markdown": _markdown(about)},
        "defaultConfiguration": {"level": about.severity},
    }


def _markdown(about: CatalogueEntry) -> str:
    page = about.page
    parts = [page.explanation or page.title]
    for word, example in (("Wrong", page.wrong), ("Right", page.right)):
        if example:
            parts.append(f"{word}:\n\n```yaml\n{example}\n```")
    return "\n\n".join(parts) + "\n"


def _result(item: Diagnostic, rule: int, fingerprint: str, by: Suppressed | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": item.code,
        "ruleIndex": rule,
        "level": entry(item.code).severity,
        "message": {"text": "\n".join((item.message, *item.advice))},
        "locations": [_location(item.span)] if item.span.path != NOWHERE.path else [],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "suppressions": [_suppression(by)] if by else [],
    }
    if item.labels:
        result["relatedLocations"] = [
            {"id": number, **_location(label.span), "message": {"text": label.text}}
            for number, label in enumerate(item.labels)
        ]
    return result


def _suppression(by: Suppressed) -> dict[str, Any]:
    told = {"justification": by.reason} if by.reason else {}
    return {"kind": "inSource", **told, "location": _location(by.comment)}


def _location(span: Span) -> dict[str, Any]:
    if span.path == NOWHERE.path:
        return {}
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.path)}, "region": region}}


def _uri(path: str) -> str:
    place = PurePosixPath(path)
    if place.is_absolute():
        return place.as_uri()
    if path[1:3] == ":/":  # a Windows drive
        return f"file:///{path[:2]}{quote(path[2:], errors='surrogateescape')}"
    return quote(path, errors="surrogateescape")  # the bytes of a name that is not UTF-8


@define(repr=False)
class _Fingerprints(Record):
    """Assigns each finding of a run its fingerprint."""

    sources: dict[str, str]
    lines: dict[str, list[str]] = field(factory=dict)
    seen: dict[str, int] = field(factory=dict)

    def of(self, item: Diagnostic) -> str:
        span = item.span
        if span.path not in self.lines:
            text = self.sources.get(span.path, "").removeprefix("\ufeff")
            self.lines[span.path] = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        marked = [line.strip() for line in self.lines[span.path][span.line - 1 : span.end_line]]
        parts = json.dumps([item.code, span.path, marked])
        number = self.seen[parts] = self.seen.get(parts, 0) + 1
        return blake2b(f"{parts}:{number}".encode(), digest_size=16).hexdigest()
