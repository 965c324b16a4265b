"""Packs renamed so that their order by name is reversed: the verdict must stay the same."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.canonical import program_hash

FLIPPED = {"fog": "zephyr", "rain": "breeze"}
"""Two packs of tests, whose order by name is the other one."""


def renamed(text: str, mapping: Mapping[str, str]) -> str:
    """A text with other names of packs."""
    words = "|".join(map(re.escape, mapping))
    return re.sub(rf"(?<![\w-])({words})(?![\w-])", lambda found: mapping[found[1]], text)


def verdict(loaded: Loaded) -> tuple[list[str], str | None]:
    """The codes of what was found, and the hash of the game, if it is one."""
    found = sorted(finding.code for finding in loaded.findings)
    return found, program_hash(lower(loaded.program, 2)) if loaded.program is not None else None
