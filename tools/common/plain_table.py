"""Text and tables on a terminal, without waiting for rich where nothing has to be squeezed.

A part is a string, a `Text` or a `Table`. What is too long for a line is broken between words; a table that is too
wide is left to rich. No module of others is imported here at once, since a short simulation begins with it.
"""

from __future__ import annotations

import os

from tools.common.output import harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

_CODES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33", "bold red": "1;31"}
_GAP = "  "
NARROW = 80
"""Columns, where nobody knows how wide it is."""


class Text:
    """A line, or several where it is too long, in a style."""

    def __init__(self, plain: str, style: str = "") -> None:
        self.plain = plain
        self.style = style


class Table:
    """Rows under titles: the first column on the left, the others, numbers, on the right."""

    def __init__(self, *titles: str) -> None:
        self.titles = tuple(map(harmless, titles))
        self.rows: list[tuple[tuple[str, ...], str]] = []

    def add_row(self, *cells: str, style: str | None = None) -> None:
        """Adds a row, in a style."""
        self.rows.append((tuple(map(harmless, cells)), style or ""))

    def lines(self) -> list[tuple[str, str]]:
        """The lines and the styles that they are in, as wide as they need to be."""
        rows = [(self.titles, "bold"), *self.rows]
        widths = [max(len(cells[column]) for cells, _ in rows) for column in range(len(self.titles))]
        return [(_GAP.join(_padded(cells, widths)), style) for cells, style in rows]


def _padded(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    first, *others = cells
    return [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]


def write(parts: Iterable[str | Text | Table], stream: TextIO) -> None:
    """Writes parts below each other."""
    width, colours = _width(), _colours(stream)
    for part in parts:
        if isinstance(part, Table):
            lines = part.lines()
            if any(len(line) > width or not _narrow(line) for line, _ in lines):
                _squeezed(part, stream)
                continue
        else:
            text, style = _told(part)
            lines = [(line, style) for line in broken(text, width)]
        for line, style in lines:
            stream.write(f"\x1b[{_CODES[style]}m{line}\x1b[0m\n" if style and colours else f"{line.rstrip()}\n")


def write_long(parts: Iterable[str | Text], stream: TextIO) -> None:
    """Writes lines that somebody may copy: however long, they are not broken."""
    for part in parts:
        text, style = _told(part)
        stream.write(f"\x1b[{_CODES[style]}m{text}\x1b[0m\n" if style and _colours(stream) else f"{text}\n")


def _told(part: str | Text) -> tuple[str, str]:
    """A line and its style."""
    text, style = (part, "") if isinstance(part, str) else (part.plain, part.style)
    return harmless(text), style


def broken(text: str, width: int) -> list[str]:
    """The lines of a text, none wider than `width` unless one word is."""
    lines = [""]
    for word in text.split(" "):
        if not lines[-1]:
            lines[-1] = word
        elif len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _narrow(line: str) -> bool:
    """Whether each character surely takes one column."""
    return line.isascii() or all(char < "\u0300" or "\u2010" <= char <= "\u2027" for char in line)


def _squeezed(table: Table, stream: TextIO) -> None:
    from rich.table import Table as Squeezed

    from tools.common.consoles import HarmlessConsole

    shown = Squeezed(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    shown.add_column(table.titles[0], no_wrap=True, overflow="fold")
    for title in table.titles[1:]:
        shown.add_column(title, justify="right")
    for cells, style in table.rows:
        shown.add_row(*cells, style=style or None)
    HarmlessConsole(stream).print(shown)


def _width() -> int:
    """How many columns there are."""
    if (said := os.environ.get("COLUMNS", "")).isdecimal() and int(said):
        return int(said)
    for stream in (0, 1, 2):
        try:
            return os.get_terminal_size(stream).columns or NARROW
        except (OSError, ValueError):
            continue
    return NARROW


def _colours(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def many(number: int, what: str, several: str = "") -> str:
    """`1 game`, `12,000 games`; `several` is a plural that takes more than an `s`. As
    `ruleset.findings.report.many`, whose package a quick start does not import.
    """
    return f"1 {what}" if number == 1 else f"{number:,} {several or f'{what}s'}"
