"""A person's turn at the terminal: the table, the question, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from shlex import quote

from attrs import define, field, frozen
from rich.text import Text

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.events import cards_seen
from rulewright.interpreter.views.decision import Decision, only_answer
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.names import sentence
from rulewright.interpreter.views.view import View, view
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import Ask, Cell, Const, Site, TableProgram
from rulewright.tools.display.decision_texts import DecisionTexts
from rulewright.tools.display.game_log import GameLogLine, Position, phases_of
from rulewright.tools.display.screen import Screen, draw, draw_zone, heading
from rulewright.tools.display.table_content import TableContent
from rulewright.tools.packs.naming import Naming
from rulewright.tools.playing.answer_parser import Unclear, Why, numbers_of, understand

# ---- Show a decision to a person: the question, the numbered options, and their effects

FEW = 4
"""In longer lists a text that the person has already seen is cut to one line."""
BRIEF = 12
"""In longer lists the text of an option is shown only the first time."""
_PROMPT_WORDS = {
    "en": {
        "one": "Choose one",
        "optional": "Choose one, or none with Enter",
        "several": "Choose {least}",
        "range": "Choose {least} to {most}",
        "any": "Choose up to {most}{such}, or none with Enter",
        "all": "Choose up to {most}{such}, all with “all”, or none with Enter",
        "such": " (such as {numbers})",
        "empty": "There is nothing to choose. Press Enter.",
        "single": "There is only one answer. Press Enter.",
        "only": "The only option: {options}.",
        "nothing-there": "There is nothing to choose.",
    },
    "es": {
        "one": "Elige una opción",
        "optional": "Elige una opción, o ninguna con Intro",
        "several": "Elige {least}",
        "range": "Elige de {least} a {most}",
        "any": "Elige hasta {most}{such}, o ninguna con Intro",
        "all": "Elige hasta {most}{such}, todas con «todas», o ninguna con Intro",
        "such": " (por ejemplo, {numbers})",
        "empty": "No hay nada que elegir. Pulsa Intro.",
        "single": "Solo hay una respuesta. Pulsa Intro.",
        "only": "La única opción: {options}.",
        "nothing-there": "No hay nada que elegir.",
    },
}


class DecisionPrompt:
    """One decision, as shown to a person."""

    def __init__(
        self, screen: Screen, naming: Naming, game: Game, decision: Decision, texts: set[str] | None = None
    ) -> None:
        self.texts = texts if texts is not None else set()
        """The texts of options that this person has already seen in full."""
        self.screen = screen
        self.told = DecisionTexts(screen.narrator, naming, game, decision)
        self.decision = self.told.decision
        self.labels = self.told.labels
        self.words = _PROMPT_WORDS[self.told.language]
        self.numbers = numbers_of(self.decision.options, self.labels)

    def show(self, hint: str) -> None:
        """Print the question and its options."""
        console = self.screen.console
        question, bounds = harmless(self.told.question()), self._bounds()
        if question and only_answer(self.decision) is not None:
            bounds = f"{question[:1].upper()}{question[1:]} {bounds}"
        elif question:
            bounds = (
                f"{question[:1].upper()}{question[1:]} {self.screen.glyphs.dot} {bounds[:1].lower()}{bounds[1:]}"
            )
        console.print()
        if len(bounds) + len(hint) + 4 <= console.width:
            console.print(Text.assemble((bounds, "bold"), (f"  ({hint})", "dim")))
        else:
            self.screen.hanging(bounds, indent=2, style="bold")
            self.screen.hanging(f"  ({hint})", indent=2, style="dim")
        width = max((len(str(number)) for number in self.numbers), default=1)
        brief, before = len(self.labels) <= BRIEF, ""
        for number, option, label in zip(self.numbers, self.decision.options, self.labels, strict=True):
            times = f"  {self.screen.glyphs.times}{option.count}" if option.count > 1 else ""
            console.print(Text.assemble((f"  {number:>{width}} ", "bold cyan"), label, (times, "dim")))
            does = self.told.brief(option)
            if does and does != before and (does not in self.texts or len(self.labels) <= FEW):
                self.texts.add(does)
                self.screen.hanging(" " * (width + 5) + does, width + 5, "dim")
            elif does and does != before and brief:
                line = Text(" " * (width + 5) + does, "dim")
                line.truncate(console.width, overflow="ellipsis" if self.screen.glyphs.times == "×" else "crop")
                console.print(line, no_wrap=True)
            before = does

    def only(self, answer: Sequence[str]) -> str:
        """Say that the question has been answered with the only answer that it has.

        Empty if the pack wants no line about this option, or if it has no words for a question without options.
        """
        branches = [self.told.branch(option) for option in self.decision.options if option.key in answer]
        texts = self.screen.narrator.texts
        logs = [texts.name(self.told.language, "log", f"{self.told.site.key}.{one.key}") for one in branches if one]
        if logs == [""]:
            return ""
        question = harmless(self.told.question())
        if not answer and self.told.site.prompt and not question.strip():
            return ""
        chosen = [
            label for option, label in zip(self.decision.options, self.labels, strict=True) if option.key in answer
        ]
        told = self.words["only" if chosen else "nothing-there"].format(options=", ".join(chosen))
        return f"{question[:1].upper()}{question[1:]} {told}" if question else told

    def full(self, number: int) -> list[str]:
        """Return everything known of the option with a number."""
        return self.told.full(self.numbers.index(number))

    def _bounds(self) -> str:
        least, most = self.decision.least, self.decision.most
        only = only_answer(self.decision)
        if only is not None:
            return self.words["single" if only else "empty"]
        if most == 1:
            return self.words["one" if least else "optional"]
        counts = [option.count for option in self.decision.options]
        every = "all" if most == sum(counts) else "any"
        copies = next((number for number, count in zip(self.numbers, counts, strict=True) if count > 1), None)
        such = "" if copies is None else self.words["such"].format(numbers=f"{copies} {copies}")
        kind = "several" if least == most else "range" if least else every
        return self.words[kind].format(least=least, most=most, such=such)


# ---- The parts of the table that are shown beside a question, even if they have not changed
#
# These are the zones of the cards among the options; the piles of definitions among them; the numbers that
# decide what is offered; the players' numbers if players are among the options; and the reader's own hidden
# cards.

def needed(game: Game, decision: Decision) -> frozenset[str]:
    """Return keys of parts (`table_content.Part.key`), or of the zones and tracks all of whose parts are needed.

    `decision` contains the raw values of its options.
    """
    program, site = game.program, game.program.sites[decision.site]
    found = set(_own(program, decision.seat))
    found.update(_tracks_read(program, decision.site))
    places, state = program.layout.places, game.state
    for of, value in _members(site, decision):
        if of == "card":
            zone = state[places + value] if value >= 0 else -1
            found.update({f"line/{program.zones[zone].key}"} if zone >= 0 else ())
        elif of in ("seat", "player"):
            found.update(track.key for track in program.tracks if track.scope == ("player",))
            found.update(f"row/{zone.zone}" for zone in program.zones if zone.owner >= 0)
        else:
            found.update(track.key for track in program.tracks if of in track.scope)
            found.update(zone.zone for zone in program.zones if _is_of(program, zone.key, zone.zone, of))
    return frozenset(found)


def _members(site: Site, decision: Decision) -> Iterator[tuple[str, int]]:
    """Yield the type and raw value of everything among the options."""
    for option in decision.options:
        for value in option.values:
            if site.of != "menu":
                yield site.of, value
                continue
            branch, members = unfold(site, value)
            yield from zip(site.branches[branch].members, members, strict=True)


def _own(program: TableProgram, seat: int) -> Iterable[str]:
    """Return the lines of the seat's zones that it alone sees."""
    return (f"line/{zone.key}" for zone in program.zones if zone.owner == seat and cards_seen(zone) == 1 << seat)


