"""Show a game in the terminal: its title, log, and result.

Works for any pack and any width from 60 columns.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from itertools import groupby

from attrs import define, evolve, field
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.names import sentence, words
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import Result, View, outcomes
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.nodes import DeclaredOption, Program, TableLayout
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.consoles import HarmlessConsole
from rulewright.tools.common.display_texts import noun
from rulewright.tools.common.output import PLAIN, glyphs
from rulewright.tools.display.game_log import GameLogLine
from rulewright.tools.display.table_content import (
    HIDDEN,
    KERNEL_KEYS,
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

# ---- The numbers of a finished game: points by award, and other numbers of the players

def extra_numbers(narrator: Narrator, views: Sequence[View], hidden: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return numbers of the players that are neither zero for all nor hidden, as at least one view shows them."""
    found = []
    for tracks in zip(*(view.tracks for view in views), strict=True):
        track = tracks[0]
        if track.scope == ("player",) and track.key not in (*KERNEL_KEYS, "score", *hidden):
            known = [[one.values[seat] for one in tracks] for seat in range(narrator.program.seats)]
            values = [str(next((v for v in seen if v is not None), "?")) for seen in known]
            if any(value not in ("0", "?") for value in values):
                found.append((noun(narrator, "track", track.key), values))
    return found


def awards_of(events: Sequence[Event]) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Return the awards in order, with their sources, and the points by award and seat."""
    awards: dict[int, int] = {}
    points: dict[tuple[int, int], int] = {}
    for event in events:
        if event.kind == "scored":
            award, seat, scored = event.numbers[:3]
            awards.setdefault(award, event.at)
            points[award, seat] = points.get((award, seat), 0) + scored
    return awards, points


# ---- The options of a table that differ from the default, for the header of a game

def settings(narrator: Narrator, program: Program | None) -> list[str]:
    """Return `name: value` for each option that was chosen; without the pack, which has the defaults, for all."""
    known = {option.key: option for option in program.options} if program is not None else {}
    texts, language = narrator.texts, narrator.language
    found = []
    for key, value in narrator.program.options:
        option = known.get(key)
        if option is not None and program is not None and value == _default(option, program):
            continue
        of = option.of if option is not None else key
        if value in ("true", "false"):
            of, value = "boolean", "yes" if value == "true" else "no"
        named = [
            texts.name(language, of, word) or texts.name(language, "definition", word) or words(word)
            for word in value.split(", ")
        ]
        found.append(f"{texts.name(language, 'option-name', key) or words(key)}: {', '.join(named)}")
    return found


def _default(option: DeclaredOption, program: Program) -> str:
    """Return the value that a table has if nothing else was chosen."""
    if option.some:
        chosen = [one.key for number, one in enumerate(program.definitions) if option.default >> number & 1]
        return ", ".join(chosen) or "none"
    return option.members[option.default] if option.members else str(option.default)


# ---- Screen

_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
_ROOM = 72
"""The width of a terminal from which the final scores fit, one player on one line."""
_SCREEN_WORDS = {
    "en": {
        "player": "{n} player", "players": "{n} players", "seed": "seed {n}", "game": "game {n}", "total": "Total",
        "out": "out of the game", "winner": "winner", "result": "Final scores",
    },
    "es": {
        "player": "{n} jugador", "players": "{n} jugadores", "seed": "semilla {n}", "game": "partida {n}",
        "total": "Total", "out": "fuera de la partida", "winner": "gana", "result": "Puntuación final",
    },
}  # fmt: skip


def console() -> Console:
    """Return a console for standard output that shows text literally, replacing characters it cannot encode."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors=PLAIN)
    return HarmlessConsole()


