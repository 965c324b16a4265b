"""Name the invisible character that is the reason for a finding.

Most invisible characters may be part of texts for players: a no-break space, a soft hyphen, a mark of direction. In
rules they make another word of a word. So only a finding about a place that contains one reports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.findings.causes import is_error

_INVISIBLE = re.compile(
    r"[\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202f\u205f-\u2064"
    r"\u206a-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0]"
)
_OF_TEXTS = frozenset(["RW120", "RW325", "RW326", "RW327"])
"""Codes about texts for players, which may contain such characters, and of findings that name one already."""


def named(found: Iterable[Diagnostic], sources: Mapping[str, str]) -> list[Diagnostic]:
    """Replace errors at places with an invisible character by one finding for each such character."""
    out: list[Diagnostic] = []
    lines: dict[str, list[str]] = {}
    seen: set[Span] = set()
    for finding in found:
        told = None
        if finding.code not in _OF_TEXTS and is_error(finding):
            told = _named(finding.span, sources, lines)
        if told is None:
            out.append(finding)
        elif told.span not in seen:
            seen.add(told.span)
            out.append(told)
    return out


def _named(span: Span, sources: Mapping[str, str], lines: dict[str, list[str]]) -> Diagnostic | None:
    text = sources.get(span.path, "")
    if span.line != span.end_line or not _INVISIBLE.search(text):
        return None
    if span.path not in lines:
        lines[span.path] = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    line = lines[span.path][span.line - 1]
    char = _INVISIBLE.search(line, span.column - 1, max(span.end_column - 1, span.column))
    if char is None:
        return None
    import unicodedata

    called = unicodedata.name(char[0], "").lower()
    message = f"the invisible character U+{ord(char[0]):04X} ({called}) is not allowed in rules"
    place = Span(span.path, span.line, char.start() + 1, span.line, char.end() + 1)
    return Diagnostic("RW120", place, message, "delete it and type the text around it again")
