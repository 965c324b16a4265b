"""Generate the picture of the README from what the commands print.

`docs/picture.yaml` says what its four panes show: a card, a finding in a misspelt copy of it, a table, and a
simulation. The commands run on a pseudo-terminal, so their colours are real. Requires a POSIX system.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import yaml
from attrs import frozen
from rich.ansi import AnsiDecoder
from rich.style import Style
from rich.text import Text

# ---- Draw lines of a terminal as an SVG picture with a light and a dark theme
#
# Every run of characters has its own position and length, so columns stay aligned in any monospaced font.

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
            parts += _pane_svg(pane, left, top, height)
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


def _pane_svg(pane: Pane, left: float, top: int, height: int) -> Iterator[str]:
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


# ---- Readme picture

ROOT = Path(__file__).parents[2]
PLAN = ROOT / "docs" / "picture.yaml"
PICTURE = PLAN.with_suffix(".svg")
_PACE = re.compile(r" in [\d.,]+ s on .*")


def panes(plan: dict[str, Any], folder: Path) -> tuple[tuple[Pane, Pane], tuple[Pane, Pane]]:
    """Make the four panes, in two rows, in an empty folder."""
    shutil.copytree(ROOT / "content" / plan["game"], folder / plan["game"])
    left, right = plan["widths"]
    card, check, play, simulate = (plan[name] for name in ("card", "check", "play", "simulate"))
    answers = "".join(f"{answer}\n" for answer in play["answers"])
    table = last_question(run(play["command"], left, folder, answers), play["from"])
    simulated = results(run(simulate["command"], right, folder))
    path = folder / card["command"].split()[-1]
    text = path.read_text("utf-8")
    path.write_text(_replaced(text, *check["mistake"]), "utf-8")
    found = finding(run(check["command"], right, folder))
    return (
        (_pane(card, left, yaml_lines(text)), _pane(check, right, found)),
        (_pane(play, left, table), _pane(simulate, right, simulated)),
    )


def _pane(plan: dict[str, Any], columns: int, lines: Iterable[Text]) -> Pane:
    shown = (*prompt(plan["command"], columns), *lines)
    for line in shown:
        line.truncate(columns, overflow="ellipsis")
    return Pane(plan["caption"], columns, shown)


def _replaced(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"expected `{old}` once in the card")
    return text.replace(old, new)


def run(command: str, columns: int, folder: Path, typed: str = "") -> list[Text]:
    """Run a command with its standard output on a pseudo-terminal; return its lines in their colours."""
    _, *arguments = command.split()
    settings = {
        "COLUMNS": str(columns),
        "LC_ALL": "C.UTF-8",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "src"),
        "RULEWRIGHT_CACHE": str(folder / "cache"),
        "RULEWRIGHT_NO_SAVES": "1",
        "TERM": "xterm",
    }
    screen, terminal = os.openpty()
    words = [sys.executable, "-m", "rulewright", *arguments]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(words, stdin=pipe, stdout=terminal, stderr=nothing, cwd=folder, env=settings) as process:
        os.close(terminal)
        assert process.stdin is not None
        process.stdin.write(typed.encode())
        process.stdin.close()
        printed = b"".join(_chunks(screen))
    os.close(screen)
    return [_trimmed(line) for line in AnsiDecoder().decode(printed.decode().replace("\r\n", "\n"))]


def _chunks(screen: int) -> Iterator[bytes]:
    """Read a pseudo-terminal until its other side is closed, which Linux reports as an error."""
    while True:
        try:
            read = os.read(screen, 65536)
        except OSError:
            return
        if not read:
            return
        yield read


def _trimmed(line: Text) -> Text:
    line.rstrip()
    return line


def prompt(command: str, columns: int) -> Iterator[Text]:
    """The line in which a command is typed; its last option is on a line of its own if there is no room."""
    first, option, more = command.rpartition(" --") if len(command) + 2 > columns else (command, "", "")
    yield Text.assemble(("$ ", "dim"), (first, "bold"), (" \\" if option else "", "dim"))
    if option:
        yield Text(f"   {option}{more}", "bold")


def yaml_lines(text: str) -> Iterator[Text]:
    """Colour the keys of a YAML text."""
    for line in text.splitlines():
        shown = Text(line)
        shown.highlight_regex(r"^ *[\w-]+(?=:)", "cyan")
        yield shown


def finding(lines: Sequence[Text]) -> Sequence[Text]:
    """The first finding: the lines up to the first blank one."""
    return lines[: next(number for number, line in enumerate(lines) if not line.plain)]


def last_question(lines: Sequence[Text], start: str) -> list[Text]:
    """The last table, from a line on, and the question below it."""
    first = max(number for number, line in enumerate(lines) if line.plain == start)
    end = next(number for number in range(first, len(lines)) if lines[number].plain == ">")
    return [Text("…", "dim"), *lines[first : end + 1]]


def results(lines: Sequence[Text]) -> list[Text]:
    """All lines, without how long the simulation took and on what."""
    return [line[: found.start()] if (found := _PACE.search(line.plain)) else line for line in lines]


def generated() -> str:
    """Generate the picture."""
    plan = yaml.safe_load(PLAN.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        return picture(panes(plan, Path(folder)), plan["about"])
