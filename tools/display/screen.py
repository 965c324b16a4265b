"""Show a game in the terminal: its title, log, and result.

Works for any pack and any width from 60 columns.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from io import TextIOWrapper

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
from rulewright.tools.display.table_content import KERNEL_KEYS

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


_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
_ROOM = 72
"""The width of a terminal from which the final scores fit, one player on one line."""
_WORDS = {
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
        self._words = _WORDS[narrator.language]
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
        """Return the colour of a seat."""
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
