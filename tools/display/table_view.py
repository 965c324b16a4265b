"""Draw a seat's table: numbers of all players side by side, then the contents of zones.

The first drawing shows everything, in the groups of the pack's layout. Later ones are short: what has changed since
the seat's last drawing, and what the question needs. Parts that hold nothing are left out, unless they have just
become empty; in short drawings also rows in which no player has anything any more, and the reader's own empty
zones.

Marks show visibility: `Glyphs.only` follows a number or zone that is hidden from all others, and `?` replaces one
that is hidden from the reader; everything else is public. Equal values of a track that remembers arrival are
followed by their order of arrival.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from attrs import define, evolve, field
from rich.text import Text

from rulewright.interpreter.views.view import View
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.nodes import TableLayout
from rulewright.tools.common.display_texts import noun
from rulewright.tools.display.screen import Screen
from rulewright.tools.display.table_content import (
    HIDDEN,
    ONLY,
    ORDER,
    REMEMBERED,
    ArrangedThing,
    Content,
    Figures,
    TableContent,
    TableGroup,
    TablePart,
    sheet_of,
)

_WORDS = {
    "en": {
        "you": "you",
        "out": "out",
        "only": "hidden from the others",
        "hidden": "hidden from you",
        "order": "1st, 2nd, …: who came first to an equal number",
    },
    "es": {
        "you": "tú",
        "out": "fuera",
        "only": "oculto para los demás",
        "hidden": "oculto para ti",
        "order": "1.º, 2.º, …: quién llegó antes a un número igual",
    },
}
WIDEST_NAME = 34
"""Maximum width, in characters, of the column of names of zones."""


def draw(
    screen: Screen,
    view: View,
    layout: TableLayout | None = None,
    last: TableContent | None = None,
    needed: frozenset[str] | None = None,
    figures: Figures | None = None,
) -> Drawn:
    """Print the table of a seat. `figures` are the values of functions that the layout shows.

    `last` is what the seat saw before. With `needed`, the drawing is short: it shows what has changed since then,
    and these zones, tracks, and lists.
    """
    sheet = sheet_of(screen.narrator, screen.glyphs, view, layout, figures)
    drawing = _Drawing(screen, view)
    before = last.parts if last is not None else {}
    if needed is None:
        for block in sheet.blocks:
            drawing.block(block, [part for part in block.parts if _worth(part, before)])
        drawing.legend()
    else:
        drawing.short(sheet, before, needed)
    return Drawn(sheet, REMEMBERED in drawing.used)


@define
class Drawn:
    """What was drawn, and whether it contained cards that the seat only remembers."""

    sheet: TableContent
    remembers: bool


def draw_zone(screen: Screen, view: View, typed: str, layout: TableLayout | None = None) -> bool:
    """Print the zones whose name or key begins with `typed`, in full; return False if there are none."""
    content = Content(screen.narrator, screen.glyphs, view, frozenset(layout.hidden if layout else ()))
    wanted = typed.lower()
    found = [
        zone
        for zone in view.zones
        if any(name.lower().startswith(wanted) for name in (noun(screen.narrator, "zone", zone.zone), zone.zone))
    ]
    drawing = _Drawing(screen, view)
    drawing.places(
        [content.zone(ArrangedThing("zone", zone.zone), zone, content.text.full(zone)) for zone in found]
    )
    return bool(found)


def _worth(part: TablePart, before: dict[str, TablePart]) -> bool:
    """Whether a part holds something, or has just ceased to."""
    if not part.empty:
        return True
    old = before.get(part.key)
    return old is not None and not old.empty


@define
class _Drawing:
    """A table being drawn; `used` collects the marks that the legend has to explain."""

    screen: Screen
    view: View
    used: set[str] = field(init=False, factory=set)
    words: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.words = _WORDS[self.screen.narrator.language]

    def block(self, block: TableGroup, parts: Sequence[TablePart]) -> None:
        """Print a group: its heading, piles, numbers, and lines; nothing if it is empty."""
        if not parts:
            return
        console = self.screen.console
        console.print()
        self._title(block)
        rows, piles, lines = _sorted(parts)
        self._side_by_side(piles)
        if piles and rows:
            console.print()
        self._numbers(rows)
        if (rows or piles) and lines:
            console.print()
        self.places(lines)

    def short(self, sheet: TableContent, before: dict[str, TablePart], needed: frozenset[str]) -> None:
        """Print what has changed and what is needed: piles under their headings, then all rows and lines."""
        rows: list[TablePart] = []
        lines: list[TablePart] = []
        console = self.screen.console
        for block in sheet.blocks:
            fresh = [
                part
                for part in block.parts
                if _worth(part, before)
                and (before.get(part.key) != part or not needed.isdisjoint((part.key, part.thing)))
            ]
            more_rows, piles, more_lines = _sorted(fresh)
            if piles and all(part in piles for part in block.parts if part.thing == piles[0].thing):
                console.print()
                self._title(block)
                self._side_by_side(piles)
            elif piles:
                texts = tuple(text.strip() for pile in piles for text in pile.texts)
                lines.append(evolve(piles[0], sort="line", texts=(", ".join(texts),)))
            rows += more_rows
            lines += more_lines
        lines = [
            line
            for line in lines
            if not line.empty or not (line.own or any(row.thing == line.thing for row in rows))
        ]
        rows = [
            row
            for row in rows
            if not needed.isdisjoint((row.key, row.thing))
            or not (row.empty or self._said_by_a_line(row, before, lines))
        ]
        if rows or lines:
            console.print()
        self._numbers(rows)
        self.places(lines)

    def _said_by_a_line(self, row: TablePart, before: dict[str, TablePart], lines: Sequence[TablePart]) -> bool:
        """Whether only the reader's own number of cards differs, and a line shows these cards."""
        if not any(line.own and line.thing == row.thing for line in lines):
            return False
        nought = (self.screen.glyphs.nought,) * len(row.texts)
        old = before[row.key].texts if row.key in before else nought
        return all(old[seat] == row.texts[seat] for seat in range(len(old)) if seat != self.view.seat)

    def _title(self, block: TableGroup) -> None:
        texts, console = dict(block.texts), self.screen.console
        if texts:
            title = texts.get(self.screen.narrator.language) or next(iter(texts.values()))
            console.print(Text(harmless(title), "bold underline" if console.is_terminal else "bold"))

    def legend(self) -> None:
        """Explain the marks that were used."""
        marks, told = self.screen.glyphs, []
        if ONLY in self.used:
            told.append(f"{marks.only} {self.words['only']}")
        if HIDDEN in self.used:
            told.append(f"? {self.words['hidden']}")
        if ORDER in self.used:
            told.append(self.words["order"])
        if told:
            self.screen.console.print()
            self.screen.hanging(f" {marks.dot} ".join(told), indent=2, style="dim")

    # -------------------------------------------------------------- numbers of players

    def _numbers(self, parts: Sequence[TablePart]) -> None:
        """Print rows with a column for each player, in as many blocks as the terminal's width requires."""
        if not parts:
            return
        self.used.update(*(part.marks for part in parts))
        seats = list(range(len(self.screen.names)))
        width = self.screen.console.width
        widest = max(14, width // 3)
        rows = _labelled(parts, widest)
        label = min(max(len(name) for name, _ in rows), widest)
        heads = [self._head(seat) for seat in seats]
        least = [_widest(head.split(), rows, seat) for seat, head in enumerate(heads)]
        at_once = max(1, (width - label) // (max(least) + 2))
        if at_once < len(seats):
            at_once = -(-len(seats) // -(-len(seats) // at_once))  # blocks of about the same size
        for first in range(0, len(seats), at_once):
            if first:
                self.screen.console.print()
            self._columns(rows, label, seats[first : first + at_once], heads)

    def _head(self, seat: int) -> str:
        out = self.view.track("in-game").values
        notes = [self.words["you"]] if seat == self.view.seat else []
        notes += [self.words["out"]] if out[seat] in (0, "no") else []
        return self.screen.names[seat] + (f" ({', '.join(notes)})" if notes else "")

    def _columns(
        self, rows: Sequence[tuple[str, Sequence[str]]], label: int, seats: Sequence[int], heads: Sequence[str]
    ) -> None:
        """Print a block of the table of numbers; names wrap if the terminal is narrow."""
        widths = {seat: _widest([heads[seat]], rows, seat) for seat in seats}
        if label + sum(widths.values()) + 2 * len(seats) > self.screen.console.width:
            widths = {seat: _widest(heads[seat].split(), rows, seat) for seat in seats}
        columns = {seat: textwrap.wrap(heads[seat], widths[seat]) for seat in seats}
        tall = max(len(lines) for lines in columns.values())
        for line in range(tall):
            shown = Text(" " * label)
            for seat, lines in columns.items():
                word = lines[line - tall + len(lines)] if line >= tall - len(lines) else ""
                shown.append(f"  {word:>{widths[seat]}}", self.screen.colour(seat) + " bold")
            shown.rstrip()
            self.screen.console.print(shown, soft_wrap=True)
        for name, values in rows:
            shown = Text(textwrap.shorten(name, label, placeholder="…") if len(name) > label else name)
            if values:
                shown.pad_right(label - len(shown))
                for seat in seats:
                    style = "dim" if values[seat] == self.screen.glyphs.nought else ""
                    shown.append(f"  {values[seat]:>{widths[seat]}}", style)
            self.screen.console.print(shown, soft_wrap=True)

    # -------------------------------------------------------------- piles and lines

    def _side_by_side(self, piles: Sequence[TablePart]) -> None:
        """Print short texts in columns, row by row."""
        if not piles:
            return
        texts = [text for part in piles for text in part.texts]
        wide = max(map(len, texts))
        columns = max(1, (max(self.screen.console.width, 40) + 2) // (wide + 2))
        for first in range(0, len(texts), columns):
            row = "  ".join(f"{text:<{wide}}" for text in texts[first : first + columns]).rstrip()
            self.screen.console.print(Text(row), soft_wrap=True)

    def places(self, parts: Iterable[TablePart]) -> None:
        """Print the contents of zones: a name, then one or more lines."""
        lines = list(parts)
        widest = max((len(part.name) for part in lines), default=0)
        width = min(widest, max(14, min(WIDEST_NAME, self.screen.console.width * 9 // 20)))
        for part in lines:
            self.used |= part.marks
            self.screen.beside(part.name, part.texts, width)


def _labelled(parts: Sequence[TablePart], widest: int) -> list[tuple[str, Sequence[str]]]:
    """Give rows their names. Several rows of one track are under its name; a single one has it in its own if the
    name is no wider than `widest`.
    """
    rows: list[tuple[str, Sequence[str]]] = []
    for under, group in groupby(parts, key=lambda part: part.under):
        members = list(group)
        single = f"{under} ({members[0].name})"
        if under and len(members) == 1 and len(single) <= widest:
            rows.append((single, members[0].texts))
            continue
        rows += [(under, ())] if under else []
        rows += [(f"  {part.name}" if under else part.name, part.texts) for part in members]
    return rows


def _sorted(parts: Sequence[TablePart]) -> tuple[list[TablePart], list[TablePart], list[TablePart]]:
    """Divide parts into rows, piles, and lines."""
    sorts = ("row", "pile", "line")
    rows, piles, lines = ([part for part in parts if part.sort == sort] for sort in sorts)
    return rows, piles, lines


def heading(screen: Screen, text: str) -> None:
    """Print a highlighted line."""
    screen.console.print()
    screen.console.print(Text(text, "bold reverse"))


def _widest(words: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], seat: int) -> int:
    """Return the width of a player's column with these headings."""
    return max(*(len(word) for word in words), *(len(values[seat]) for _, values in rows if values), 1)
