"""One game in the terminal: bots and persons answer, the log is told, nothing that was played is lost."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from attrs import define, field

from interpreter.decision import Decision, Refusal
from interpreter.game import Game, RuleFault
from interpreter.journal import Journal, replay_steps
from interpreter.many_backends import AUTO
from tools.bots import Bots
from tools.chronicle import Chronicle, Line
from tools.failure import CLEAN, FINDINGS, INTERRUPTED, Failure
from tools.naming import Naming
from tools.person import Command, Moment, Person, command_line
from tools.saves import fresh_name, write_journal
from tools.terminal import Screen

if TYPE_CHECKING:
    from tools.watch import Watch

_WORDS = {
    "en": {
        "saved": "Saved in {file}.",
        "resume": "Go on with:",
        "again": "Tell it again with:",
        "nothing": "There is no answer of yours to take back.",
        "undone": "Your last answer is taken back.",
    },
    "es": {
        "saved": "Guardado en {file}.",
        "resume": "Para seguir:",
        "again": "Para contarla otra vez:",
        "nothing": "No hay ninguna respuesta tuya que deshacer.",
        "undone": "Se ha deshecho tu última respuesta.",
    },
}


@define
class Seating:
    """Who sits where (`tools.seats`), in which language, and how all of it is asked for again."""

    seats: tuple[str, ...]
    language: str
    seed: int
    game: int
    save: str | None = None
    pack: str | None = None
    searching: str = AUTO
    """The backend by which greedy seats search."""

    @property
    def humans(self) -> list[int]:
        return [seat for seat, kind in enumerate(self.seats) if kind == "human"]


@define
class _Log:
    """The log for one reader, and how many events it has told."""

    chronicle: Chronicle
    screen: Screen
    told: int = 0
    lines: list[Line] = field(factory=list)


@define
class _Point:
    """Where taking back goes: so many answers, and the bots as they were."""

    answers: int
    bots: int
    seat: int = -1


@define
class Session:
    """A game with its players. `run` plays it to its end, or to where somebody stops it."""

    game: Game
    seating: Seating
    naming: Naming
    watch: Watch | None = None
    bots: Bots = field(init=False)
    answers: int = field(init=False, default=0)
    _points: list[_Point] = field(init=False, factory=list)
    _logs: dict[int | None, _Log] = field(init=False, factory=dict)
    _at_keyboard: int = field(init=False, default=-1)
    _words: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.bots = Bots(self.game.program, self.seating.seats, self.seating.searching)
        self.bots.sit(self.seating.seed, self.seating.game)
        self._words = _WORDS[self.seating.language]

    def recall(self, journal: Journal) -> None:
        """Plays what a journal holds; the bots go along, so that they go on as if they had never stopped."""
        steps = replay_steps(journal, self.game)
        for entry in journal.entries:
            self._note(entry.seat)
            self.bots.passed(self.game, entry.seat)
            next(steps)
            self.answers += 1

    def run(self) -> int:
        """Plays; gives the exit code."""
        reader = self._reader()
        screen = self._log(reader).screen
        about = self.naming.texts.text(screen.narrator.language, f"pack/{self.game.program.pack}.text")
        screen.title(self.seating.seed, self.seating.game, about)
        try:
            while self.game.result is None:
                if not self._step():
                    return self._stop(CLEAN)
        except KeyboardInterrupt:
            return self._stop(INTERRUPTED)
        except EOFError:
            return self._stop(CLEAN)
        except RuleFault as fault:
            self._tell(reader)
            if self.seating.save:
                self._save(self.seating.save)
            raise Failure(f"the game cannot go on: {fault}", FINDINGS) from None
        self._finish(reader)
        return CLEAN

    # -------------------------------------------------------------- turns

    def _step(self) -> bool:
        """One answer; False when a person wants to stop."""
        decisions = self.game.decisions
        bot = next((one for one in decisions if self.bots.plays(one.seat)), None)
        if bot is None:
            return self._person(decisions[0]) if self.watch is None else self._watched(self.watch, decisions[0])
        if not self.seating.humans:
            self._tell(None, waiting=True)
        self._note(bot.seat)
        keys = self.bots.answer(self.game, bot, self.answers)
        refused = self.game.apply(bot.seat, keys)
        assert not isinstance(refused, Refusal), refused
        self.answers += 1
        return True

    def _person(self, decision: Decision) -> bool:
        seat, error = decision.seat, ""
        log = self._log(seat)
        person = Person(log.screen, self.naming, self.watch.read if self.watch is not None else None)
        if self._hot_seat and self._at_keyboard != seat:
            person.called(seat, first=self._at_keyboard < 0)
            if log.lines:
                person.back()
        self._at_keyboard = seat
        self._tell(seat)
        while True:
            reply = person.ask(Moment(self.game, decision, log.chronicle.position, log.lines), error)
            if isinstance(reply, tuple):
                command, rest = reply
                if command is Command.QUIT:
                    return False
                if command is Command.UNDO:
                    person.say(self._words["undone" if self._undo(seat) else "nothing"])
                    return True
                try:
                    self._save(rest or self.seating.save or fresh_name(self.game.program.pack, self.seating.seed))
                except Failure as failure:
                    person.say(failure.message)
                continue
            self._note(seat)
            try:
                outcome = self.game.apply(seat, reply)
            except RuleFault as fault:
                error = str(fault)
            else:
                if not isinstance(outcome, Refusal):
                    self.answers += 1
                    return True
                error = outcome.message
            self._points.pop()

    def _watched(self, watch: Watch, decision: Decision) -> bool:
        """A person's answer, or new rules of the pack instead of it."""
        from tools.watch import Renewed, adopt

        try:
            return self._person(decision)
        except Renewed as renewed:
            adopt(self, self._log(decision.seat).screen, renewed)
            return True

    def take(self, other: Session) -> None:
        """Goes on with the game, the names and the bots of another session; what it has told counts as told."""
        self.game, self.naming, self.bots = other.game, other.naming, other.bots
        self.answers, self._points = other.answers, other._points
        for reader in list(self._logs):
            self._log(reader, anew=True)

    def _note(self, seat: int) -> None:
        """Before a person's answer: that it can be taken back."""
        if self.seating.seats[seat] == "human":
            self._points.append(_Point(self.answers, self.bots.memory, seat))

    def _undo(self, seat: int) -> bool:
        """Goes back to the last answer of this seat."""
        while self._points and self._points[-1].seat != seat:
            self._points.pop()
        if not self._points:
            return False
        point = self._points.pop()
        while self.answers > point.answers and self.game.undo():
            self.answers -= 1
        self.bots.recall(point.bots)
        for reader in list(self._logs):
            self._log(reader, anew=True)
        return True

    # -------------------------------------------------------------- telling

    def _reader(self) -> int | None:
        """Whose log is told to the end: the only person's, or that of somebody who sees everything."""
        humans = self.seating.humans
        return humans[0] if len(humans) == 1 else None

    def _log(self, reader: int | None, anew: bool = False) -> _Log:
        if reader not in self._logs or anew:
            chronicle = Chronicle(
                self.game.program, self.naming.texts, self.seating.language, reader, self.naming.layout
            )
            log = self._logs[reader] = _Log(chronicle, Screen(chronicle.narrator))
            if anew:
                events = self.game.events()
                log.lines += [*chronicle.tell(events), *chronicle.rest()]
                log.told = len(events)
        return self._logs[reader]

    def _tell(self, reader: int | None, waiting: bool = False) -> None:
        log = self._log(reader)
        events = self.game.events(since=log.told)
        log.told += len(events)
        lines = log.chronicle.tell(events)
        if not waiting:
            lines += log.chronicle.rest()
        log.lines += lines
        log.screen.lines(lines)

    def _finish(self, reader: int | None) -> None:
        humans = self.seating.humans
        self._tell(reader if len(humans) < 2 else self._at_keyboard)
        screen = self._log(reader).screen
        result = self.game.result
        assert result is not None
        readers = range(self.game.program.seats) if reader is None else (reader,)
        screen.result(
            result, self.game.events(), [self.game.view(seat) for seat in readers], self.naming.layout
        )
        if self.seating.save:
            self._save(self.seating.save)
            screen.command(self._words["again"], f"rulewright replay {quote(self.seating.save)}")

    def _save(self, file: str) -> None:
        write_journal(self.game, file)
        self.seating.save = file
        self._log(self._reader()).screen.sentence(self._words["saved"].format(file=file))

    @property
    def _hot_seat(self) -> bool:
        """Whether several persons share the keyboard."""
        return len(self.seating.humans) > 1

    def _stop(self, code: int) -> int:
        """Saves what was played, if anything was, and says how to go on."""
        screen = self._log(self._reader()).screen
        if self._hot_seat and self._at_keyboard >= 0:
            screen.clear()
        screen.console.print()
        if self.answers:
            file = self.seating.save or fresh_name(self.game.program.pack, self.seating.seed)
            self._save(file)
            command = command_line(
                self.game.program, file, self.seating.seats, self.seating.language, self.seating.pack
            )
            screen.command(self._words["resume"], command)
        return code
