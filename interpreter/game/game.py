"""The facade of a game: program, state, knowledge of the seats, and history.

A `Game` runs the walker, which reports events, and folds knowledge from them; simulations that need neither use
backends directly. Its verbs are `start`, `load`, `save`, `clone`, `apply`, `undo`, `view` and
`events`; its nouns `decisions`, `result` and `hash`.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, Self

from attrs import frozen

from rulewright.interpreter.backends.walker.backend import walker_of
from rulewright.interpreter.game import journal as journals
from rulewright.interpreter.game.journal import Compile, Journal, JournalEntry
from rulewright.interpreter.game.messages import FAULT
from rulewright.interpreter.game.replay import Recorder, replayed, too_long
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.events import Event, redact
from rulewright.interpreter.state.patience import PATIENCE, TimeUsedUp, time_limit
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import Answer, Decision, decisions, keys_of, resolve, without_values
from rulewright.interpreter.views.knowledge import Knowledge, decode, initial
from rulewright.interpreter.views.refusals import Refusal, Spoken, spoken
from rulewright.interpreter.views.view import Result, View, result, view
from rulewright.ruleset.common.regular_files import NotRegular, TooLarge, read_regular
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import OVER, STATUS, Source, TableProgram

# ------------------------------------------------------------------ Check the arguments that callers pass to a game

def is_whole(value: object) -> bool:
    """Return whether a value is an int and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_whole(name: str, value: object, end: int) -> None:
    """Raise TypeError or ValueError unless a value is a whole number from 0 to `end` - 1."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be a whole number, not {kind_of(value)}")
    if not 0 <= value < end:
        raise ValueError(f"`{name}` must be from 0 to {end - 1}, not {value}")


def kind_of(value: object) -> str:
    """Describe the type of a value in words."""
    return "None" if value is None else f"a {type(value).__name__}"


# ---- The stored answers of a game: a linked list of turns, from the last to the first

@frozen(eq=False)
class GameTurn:
    """One answer, the events that followed it, and the state and knowledge before it, for undo.

    Turns are a linked list from the last to the first, which clones of a game share.
    """

    before: GameTurn | None
    state: array[int]
    knowledge: Knowledge
    entry: JournalEntry
    events: tuple[Event, ...]
    first: int
    """The number of the first of these events."""


def turns_back(last: GameTurn | None) -> Iterator[GameTurn]:
    """Iterate over all turns, the last first."""
    while last is not None:
        yield last
        last = last.before


# ---- A suspended game as bytes, and its canonical hash
#
# The header contains the semantics version and the program's hash, so that a state is never read under
# another program. Its numbers, and all cells, are little-endian int32 on every machine.

MAGIC = b"RWST"
FORMAT = 1
HASH_BYTES = 16
_HEAD = struct.Struct(f"<4sii{HASH_BYTES}sii")
"""Magic, format, semantics version, program hash, number of cells, number of knowledge cells (-1: none)."""


class EncodingError(Exception):
    """Bytes that are not a state of this program; the message is the reason."""


def encode(program: TableProgram, state: Sequence[int], knowledge: Knowledge | None = None) -> bytes:
    """Encode a state, with its knowledge if given, as bytes."""
    extra = () if knowledge is None else knowledge.encode()
    size = -1 if knowledge is None else len(extra)
    name = bytes.fromhex(program_hash(program))
    return _HEAD.pack(MAGIC, FORMAT, program.semantics, name, len(state), size) + _cells((*state, *extra))


def decode_state(program: TableProgram, data: bytes) -> tuple[array[int], Knowledge | None]:
    """Decode the result of `encode`. Raises EncodingError if the bytes are not a state of this program."""
    if len(data) < _HEAD.size:
        raise EncodingError(f"{len(data)} bytes are too few for a state")
    magic, form, semantics, name, cells, extra = _HEAD.unpack_from(data)
    if magic != MAGIC or form != FORMAT:
        raise EncodingError("these bytes are not a state, or one of another format")
    if semantics != program.semantics:
        raise EncodingError(f"the state has semantics version {semantics}, the program {program.semantics}")
    if name.hex() != program_hash(program):
        raise EncodingError(f"the state belongs to program {name.hex()}, not to this one")
    if cells != program.layout.cells or len(data) != _HEAD.size + 4 * (cells + max(extra, 0)):
        raise EncodingError("the state has the wrong length")
    numbers = struct.unpack_from(f"<{cells + max(extra, 0)}i", data, _HEAD.size)
    if extra < 0:
        return array("i", numbers), None
    try:
        return array("i", numbers[:cells]), decode(numbers[cells:], len(program.cards))
    except ValueError as error:
        raise EncodingError(str(error)) from error


def state_hash(state: Sequence[int]) -> str:
    """Return the canonical hash of all cells: equal games have equal hashes. It must not be shown to players."""
    return blake2b(_cells(state), digest_size=16).hexdigest()


def _cells(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


# ---- Game

class RuleFault(Exception):  # noqa: N818 - the rules are at fault, not our code
    """A rule that could not be carried out. The game is as it was before the answer.

    `code` is the reason (`interpreter.state.rule_errors.CODES`, or a code that a rule names), `source` the rule.
    """

    def __init__(self, code: str, source: Source | None) -> None:
        self.spoken = _fault(code, source)
        """The message in each language: the reason and the rule."""
        super().__init__(str(self.spoken))
        self.code = code
        self.source = source
        self.again: Callable[[], array[int]] | None = None
        """Returns the state from which the rules failed, before they ran."""
        self.program: TableProgram | None = None

    def __reduce__(self) -> tuple[type[RuleFault], tuple[str, Source | None]]:
        """Pickle a fault without its game, so that processes can pass it on."""
        return RuleFault, (self.code, self.source)

    def told(self, language: str = "en") -> str:
        """Return the message with an explanation, if one can be found. That may take some seconds."""
        message = self.spoken.text(language)
        if self.code != "fuel" or self.again is None or self.program is None:
            return message
        from rulewright.interpreter.game.endless import why_no_fuel

        why = why_no_fuel(self.program, self.again(), language)
        return f"{message}: {why}" if why else message


def _fault(code: str, source: Source | None) -> Spoken:
    """Word the message of a rule error."""
    if source is None:
        return spoken(FAULT, "fault", code=code)
    error = spoken(FAULT, "in", code=code, rule=source.name) if source.name else spoken(FAULT, "fault", code=code)
    return spoken(
        FAULT, "place-of" if source.pack else "place", error=error, span=str(source.span), pack=source.pack
    )


class Game:
    """One game in progress, made by `start`, `load` or `replay`.

    A game can be copied (`clone`, `copy.copy`, `copy.deepcopy`) and pickled. A pickle contains the table program
    and all secrets. Load only pickles that you wrote; use journals for files from others.
    """

    def __init__(
        self,
        walker: Backend,
        seed: int,
        index: int,
        state: array[int],
        knowledge: Knowledge,
        events: tuple[Event, ...] = (),
    ) -> None:
        """Go on from a state; `events` led to it. The backend must report events."""
        self._walker: Backend = walker
        self._seed = seed
        self._index = index
        self._state = state
        self._knowledge = knowledge
        self._opening = events  # events before the first answer
        self._last: GameTurn | None = None
        self._open: tuple[Decision, ...] | None = None
        self._room = sys.maxsize  # for the events of a game of a journal; see `Recorder`

    @classmethod
    def start(cls, program: TableProgram, seed: int, game: int = 0) -> Self:
        """Start a new game and play it up to its first decision. Raises RuleFault if the rules fail before it.

        `seed` is from 0 to 2**64 - 1; `game` is the index of the game in a run of many under one seed. Raises
        TypeError or ValueError for other arguments.
        """
        return cls._opened(program, seed, game, sys.maxsize)

    @classmethod
    def _opened(cls, program: TableProgram, seed: int, game: int, room: int) -> Self:
        """Start a new game with `room` for its events (see `Recorder`)."""
        if not isinstance(program, TableProgram):
            raise TypeError(f"`program` must be a TableProgram (from `lower_program`), not {kind_of(program)}")
        check_whole("seed", seed, 2**64)
        check_whole("game", game, 2**63)
        walker = walker_of(program)
        playing = cls(walker, seed, game, walker.start(seed, game), initial(program))
        playing._room = room
        playing._opening = playing._run(lambda: walker.start(seed, game))
        return playing

    @classmethod
    def load(cls, path: str | Path, compile: Compile, patience: float | None = PATIENCE) -> Game:
        """Load a saved journal. Raises JournalError, or Divergence if it does not replay.

        `compile` compiles its packs, as `tools.playing.kept_rules.table_of` does. `patience` bounds the processor
        time of compiling and replaying it. Later answers have no bound: give them inside
        `interpreter.state.patience.time_limit`. The history that the game keeps is bounded, but not the memory that
        compiling or a single answer needs meanwhile: a process that loads journals of others should bound it
        (`resource.setrlimit`).
        """
        try:
            with time_limit(patience):
                text = read_regular(path, journals.MAX_CHARACTERS).decode("utf-8")
                return cls.replay(journals.read(text, compile), patience=None)
        except (NotRegular, TooLarge) as error:
            raise journals.JournalError(f"{path} is not a journal: {error.strerror}") from None
        except UnicodeDecodeError:
            raise journals.JournalError(f"{path} is not UTF-8 text") from None
        except TimeUsedUp as error:
            raise too_long(error) from None

    @classmethod
    def replay(
        cls,
        journal: Journal,
        upto: int | None = None,
        program: TableProgram | None = None,
        patience: float | None = PATIENCE,
    ) -> Game:
        """Return the game after the first `upto` entries of a journal (all of them by default).

        With a `program`, the answers are given under changed rules. Raises Divergence at the first entry that does
        not fit, and RuleFault if the rules fail. `patience` is the processor time in seconds for starting and
        replaying the game; JournalError is raised beyond it. None is no bound.
        """
        header = journal.header
        table = program or journal.program
        beginning = table, header.seed, header.game, journals.MAX_TOLD
        played = replayed(journal, lambda: cls._opened(*beginning), upto, patience)
        played._room = sys.maxsize
        return played

    def save(self, path: str | Path) -> None:
        """Write the game's journal. Raises JournalError if the game's packs are unknown, or too large."""
        Path(path).write_text(journals.write(self.journal), "utf-8", newline="\n")

    def clone(self) -> Game:
        """Return an independent copy at the same point. It shares the history, so long games copy as fast."""
        copied = Game(self._walker, self._seed, self._index, self._state[:], self._knowledge, self._opening)
        copied._last, copied._open = self._last, self._open
        return copied

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        turns = [
            (turn.state, turn.knowledge, turn.entry, turn.events) for turn in reversed([*turns_back(self._last)])
        ]  # flat: pickling a long linked list would recurse as deeply
        return {
            "program": self.program,
            "game": (self._seed, self._index, self._state, self._knowledge, self._opening),
            "turns": turns,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._walker = walker_of(saved["program"])
        self._seed, self._index, self._state, self._knowledge, self._opening = saved["game"]
        self._last, self._open, self._room = None, None, sys.maxsize
        for state, knowledge, entry, events in saved["turns"]:
            self._last = GameTurn(self._last, state, knowledge, entry, events, self.event_count)

    # -------------------------------------------------------------- nouns

    @property
    def program(self) -> TableProgram:
        """The program being played."""
        return self._walker.program

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The open decisions, by seat; several if seats choose at the same time.

        Their options have keys and counts, but no raw `values`, which would number hidden cards. (The engine's own
        tools read these with `interpreter.views.decision.offered`.)
        """
        return tuple(map(without_values, self._decisions))

    @property
    def result(self) -> Result | None:
        """The result, or None while the game goes on."""
        return result(self.program, self._state)

    @property
    def hash(self) -> str:
        """The canonical hash of the whole state, secrets included."""
        return state_hash(self._state)

    @property
    def state(self) -> array[int]:
        """A copy of the state."""
        return self._state[:]

    @property
    def knowledge(self) -> Knowledge:
        """The knowledge of the seats."""
        return self._knowledge

    @property
    def journal(self) -> Journal:
        """The game as its answers."""
        header = journals.header_of(self.program, self._seed, self._index)
        entries = [turn.entry for turn in turns_back(self._last)]
        return Journal(header, self.program, tuple(reversed(entries)))

    @property
    def turns(self) -> Iterator[GameTurn]:
        """The answers so far with the states before them, secrets included, the last first."""
        return turns_back(self._last)

    @property
    def event_count(self) -> int:
        """The number of events so far."""
        last = self._last
        return len(self._opening) if last is None else last.first + len(last.events)

    # -------------------------------------------------------------- verbs

    def apply(self, seat: int, answer: Answer) -> Refusal | tuple[Event, ...]:
        """Answer the open decision of a seat. Returns the events that follow (unredacted), or a refusal.

        A refusal changes nothing. Raises RuleFault if the rules fail; the game is then as
        before.
        """
        own = next((one for one in self._decisions if one.seat == seat and is_whole(seat)), None)
        if own is None:
            return self._not_asked(seat)
        values = resolve(own, answer)
        if isinstance(values, Refusal):
            return values
        state, knowledge = self._state[:], self._knowledge

        def again() -> array[int]:
            cells = state[:]
            self._walker.answer(cells, seat, values)
            return cells

        try:
            self._walker.answer(self._state, seat, values)
            happened = self._run(again)
        except BaseException:  # of any kind: `patience` or Ctrl-C may end it, too
            self._restore(state, knowledge)
            raise
        entry = journals.entry_of(own, keys_of(own, values))
        self._last = GameTurn(self._last, state, knowledge, entry, happened, self.event_count)
        return happened

    def undo(self) -> bool:
        """Take back the last answer. Returns False if there is none."""
        if self._last is None:
            return False
        self._restore(self._last.state, self._last.knowledge)
        self._last = self._last.before
        return True

    def view(self, seat: int) -> View:
        """Return the view of a seat, from 0 to `program.seats` - 1. Raises ValueError or TypeError for others."""
        self._check_seat(seat)
        return view(self.program, self._state, self._knowledge, seat)

    def events(self, seat: int | None = None, since: int = 0) -> tuple[Event, ...]:
        """Return the events from number `since`: redacted for a seat, or all of them in full without a seat.

        Raises ValueError or TypeError for a seat that does not exist, and for a negative `since`.
        """
        check_whole("since", since, 2**63)
        if seat is not None:
            self._check_seat(seat)
        happened = self._events_from(since)
        if seat is None:
            return happened
        read = (redact(event, seat) for event in happened)
        return tuple(event for event in read if event is not None)

    # -------------------------------------------------------------- inside

    @property
    def _decisions(self) -> tuple[Decision, ...]:
        """The open decisions with the raw values of their options."""
        if self._open is None:
            self._open = decisions(self.program, self._state, self._knowledge)
        return self._open

    def _events_from(self, since: int) -> tuple[Event, ...]:
        """Return the events from number `since`. The cost depends on their number alone."""
        newest: list[tuple[Event, ...]] = []
        for turn in turns_back(self._last):
            if turn.first + len(turn.events) <= since:
                break
            newest.append(turn.events[max(since - turn.first, 0) :])
        return tuple(chain(self._opening[since:], *reversed(newest)))

    def _check_seat(self, seat: int) -> None:
        check_whole("seat", seat, self.program.seats)

    def _run(self, again: Callable[[], array[int]] | None = None) -> tuple[Event, ...]:
        """Run to the next decision or the end, and return the events. `again` remakes this state, for faults."""
        happened = Recorder(self.program, self._state, self._knowledge, self._room)
        self._open = None
        try:
            self._walker.run(self._state, happened)
        except RuleError as error:
            sources = self.program.sources
            source = sources[error.at] if 0 <= error.at < len(sources) else None
            fault = RuleFault(error.code, source)
            fault.again, fault.program = again, self.program
            raise fault from error
        self._knowledge, self._room = happened.knowledge, happened.room
        return happened.events

    def _restore(self, state: array[int], knowledge: Knowledge) -> None:
        self._state, self._knowledge = state[:], knowledge
        self._open = None

    def _not_asked(self, seat: int) -> Refusal:
        if not is_whole(seat) or not 0 <= seat < self.program.seats:
            values = (("given", f"{seat!r:.80}"), ("last", self.program.seats - 1))
            return Refusal("no-seat", seat if is_whole(seat) else -1, values)
        if self._state[STATUS] == OVER:
            return Refusal("over", seat)
        asked = tuple(f"seat-{one.seat + 1}" for one in self._decisions)
        return Refusal(
            "not-your-decision", seat, (("seat", f"seat-{seat + 1}"), ("asked", asked), ("n", len(asked)))
        )


@contextmanager
def replaying(game: Game) -> Iterator[None]:
    """Bound a game's events within the block as `Game.replay` does. Raises JournalError beyond the bound."""
    game._room = journals.MAX_TOLD
    try:
        yield
    finally:
        game._room = sys.maxsize
