"""`rulewright explain`: explain a finding or a rule error, with examples."""

from __future__ import annotations

import sys

from rulewright.interpreter.state import rule_errors
from rulewright.interpreter.state.rule_errors import ENTRIES
from rulewright.ruleset.findings.catalogue import CATALOGUE, find
from rulewright.ruleset.findings.catalogue import explain as explained
from rulewright.tools.common.errors import CLEAN, Usage


def explain(code: str | None) -> int:
    """Print the explanation of a code or name; without one, a line for each code."""
    if code is None:
        sys.stdout.write(listed())
        return CLEAN
    rule_error = rule_errors.explained(code.strip().lower())
    text = rule_error or explained(code)
    if rule_error is None and find(code) is None:
        raise Usage(text.strip().replace("`", ""))
    sys.stdout.write(text)
    return CLEAN


def listed() -> str:
    """Return all codes in order: code, severity, name, title; then the rule errors."""
    items = sorted(CATALOGUE.values(), key=lambda item: item.code)
    width = max(len(item.name) for item in items)
    findings = "".join(
        f"{item.code}  {item.severity:<7}  {item.name:<{width}}  {item.page.title}\n" for item in items
    )
    return findings + "".join(f"{'':5}  {'in play':<7}  {one.code:<{width}}  {one.title}\n" for one in ENTRIES)
