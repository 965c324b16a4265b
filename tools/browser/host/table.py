"""A table in a worker: a game with its players, and what each reader has read."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from attrs import define, field

from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.game.journal import Journal, JournalEntry, entry_line, header_of
from rulewright.interpreter.views.decision import Answer, Decision
from rulewright.interpreter.views.names import sentence
from rulewright.interpreter.views.refusals import Refusal
from rulewright.tools.browser.desk.scenarios import Rehearsal, rehearse
from rulewright.tools.browser.drawing.eyes import SPECTATOR, Eyes, eyes_of
from rulewright.tools.browser.drawing.model import TableDrawing
from rulewright.tools.browser.drawing.result import headline
from rulewright.tools.browser.drawing.table import ReadSoFar, draw_table
from rulewright.tools.browser.host.limits import SHARE
from rulewright.tools.browser.host.packs import Rules
from rulewright.tools.browser.host.spec import TableSpec
from rulewright.tools.browser.words import bot_name, words_of
from rulewright.tools.common.seats import HUMAN
from rulewright.tools.display.decision_texts import DecisionTexts
from rulewright.tools.display.game_log import Chronicle, GameLogLine
from rulewright.tools.playing.course import Course
from rulewright.tools.scenarios.stage import Stages


@define
class _Reader:
    """The log of one reader, and how much of it was there at its last answer."""

    eyes: Eyes
    chronicle: Chronicle
    told: int = 0
    lines: list[GameLogLine] = field(factory=list)
    seen: int = 0


@define
class HostedTable:
    """A game in progress. `epoch` counts what was taken back, so that old answers are recognised."""

    spec: TableSpec
    rules: Rules
    epoch: int = 0
    course: Course = field(init=False)
    _readers: dict[int, _Reader] = field(init=False, factory=dict)
    _rehearsed: tuple[tuple[int, int, int], Rehearsal] | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        game = Game.start(self.rules.program, self.spec.seed, self.spec.game)
        self.course = Course(game, self.spec.kinds, self.spec.seed, self.spec.game)

    def recall(self, lines: Iterable[str]) -> None:
        """Give the answers of a journal, by their lines. Raises Divergence and RuleFault."""
        entries = tuple(_entry(line) for line in lines)
        header = header_of(self.rules.program, self.spec.seed, self.spec.game)
        self.course.recall(Journal(header, self.rules.program, entries))

    @property
    def title(self) -> str:
        """The name of the pack."""
        rules, pack = self.rules, self.rules.program.pack
        return rules.naming.texts.name(rules.language, "pack", pack) or pack

    @property
    def bot_names(self) -> tuple[str, ...]:
        """The words beside the names of the seats: the bots that play them."""
        words = words_of(self.rules.language)
        return tuple("" if kind == HUMAN else bot_name(kind, words) for kind in self.spec.kinds)

    # -------------------------------------------------------------- playing

    def stamp(self, seat: int) -> str:
        """Return the name of a seat's open decision; empty without one.

        It differs from that of every other decision of this seat, and does not depend on answers of others.
        """
        decision = self.course.asked(seat)
        if decision is None:
            return ""
        own = sum(1 for entry in self.course.game.journal.entries if entry.seat == seat)
        return f"{self.epoch}.{own}.{decision.digest}"

    def answer(self, seat: int, stamp: str, answer: Answer) -> str:
        """Answer for a person. Returns why it was refused, or an empty text. Raises RuleFault.

        An answer that was taken already is not refused, and changes nothing: who gets no reply sends it again.
        """
        if self._taken(seat, stamp, answer):
            return ""
        decision = self.course.asked(seat)
        if decision is not None and stamp != self.stamp(seat):
            return words_of(self.rules.language)["refused-stale"]
        refusal = self.course.answer(seat, answer)
        if refusal is not None:
            return self._refused(seat, decision, refusal)
        self._read_all(seat)
        with suppress(RuleFault):  # this answer was taken; the fault returns when the next one is given
            self.only_answers()
        return ""

    def _taken(self, seat: int, stamp: str, answer: Answer) -> bool:
        """Whether the journal has this answer of a seat to the decision of a stamp."""
        _, number, digest = (*stamp.split("."), "", "", "")[:3]
        own = (entry for entry in self.course.game.journal.entries if entry.seat == seat)
        found = next((entry for n, entry in enumerate(own) if str(n) == number), None)
        return found is not None and found.digest == digest and sorted(found.keys) == sorted(answer)

    def _refused(self, seat: int, decision: Decision | None, refusal: Refusal) -> str:
        """Word a refusal for its reader, with names instead of keys."""
        eyes = self.reader(seat).eyes
        names = {f"seat-{number}": name for number, name in enumerate(eyes.names, 1)}
        if decision is not None:
            told = DecisionTexts(eyes.narrator, eyes.naming, eyes.game, decision)
            names |= {option.key: label for option, label in zip(told.decision.options, told.labels, strict=True)}
        return sentence(refusal.spoken(names).text(eyes.language))

    def bots(self, most: int) -> int:
        """Let bots answer until a person is asked, but at most so often. Returns the number of answers.

        Raises RuleFault if the rules fail at the first of them: what was answered before a fault is kept.
        """
        until = time.monotonic() + SHARE
        for number in range(most):
            decision = self.course.bot()
            if decision is None or (number and time.monotonic() > until):
                return number
            try:
                self.course.play_bot(decision)
            except RuleFault:
                if not number:
                    raise
                return number
        return most

    def only_answers(self) -> int:
        """Give the answers that are the only ones, if the table has one person, who then need not be asked."""
        given = 0
        while (decision := next(iter(self.course.game.decisions), None)) is not None:
            only = None if self.course.bots.plays(decision.seat) else self.course.only_answer(decision)
            if only is None:
                return given
            self.course.answer(decision.seat, only, given=True)
            given += 1
        return given

    def undo(self, seat: int) -> bool:
        """Take back the last answer of a seat; False if it has none."""
        if not self.course.undo(seat):
            return False
        self.epoch += 1
        self._readers.clear()
        return True

    def entries(self, since: int) -> list[str]:
        """Return the lines of the journal from an answer."""
        return [entry_line(entry) for entry in self.course.game.journal.entries[since:]]

    def status(self) -> dict[str, Any]:
        """Return what the server needs to know; nothing of it is hidden from any seat."""
        game = self.course.game
        asked = sorted(decision.seat for decision in game.decisions)
        public = self.reader(SPECTATOR)
        over = game.result is not None
        where = headline(public.eyes, game.result, words_of(self.rules.language)) if game.result else ""
        return {
            "answers": self.course.answers,
            "epoch": self.epoch,
            "asked": asked,
            "bot": any(self.course.bots.plays(seat) for seat in asked),
            "over": over,
            "where": where or public.chronicle.position.title,
        }

    # -------------------------------------------------------------- reading

    def reader(self, seat: int) -> _Reader:
        """Return a reader with its log up to now."""
        found = self._readers.get(seat)
        if found is None:
            rules = self.rules
            eyes = eyes_of(
                self.course.game, rules.naming, rules.faces, rules.language, seat, self.spec.names, rules.public
            )
            found = self._readers[seat] = _Reader(eyes, eyes.chronicle())
        events = found.eyes.readable(self.course.game.events(since=found.told))
        found.told += len(events)
        found.lines += found.chronicle.tell(events)
        return found

    def draw(self, seat: int, whole: bool = False) -> TableDrawing:
        """Draw the page of a seat, or of a spectator."""
        reader = self.reader(seat)
        lines = [*reader.lines, *reader.chronicle.pending()]
        stamp = self.stamp(seat) if seat != SPECTATOR else ""
        return draw_table(
            reader.eyes, ReadSoFar(lines, reader.chronicle.position, reader.seen, self.bot_names, stamp, whole)
        )

    def rehearsal(self) -> Rehearsal | None:
        """Return how far the table is in the scenario that it was opened with; None without one."""
        compiled, book, number = self.rules.compiled, self.rules.naming.book, self.spec.scenario
        if compiled is None or number is None or book is None or number >= len(compiled.program.scenarios):
            return None
        program = compiled.program
        key = id(self.rules), self.epoch, self.course.answers
        if self._rehearsed is None or self._rehearsed[0] != key:
            stages = Stages(program, program.scenarios)
            found = rehearse(stages, program.scenarios[number], self.course.game.journal.entries, book)
            self._rehearsed = key, found
        return self._rehearsed[1]

    def next_step(self) -> None:
        """Give the next answers of the scenario, if the table has not left it. Raises RuleFault."""
        found = self.rehearsal()
        for entry in found.given if found is not None else ():
            refused = self.course.answer(entry.seat, entry.keys)
            if isinstance(refused, Refusal):
                return

    def _read_all(self, seat: int) -> None:
        """Note that a reader has read the log up to its answer."""
        reader = self.reader(seat)
        held = reader.chronicle.pending()
        del held[-1:]  # more may be added to the last line
        while held and held[-1].sort != "text":
            held.pop()
        reader.seen = len(reader.lines) + len(held)

    def adopt(self, other: HostedTable) -> None:
        """Take over the course and the rules of another table."""
        self.rules, self.course = other.rules, other.course
        self.epoch += 1
        self._readers.clear()

    def reword(self, rules: Rules) -> None:
        """Take over the texts of rules whose program is the same: open decisions stay as they are."""
        self.rules = rules
        self._readers.clear()


def _entry(line: str) -> JournalEntry:
    """Read a line that this program has written."""
    choice, seat, keys, digest = json.loads(line)
    return JournalEntry(choice, seat, tuple(keys), digest)
