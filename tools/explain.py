"""`rulewright explain`: what a code of a finding means, with an example of the wrong and the right."""

from __future__ import annotations

import sys

from ruleset.catalogue import explain as explained
from ruleset.catalogue import find
from tools.failure import CLEAN, Usage


def explain(code: str) -> int:
    """Prints the explanation of a code or of its name."""
    text = explained(code)
    if find(code) is None:
        raise Usage(text.strip().replace("`", ""))
    sys.stdout.write(text)
    return CLEAN
