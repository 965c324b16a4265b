"""Make text safe for terminals and build servers, and measure its width in columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from rulewright.ruleset.common.diagnostic import Diagnostic

_TAB = "    "
_ACTING = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff\ufeff\ufffe\uffff"
"""Characters that control a terminal, change the direction of text, or are invalid; so do those below U+0020."""
_ACTS = re.compile(f"[\x00-\x1f{_ACTING}]")
_COMMAND = re.compile(r"(?<=:)(?=:[A-Za-z])|(?<=#)(?=#\w*\[)")
"""Positions inside commands: GitHub's `::error`; `##[error]` and `##vso[…]`, which work anywhere in a line."""
_IN_JSON = re.compile(rf"[\x00-\x09\x0b-\x1f{_ACTING}]|(?<=#)#(?=\w*\[)")


def harmless(text: str) -> str:
    """Make a text a single line without terminal control characters and without commands for build servers.

    All untrusted text passes through here before it is shown: texts and keys of packs, journals, file names, and
    arguments. A line end becomes one space, together with the spaces around it; other spaces are kept.
    """
    if text.isprintable() and "::" not in text and "##" not in text:
        return text
    return _COMMAND.sub(" ", safe(_joined(text).replace("\t", " ")))


def _joined(text: str) -> str:
    first, *rest = text.splitlines() or [""]
    if not rest:
        return first
    return " ".join(part for part in (first.rstrip(), *(line.strip() for line in rest)) if part)


def commands(text: str) -> list[int]:
    """Return the positions where a space breaks a build server's command."""
    return [found.start() for found in _COMMAND.finditer(text)] if "::" in text or "##" in text else []


def json_text(data: Any, ascii: bool = False) -> str:
    """Format data as JSON, escaping control characters; with `ascii`, escape all non-ASCII characters."""
    import json

    text = json.dumps(data, indent=2, ensure_ascii=ascii)
    return _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def shown_line(text: str) -> str:
    """Make a line of source safe to show without moving characters; tabs become four spaces."""
    line = safe(text.replace("\t", _TAB)).rstrip()
    for place in commands(line):
        line = f"{line[:place]}\ufffd{line[place + 1 :]}" if line[place] == "#" else line
    return line


_MOST_PLACES = 5


def like(more: Sequence[Diagnostic]) -> str:
    """Summarise the other findings of a group in one line: their number and the first few places."""
    places = [harmless(str(item.span)) for item in more[:_MOST_PLACES]]
    rest = "" if len(more) <= _MOST_PLACES else ", …"
    return f"and {len(more)} more like this: {', '.join(places)}{rest}"


def safe(text: str) -> str:
    """Replace characters that control a terminal or change the direction of text, one for one."""
    if text.isprintable():
        return text
    return _ACTS.sub("\ufffd", text)


def width(text: str) -> int:
    """Return the number of terminal columns that the text takes."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if char == "\t":
        return len(_TAB)
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
