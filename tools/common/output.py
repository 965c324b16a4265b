"""Lines and JSON for standard output and standard error. Whatever texts are in a line, it stays one, and harmless.

All commands print through here or, in colour, through `consoles`. Little is imported, since a short simulation
begins with it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def harmless(text: str) -> str:
    """As `ruleset.common.terminal_text.harmless`, which is imported only for a text that needs it."""
    if text.isprintable() and "::" not in text and "##" not in text:
        return text
    from ruleset.common.terminal_text import harmless

    return harmless(text)


def say(line: str) -> None:
    """Print one line."""
    print(harmless(line))


def warn(text: str) -> None:
    """Print one line on standard error, with our name before it."""
    print(harmless(f"rulewright: {text}"), file=sys.stderr)


def say_data(data: Any) -> None:
    """Print data as JSON, in which escapes stand for characters that would act on a terminal."""
    from ruleset.common.terminal_text import json_text

    print(json_text(data))
