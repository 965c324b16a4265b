"""How a game is told in the terminal: its title, its log, its result. Any pack, any width from 60 columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from interpreter.event import Event
from interpreter.narrate import Narrator, sentence
from interpreter.view import Result, View
from ruleset.table import TableProgram
from tools.chronicle import Line

KERNEL_KEYS = ("in-game", "winner", "living")
"""Tracks and lists of the kernel that are shown as what they mean, if at all."""
_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
_WORDS = {
    "en": {
        "players": "{n} players", "seed": "seed {n}", "game": "game {n}", "total": "Total",
        "out": "out of the game", "winner": "winner", "result": "Final scores",
    },
    "es": {
        "players": "{n} jugadores", "seed": "semilla {n}", "game": "partida {n}", "total": "Total",
        "out": "fuera de la partida", "winner": "gana", "result": "Puntuación final",
    },
}  # fmt: skip


def console() -> Console:
    """Standard output, which shows text as it is."""
    return Console(highlight=False, emoji=False, markup=False)


class Screen:
    """Where a game is told, in the words of a narrator."""

    def __init__(self, narrator: Narrator, on: Console | None = None) -> None:
        self.console = on or console()
        self.narrator = narrator
        self.program: TableProgram = narrator.program
        self._words = _WORDS[narrator.language]
        self.names = [str(narrator.who(seat)["seat"]) for seat in range(self.program.seats)]

    def title(self, seed: int, game: int, about: str | None) -> None:
        """What is played."""
        name = self.narrator.texts.name(self.narrator.language, "pack", self.program.pack) or self.program.pack
        facts = [self._words["players"].format(n=self.program.seats), self._words["seed"].format(n=seed)]
        facts += [self._words["game"].format(n=game)] if game else []
        facts += [f"{key}: {value}" for key, value in self.program.options]
        head = Text.assemble((f"{name} {self.program.version}", "bold"), (" · " + " · ".join(facts), "dim"))
        self.console.print(head)
        if about:
            self.console.print(Text(about, "italic"))

    def lines(self, lines: Iterable[Line]) -> None:
        """The log goes on."""
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
        """One line of the log; what does not fit stands indented below it."""
        names = "|".join(re.escape(name) for name in self.names)
        text = re.sub(rf"\([^()]{{1,24}}\)|{names}", lambda found: found[0].replace(" ", "\u00a0"), text)
        wrapped = textwrap.fill(
            text, max(self.console.width, 40), initial_indent="  ", subsequent_indent="      ",
            break_on_hyphens=False, break_long_words=False,
        )  # fmt: skip
        self.console.print(self.coloured(wrapped.replace("\u00a0", " ")), soft_wrap=True)

    def command(self, text: str, command: str) -> None:
        """Something to type, on a line of its own that can be copied."""
        self.console.print(Text.assemble(f"  {text} ", (command, "bold")), soft_wrap=True)

    def coloured(self, text: str) -> Text:
        """Text in which each seat has its colour."""
        shown = Text(text)
        for seat, name in enumerate(self.names):
            shown.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", _COLOURS[seat % len(_COLOURS)])
        return shown

    # -------------------------------------------------------------- the result

    def result(self, result: Result, events: Sequence[Event], views: Sequence[View]) -> None:
        """Points by award, what else each player has as far as the views show it, who has won."""
        awards, points = _awards(events)
        scored = bool(awards) or any(result.scores)
        extra = self._extra(views)
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        table.add_column("")
        for at in awards.values():
            table.add_column(self._award(at), justify="right", vertical="bottom", max_width=18)
        if scored:
            table.add_column(self._words["total"], justify="right", style="bold")
        for name, _ in extra:
            table.add_column(name, justify="right")
        table.add_column("")
        for seat in range(self.program.seats):
            won = seat in result.winners
            note = self._words["winner"] if won else "" if result.alive[seat] else self._words["out"]
            row: list[RenderableType] = [self.coloured(self.names[seat])]
            row += [str(points.get((award, seat), 0)) for award in awards]
            row += [str(result.scores[seat])] if scored else []
            row += [values[seat] for _, values in extra]
            table.add_row(*row, Text(note, "bold green" if won else "dim"))
        self.lines([Line("round", self._words["result"])])
        self.console.print()
        self.console.print(table)
        self.console.print()
        mask = sum(1 << seat for seat in result.winners)
        self.sentence(sentence(self.narrator.line(Event("ended", (mask,), (), -1, -1, -1))))

    def _award(self, at: int) -> str:
        return self.narrator.name("award", self.program.sources[at].name, 1)

    def _extra(self, views: Sequence[View]) -> list[tuple[str, list[str]]]:
        """Numbers of each player that tell something: not those that are nought for everybody."""
        found = []
        for tracks in zip(*(view.tracks for view in views), strict=True):
            track = tracks[0]
            if track.scope == ("player",) and track.key not in (*KERNEL_KEYS, "score"):
                known = [[one.values[seat] for one in tracks] for seat in range(self.program.seats)]
                values = [str(next((v for v in seen if v is not None), "?")) for seen in known]
                if any(value not in ("0", "?") for value in values):
                    found.append((noun(self.narrator, "track", track.key), values))
        return found


def noun(narrator: Narrator, thing: str, key: str) -> str:
    """A name for a heading: many of it, without number or article, with a capital."""
    name = narrator.name(thing, key, 2)
    first, _, rest = name.partition(" ")
    if rest and (first == "2" or (thing == "zone" and first in ("el", "la", "los", "las"))):
        name = rest
    return name[:1].upper() + name[1:]


def _awards(events: Sequence[Event]) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """The awards in their order, each with its source; points by award and seat."""
    awards: dict[int, int] = {}
    points: dict[tuple[int, int], int] = {}
    for event in events:
        if event.kind == "scored":
            award, seat, scored = event.numbers[:3]
            awards.setdefault(award, event.at)
            points[award, seat] = points.get((award, seat), 0) + scored
    return awards, points
