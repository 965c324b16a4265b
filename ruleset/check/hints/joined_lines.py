"""Recognise effects of several lines that lack `|`, so that YAML joins them into one sentence."""

from __future__ import annotations

from itertools import pairwise

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language.parser import parse_effect
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.source.nodes import Scalar

_COMMENT = "# "


def as_lines(scalar: Scalar) -> Scalar | None:
    """Return the effect as it would be after `|`, if it was written on several lines that can be sentences."""
    if scalar.style == "literal" or scalar.span.line == scalar.span.end_line:
        return None
    starts = _line_starts(scalar)
    if not starts:
        return None
    text = _as_lines(scalar, starts)
    return None if isinstance(parse_effect(text), Mistake) else evolve(scalar, value=text, text=text, places=None)


def hides_a_line(scalar: Scalar) -> bool:
    """Whether a comment in the joined text continues on a next line, which is therefore lost."""
    at = scalar.text.find(_COMMENT)
    return at >= 0 and any(start > at for start in _line_starts(scalar))


def begins_a_line(scalar: Scalar, span: Span) -> bool:
    """Whether a place is the beginning of one of the joined lines."""
    starts = (scalar.span_of(at, at + 1) for at in _line_starts(scalar))
    return any((one.line, one.column) == (span.line, span.column) for one in starts)


def joined(scalar: Scalar) -> Diagnostic:
    """Report an effect whose lines YAML joins, at the sign that does it."""
    second = min(_line_starts(scalar))
    label = Label(scalar.span_of(second, second + 1), "YAML joins this line to the one above")
    if scalar.style == "folded" and scalar.places is not None:
        begin = scalar.places.start
        span = scalar.places.source.span(begin, begin + 1)
        hint = "write `|` instead of `>`"
        return Diagnostic("RW415", span, "`>` joins the lines of this effect into one", hint, (label,))
    message = "the lines of this effect are joined into one, because its key has no `|`"
    hint = "write `|` after the key, and begin on the next line"
    return Diagnostic("RW415", scalar.span_of(0, second - 1), message, hint, (label,))


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


def _as_lines(scalar: Scalar, starts: dict[int, int]) -> str:
    """Return the effect as it would be after `|`. The first line is as deep as the shallowest of the others."""
    margin = min(starts.values())
    cuts = [0, *starts, len(scalar.text)]
    lines = [scalar.text[begin:end].strip() for begin, end in pairwise(cuts)]
    depths = [scalar.span_of(0, 1).column if scalar.style == "folded" else margin, *starts.values()]
    least = min(depths)
    return "\n".join(" " * (depth - least) + line for depth, line in zip(depths, lines, strict=True))
