"""Read the ranges that declarations write: `0 to 9`."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.ruleset.common.span import Span
from rulewright.ruleset.common.whole_numbers import empty_range, number_hint, too_large, whole
from rulewright.ruleset.source.nodes import Scalar

Report = Callable[[str, Span, str, str | None], None]


def range_of(report: Report, node: Scalar, text: str, span: Span | None = None) -> tuple[int, int] | None:
    """Return the range that a text, such as `0 to 9`, means, the smaller number first; None after a finding.

    `text` is a part of the node; `span` is its place if the node does not contain it.
    """
    place = node.text.find(text)
    low, _, high = text.partition(" to ")
    ends = [
        _end(report, word, span or node.span_of(start, start + len(word)))
        for word, start in ((low, place), (high, place + len(text) - len(high)))
    ]
    least, most = ends
    if least is None or most is None:
        return None
    if least > most:
        report("RW454", span or node.span_of(place, place + len(text)), *empty_range(least, most))
    return min(least, most), max(least, most)


def _end(report: Report, word: str, span: Span) -> int | None:
    """Return one number of a range, or None after a finding."""
    large, number = too_large(word), whole(word)
    if large is not None:
        report("RW413", span, large, None)
    elif number is None:
        hint = number_hint(word) or "a range is written, for example, `0 to 9`"
        report("RW414", span, f"`{word}` is not a whole number", hint)
    elif number < 0:
        message = f"a range cannot contain {word}: it begins at 0 or above"
        report("RW414", span, message, "for negative numbers, write `number`")
    else:
        return number
    return None


def bounds_of(text: str) -> tuple[int, int]:
    """Return the range that a text means, if it is a correct one."""
    low, high = (whole(word) or 0 for word in text.split(" to "))
    return min(low, high), max(low, high)