def _is_of(program: TableProgram, key: str, zone: str, kind: str) -> bool:
    """Whether a zone belongs to a definition of this kind."""
    member = key.removeprefix(f"{zone}/")
    return member != key and any(card.definition == member and card.kind == kind for card in program.cards)


def _tracks_read(program: TableProgram, site: int) -> Iterable[str]:
    """Return the tracks that decide what is offered at a site, and how many of it may be chosen."""
    asks = [one.tree.end for one in program.segments]
    reads = {
        constant.value
        for ask in asks
        if isinstance(ask, Ask) and ask.site == site
        for part in (ask.options, ask.least, ask.most)
        for cell in everything(part)
        if isinstance(cell, Cell)
        for constant in everything(cell.address)
        if isinstance(constant, Const)
    }
    return (
        track.key
        for track in program.tracks
        if any(track.address <= address < track.address + track.count for address in reads)
    )


# ---- What a person has been shown so far, so that it need not be shown again

@define
class ShownBefore:
    """What the person at one seat has seen: the last table, and what was explained.

    Without a table the next drawing is a full one.
    """

    sheet: TableContent | None = None
    position: Position | None = None
    memory: bool = False
    """Whether remembered cards have been explained."""
    texts: set[str] = field(factory=set)
    """The texts of options that have been shown in full."""