class Screen:
    """A console that shows a game in the words of a narrator."""

    def __init__(self, narrator: Narrator, on: Console | None = None) -> None:
        self.console = on or console()
        self.glyphs = glyphs(self.console.encoding)
        self.narrator = narrator
        self.program: TableProgram = narrator.program
        self._words = _SCREEN_WORDS[narrator.language]
        self.names = [str(narrator.who(seat)["seat"]) for seat in range(self.program.seats)]

    def clear(self) -> None:
        """Clear the screen and, if the terminal supports it, its scrollback."""
        if self.console.is_terminal:
            self.console.file.write("\x1b[H\x1b[2J\x1b[3J")
            self.console.file.flush()

    def title(self, seed: int, game: int, about: str | None, program: Program | None = None) -> None:
        """Print the pack, players, seed, and the options that differ from the defaults of `program`."""
        name = self.narrator.texts.name(self.narrator.language, "pack", self.program.pack) or self.program.pack
        players = self._words["player" if self.program.seats == 1 else "players"]
        facts = [players.format(n=self.program.seats), self._words["seed"].format(n=seed)]
        facts += [self._words["game"].format(n=game)] if game else []
        facts += settings(self.narrator, program)
        head, facts_after = harmless(f"{name} {self.program.version}"), harmless(" · " + " · ".join(facts))
        self.console.print(Text.assemble((head, "bold"), (facts_after, "dim")))
        if about:
            self.console.print(Text(harmless(about), "italic"))

    def lines(self, lines: Iterable[GameLogLine]) -> None:
        """Print further lines of the log."""
        for line in lines:
            if line.sort == "round":
                self.console.print()
                self.console.print(Rule(Text(line.text, "bold"), style="dim", align="left"))
            elif line.sort == "phase":
                self.console.print()
                self.console.print(Text(line.text, "bold"))
            elif line.sort == "step":
                self.console.print(Text(f"  {line.text}", "dim bold"))
            else:
                self.sentence(line.text)

    def sentence(self, text: str) -> None:
        """Print a line of the log, wrapped with an indent."""
        names = "|".join(re.escape(name) for name in self.names)
        text = re.sub(rf"\([^()]{{1,24}}\)|{names}", lambda found: found[0].replace(" ", "\u00a0"), text)
        wrapped = textwrap.fill(
            text, max(self.console.width, 40), initial_indent="  ", subsequent_indent="      ",
            break_on_hyphens=False, break_long_words=False,
        )  # fmt: skip
        self.console.print(self.coloured(wrapped.replace("\u00a0", " ")), soft_wrap=True)

    def beside(self, name: str, contents: Sequence[str], width: int) -> None:
        """Print a name in a column of the given width, with its lines beside it: on one line if they fit."""
        indent = width + 2
        room = max(self.console.width, 40) - indent
        together = "  ".join(line.strip() for line in contents)
        contents = [together] if len(together) <= room else contents
        names = textwrap.wrap(name, width, break_on_hyphens=False) or [""]
        told = [part for line in contents for part in self._wrapped(line, room)]
        for number in range(max(len(names), len(told))):
            left = names[number] if number < len(names) else ""
            right = told[number] if number < len(told) else ""
            shown = self.coloured(f"{left:<{indent}}{right}".rstrip())
            shown.stylize("bold", 0, len(left))
            self.console.print(shown, soft_wrap=True)

    def _wrapped(self, text: str, room: int) -> list[str]:
        """Wrap a line; bracketed text stays together, and lines that begin with a place are indented below it."""
        place = re.match(r" *\d+\. ", text)
        hang = " " * len(place[0]) if place else ""
        kept = re.sub(r"\([^()]{1,24}\)|\d+ \S ", lambda found: found[0].replace(" ", "\u00a0"), text)
        lines = textwrap.wrap(kept, room, subsequent_indent=hang, break_on_hyphens=False, drop_whitespace=True) or [
            ""
        ]
        return [line.replace("\u00a0", " ") for line in lines]

    def hanging(self, text: str, indent: int, style: str = "") -> None:
        """Print a paragraph, wrapped with an indent."""
        lead = text[: len(text) - len(text.lstrip())]
        wrapped = textwrap.fill(
            text.strip(), max(self.console.width, 40), initial_indent=lead, subsequent_indent=" " * indent,
            break_on_hyphens=False, break_long_words=True,
        )  # fmt: skip
        shown = self.coloured(wrapped)
        shown.stylize(style)
        self.console.print(shown, soft_wrap=True)

    def command(self, text: str, command: str) -> None:
        """Print a command on a line of its own, for copying."""
        self.console.print(Text.assemble(harmless(f"  {text} "), (harmless(command), "bold")), soft_wrap=True)

    def colour(self, seat: int) -> str:
        return _COLOURS[seat % len(_COLOURS)]

    def coloured(self, text: str) -> Text:
        """Return a text in which each seat's name has its colour."""
        shown = Text(text)
        for seat, name in enumerate(self.names):
            shown.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", self.colour(seat))
        return shown

    # -------------------------------------------------------------- the result

    def result(
        self, result: Result, events: Sequence[Event], views: Sequence[View], layout: TableLayout | None = None
    ) -> None:
        """Print points by award, other visible numbers of the players, and the winners."""
        awards, points = awards_of(events) if self.program.next_game is None else ({}, {})
        scored = bool(awards) or any(result.scores)
        extra = extra_numbers(self.narrator, views, layout.hidden if layout else ())
        wide = self.console.width >= _ROOM  # then a row fits on one line, and only headings are wrapped
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        table.add_column("", no_wrap=wide)
        for at in awards.values():
            title = self.narrator.name("award", self.program.sources[at].name, 1)
            table.add_column(title, justify="right", vertical="bottom", max_width=18)
        if scored:
            table.add_column(self._words["total"], justify="right", style="bold")
        for name, _ in extra:
            table.add_column(name, justify="right")
        table.add_column("", no_wrap=wide)
        for seat in range(self.program.seats):
            won = seat in result.winners
            note = self._words["winner"] if won else "" if result.alive[seat] else self._words["out"]
            row: list[RenderableType] = [self.coloured(self.names[seat])]
            row += [str(points.get((award, seat), 0)) for award in awards]
            row += [str(result.scores[seat])] if scored else []
            row += [values[seat] for _, values in extra]
            table.add_row(*row, Text(note, "bold green" if won else "dim"))
        self.lines([GameLogLine("round", self._words["result"])])
        self.console.print()
        self.console.print(table)
        self.console.print()
        numbers = [sum(1 << seat for seat in result.winners)]
        if result.name:
            numbers.append(outcomes(self.program).index(result.name))
        kind = "ended" if self.program.next_game is None else "series-ended"
        self.sentence(sentence(self.narrator.line(Event(kind, tuple(numbers), (), -1, -1, -1))))


# ---- Draw a seat's table: numbers of all players side by side, then the contents of zones
#
# The first drawing shows everything, in the groups of the pack's layout. Later ones are short: what has
# changed since the seat's last drawing, and what the question needs. Parts that hold nothing are left out,
# unless they have just become empty; in short drawings also rows in which no player has anything any more,
# and the reader's own empty zones.
#
# Marks show visibility: `Glyphs.only` follows a number or zone that is hidden from all others, and `?`
# replaces one that is hidden from the reader; everything else is public. Equal values of a track that
# remembers arrival are followed by their order of arrival.

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
