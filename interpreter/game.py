"""Playing: the facade over a program, a state, what seats know and what has happened.

A `Game` runs the narrating build of a backend, so that it can tell events and fold knowledge; simulations
that need neither use backends directly. Its verbs are `start`, `load`, `save`, `clone`, `apply`, `undo`,
`view` and `events`; its nouns `decisions`, `result` and `hash`.
"""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Self

from attrs import frozen

from interpreter import journal as journals
from interpreter.backend import Backend, make
from interpreter.decision import Answer, Decision, Refusal, decisions, keys_of, resolve
from interpreter.encode import state_hash
from interpreter.errors import RuleError
from interpreter.event import Event, from_raw, redact
from interpreter.journal import Entry, Journal
from interpreter.knowledge import Knowledge, initial
from interpreter.recorder import Recorder
from interpreter.view import Result, View, result, view
from ruleset.regular import NotRegular, TooLarge, read_regular
from ruleset.table import OVER, STATUS, Source, TableProgram


class RuleFault(Exception):  # noqa: N818 - it is what a game suffered, not what we did wrong
    """A rule could not be carried out; the game is as it was before the answer.

    `code` says why (`interpreter.errors.CODES`, or what a rule names), `source` which rule.
    """

    def __init__(self, code: str, source: Source | None) -> None:
        rule = f" in {source.name}" if source and source.name else ""
        where = f"{rule} ({source.span}{f' of {source.pack}' if source.pack else ''})" if source else ""
        super().__init__(f"rule error {code}{where}")
        self.code = code
        self.source = source


@frozen
class _Moment:
    """What undo goes back to: everything before an answer."""

    state: array[int]
    knowledge: Knowledge
    events: int


class Game:
    """One game in progress. Make one with `start`, `load` or `journal.replay`."""

    def __init__(
        self,
        backend: Backend,
        seed: int,
        index: int,
        state: list[int],
        knowledge: Knowledge,
        events: tuple[Event, ...] = (),
        entries: tuple[Entry, ...] = (),
        past: tuple[_Moment, ...] = (),
    ) -> None:
        self._backend = backend
        self._seed = seed
        self._index = index
        self._state = state
        self._knowledge = knowledge
        self._events = list(events)
        self._entries = list(entries)
        self._past = list(past)
        self._open: tuple[Decision, ...] | None = None

    @classmethod
    def start(cls, program: TableProgram, seed: int, backend: str | Backend = "python", game: int = 0) -> Self:
        """A new game, played up to its first decision. Raises RuleFault when the rules fail before it.

        `game` is the index of the game in a run of many under one seed. A backend that was made for narration
        saves making one.
        """
        engine = make(program, backend, narrating=True) if isinstance(backend, str) else backend
        playing = cls(engine, seed, game, engine.start(seed, game), initial(program))
        playing._run()
        return playing

    @classmethod
    def load(cls, path: str | Path, backend: str = "python") -> Game:
        """The game of a saved journal. Raises JournalError, or Divergence when it does not replay."""
        try:
            journal = journals.read(read_regular(path, journals.MAX_CHARACTERS).decode("utf-8"))
        except (NotRegular, TooLarge) as error:
            raise journals.JournalError(f"{path} is not a journal: {error.strerror}") from None
        except UnicodeDecodeError:
            raise journals.JournalError(f"{path} is not UTF-8 text") from None
        try:
            return journals.replay(journal, backend=backend)
        except (LookupError, RecursionError) as error:
            raise journals.JournalError(f"the program in {path} cannot be run: {error!r}") from error

    def save(self, path: str | Path) -> None:
        """Writes the game's journal."""
        Path(path).write_text(journals.write(self.journal), "utf-8", newline="\n")

    def clone(self) -> Game:
        """An independent copy, at the same point."""
        return Game(
            self._backend, self._seed, self._index, list(self._state), self._knowledge,
            tuple(self._events), tuple(self._entries), tuple(self._past),
        )  # fmt: skip

    # -------------------------------------------------------------- nouns

    @property
    def program(self) -> TableProgram:
        """What is being played."""
        return self._backend.program

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The open decisions, by seat; several when seats choose at the same time."""
        if self._open is None:
            self._open = decisions(self.program, self._state, self._knowledge)
        return self._open

    @property
    def result(self) -> Result | None:
        """None while the game goes on."""
        return result(self.program, self._state)

    @property
    def hash(self) -> str:
        """The canonical hash of the whole state, secrets included."""
        return state_hash(self._state)

    @property
    def state(self) -> list[int]:
        """A copy of the state."""
        return list(self._state)

    @property
    def knowledge(self) -> Knowledge:
        """What the seats know."""
        return self._knowledge

    @property
    def journal(self) -> Journal:
        """The game as its answers."""
        header = journals.header_of(self.program, self._seed, self._index)
        return Journal(header, self.program, tuple(self._entries))

    # -------------------------------------------------------------- verbs

    def apply(self, seat: int, answer: Answer) -> Refusal | tuple[Event, ...]:
        """Answers the open decision of a seat; gives the events that follow (unredacted), or why it is
        refused.

        A refusal changes nothing. Raises RuleFault when the rules fail; the game is then as it was before.
        """
        own = next((one for one in self.decisions if one.seat == seat), None)
        if own is None:
            return self._not_asked(seat)
        values = resolve(own, answer)
        if isinstance(values, Refusal):
            return values
        moment = _Moment(array("i", self._state), self._knowledge, len(self._events))
        self._backend.answer(self._state, seat, values)
        try:
            self._run()
        except RuleFault:
            self._restore(moment)
            raise
        self._past.append(moment)
        self._entries.append(journals.entry_of(own, keys_of(own, values)))
        return tuple(self._events[moment.events :])

    def undo(self) -> bool:
        """Takes back the last answer; False when there is none."""
        if not self._past:
            return False
        self._restore(self._past.pop())
        self._entries.pop()
        return True

    def view(self, seat: int) -> View:
        """What a seat sees."""
        return view(self.program, self._state, self._knowledge, seat)

    def events(self, seat: int | None = None, since: int = 0) -> tuple[Event, ...]:
        """What has happened, from event number `since`: as a seat may read it; all of it without a seat."""
        if seat is None:
            return tuple(self._events[since:])
        read = (redact(event, seat) for event in self._events[since:])
        return tuple(event for event in read if event is not None)

    # -------------------------------------------------------------- inside

    def _run(self) -> None:
        happened = Recorder(self.program, self._state, self._knowledge)
        self._open = None
        try:
            self._backend.run(self._state, happened)
        except RuleError as error:
            sources = self.program.sources
            source = sources[error.at] if 0 <= error.at < len(sources) else None
            raise RuleFault(error.code, source) from error
        self._knowledge = happened.knowledge
        self._events.extend(from_raw(raw) for raw in happened)

    def _restore(self, moment: _Moment) -> None:
        self._state = list(moment.state)
        self._knowledge = moment.knowledge
        del self._events[moment.events :]
        self._open = None

    def _not_asked(self, seat: int) -> Refusal:
        if self._state[STATUS] == OVER:
            return Refusal("over", "the game is over", seat)
        if not 0 <= seat < self.program.seats:
            return Refusal("not-your-decision", f"there is no seat {seat}", seat)
        others = ", ".join(f"seat-{one.seat + 1} at {one.choice}" for one in self.decisions)
        return Refusal("not-your-decision", f"seat-{seat + 1} is not asked, but {others}", seat)
