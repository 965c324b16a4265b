"""Render findings as JUnit XML: a suite per pack, a case per file or scenario.

A file with errors (or, with `strict`, with warnings) is a failed case; one with only warnings is a passed case that
prints them; any other is a passed case. A scenario that no longer applies because of another pack is a skipped
case. The result is well-formed for any text: characters invalid in XML are replaced, and non-ASCII characters are
written as references, so that no change of encoding can corrupt them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.findings.catalogue import entry
from rulewright.ruleset.findings.causes import Skipped
from rulewright.ruleset.findings.report import PackReport, Report, Style, counts, many

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report, _: Style) -> str:
    """Render the whole report as one document."""
    suites = [_suite(pack, report.strict) for pack in report.packs]
    cases, failures = (sum(numbers[part] for numbers, _ in suites) for part in (0, 1))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="rulewright" tests="{cases}" failures="{failures}" errors="0">',
        *(line for _, lines in suites for line in lines),
        "</testsuites>",
    ]
    return "".join(f"{line}\n" for line in lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _suite(pack: PackReport, strict: bool) -> tuple[tuple[int, int], list[str]]:
    """Return the numbers of cases and failures of a pack, and its lines."""
    cases = pack.cases or _files(pack)
    lines: list[str] = []
    failures = 0
    for title, path, items in cases:
        errors, warnings = counts(items)
        failed = errors > 0 or (strict and warnings > 0)
        failures += failed
        lines.extend(_case(pack.name, title, path, items, failed))
    omitted = [one for one in pack.skipped if pack.cases and one.category == "scenario"]
    lines.extend(line for one in omitted for line in _skipped(pack.name, one))
    told = escape("\n".join(map(_clean, Report((pack,)).notes)))
    lines.extend([f"    <system-out>{told}</system-out>"] if told else [])
    whole = len(cases) + len(omitted)
    numbers = f'tests="{whole}" failures="{failures}" errors="0" skipped="{len(omitted)}"'
    head = f"  <testsuite name={_quoted(pack.name)} {numbers}>"
    return (whole, failures), [head, *lines, "  </testsuite>"]


def _skipped(name: str, one: Skipped) -> list[str]:
    head = f"    <testcase classname={_quoted(name)} name={_quoted(one.name)} file={_quoted(one.span.path)}>"
    text = escape("\n".join(map(_clean, _told(one.finding))))
    return [head, f"      <skipped message={_quoted(one.reason)}>{text}</skipped>", "    </testcase>"]


def _files(pack: PackReport) -> tuple[tuple[str, str, tuple[Diagnostic, ...]], ...]:
    by_path: dict[str, list[Diagnostic]] = {path: [] for path in pack.files}
    for item in pack.findings:
        by_path.setdefault(item.span.path or pack.name, []).append(item)
    return tuple((path, path, tuple(items)) for path, items in by_path.items())


def _case(name: str, title: str, path: str, items: Sequence[Diagnostic], failed: bool) -> list[str]:
    head = f"    <testcase classname={_quoted(name)} name={_quoted(title)} file={_quoted(path)}"
    if not items:
        return [f"{head}/>"]
    text = escape("\n".join(_clean(line) for item in items for line in _told(item)))
    if not failed:
        return [f"{head}>", f"      <system-out>{text}</system-out>", "    </testcase>"]
    errors, warnings = counts(items)
    parts = [many(errors, "error")] * (errors > 0) + [many(warnings, "warning")] * (warnings > 0)
    codes = ", ".join(sorted({item.code for item in items}))
    failure = f"      <failure message={_quoted(' and '.join(parts))} type={_quoted(codes)}>{text}</failure>"
    return [f"{head}>", failure, "    </testcase>"]


def _told(item: Diagnostic) -> list[str]:
    """Return the lines of a finding."""
    about = entry(item.code)
    place = f"{item.span}: " if item.span.path else ""
    return [f"{place}{about.severity} {item.code} {about.name}: {item.message}", *item.advice]


def _quoted(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """Make a text safe to use as one line of XML and to print on a build server."""
    return _NOT_XML.sub("\ufffd", harmless(text))
