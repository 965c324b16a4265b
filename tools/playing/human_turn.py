"""A person's turn at the terminal: the table as seen by their seat, the question, and an answer or a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from shlex import quote

from attrs import frozen
from rich.text import Text

from interpreter.game.game import Game
from interpreter.views.decision import Decision
from interpreter.views.names import sentence
from ruleset.common.terminal_text import harmless
from ruleset.table.nodes import TableProgram
from tools.display.game_log import Line, Position
from tools.display.screen import Screen
from tools.display.table_view import draw, draw_zone, heading
from tools.packs.naming import Naming
from tools.playing.answer_parser import Unclear, understand
from tools.playing.decision_prompt import DecisionPrompt
from tools.playing.why_not import Why

_WORDS = {
    "en": {
        "turn": " {seat}, it is your decision ",
        "pass": " {seat} decides next ",
        "hand-over": "Hand the keyboard to {seat}, and press Enter when only {seat} can see the screen.",
        "missed": "Since your last decision:",
        "hint": "? for help",
        "also": "Asked at the same time: {names}.",
        "chosen": "{name} (has chosen)",
        "phase": "phase {n} of {of}",
        "no-page": "{text}: there is no such option, card or place.",
        "help": (
            "Type the number of an option, or the beginning of its name.\n"
            "Where several may be chosen: numbers and ranges, as in 1 3 3 or 2-4; all; or Enter for none.\n"
            "  ? 3        all about an option; ? NAME about a card\n"
            "  why        what is not offered here, and why; why NAME about one thing\n"
            "  v          show the table again; v NAME one place with all its cards\n"
            "  l          the log of this round again; l all from the beginning\n"
            "  u          take back your last answer\n"
            "  s          save; s FILE under another name\n"
            "  q          save and stop"
        ),
    },
    "es": {
        "turn": " {seat}, te toca decidir ",
        "pass": " Ahora decide {seat} ",
        "hand-over": "Pasa el teclado a {seat}, y pulsa Intro cuando solo {seat} vea la pantalla.",
        "missed": "Desde tu última decisión:",
        "hint": "? para ayuda",
        "also": "Deciden al mismo tiempo: {names}.",
        "chosen": "{name} (ya ha elegido)",
        "phase": "fase {n} de {of}",
        "no-page": "{text}: no hay tal opción, carta ni lugar.",
        "help": (
            "Escribe el número de una opción, o el comienzo de su nombre.\n"
            "Donde se pueden elegir varias: números e intervalos, como 1 3 3 o 2-4; todas; o Intro para ninguna.\n"
            "  ? 3        todo sobre una opción; ? NOMBRE sobre una carta\n"
            "  why        qué no se ofrece aquí y por qué (también: por qué); why NOMBRE sobre una cosa\n"
            "  v          mostrar otra vez la mesa; v NOMBRE un lugar con todas sus cartas\n"
            "  l          otra vez el relato de esta ronda; l all desde el principio\n"
            "  u          deshacer tu última respuesta\n"
            "  s          guardar; s FICHERO con otro nombre\n"
            "  q          guardar y terminar"
        ),
    },
}
_WHY = ("por qué", "por que", "porqué", "porque", "why")


class Command(Enum):
    """What a person can type instead of an answer."""

    UNDO = "u"
    SAVE = "s"
    QUIT = "q"


Reply = list[str] | tuple[Command, str]
Reader = Callable[[Screen, Text], str]
"""Reads a line typed after a prompt."""


@frozen
class Moment:
    """A person's decision: the game, the position in it, and all lines of the log so far."""

    game: Game
    decision: Decision
    position: Position
    log: Sequence[Line]


