"""Suggest what to write for a line without a key, which is often an effect that lacks `|`."""

from __future__ import annotations

import re

_OPEN_KEY = re.compile(r"([\w.-]+):[ ]*(?:#.*)?\Z")
_KEY_OR_BLOCK = "write `key: value`; several lines of text need `|` after their key, and deeper indentation"


def with_a_key(text: str, start: int) -> str:
    """Return a hint for the line whose first word is at `start`: it may belong to a key above without a value."""
    line_start = text.rfind("\n", 0, start) + 1
    for line in reversed(text[:line_start].split("\n")):
        lead = len(line) - len(line.lstrip(" -"))
        if line.strip() and lead < start - line_start:
            key = _OPEN_KEY.match(line.strip(" -"))
            return f"several lines of effect need `|` after the key: write `{key[1]}: |`" if key else _KEY_OR_BLOCK
    return _KEY_OR_BLOCK
