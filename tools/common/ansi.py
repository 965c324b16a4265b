"""Colours for findings: escape codes written directly, so that checking a pack need not import rich."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TextIO

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "message": "1",
    "place": "36",
    "hint": "1;32",
    "summary": "1",
    "clean": "32",
    "gutter": "34",
    "caret": "1;31",
    "underline": "34",
    "label": "34",
}


def coloured(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours, and the user has not disabled them (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def style_for(stream: TextIO) -> Callable[[str, str], str] | None:
    """Return the style for `render` that suits a stream; None for plain text."""
    return _dress if coloured(stream) else None


def _dress(kind: str, text: str) -> str:
    code = _CODES.get(kind)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text