class Person:
    """A person who answers for a seat."""

    def __init__(self, screen: Screen, naming: Naming, read: Reader | None = None) -> None:
        self.screen = screen
        self.read = read
        self.language = screen.narrator.language
        self.words = _WORDS[self.language]
        self.naming = naming

    def called(self, seat: int, first: bool) -> None:
        """Hand the keyboard to a person, and clear what the previous person was shown (none if `first`)."""
        who = self.screen.names[seat]
        if not first:
            self.screen.clear()
        heading(self.screen, self.words["pass"].format(seat=who))
        self.screen.console.print()
        self.say(self.words["hand-over"].format(seat=who))
        self._read("> ")
        if not first:
            self.screen.clear()

    def back(self) -> None:
        """Introduce what has happened since this person's last decision."""
        self.say(self.words["missed"], "dim")

    def ask(self, moment: Moment, error: str = "") -> Reply:
        """Show the table (except after an error), and ask until there is an answer or a command."""
        offer = DecisionPrompt(self.screen, self.naming, moment.game, moment.decision)
        if error:
            self.say(harmless(error), "red")
        else:
            self._show(moment, offer)
        while True:
            typed = self._read("> ").strip()
            first, _, rest = typed.partition(" ")
            if first in ("u", "q") and not rest:
                return Command(first), ""
            if first == "s":
                return Command.SAVE, rest.strip()
            if not self._told(typed, moment, offer):
                try:
                    return understand(typed, moment.decision, offer.labels, self.language)
                except Unclear as unclear:
                    self.say(str(unclear), "red")
                    self._why(moment, offer).refused(typed)

    def _told(self, typed: str, moment: Moment, offer: DecisionPrompt) -> bool:
        """Show the requested information; return False if none was requested."""
        first, _, rest = typed.partition(" ")
        rest = rest.strip()
        asked = typed.lower().strip("¿? ")
        why = next((word for word in _WHY if asked == word or asked.startswith(f"{word} ")), None)
        if why is not None:
            self._why(moment, offer).show(asked.removeprefix(why).strip())
        elif typed in ("?", "h", "help"):
            self.say(self.words["help"])
        elif typed.startswith("?"):
            self._page(typed[1:].strip(), moment, offer)
        elif typed == "v":
            self._show(moment, offer)
        elif first == "v" and rest:
            if not draw_zone(self.screen, moment.game.view(moment.decision.seat), rest):
                self.say(self.words["no-page"].format(text=rest), "red")
        elif first == "l" and rest in ("", "all", "todo"):
            self.screen.lines(moment.log if rest else _last_round(moment.log))
        else:
            return False
        return True

    def _why(self, moment: Moment, offer: DecisionPrompt) -> Why:
        return Why(self.screen, self.naming, moment.game, moment.decision, offer.labels)

    def say(self, text: str, style: str = "") -> None:
        """Print a message to the person."""
        for line in text.split("\n"):
            self.screen.hanging(line, len(line) - len(line.lstrip()) + 2, style)

    def _read(self, prompt: str) -> str:
        shown = Text(prompt, "bold")
        try:
            return self.read(self.screen, shown) if self.read is not None else self.screen.console.input(shown)
        except OSError as error:  # the terminal is gone
            raise EOFError from error

    def _show(self, moment: Moment, offer: DecisionPrompt) -> None:
        seat = moment.decision.seat
        view = moment.game.view(seat)
        heading(self.screen, self.words["turn"].format(seat=self.screen.names[seat]))
        self._where(moment)
        others = [
            self.words["chosen"].format(name=self.screen.names[one.seat])
            if one.answered
            else self.screen.names[one.seat]
            for one in view.asked
            if one.seat != seat
        ]
        if others:
            self.screen.hanging(self.words["also"].format(names=", ".join(others)), indent=2)
        draw(self.screen, view, self.naming.layout)
        offer.show(self.words["hint"])

    def _where(self, moment: Moment) -> None:
        """Print the round and its phases, with the current one highlighted."""
        position, glyphs = moment.position, self.screen.glyphs
        line = Text(position.title, "bold")
        phases = _phases(self.screen.program, position.round)
        if position.phase in phases:
            names = [sentence(self.screen.narrator.name("step", name, 1))[:-1] for name in phases]
            now = phases.index(position.phase)
            chain = Text(f" {glyphs.dot} ")
            for number, name in enumerate(names):
                chain.append(f" {glyphs.arrow} " if number else "", "dim")
                chain.append(f"[{name}]" if number == now else name, "bold" if number == now else "dim")
            if len(line) + len(chain) > self.screen.console.width:
                count = self.words["phase"].format(n=now + 1, of=len(phases))
                chain = Text(f" {glyphs.dot} {names[now]} {glyphs.dot} {count}")
            line.append_text(chain)
        self.screen.console.print(line)

    def _page(self, typed: str, moment: Moment, offer: DecisionPrompt) -> None:
        """Print all about an option, by number, or about a card, by the start of its name."""
        if typed.isdigit() and 1 <= int(typed) <= len(offer.labels):
            self.say("\n".join(map(harmless, offer.full(int(typed)))))
            return
        pages = offer.named(typed)
        if not pages:
            self.say(self.words["no-page"].format(text=typed), "red")
        for page in pages:
            self.say("\n".join(map(harmless, offer.page(page))))


def _phases(program: TableProgram, round_: str) -> list[str]:
    """Return the phases of a round, in order: the sources between its own and the next round's."""
    found: list[str] = []
    inside = False
    for source in program.sources:
        if source.name.startswith("round/"):
            inside = source.name == round_
        elif inside and source.name.startswith("phase/") and source.name not in found:
            found.append(source.name)
    return found


def _last_round(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines from the last heading of a round."""
    heads = [number for number, line in enumerate(lines) if line.sort == "round"]
    return lines[heads[-1] :] if heads else lines


def command_line(program: TableProgram, file: str, seats: tuple[str, ...], language: str, pack: str | None) -> str:
    """Return the command that continues a saved game."""
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
