"""Findings for a page: source lines with the marked place, as models without markup."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import asdict, frozen

from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic, Span
from rulewright.ruleset.common.terminal_text import harmless, like, shown_line
from rulewright.ruleset.findings.catalogue import entry
from rulewright.ruleset.findings.causes import groups, ordered

MOST = 12
"""Findings on a page."""
AROUND = 1
"""Lines shown before and after a marked one."""
MOST_LINES = 6
LONGEST = 300
"""Characters of a line."""
_CODE = re.compile(r"`([^`]+)`")


@frozen
class SourceLine:
    """A line of source in three pieces, of which the second is marked."""

    number: int
    before: str
    marked: str
    after: str


@frozen
class Excerpt:
    """Some lines of a file. `label` says what they are for the finding; the place itself has none."""

    file: str
    label: str
    lines: tuple[SourceLine, ...]


@frozen
class Finding:
    """A finding. Pieces of texts are pairs: the text, and whether it is quoted source."""

    code: str
    name: str
    warning: bool
    message: tuple[tuple[str, bool], ...]
    excerpts: tuple[Excerpt, ...]
    hint: tuple[tuple[str, bool], ...]
    more: str


def findings(items: Sequence[Diagnostic], sources: Mapping[str, str]) -> dict[str, Any]:
    """Return findings as JSON data for `findings.html`, causes first, with the number of those left out."""
    found = groups(ordered(items, sources), sources)
    shown = [_finding(first, more, sources) for first, *more in found[:MOST]]
    return {"items": [asdict(one) for one in shown], "count": len(items), "left": max(len(found) - MOST, 0)}


def _finding(item: Diagnostic, more: Sequence[Diagnostic], sources: Mapping[str, str]) -> Finding:
    about = entry(item.code)
    places = [(item.span, ""), *((label.span, harmless(label.text)) for label in item.labels)]
    shown = [excerpt(span, label, sources) for span, label in places if span.path != NOWHERE.path]
    hint = " ".join(map(harmless, (item.hint or "").split("\n")))
    return Finding(
        item.code, about.name, about.severity != "error", pieces(harmless(item.message)), tuple(shown),
        pieces(hint), like(more) if more else "",
    )  # fmt: skip


def excerpt(span: Span, label: str, sources: Mapping[str, str], around: int = AROUND) -> Excerpt:
    """Return the lines of a range, and those around it if it is not a label's."""
    text = sources.get(span.path, "").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    end = span.end_line if span.end_column > 1 or span.end_line == span.line else span.end_line - 1
    last = min(end, span.line + MOST_LINES - 1)
    beside = 0 if label else around
    numbers = range(max(1, span.line - beside), min(len(lines), last + beside) + 1)
    return Excerpt(
        harmless(span.path), label, tuple(_line(n, lines[n - 1], span) for n in numbers)
    )  # fmt: skip


def _line(number: int, text: str, span: Span) -> SourceLine:
    if not span.line <= number <= span.end_line:
        return SourceLine(number, _shown(text), "", "")
    start = span.column - 1 if number == span.line else len(text) - len(text.lstrip())
    end = span.end_column - 1 if number == span.end_line else len(text)
    if number == span.end_line and end <= start and number != span.line:
        return SourceLine(number, _shown(text), "", "")
    marked = text[start:end] or " "
    before = text[:start]
    if len(before) > LONGEST:
        before = "…" + before[-80:]
    return SourceLine(number, _shown(before), _shown(marked) or " ", _shown(text[end:]))


def _shown(text: str) -> str:
    """Return a piece of a line without what could act on the page's text, bounded; spaces at its end stay."""
    safe = shown_line(text + "|")[:-1] if text else ""
    return safe if len(safe) <= LONGEST else safe[:LONGEST] + "…"


def pieces(text: str) -> tuple[tuple[str, bool], ...]:
    """Split a text into plain and quoted (`like this`) pieces."""
    return tuple((part, bool(n % 2)) for n, part in enumerate(_CODE.split(text)) if part)
