"""A person's turn at the terminal: the table as their seat sees it, what is asked, and an answer or a command."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from shlex import quote

from rich.text import Text

from interpreter.decision import Decision
from interpreter.game import Game
from ruleset.table import TableProgram
from tools.answers import Unclear, understand
from tools.labels import labels
from tools.table_view import draw, heading
from tools.terminal import Screen
from tools.texts import PackTexts

_WORDS = {
    "en": {
        "turn": " {seat}, it is your decision ",
        "pass": " {seat} decides next: press Enter when only {seat} can see the screen ",
        "hint": "? for help",
        "one": "Choose one",
        "optional": "Choose one, or none with Enter",
        "several": "Choose {least}",
        "range": "Choose {least} to {most}",
        "any": "Choose up to {most}, or none with Enter",
        "help": (
            "Type the number of an option, or the beginning of its name.\n"
            "Where several may be chosen: numbers and ranges, as in 1 3 3 or 2-4; all; or Enter for none.\n"
            "v  show the table again      u  take back your last answer\n"
            "s  save (s FILE)             q  save and stop"
        ),
    },
    "es": {
        "turn": " {seat}, te toca decidir ",
        "pass": " Ahora decide {seat}: pulsa Intro cuando solo {seat} vea la pantalla ",
        "hint": "? para ayuda",
        "one": "Elige una opción",
        "optional": "Elige una opción, o ninguna con Intro",
        "several": "Elige {least}",
        "range": "Elige de {least} a {most}",
        "any": "Elige hasta {most}, o ninguna con Intro",
        "help": (
            "Escribe el número de una opción, o el comienzo de su nombre.\n"
            "Donde se pueden elegir varias: números e intervalos, como 1 3 3 o 2-4; todas; o Intro para ninguna.\n"
            "v  mostrar otra vez la mesa      u  deshacer tu última respuesta\n"
            "s  guardar (s FICHERO)           q  guardar y terminar"
        ),
    },
}


class Command(Enum):
    """What a person may want other than to answer."""

    UNDO = "u"
    SAVE = "s"
    QUIT = "q"


Reply = list[str] | tuple[Command, str]


class Person:
    """The one who answers for a seat. `notes` tell copies of cards apart; see `labels`."""

    def __init__(self, screen: Screen, texts: PackTexts, notes: Mapping[str, str]) -> None:
        self.screen = screen
        self.language = screen.narrator.language
        self.words = _WORDS[self.language]
        self.texts = texts
        self.notes = notes

    def called(self, seat: int) -> None:
        """Lets another person take the keyboard before anything is shown."""
        who = self.screen.names[seat]
        heading(self.screen, self.words["pass"].format(seat=who))
        self._read("")
        self.screen.console.clear()

    def ask(self, game: Game, decision: Decision, error: str = "") -> Reply:
        """Shows the table (not again after an error) and asks until there is an answer or a command."""
        named = labels(decision, self.screen.narrator, self.notes)
        if error:
            self.say(error, "red")
        else:
            self._show(game, decision, named)
        while True:
            typed = self._read("> ").strip()
            first, _, rest = typed.partition(" ")
            if first in ("u", "q") and not rest:
                return Command(first), ""
            if first == "s":
                return Command.SAVE, rest.strip()
            if typed in ("?", "h", "help"):
                self.say(self.words["help"])
                self._cards(decision)
            elif typed == "v":
                self._show(game, decision, named)
            else:
                try:
                    return understand(typed, decision, named, self.language)
                except Unclear as unclear:
                    self.say(str(unclear), "red")

    def say(self, text: str, style: str = "") -> None:
        """A message to the person."""
        self.screen.console.print(Text(text, style))

    def _read(self, prompt: str) -> str:
        return self.screen.console.input(Text(prompt, "bold"))

    def _show(self, game: Game, decision: Decision, named: list[str]) -> None:
        heading(self.screen, self.words["turn"].format(seat=self.screen.names[decision.seat]))
        draw(self.screen, game.view(decision.seat))
        site = game.program.sites[decision.site]
        texts = dict(site.prompt)
        asked = texts.get(self.language) or next(iter(texts.values()), None)
        console = self.screen.console
        console.print()
        bounds = self._bounds(decision)
        source = game.program.sources[decision.at].name
        step = self.texts.text(self.language, source)
        if asked or step:
            bounds = f"{asked or step} · {bounds[:1].lower()}{bounds[1:]}"
        console.print(Text.assemble((bounds, "bold"), (f"  ({decision.choice} · {self.words['hint']})", "dim")))
        width = len(str(len(named)))
        for number, (option, label) in enumerate(zip(decision.options, named, strict=True), 1):
            times = f"  ×{option.count}" if option.count > 1 else ""
            console.print(Text.assemble((f"  {number:>{width}} ", "bold cyan"), label, (times, "dim")))

    def _bounds(self, decision: Decision) -> str:
        least, most = decision.least, decision.most
        if most == 1:
            return self.words["one" if least else "optional"]
        kind = "several" if least == most else "range" if least else "any"
        return self.words[kind].format(least=least, most=most)

    def _cards(self, decision: Decision) -> None:
        """What is printed on the cards that are offered."""
        program, shown = self.screen.program, set()
        cards = {card.key: card for card in program.cards}
        for option in decision.options:
            for part in option.key.replace(":", ",").split(","):
                card = cards.get(part.split("@")[0].split("+")[0])
                if card is None or card.definition in shown:
                    continue
                shown.add(card.definition)
                printed = self.texts.text(self.language, f"{card.kind}/{card.definition}.text")
                if printed:
                    self.say(f"{self.screen.narrator.name('card', card.key, 1)}: {printed}", "italic")


def command_line(program: TableProgram, file: str, seats: tuple[str, ...], language: str, pack: str | None) -> str:
    """How to go on with a saved game."""
    parts = [
        "rulewright play",
        *([quote(pack)] if pack else []),
        "--resume",
        quote(file),
        "--seats",
        ",".join(seats),
    ]
    if language != "en":
        parts += ["--lang", language]
    assert len(seats) == program.seats
    return " ".join(parts)
