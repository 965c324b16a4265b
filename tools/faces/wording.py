"""Small texts on cards: names for one thing, paragraphs, and the values of copies."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.views.names import Open, parsed
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.message import format_message

Value = int | tuple[int, ...]
"""The value of a field: a number, or several for a list."""


def of_copy(values: Sequence[Value], copy: int) -> Value:
    """Return the value for a copy (from 1), or for all copies."""
    return values[(copy - 1) % len(values)] if copy else values[0]


def single(given: str, language: str) -> str:
    """Return a name for one thing."""
    return format_message(parsed(given), Open(count=1), language) if "{" in given else given


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def paragraphs_of(text: str | None) -> tuple[str, ...]:
    """Return the paragraphs of a text, each on one line."""
    return tuple(" ".join(harmless(line).split()) for line in (text or "").split("\n\n") if line.strip())
