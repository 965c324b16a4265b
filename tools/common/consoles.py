"""A console for coloured text in which texts of packs cannot control the terminal or a build server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from rulewright.ruleset.common.terminal_text import commands, safe


class HarmlessConsole(Console):
    """Shows text literally: without markup, emoji names, or highlighted numbers.

    Line ends are kept, since the text may have been wrapped; a text meant as one line must pass `harmless` first.
    """

    def __init__(self, file: TextIO | None = None, stderr: bool = False) -> None:
        super().__init__(file=file, stderr=stderr, highlight=False, emoji=False, markup=False)

    def on_broken_pipe(self) -> None:
        """Raise the error again: `tools.cli` ends every command in the same way."""
        raise  # rich calls this where it handles the error

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does, but break commands of build servers."""
        super().print(*map(_without_commands, objects), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as rich does, but replace control characters, including those in tables and headings."""
        for segment in super().render(renderable, options):
            text = segment.text
            if segment.control or text == "\n" or text.isprintable():
                yield segment
            else:
                yield segment._replace(text="\n".join(map(safe, text.split("\n"))))


def _without_commands(shown: Any) -> Any:
    text = Text(shown) if isinstance(shown, str) else shown
    places = commands(text.plain) if isinstance(text, Text) else []
    if not places:
        return shown
    parted = Text(" ", justify=text.justify, overflow=text.overflow, no_wrap=text.no_wrap, end=text.end)
    return parted.join(text.divide(places))