# ---- Human turn

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
class HumanDecision:
    """A person's decision: the game, the position in it, and all lines of the log so far."""

    game: Game
    decision: Decision
    position: Position
    log: Sequence[GameLogLine]


class Person:
    """A person who answers for a seat."""

    def __init__(
        self,
        screen: Screen,
        naming: Naming,
        read: Reader | None = None,
        shown: ShownBefore | None = None,
        memory: bool = True,
        several: bool = False,
    ) -> None:
        self.screen = screen
        self.read = read
        self.shown = shown or ShownBefore()
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

    def ask(self, moment: HumanDecision, error: str = "") -> Reply:
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

    def _told(self, typed: str, moment: HumanDecision, offer: DecisionPrompt) -> bool:
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

    def _why(self, moment: HumanDecision, offer: DecisionPrompt) -> Why:
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

    def _show(self, moment: HumanDecision, offer: DecisionPrompt, whole: bool = False) -> None:
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

    def _view(self, moment: HumanDecision) -> View:
        """Return what the seat sees, with or without the cards that it only remembers."""
        game, seat = moment.game, moment.decision.seat
        if self.memory:
            return game.view(seat)
        nothing = Knowledge((0,) * len(game.program.cards), ())
        return view(game.program, game.state, nothing, seat)

    def _where(self, moment: HumanDecision) -> None:
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

    def _page(self, typed: str, moment: HumanDecision, offer: DecisionPrompt) -> None:
        """Print all about an option, by number, or about a card, by the start of its name."""
        if typed.isascii() and typed.isdigit() and int(typed) in offer.numbers:
            self.say("\n".join(map(harmless, offer.full(int(typed)))))
            return
        pages = offer.told.named(typed)
        if not pages:
            self.say(self.words["no-page"].format(text=typed), "red")
        for page in pages:
            self.say("\n".join(map(harmless, offer.told.page(page))))


def _headed(moment: HumanDecision) -> bool:
    """Whether the log has just shown the position as its heading, with no phase to add."""
    heads = [line.text for line in moment.log if line.sort == "round"]
    return not moment.position.phase and heads[-1:] == [moment.position.title]


def _last_round(lines: Sequence[GameLogLine]) -> Sequence[GameLogLine]:
    """Return the lines from the last heading of a round."""
    heads = [number for number, line in enumerate(lines) if line.sort == "round"]
    return lines[heads[-1] :] if heads else lines


def command_line(file: str, seats: tuple[str, ...], language: str) -> str:
    """Return the command that continues a saved game."""
    spoken = f" --lang {language}" if language != "en" else ""
    return f"rulewright play --resume {quote(file)} --seats {','.join(seats)}{spoken}"
