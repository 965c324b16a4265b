"""Draw the log: lines under the headings of rounds, phases, and steps."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.tools.browser.drawing.model import LogLine, LogPart
from rulewright.tools.display.game_log import Line

LEVELS = {"round": 3, "phase": 4, "step": 5}
RECENT = 3
"""Rounds or turns that are shown unless the whole log is asked for."""


def first_recent(lines: Sequence[Line]) -> int:
    """Return the number of the first line that is shown unless the whole log is asked for."""
    rounds = [number for number, line in enumerate(lines) if line.sort == "round"]
    return rounds[-RECENT] if len(rounds) > RECENT else 0


def draw_log(lines: Sequence[Line], reader: int, seen: int, whole: bool) -> tuple[LogPart, ...]:
    """Return the parts of the log. Lines from number `seen` are new to the reader, whose seat is `reader`."""
    first = 0 if whole else first_recent(lines)
    parts: list[LogPart] = []
    heading, level, under = "", 0, list[LogLine]()
    for number, line in enumerate(lines[first:], first):
        if line.sort == "text":
            under.append(LogLine(line.text, line.actor == reader, number >= seen))
            continue
        if heading or under:
            parts.append(LogPart(heading, level, tuple(under)))
        heading, level, under = line.text, LEVELS[line.sort], []
    if heading or under:
        parts.append(LogPart(heading, level, tuple(under)))
    return tuple(parts)
