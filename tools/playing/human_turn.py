"""A person's turn at the terminal: the table, the question, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from shlex import quote

from attrs import frozen
from rich.text import Text

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.names import sentence
from rulewright.interpreter.views.view import View, view
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.display.game_log import Line
from rulewright.tools.display.position import Position, phases_of
from rulewright.tools.display.screen import Screen
from rulewright.tools.display.table_view import draw, draw_zone, heading
from rulewright.tools.packs.naming import Naming
from rulewright.tools.playing.answer_parser import Unclear, understand
from rulewright.tools.playing.decision_prompt import DecisionPrompt
from rulewright.tools.playing.needed import needed
from rulewright.tools.playing.shown import Shown
from rulewright.tools.playing.why_not import Why

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
        "no-page": "{text}: no option, card or place has this name.",
        "memory": (
            "“You remember” lists cards that you have seen go there and that must still be there. "
            "rulewright play --no-memory leaves them out."
        ),
        "help": (
            "Type the number of an option, or the beginning of its name. To choose several, type numbers and "
            "ranges (1 3 3, or 2-4), or all. Enter chooses none.\n"
            "  ? 3        everything about option 3; ? NAME: about a card\n"
            "  why        what you cannot choose here, and why; why NAME: about one thing\n"
            "  v          the whole table; v NAME: all cards of one place\n"
            "  l          the log of this round; l all: the whole log\n"
            "  u          take back your last answer\n"
            "  s          save; s FILE: save in another file\n"
            "  q          save and stop\n"
            "The table shows what has changed since your last decision and what the question needs.\n"
            "For authors of packs: the id of this question is {choice}."
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
        "no-page": "{text}: ninguna opción, carta ni lugar se llama así.",
        "memory": (
            "«Recuerdas» enumera cartas que has visto ir a ese lugar y que tienen que seguir ahí. "
            "rulewright play --no-memory no las muestra."
        ),
        "help": (
            "Escribe el número de una opción o el comienzo de su nombre. Para elegir varias, escribe números e "
            "intervalos (1 3 3, o 2-4), o todas. Intro no elige ninguna.\n"
            "  ? 3        todo sobre la opción 3; ? NOMBRE: sobre una carta\n"
            "  por qué    qué no puedes elegir aquí y por qué; por qué NOMBRE: sobre una cosa\n"
            "  v          toda la mesa; v NOMBRE: todas las cartas de un lugar\n"
            "  l          el registro de esta ronda; l todo: el registro completo\n"
            "  u          deshacer tu última respuesta\n"
            "  s          guardar; s FICHERO: guardar en otro fichero\n"
            "  q          guardar y salir\n"
            "La mesa muestra lo que ha cambiado desde tu última decisión y lo que la pregunta necesita.\n"
            "Para quien escribe paquetes: el identificador de esta pregunta es {choice}."
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

    def __init__(
        self,
        screen: Screen,
        naming: Naming,
        read: Reader | None = None,
        shown: Shown | None = None,
        memory: bool = True,
        several: bool = False,
    ) -> None:
        self.screen = screen
        self.read = read
        self.shown = shown or Shown()
        self.memory = memory
        self.several = several  # whether several people share the terminal
        self.language = screen.narrator.language
        self.words = _WORDS[self.language]
        self.naming = naming

    def called(self, seat: int, first: bool) -> None:
        """Hand the keyboard to a person, and clear what the previous person was shown (none if `first`)."""
        self.shown.sheet = None
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

    def answered(self, game: Game, decision: Decision, only: Sequence[str]) -> str:
        """Say that a question was answered for the person, since it has only this answer; empty for no line."""
        return DecisionPrompt(self.screen, self.naming, game, decision).only(only)

    def ask(self, moment: Moment, error: str = "") -> Reply:
        """Show the table (except after an error), and ask until there is an answer or a command."""
        offer = DecisionPrompt(self.screen, self.naming, moment.game, moment.decision, self.shown.texts)
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
            self.say(self.words["help"].format(choice=offer.decision.choice))
        elif typed.startswith("?"):
            self._page(typed[1:].strip(), moment, offer)
        elif typed == "v":
            self._show(moment, offer, whole=True)
        elif first == "v" and rest:
            if not draw_zone(self.screen, self._view(moment), rest, self.naming.layout):
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

    def _show(self, moment: Moment, offer: DecisionPrompt, whole: bool = False) -> None:
        """Show the table and the question: the whole table, or what has changed and what the question needs."""
        seat, last = moment.decision.seat, self.shown.sheet
        seen = self._view(moment)
        short = last is not None and not whole
        if not short or self.several:
            heading(self.screen, self.words["turn"].format(seat=self.screen.names[seat]))
        elif moment.position != self.shown.position and not _headed(moment):
            self.screen.console.print()
        if not short or (moment.position != self.shown.position and not _headed(moment)):
            self._where(moment)
        self.shown.position = moment.position
        others = [
            self.words["chosen"].format(name=self.screen.names[one.seat])
            if one.answered
            else self.screen.names[one.seat]
            for one in seen.asked
            if one.seat != seat
        ]
        if others:
            self.screen.hanging(self.words["also"].format(names=", ".join(others)), indent=2)
        needs = needed(moment.game, offer.decision) if short else None
        functions = self.naming.functions(moment.game.program)
        figures = functions.values(moment.game.state, seat) if functions is not None else None
        drawn = draw(self.screen, seen, self.naming.layout, last, needs, figures)
        self.shown.sheet = drawn.sheet
        if drawn.remembers and not self.shown.memory:
            self.shown.memory = True
            self.screen.console.print()
            self.say(self.words["memory"], "dim")
        offer.show(self.words["hint"])

    def _view(self, moment: Moment) -> View:
        """Return what the seat sees, with or without the cards that it only remembers."""
        game, seat = moment.game, moment.decision.seat
        if self.memory:
            return game.view(seat)
        nothing = Knowledge((0,) * len(game.program.cards), ())
        return view(game.program, game.state, nothing, seat)

    def _where(self, moment: Moment) -> None:
        """Print the round and its phases, with the current one highlighted."""
        position, glyphs = moment.position, self.screen.glyphs
        line = Text(position.title, "bold")
        phases = phases_of(self.screen.program, position.round)
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
        if typed.isascii() and typed.isdigit() and int(typed) in offer.numbers:
            self.say("\n".join(map(harmless, offer.full(int(typed)))))
            return
        pages = offer.told.named(typed)
        if not pages:
            self.say(self.words["no-page"].format(text=typed), "red")
        for page in pages:
            self.say("\n".join(map(harmless, offer.told.page(page))))


def _headed(moment: Moment) -> bool:
    """Whether the log has just shown the position as its heading, with no phase to add."""
    heads = [line.text for line in moment.log if line.sort == "round"]
    return not moment.position.phase and heads[-1:] == [moment.position.title]


def _last_round(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines from the last heading of a round."""
    heads = [number for number, line in enumerate(lines) if line.sort == "round"]
    return lines[heads[-1] :] if heads else lines


def command_line(file: str, seats: tuple[str, ...], language: str) -> str:
    """Return the command that continues a saved game."""
    spoken = f" --lang {language}" if language != "en" else ""
    return f"rulewright play --resume {quote(file)} --seats {','.join(seats)}{spoken}"
