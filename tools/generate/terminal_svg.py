"""Draw lines of a terminal as an SVG picture with a light and a dark theme.

Every run of characters has its own position and length, so columns stay aligned in any monospaced font.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from attrs import frozen
from rich.style import Style
from rich.text import Text

CHARACTER, LINE = 7.2, 17
"""The width of a character of 12 px, and the height of a line."""
PADDING, GAP, CAPTION = 12, 14, 30

LIGHT = {
    "pane": "#f6f8fa",
    "border": "#d0d7de",
    "text": "#1f2328",
    "dim": "#656d76",
    "red": "#cf222e",
    "green": "#1a7f37",
    "yellow": "#9a6700",
    "blue": "#0969da",
    "magenta": "#8250df",
    "cyan": "#0a6f85",
}
DARK = {
    "pane": "#161b22",
    "border": "#30363d",
    "text": "#e6edf3",
    "dim": "#8d96a0",
    "red": "#ff7b72",
    "green": "#3fb950",
    "yellow": "#d29922",
    "blue": "#79c0ff",
    "magenta": "#d2a8ff",
    "cyan": "#56d4dd",
}
COLOURS = ("red", "green", "yellow", "blue", "magenta", "cyan")
"""The colours 1 to 6 of terminals, in their order."""
STYLE = """\
<style>
  :root { %s }
  @media (prefers-color-scheme: dark) { :root { %s } }
  .pane { fill: var(--pane); stroke: var(--border) }
  text { fill: var(--text); font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }
  .caption { font: 600 15px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
  .bold { font-weight: 700 }
  .italic { font-style: italic }
  .underline { text-decoration: underline }
  .reverse { fill: var(--pane) }
  .back { fill: var(--text) }
  .dim { fill: var(--dim) }
%s
</style>
"""


@frozen
class Pane:
    """A part of the picture: a caption, a width in characters, and lines."""

    caption: str
    columns: int
    lines: tuple[Text, ...]


def picture(rows: tuple[tuple[Pane, ...], ...], about: str) -> str:
    """Draw rows of panes. Panes of a row are equally high; rows are equally wide if their columns agree."""
    parts: list[str] = []
    top = 0
    width = 0.0
    for row in rows:
        left = 0.0
        height = max(len(pane.lines) for pane in row) * LINE + 2 * PADDING
        for pane in row:
            parts += _pane(pane, left, top, height)
            left += _width(pane) + GAP
        top += CAPTION + height + GAP
        width = max(width, left - GAP)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 0 {_number(width + 2)} {top - GAP + 2}" '
        f'role="img" aria-labelledby="about">\n<title id="about">{escape(about)}</title>\n'
    )
    return head + _style() + "\n".join(parts) + "\n</svg>\n"


def _style() -> str:
    light, dark = (" ".join(f"--{key}: {value};" for key, value in theme.items()) for theme in (LIGHT, DARK))
    return STYLE % (light, dark, "\n".join(f"  .{colour} {{ fill: var(--{colour}) }}" for colour in COLOURS))


def _width(pane: Pane) -> float:
    return pane.columns * CHARACTER + 2 * PADDING


def _pane(pane: Pane, left: float, top: int, height: int) -> Iterator[str]:
    yield f'<text class="caption" x="{_number(left + 2)}" y="{top + 20}">{escape(pane.caption)}</text>'
    box = f'x="{_number(left)}" y="{top + CAPTION}" width="{_number(_width(pane))}" height="{height}"'
    yield f'<rect class="pane" {box} rx="6"/>'
    for number, line in enumerate(pane.lines):
        assert line.cell_len <= pane.columns, f"wider than {pane.columns} characters: {line.plain}"
        yield from _line(line, left + PADDING, top + CAPTION + PADDING + number * LINE)


def _line(line: Text, left: float, top: int) -> Iterator[str]:
    """Draw the runs of a line: parts of one style, without the spaces around them."""
    column = 0
    for text, style in _segments(line):
        if style.reverse:
            width = _number(len(text) * CHARACTER)
            x = _number(left + column * CHARACTER)
            yield f'<rect class="back" x="{x}" y="{top + 1}" width="{width}" height="{LINE - 1}"/>'
        for run in re.finditer(r"\S+(?: \S+)*", text):
            x = _number(left + (column + run.start()) * CHARACTER)
            length = _number(len(run[0]) * CHARACTER)
            names = quoteattr(" ".join(_classes(style)))
            kind = f" class={names}" if names != '""' else ""
            yield f'<text{kind} x="{x}" y="{top + 13}" textLength="{length}">{escape(run[0])}</text>'
        column += len(text)


def _segments(line: Text) -> Iterator[tuple[str, Style]]:
    """Divide a line into parts of one style."""
    borders = sorted({0, len(line), *(at for span in line.spans for at in (span.start, span.end))})
    for start, end in pairwise(borders):
        style = Style.parse(str(line.style)) if line.style else Style.null()
        for span in line.spans:
            if span.start <= start and end <= span.end:
                style += Style.parse(str(span.style))
        yield line.plain[start:end], style


def _classes(style: Style) -> Iterator[str]:
    yield from (name for name in ("bold", "italic", "underline", "reverse", "dim") if getattr(style, name))
    if style.color is not None and style.color.number is not None and 0 < style.color.number % 8 < 7:
        yield COLOURS[style.color.number % 8 - 1]


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
