"""Texts as they can be shown: what acts on a terminal or a build server replaced, widths as a terminal has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from ruleset.common.diagnostic import Diagnostic

_TAB = "    "
_ACTING = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff\ufeff\ufffe\uffff"
"""Characters that act on a terminal, turn the direction of a text, or are none; those below a space act, too."""
_ACTS = re.compile(f"[\x00-\x1f{_ACTING}]")
_COMMAND = re.compile(r"(?<=:)(?=:[A-Za-z])|(?<=#)(?=#\w*\[)")
"""Inside of what begins a command: GitHub's `::error`; `##[error]` and `##vso[…]`, which act anywhere in a line."""
_IN_JSON = re.compile(rf"[\x00-\x09\x0b-\x1f{_ACTING}]|(?<=#)#(?=\w*\[)")


def harmless(text: str) -> str:
    """The text as one line, or a part of one, that is no command of a build server and acts on no terminal.

    All that others wrote passes here before it is shown: texts and keys of packs, journals, names of files, and
    what was typed. A line end becomes one space, with the spaces around it; other spaces stay.
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
    """The places in the text where a space keeps it from being a command of a build server."""
    return [found.start() for found in _COMMAND.finditer(text)] if "::" in text or "##" in text else []


def json_text(data: Any, ascii: bool = False) -> str:
    """JSON in which escapes stand for all characters that would act; `ascii`: for all that are not ASCII."""
    import json

    text = json.dumps(data, indent=2, ensure_ascii=ascii)
    return _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def shown_line(text: str) -> str:
    """A line of source as it is shown, each character in its place."""
    line = safe(text.replace("\t", _TAB)).rstrip()
    for place in commands(line):
        line = f"{line[:place]}\ufffd{line[place + 1 :]}" if line[place] == "#" else line
    return line


_MOST_PLACES = 5


def like(more: Sequence[Diagnostic]) -> str:
    """One line for the other findings of a group: how many they are, and where the first of them are."""
    places = [harmless(str(item.span)) for item in more[:_MOST_PLACES]]
    rest = "" if len(more) <= _MOST_PLACES else ", …"
    return f"and {len(more)} more like this: {', '.join(places)}{rest}"


def safe(text: str) -> str:
    """The text, character by character, without those that act on a terminal or turn its direction."""
    if text.isprintable():
        return text
    return _ACTS.sub("\ufffd", text)


def width(text: str) -> int:
    """Columns that the text takes where it is shown."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if char == "\t":
        return len(_TAB)
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
