"""Play one game in the terminal: bots and people answer, the log is shown, and nothing played is lost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from shlex import quote
from typing import Protocol, TypeVar

from attrs import define, field
from rich.text import Text

from rulewright.interpreter.backends.policies import AskCount, RankedPlayer
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.game.journal import Journal
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import Decision
from rulewright.tools.common.errors import CLEAN, FINDINGS, INTERRUPTED, Failure, Usage
from rulewright.tools.common.player_messages import problem
from rulewright.tools.common.seats import bots_of, searches
from rulewright.tools.common.signals import Stopped, deafen, silence, stopping
from rulewright.tools.display.game_log import Chronicle, GameLogLine
from rulewright.tools.display.screen import Screen
from rulewright.tools.packs.naming import Naming
from rulewright.tools.playing.course import Course
from rulewright.tools.playing.human_turn import Command, HumanDecision, Person, ShownBefore, command_line
from rulewright.tools.playing.save_file import Keeper, OtherContent, fresh_name, kept_at

# ------------------------------------------------------------------ The seats of a game at the terminal

@define
class Seating:
    """The seats (`tools.common.seats`), the language, and what is needed to start the same game again."""

    seats: tuple[str, ...]
    language: str
    seed: int
    game: int
    memory: bool = True
    """Whether the table shows cards that a seat does not see but remembers."""

    @property
    def humans(self) -> list[int]:
        """The seats that people play."""
        return [seat for seat, kind in enumerate(self.seats) if kind == "human"]

    @property
    def person_there(self) -> bool:
        """Whether a person plays at a terminal, so that questions can be asked before the game begins."""
        return bool(self.humans) and sys.stdin.isatty()


# ------------------------------------------------------------------ Messages of a session, by language

WORDS = {
    "en": {
        "saved": "Saved in {file}.",
        "resume": "Resume with:",
        "again": "Replay it with:",
        "nothing": "You have no answer to take back.",
        "undone": "Your last answer was taken back.",
        "unsaved": "{why}. The game continues, but your last answers are not saved.",
        "refused": "{why}.",
        "elsewhere": "Type another file, press Enter to try again, or type - to play without saving.",
        "overwrite": "Type yes to overwrite it; anything else keeps it.",
        "agreed": "yes",
        "not-kept": "This game is not being saved: {why}. Type s FILE to save it.",
        "torn": "The last line of {file} is incomplete and was ignored; everything before it was restored.",
    },
    "es": {
        "saved": "Guardado en {file}.",
        "resume": "Para continuar:",
        "again": "Para verla otra vez:",
        "nothing": "No hay ninguna respuesta tuya que deshacer.",
        "undone": "Se ha deshecho tu última respuesta.",
        "unsaved": "{why}. La partida continúa, pero las últimas respuestas no se han guardado.",
        "refused": "{why}.",
        "elsewhere": "Escribe otro fichero, pulsa Intro para reintentarlo o escribe - para jugar sin guardar.",
        "overwrite": "Escribe sí para sobrescribirlo; con cualquier otra cosa se conserva.",
        "agreed": "sí",
        "not-kept": "Esta partida no se está guardando: {why}. Escribe s FICHERO para guardarla.",
        "torn": "La última línea de {file} está incompleta y se ha descartado; se ha recuperado todo lo anterior.",
    },
}


# ---- The logs of a game at the terminal, one per reader, shown as the game goes on

@define
class Log:
    """The log for one reader, and the number of events shown."""

    chronicle: Chronicle
    screen: Screen
    told: int = 0
    lines: list[GameLogLine] = field(factory=list)


@define
class Telling:
    """The logs shown so far. The reader `None` sees everything."""

    game: Game
    naming: Naming
    language: str
    _logs: dict[int | None, Log] = field(init=False, factory=dict)

    def log(self, reader: int | None) -> Log:
        """Return the log of a reader, which starts at the beginning of the game."""
        if reader not in self._logs:
            chronicle = Chronicle(self.game.program, self.naming.texts, self.language, reader, self.naming.layout)
            self._logs[reader] = Log(chronicle, Screen(chronicle.narrator))
        return self._logs[reader]

    def tell(self, reader: int | None, waiting: bool = False) -> None:
        """Show new events. `waiting`: hold back a line that later events may extend."""
        log = self.log(reader)
        events = self.game.events(since=log.told)
        log.told += len(events)
        lines = log.chronicle.tell(events)
        if not waiting:
            lines += log.chronicle.rest()
        log.lines += lines
        log.screen.lines(lines)

    def note(self, reader: int, text: str) -> None:
        """Show a line about no event."""
        log = self.log(reader)
        lines = log.chronicle.note(text)
        log.lines += lines
        log.screen.lines(lines)

    def anew(self, game: Game, naming: Naming) -> None:
        """Continue with another course of the game; treat its events as shown to all readers so far."""
        self.game, self.naming = game, naming
        for reader in [*self._logs]:
            del self._logs[reader]
            log = self.log(reader)
            events = game.events()
            log.lines += [*log.chronicle.tell(events), *log.chronicle.rest()]
            log.told = len(events)


# ---- Session

Saved = TypeVar("Saved")


class SessionWatch(Protocol):
    """Watches the files of the packs while a person plays (`watch.Watch`)."""

    def read(self, screen: Screen, prompt: Text) -> str: ...
    def asked(self, session: Session, screen: Screen, person: Callable[[], bool]) -> bool: ...


@define
class Session:
    """A game with its players. `run` plays it until it ends or is stopped."""

    game: Game
    seating: Seating
    naming: Naming
    watch: SessionWatch | None = None
    keeper: Keeper = field(factory=Keeper)
    limits: Callable[[], AbstractContextManager[None]] = nullcontext
    """Limits the time of each answer if the rules come from a saved game."""
    unsaved: str = ""
    """The reason why the game is not being saved; empty if it is."""
    refused: str = ""
    """An unwritable file named at the terminal; the person is asked for another."""
    torn: str = ""
    """The file whose partial last line was dropped, if any."""
    course: Course = field(init=False)
    _asked: AskCount = field(init=False)
    """Only bots have a limit of how often a game may ask; people can stop at any time."""
    _open: int = field(init=False, default=0)
    """Number of decisions, opened together, that bots have not yet answered."""
    _telling: Telling = field(init=False)
    _at_keyboard: int = field(init=False, default=-1)
    _words: dict[str, str] = field(init=False)
    _shown: dict[int, ShownBefore] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        seating = self.seating
        self.course = Course(self.game, seating.seats, seating.seed, seating.game)
        self._asked = AskCount(self.game.program)
        self._telling = Telling(self.game, self.naming, self.seating.language)
        self._words = WORDS[self.seating.language]

    @property
    def answers(self) -> int:
        """The number of answers so far."""
        return self.course.answers

    def recall(self, journal: Journal) -> None:
        """Replay a journal, advancing the bots as if the game had never been interrupted."""
        self.course.recall(journal)

    def run(self) -> int:
        """Play the game, and return the exit code."""
        reader = self._reader()
        screen = self._telling.log(reader).screen
        about = self.naming.texts.text(screen.narrator.language, f"pack/{self.game.program.pack}.text")
        book = self.naming.book
        screen.title(self.seating.seed, self.seating.game, about, book.program if book is not None else None)
        with stopping():
            try:
                return self._played(screen, reader)
            except KeyboardInterrupt:
                return self._stop(INTERRUPTED)
            except EOFError:
                return self._stop(CLEAN)
            except Stopped as stopped:
                return self._stop(stopped.code, stopped.hung_up)
            except OSError:  # the terminal may be gone: save what was played
                self.keeper.keep(self.game)
                raise

    def _played(self, screen: Screen, reader: int | None) -> int:
        """Play until the game is over or stopped. Raises Failure if a rule fails.

        Finding the cause of a failure may take seconds, in which a signal may arrive.
        """
        try:
            self._begin(screen)
            while self.game.result is None:
                if not self._step():
                    self._keep()  # a person is there, and may name another file
                    return self._stop(CLEAN)
            self._finish(reader)
        except RuleFault as fault:
            self._telling.tell(reader)
            self.keeper.keep(self.game)
            raise Failure(problem("cannot-go-on", why=self._why(fault)), FINDINGS) from None
        return CLEAN

    def _begin(self, screen: Screen) -> None:
        if self.torn:
            screen.sentence(self._words["torn"].format(file=self.torn))
        try:
            self.keeper.begin(self.game)
        except Usage as failure:
            if self.keeper.file is not None and not self.keeper.file.private:
                if not self.seating.person_there:
                    raise
                self.refused = self.keeper.file.file
                self.keeper.file.close()
            self.keeper.file, self.unsaved = None, failure.told(self.seating.language)
        if self.refused:
            refused = self.refused
            self._elsewhere("refused", self.unsaved, lambda file: self._start_in(file or refused))
        elif self.unsaved:
            screen.sentence(self._words["not-kept"].format(why=self.unsaved))

    # -------------------------------------------------------------- turns

    def _step(self) -> bool:
        """Play one answer; return False if a person wants to stop."""
        decisions = self.game.decisions
        bot = self.course.bot()
        if bot is None:
            if self.watch is None:
                return self._person(decisions[0])
            screen = self._telling.log(decisions[0].seat).screen
            return self.watch.asked(self, screen, lambda: self._person(decisions[0]))
        if not self.seating.humans:
            self._telling.tell(None, waiting=True)
            self._count(decisions)
        self.course.play_bot(bot, self.limits())
        self._keep(sync=False)  # synced before a person is asked; until then bots would repeat the same answers
        return True

    def _why(self, fault: RuleFault) -> str:
        """Describe a fault, and what led to it."""
        seats, language = self.seating.seats, self.seating.language
        if fault.code != "endless" or any(map(searches, seats)):
            return fault.told(language)
        from rulewright.interpreter.game.endless import why_endless

        bots = RankedPlayer(self.game.program, bots_of(seats))
        why = why_endless(self.game.program, self.seating.seed, self.seating.game, bots, language)
        message = fault.spoken.text(language)
        return f"{message}: {why}" if why else message

    def _count(self, decisions: Sequence[Decision]) -> None:
        """Count a question, unless these decisions were open before. Raises RuleFault."""
        if not self._open:
            self._open = len(decisions)
            try:
                self._asked.more(self.game.state)
            except RuleError as error:
                raise RuleFault(error.code, self.game.program.sources[error.at]) from error
        self._open -= 1

    def _person(self, decision: Decision) -> bool:
        seat, error = decision.seat, ""
        log = self._telling.log(seat)
        person = Person(
            log.screen,
            self.naming,
            self.watch.read if self.watch is not None else None,
            self._shown.setdefault(seat, ShownBefore()),
            self.seating.memory,
            self._hot_seat,
        )
        if self._hot_seat and self._at_keyboard != seat:
            person.called(seat, first=self._at_keyboard < 0)
            if log.lines:
                person.back()
        self._at_keyboard = seat
        self._telling.tell(seat)
        self._keep()
        only = self.course.only_answer(decision)
        if only is not None:
            told = person.answered(self.game, decision, only)
            if told:
                self._telling.note(seat, told)
            refused = self.course.answer(seat, only, self.limits(), given=True)
            assert refused is None, refused
            return True
        while True:
            reply = person.ask(HumanDecision(self.game, decision, log.chronicle.position, log.lines), error)
            if isinstance(reply, tuple):
                command, rest = reply
                if command is Command.QUIT:
                    return False
                if command is Command.UNDO:
                    person.say(self._words["undone" if self._undo(seat) else "nothing"])
                    self._keep()
                    return True
                error = ""
                try:
                    self._save(rest)
                except Failure as failure:
                    person.say(failure.told(self.seating.language))
                continue
            try:
                refusal = self.course.answer(seat, reply, self.limits())
            except RuleFault as fault:
                error = fault.told(self.seating.language)
            else:
                assert refusal is None, refusal
                self._keep()
                return True

    def take(self, other: Session) -> None:
        """Continue with the game, names, and bots of another session; treat its log as already shown."""
        self.game, self.naming, self.course = other.game, other.naming, other.course
        self._telling.anew(self.game, self.naming)
        self._shown.clear()
        self._keep()

    def _undo(self, seat: int) -> bool:
        """Return to before the last answer of this seat."""
        if not self.course.undo(seat):
            return False
        self._telling.anew(self.game, self.naming)
        return True

    # -------------------------------------------------------------- telling

    def _reader(self) -> int | None:
        """Return the reader of the final log: the only person, or None for a spectator who sees everything."""
        humans = self.seating.humans
        return humans[0] if len(humans) == 1 else None

    def _finish(self, reader: int | None) -> None:
        humans = self.seating.humans
        self._telling.tell(reader if len(humans) < 2 else self._at_keyboard)
        screen = self._telling.log(reader).screen
        result = self.game.result
        assert result is not None
        readers = range(self.game.program.seats) if reader is None else (reader,)
        screen.result(result, self.game.events(), [self.game.view(seat) for seat in readers], self.naming.layout)
        if self.keeper.file is not None:
            self._keep()
        if self.keeper.file is not None:
            self._say_saved()
            screen.command(self._words["again"], f"rulewright replay {quote(self.keeper.name)}")
            self.keeper.file.close()

    # -------------------------------------------------------------- saving

    def _keep(self, sync: bool = True) -> None:
        """Save the answers. If this fails, ask a person for another file."""
        try:
            self.keeper.keep(self.game, sync)
        except Usage as failure:
            if not self.seating.humans:
                raise
            self._elsewhere(
                "unsaved",
                failure.told(self.seating.language),
                lambda file: self._save(file) if file else self.keeper.keep(self.game),
            )

    def _elsewhere(self, sentence: str, why: str, save: Callable[[str], None]) -> None:
        """Ask for another file until saving succeeds or the person declines. `save` raises Usage."""
        screen = self._telling.log(self._reader()).screen
        while True:
            screen.sentence(self._words[sentence].format(why=why))
            screen.sentence(self._words["elsewhere"])
            typed = screen.console.input(Text("> ", "bold")).strip()
            if typed == "-":
                if self.keeper.file is not None:
                    self.keeper.file.close()
                self.keeper.file = None
                return
            try:
                save(typed)
                return
            except Usage as again:
                why = again.told(self.seating.language)

    def _start_in(self, file: str) -> None:
        """Save a game from its beginning in a file, as `--save` does."""
        play, seed = self.keeper.play, self.seating.seed
        keeper = self._agreed(lambda overwrite: kept_at(file, self.game, seed, play, True, overwrite))
        try:
            keeper.begin(self.game)
        except Usage:
            if keeper.file is not None:
                keeper.file.close()
            raise
        self.keeper = keeper

    def _save(self, file: str) -> None:
        """Save under another name, or under the current one."""
        if file or self.keeper.file is None:
            target = file or fresh_name(self.game.program.pack, self.seating.seed)
            self._agreed(lambda overwrite: self.keeper.move(target, self.game, overwrite))
        else:
            self.keeper.keep(self.game)
        self._say_saved()

    def _agreed(self, save: Callable[[bool], Saved]) -> Saved:
        """Save; a person at a terminal is asked before anything but this game is overwritten. Raises Usage."""
        try:
            return save(False)
        except OtherContent as found:
            if not self.seating.person_there:
                raise
            screen = self._telling.log(self._reader()).screen
            screen.sentence(f"{found.told(self.seating.language)}.")
            screen.sentence(self._words["overwrite"])
            if screen.console.input(Text("> ", "bold")).strip().lower() != self._words["agreed"]:
                raise
        return save(True)

    def _say_saved(self) -> None:
        assert self.keeper.file is not None
        self._telling.log(self._reader()).screen.sentence(self._words["saved"].format(file=self.keeper.file.file))

    @property
    def _hot_seat(self) -> bool:
        """Whether several people share the keyboard."""
        return len(self.seating.humans) > 1

    def _stop(self, code: int, hung_up: bool = False) -> int:
        """Save what was played, and print the command that continues the game unless the terminal is gone."""
        deafen()
        saved = self.keeper.end(self.game, self.seating.seed, self.answers)
        if hung_up:
            silence()
            return code
        screen = self._telling.log(self._reader()).screen
        if self._hot_seat and self._at_keyboard >= 0:
            screen.clear()
        screen.console.print()
        if saved:
            self._say_saved()
            seating = self.seating
            command = command_line(self.keeper.name, seating.seats, seating.language)
            screen.command(self._words["resume"], command)
        return code
