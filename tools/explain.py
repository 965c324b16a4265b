"""`rulewright explain`: what a code of a finding means, with an example of the wrong and the right."""

from __future__ import annotations

import sys

from ruleset.catalogue import CATALOGUE, find
from ruleset.catalogue import explain as explained
from tools.failure import CLEAN, Usage


def explain(code: str | None) -> int:
    """Prints the explanation of a code or of its name; without one, a line for each code."""
    if code is None:
        sys.stdout.write(listed())
        return CLEAN
    text = explained(code)
    if find(code) is None:
        raise Usage(text.strip().replace("`", ""))
    sys.stdout.write(text)
    return CLEAN


def listed() -> str:
    """All codes in order: code, severity, name, title."""
    items = sorted(CATALOGUE.values(), key=lambda item: item.code)
    width = max(len(item.name) for item in items)
    return "".join(f"{item.code}  {item.severity:<7}  {item.name:<{width}}  {item.title}\n" for item in items)
