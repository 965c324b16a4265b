"""Recognise effects of several lines that lack `|`, so that YAML joins them into one sentence."""

from __future__ import annotations

from itertools import pairwise

from ruleset.check.scope import Text
from ruleset.language.parser import parse_effect
from ruleset.language.syntax_errors import Mistake
from ruleset.source.reader import Scalar


def joined_here(text: Text, at: int) -> tuple[str, str] | None:
    """Return the message and hint for a word that begins a joined line, if the effect is valid as lines."""
    scalar, at = text.scalar, at + text.offset
    if scalar.style == "literal" or scalar.span.line == scalar.span.end_line or at not in _line_starts(scalar):
        return None
    if isinstance(parse_effect(_as_lines(scalar)), Mistake):
        return None
    message = "YAML joins this line to the one above, because its key has no `|`"
    hint = "several lines of effect need `|` after the key, and begin on the next line"
    if scalar.style == "folded":
        message, hint = "`>` joins this line to the one above", "write `|` instead of `>`: it keeps lines apart"
    return message, hint


def _line_starts(scalar: Scalar) -> dict[int, int]:
    """Return the offsets of words that begin a line of the file, except the first, with their columns."""
    found: dict[int, int] = {}
    line = scalar.span_of(0, 1).line
    for at, character in enumerate(scalar.text):
        if at and not character.isspace() and scalar.text[at - 1].isspace():
            span = scalar.span_of(at, at + 1)
            if span.line > line:
                found[at], line = span.column, span.line
    return found


def _as_lines(scalar: Scalar) -> str:
    """Return the effect as it would be after `|`. The first line is as deep as the shallowest of the others."""
    starts = _line_starts(scalar)
    margin = min(starts.values())
    cuts = [0, *starts, len(scalar.text)]
    lines = [scalar.text[begin:end].strip() for begin, end in pairwise(cuts)]
    depths = [scalar.span_of(0, 1).column if scalar.style == "folded" else margin, *starts.values()]
    least = min(depths)
    return "\n".join(" " * (depth - least) + line for depth, line in zip(depths, lines, strict=True))
