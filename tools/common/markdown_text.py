"""Escape the signs of Markdown in a text."""

from __future__ import annotations

import re


def escaped(text: str) -> str:
    """Escape the signs of Markdown in a text, except in backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if number % 2 else re.sub(r"([\\*_<>\[\]#|])", r"\\\1", part) for number, part in enumerate(parts)
    )
