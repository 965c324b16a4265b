"""Print lines and JSON; text of packs stays on its line and is harmless.

Any text stays on its line, and is harmless.

All commands print through here or, in colour, through `consoles`. Few modules are imported, because a short
simulation starts with this one.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any


def harmless(text: str) -> str:
    """Make a text harmless; imports `ruleset.common.terminal_text.harmless` only if needed."""
    if text.isprintable() and "::" not in text and "##" not in text:
        return text
    from rulewright.ruleset.common.terminal_text import harmless

    return harmless(text)


def say(line: str) -> None:
    """Print one line."""
    print(harmless(line))


def warn(text: str) -> None:
    """Print a line on standard error, prefixed by the program's name."""
    print(harmless(f"rulewright: {text}"), file=sys.stderr)


def say_data(data: Any) -> None:
    """Print data as JSON, with control characters escaped."""
    from rulewright.ruleset.common.terminal_text import json_text

    print(json_text(data))


# ---- Colours for findings: escape codes written directly, so that checking a pack need not import rich

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


# ---- Text and tables on a terminal, without rich unless a table is too wide
#
# A part is a string, a `StyledText`, or a `TextTable`. Lines that are too long are wrapped between words; a table
# that is too wide is rendered by rich. No third-party module is imported at once, because a short simulation
# starts with this one.

_STYLE_CODES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33", "bold red": "1;31"}
_GAP = "  "
NARROW = 80
"""Width in columns if the real width is unknown."""


class StyledText:
    """Text in a style, wrapped if necessary."""

    def __init__(self, plain: str, style: str = "") -> None:
        self.plain = plain
        self.style = style


class TextTable:
    """Rows with titles: the first column is aligned left; the others, numbers, right."""

    def __init__(self, *titles: str) -> None:
        self.titles = tuple(map(harmless, titles))
        self.rows: list[tuple[tuple[str, ...], str]] = []

    def add_row(self, *cells: str, style: str | None = None) -> None:
        """Add a row in a style."""
        self.rows.append((tuple(map(harmless, cells)), style or ""))

    def lines(self) -> list[tuple[str, str]]:
        """Return the lines with their styles, at full width."""
        rows = [(self.titles, "bold"), *self.rows]
        widths = [max(len(cells[column]) for cells, _ in rows) for column in range(len(self.titles))]
        return [(_GAP.join(_padded(cells, widths)), style) for cells, style in rows]


def _padded(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    first, *others = cells
    return [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]


def write(parts: Iterable[str | StyledText | TextTable], stream: TextIO) -> None:
    """Write parts one after the other."""
    width, colours = _width(), _colours(stream)
    for part in parts:
        if isinstance(part, TextTable):
            lines = part.lines()
            if any(len(line) > width or not _narrow(line) for line, _ in lines):
                _squeezed(part, stream)
                continue
        else:
            text, style = _told(part)
            lines = [(line, style) for line in broken(text, width)]
        for line, style in lines:
            stream.write(
                f"\x1b[{_STYLE_CODES[style]}m{line}\x1b[0m\n" if style and colours else f"{line.rstrip()}\n"
            )


def write_long(parts: Iterable[str | StyledText], stream: TextIO) -> None:
    """Write lines without wrapping, so that they can be copied."""
    for part in parts:
        text, style = _told(part)
        stream.write(f"\x1b[{_STYLE_CODES[style]}m{text}\x1b[0m\n" if style and _colours(stream) else f"{text}\n")


def _told(part: str | StyledText) -> tuple[str, str]:
    """Return a line and its style."""
    text, style = (part, "") if isinstance(part, str) else (part.plain, part.style)
    return harmless(text), style


def broken(text: str, width: int) -> list[str]:
    """Wrap a text into lines no wider than `width`, except for longer words."""
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
    """Whether every character certainly takes one column."""
    return line.isascii() or all(char < "\u0300" or "\u2010" <= char <= "\u2027" for char in line)


def _squeezed(table: TextTable, stream: TextIO) -> None:
    from rich.table import Table as Squeezed

    from rulewright.tools.common.consoles import HarmlessConsole

    shown = Squeezed(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    shown.add_column(table.titles[0], no_wrap=True, overflow="fold")
    for title in table.titles[1:]:
        shown.add_column(title, justify="right")
    for cells, style in table.rows:
        shown.add_row(*cells, style=style or None)
    HarmlessConsole(stream).print(shown)


def _width() -> int:
    """Return the number of columns of the terminal."""
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
    """Format a count: `1 game`, `12,000 games`; `several` is the plural if it is irregular.

    As `ruleset.findings.report.many`, whose package a quick start does not import.
    """
    return f"1 {what}" if number == 1 else f"{number:,} {several or f'{what}s'}"


# ------------------------------------------------------------------ Escape the signs of Markdown in a text

def escaped(text: str) -> str:
    """Escape the signs of Markdown in a text, except in backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if number % 2 else re.sub(r"([\\*_<>\[\]#|])", r"\\\1", part) for number, part in enumerate(parts)
    )


# ---- Non-ASCII characters used in tables, and their replacements on streams that cannot show them
#
# Streams with the error handler `PLAIN` replace each character missing from their encoding by a similar one.

@frozen
class Glyphs:
    """Characters of tables: `times` precedes a count, `nought` is a zero, `only` marks what others cannot see."""

    times: str
    nought: str
    only: str
    dot: str
    arrow: str
    asked: str
    dash: str


FULL = Glyphs("×", "·", "◦", "·", "›", "▸", "–")
ASCII = Glyphs("x", ".", "*", "-", ">", ">", "-")


def glyphs(encoding: str) -> Glyphs:
    """Return the characters for a stream with this encoding."""
    try:
        "".join(getattr(FULL, name) for name in ("times", "only", "arrow", "asked", "dash")).encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return FULL


PLAIN = "rulewright-plain"
"""The name of the error handler."""
_NEAR = {
    "·": "-",
    "–": "-",
    "—": "-",
    "─": "-",
    "…": "...",
    "×": "x",
    "›": ">",
    "▸": ">",
    "◦": "*",
    "¿": "",
    "¡": "",
}
_NEAR |= {"‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"'}


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace a character by its base letter, the nearest ASCII text, or a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    shown = ""
    for character in error.object[error.start : error.end]:
        near = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
        shown += _NEAR.get(character, near or "?")
    return shown, error.end


codecs.register_error(PLAIN, _plain)
