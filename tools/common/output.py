"""Print lines and JSON; text of packs stays on its line and is harmless.

Any text stays on its line, and is harmless.

All commands print through here or, in colour, through `consoles`. Few modules are imported, because a short
simulation starts with this one.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def harmless(text: str) -> str:
    """Make a text harmless; imports `ruleset.common.terminal_text.harmless` only if needed."""
    if text.isprintable() and "::" not in text and "##" not in text:
        return text
    from rulewright.ruleset.common.terminal_text import harmless

    return harmless(text)


def say(line: str) -> None:
    """Print one line."""
    print(harmless(line))


def warn(text: str) -> None:
    """Print a line on standard error, prefixed by the program's name."""
    print(harmless(f"rulewright: {text}"), file=sys.stderr)


def say_data(data: Any) -> None:
    """Print data as JSON, with control characters escaped."""
    from rulewright.ruleset.common.terminal_text import json_text

    print(json_text(data))
