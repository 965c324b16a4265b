"""A game that is replayed: any moment of it, for any reader, without playing it again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from attrs import define, evolve, field, frozen

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import JournalEntry
from rulewright.interpreter.state.events import Event
from rulewright.tools.browser.drawing.because import AnsweredGame, AnswerReasons, because
from rulewright.tools.browser.drawing.dock import Settled, settled
from rulewright.tools.browser.drawing.eyes import SPECTATOR, WITNESS, Eyes, eyes_of
from rulewright.tools.browser.drawing.model import TableDrawing
from rulewright.tools.browser.drawing.table import ReadSoFar, draw_table
from rulewright.tools.browser.host.packs import Rules
from rulewright.tools.browser.words import bot_name, words_of
from rulewright.tools.common.seats import HUMAN
from rulewright.tools.display.game_log import Chronicle, GameLogLine, Position

STRIDE = 32
"""A copy of the game is kept after so many answers; to others answers are taken back."""
MOST = 8
"""Games that a worker keeps; others are made again when they are asked for."""


@frozen
class TimelineTurn:
    """A round or turn on the time line: the answers before it, its heading, and a short name."""

    at: int
    title: str
    short: str


@frozen
class _Moment:
    """A log after some answers: its finished lines, the line that may still grow, and the position in the game."""

    lines: int
    pending: tuple[GameLogLine, ...]
    position: Position


@define
class _Reader:
    """The eyes of a reader, and its log as far as it was needed."""

    eyes: Eyes
    chronicle: Chronicle
    lines: list[GameLogLine] = field(factory=list)
    moments: list[_Moment] = field(factory=list)


@define
class ReplayedGame:
    """A game with all its moments. `game` is the game at its end; `names` and `kinds` are by seat.

    The kinds are those of `tools.common.seats`; none if they are not known.

    `trouble` says why a journal could not be replayed to its end; empty if it could.
    """

    rules: Rules
    game: Game
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    trouble: str = ""
    entries: tuple[JournalEntry, ...] = field(init=False)
    _events: tuple[Event, ...] = field(init=False)
    _told: list[int] = field(init=False)
    """The number of events after each number of answers."""
    _kept: dict[int, Game] = field(init=False, factory=dict)
    _readers: dict[int, _Reader] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.entries = self.game.journal.entries
        self._events = self.game.events()
        going_back = self.game.clone()
        told = [going_back.event_count]
        for answers in range(len(self.entries), 0, -1):
            if answers % STRIDE == 0:
                self._kept[answers] = going_back.clone()
            going_back.undo()
            told.append(going_back.event_count)
        self._told = told[::-1]

    @property
    def title(self) -> str:
        """The name of the pack."""
        rules, pack = self.rules, self.rules.program.pack
        return rules.naming.texts.name(rules.language, "pack", pack) or pack

    @property
    def bot_names(self) -> tuple[str, ...]:
        """The words beside the names of the seats: the bots that played them."""
        kinds = self.kinds or (HUMAN,) * self.rules.program.seats
        words = words_of(self.rules.language)
        return tuple("" if kind == HUMAN else bot_name(kind, words) for kind in kinds)

    def at(self, answers: int) -> Game:
        """Return the game after a number of answers."""
        near = -(-answers // STRIDE) * STRIDE
        start = near if near in self._kept else len(self.entries)
        game = self._kept.get(near, self.game).clone()
        for _ in range(start - answers):
            game.undo()
        return game

    def turns(self) -> list[TimelineTurn]:
        """Return the rounds and turns of the time line, as everybody sees them."""
        found: list[TimelineTurn] = []
        for answers in range(len(self.entries) + 1):
            title = self._moment(self._reader(SPECTATOR), answers).position.title
            if not found or found[-1].title != title:
                found.append(TimelineTurn(answers, title, _short(title)))
        return found

    def draw(self, answers: int, seat: int, whole: bool = False) -> Settled:
        """Draw the table after some answers as a seat, a spectator, or a witness sees it.

        The decision that the reader is shown is marked with its answer: a seat's own, and for a witness the next.
        """
        following = self.entries[answers:]
        mine = following[:1] if seat == WITNESS else [one for one in following if one.seat == seat][:1]
        drawing = self.table(answers, seat, whole)
        return settled(drawing, mine[0].keys if mine and drawing.dock is not None else ())

    def table(self, answers: int, seat: int, whole: bool = False) -> TableDrawing:
        """Draw the table after some answers as its page was drawn."""
        eyes = evolve(self._reader(seat).eyes, game=self.at(answers))
        return draw_table(eyes, self.reading(answers, seat, whole))

    def asked(self, answers: int) -> int:
        """Return the seat that answers next after some answers, or is asked at the end; -1 if none is."""
        if answers < len(self.entries):
            return self.entries[answers].seat
        return next((one.seat for one in self.game.decisions), -1)

    def reading(self, answers: int, seat: int, whole: bool = False) -> ReadSoFar:
        """Return what a reader has read after some answers; what the last one has added is new."""
        reader = self._reader(seat)
        lines = self._lines(reader, answers)
        seen = len(lines)
        if answers:
            before = self._lines(reader, answers - 1)
            seen = reader.moments[answers - 1].lines
            while seen < min(len(before), len(lines)) and before[seen] == lines[seen]:
                seen += 1
        position, asking = reader.moments[answers].position, self.asked(answers)
        return ReadSoFar(lines, position, seen, self.bot_names, "", whole, asking)

    def because(self, answers: int, seat: int) -> AnswerReasons:
        """Return the rules that were carried out after the last of some answers, as far as a reader may know."""
        eyes = evolve(self._reader(seat).eyes, game=self.at(answers))
        answered = AnsweredGame(self.at(answers - 1), self.entries[answers - 1]) if answers else None
        return because(eyes, answered, self._after(answers))

    # -------------------------------------------------------------- inside

    def _after(self, answers: int) -> tuple[Event, ...]:
        """Return the events after the last of some answers."""
        return self._events[self._told[answers - 1] if answers else 0 : self._told[answers]]

    def _reader(self, seat: int) -> _Reader:
        found = self._readers.get(seat)
        if found is None:
            rules = self.rules
            eyes = eyes_of(self.game, rules.naming, rules.faces, rules.language, seat, self.names, rules.public)
            found = self._readers[seat] = _Reader(eyes, eyes.chronicle())
        return found

    def _moment(self, reader: _Reader, answers: int) -> _Moment:
        while len(reader.moments) <= answers:
            events = self._after(len(reader.moments))
            reader.lines += reader.chronicle.tell(reader.eyes.readable(events))
            pending = tuple(reader.chronicle.pending())
            reader.moments.append(_Moment(len(reader.lines), pending, reader.chronicle.position))
        return reader.moments[answers]

    def _lines(self, reader: _Reader, answers: int) -> list[GameLogLine]:
        moment = self._moment(reader, answers)
        return [*reader.lines[: moment.lines], *moment.pending]


@define
class Replays:
    """The replayed games of a worker, the last used ones."""

    _games: OrderedDict[str, tuple[Hashable, ReplayedGame]] = field(factory=OrderedDict)

    def get(self, name: str, state: Hashable = None) -> ReplayedGame | None:
        """Return a game, if it is known in this state."""
        known = self._games.get(name)
        if known is None or known[0] != state:
            return None
        self._games.move_to_end(name)
        return known[1]

    def keep(self, name: str, game: ReplayedGame, state: Hashable = None) -> ReplayedGame:
        """Keep a game, and forget the one that was not used for the longest time."""
        self._games[name] = state, game
        self._games.move_to_end(name)
        while len(self._games) > MOST:
            self._games.popitem(last=False)
        return game


def _short(title: str) -> str:
    """Return the number of a round or turn, or its whole heading without one."""
    head = title.partition(" · ")[0]
    number = head.rpartition(" ")[2]
    return number if number.isdecimal() else head
