"""Turn the events of a game into a readable log.

Narration gives a sentence for each event. Here sentences are grouped under headings (rounds, phases, named steps),
repetitions are omitted, and consecutive actions of a seat share a line:

    Round 3
      Supplies
        Player 2 chooses Orchard · draws 2 cards from the deck · loses 1 coin.

- a heading is shown only if something follows under it; effects of a definition that involve no player have its
  name as heading;
- an answer is omitted if the next event repeats it (the chosen cards are moved or looked at, or the seat announces
  them); who uses a card, if the heading names it, or its seat has just done so;
- single-card moves between the same places are merged, as are changes of one number by one rule; an award is one
  line;
- changes of things that the layout hides or leaves untold are omitted, as are moves into untold zones;
- consecutive passes are one sentence;
- a reader without a seat sees everything that at least one seat sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import evolve, field, frozen

from rulewright.interpreter.state.events import BACK, Event, redact
from rulewright.interpreter.views.event_lines import award_share, award_title
from rulewright.interpreter.views.names import Texts, sentence
from rulewright.interpreter.views.narration import LINE, Narrator
from rulewright.interpreter.views.view import for_witness
from rulewright.ruleset.program.nodes import TableLayout
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.display.open_line import OpenLine
from rulewright.tools.display.position import Position
from rulewright.tools.display.related_events import Joining
from rulewright.tools.display.repetition import Repetition
from rulewright.tools.display.track_memory import TrackMemory

Sort = Literal["round", "phase", "step", "text"]

WORDS = {
    "en": {
        "set-up": "Set-up",
        "scoring": "Scoring",
    },
    "es": {
        "set-up": "Preparación",
        "scoring": "Puntuación",
    },
}
_LEVELS: dict[str, int] = {"round": 0, "phase": 1, "step": 2}


@frozen
class Line:
    """A heading, or a sentence under it. `actor` is the seat that a sentence is about, or -1."""

    sort: Sort
    text: str
    actor: int = field(default=-1, eq=False)


class Chronicle:
    """The log of a game for one reader (a seat) or, without one, for a spectator."""

    def __init__(
        self,
        program: TableProgram,
        texts: Texts,
        language: str = "en",
        reader: int | None = None,
        layout: TableLayout | None = None,
    ) -> None:
        self.program = program
        self._layout = layout
        self._untold = frozenset(layout.untold) if layout else frozenset[str]()
        self._unshown = self._untold | frozenset(layout.hidden if layout else ())
        self.reader = reader
        self._memory = TrackMemory(program, reader)
        self._narrator = Narrator(program, language, texts, reader, self._memory)
        self._texts, self._language = texts, self._narrator.language
        self._position = Position(WORDS[self._language]["set-up"])
        self._waiting: list[Line] = [Line("round", WORDS[self._language]["set-up"])]
        self._rounds = 0
        self._scoring = False
        self._award, self._shares = "", list[str]()
        self._named: dict[int, list[str]] = {}
        """The answers and announcements of each seat under this heading."""
        self._heading = ""
        self._answers = False
        """Whether an announcement replaces an answer."""
        self._lines: list[Line] = []
        self._open: OpenLine | None = None
        self._repetition = Repetition(program, self._narrator)
        self._joining = Joining(program)
        self._undecided: list[tuple[Event, Event | None]] = []
        """The last event with a line of its own, redacted, too, and those after it without one; see `_decide`."""
        self._preview: Chronicle | None = None
        self._plain = Narrator(program, language, texts, None, self._memory)
        self._leads = [f"{self._plain.who(seat)['seat']} " for seat in range(program.seats)]

    @property
    def position(self) -> Position:
        """The position of the last event in the log."""
        return self._ahead()._position

    @property
    def narrator(self) -> Narrator:
        """The narrator of this log."""
        return self._narrator

    def tell(self, raw: Sequence[Event]) -> list[Line]:
        """Return the lines of the next events. The events are unredacted; the lines are redacted.

        What later events may change is held back, so that the lines do not depend on how the events are split
        between calls; `pending` and `rest` return it.
        """
        self._preview = None
        for event in raw:
            read = self._read(event)
            told = read is not None and not self._silent(read)
            if told:
                self._decide(read)
            if self._undecided or told:
                self._undecided.append((event, read if told else None))
            else:
                self._join(event, None)
        return self._finished()

    def rest(self) -> list[Line]:
        """Return the held-back lines, if any: for a pause in which the reader wants to see everything."""
        self._end()
        self._close()
        return self._finished()

    def pending(self) -> list[Line]:
        """Return the held-back lines and the headings before them, without ending them."""
        ahead = self._ahead()
        last = [] if ahead._open is None else [*ahead._waiting, ahead._line(ahead._open)]
        return [*ahead._lines, *last]

    def note(self, text: str) -> list[Line]:
        """Add a line about no event, and return all lines so far."""
        self._end()
        self._close()
        self._lines += [*self._waiting, Line("text", text)]
        self._waiting = []
        return self._finished()

    # -------------------------------------------------------------- what is held back

    def _decide(self, following: Event | None) -> None:
        """Say of the events that wait for the next one in the log whether that repeats them."""
        for raw, read in self._undecided:
            repeated = read is not None and self._repetition.repeated(read, following)
            self._join(raw, None if repeated else read)
        self._undecided = []

    def _join(self, raw: Event, read: Event | None) -> None:
        done = self._joining.add(raw, read)
        if done is not None:
            self._complete(*done)

    def _complete(self, passed: Sequence[Event], event: Event | None) -> None:
        for one in passed:
            self._memory.fold(one)
        if event is not None:
            said = event.kind == "announced"
            self._answers = said and any(one.kind == "answered" for one in passed)
            self._event(event)

    def _end(self) -> None:
        """Tell of all events as if nothing followed."""
        self._preview = None
        self._decide(None)
        for passed, event in self._joining.end():
            self._complete(passed, event)

    def _finished(self) -> list[Line]:
        lines, self._lines = self._lines, []
        return lines

    def _ahead(self) -> Chronicle:
        """Return this log as if nothing followed: itself, or a copy that has told all of its events."""
        if not self._undecided and self._joining.empty:
            return self
        if self._preview is None:
            ahead = Chronicle(self.program, self._texts, self._language, self.reader, self._layout)
            ahead._memory.values.update(self._memory.values)
            ahead._joining, ahead._undecided = self._joining.copy(), [*self._undecided]
            ahead._position, ahead._rounds, ahead._scoring = self._position, self._rounds, self._scoring
            ahead._award, ahead._shares, ahead._heading = self._award, [*self._shares], self._heading
            ahead._waiting, ahead._lines, ahead._answers = [*self._waiting], [*self._lines], self._answers
            ahead._named = {seat: [*said] for seat, said in self._named.items()}
            ahead._open = self._open.copy() if self._open is not None else None
            ahead._end()
            self._preview = ahead
        return self._preview

    # -------------------------------------------------------------- what is shown

    def _silent(self, event: Event) -> bool:
        """Whether the pack's layout keeps a redacted event out of the log, or there is nothing to tell.

        A seat that chooses nothing may not have been asked: then there was nothing to choose from. A message that
        would show an empty list says nothing.
        """
        if event.kind == "answered":
            return event.numbers[2] == 0 or self.program.sites[event.numbers[1]].private
        if event.kind == "announced":
            return not self._narrator.line(event)
        if event.kind == "changed":
            return self.program.tracks[event.numbers[0]].key in self._unshown
        if event.kind != "moved":
            return False
        source, target = (self.program.zones[zone].zone if zone >= 0 else "" for zone in event.numbers[:2])
        return target in self._untold or (source in self._unshown and target in self._unshown)

    def _read(self, event: Event) -> Event | None:
        return redact(event, self.reader) if self.reader is not None else for_witness(event)

    # -------------------------------------------------------------- lines

    def _event(self, event: Event) -> None:
        site = self._narrator.place_of_pass(event)
        if site >= 0:
            if self._open is None or self._open.site != site:
                self._close()
                self._open = OpenLine(site=site)
            if event.numbers[0] not in self._open.passing:
                self._open.passing.append(event.numbers[0])
        elif event.kind == "reached":
            self._reached(event)
        elif event.kind == "performed":
            self._performed(event)
        elif event.kind == "scored":
            self._scored(event)
        elif event.kind == "restarted":
            self._restarted(event)
        else:
            text = self._narrator.line(event)
            if event.kind in ("answered", "announced"):
                self._named.setdefault(event.numbers[0], []).append(text)
            self._say(text, event)

    def _reached(self, event: Event) -> None:
        name = self.program.sources[event.at].name
        seat = event.numbers[0]
        sort, _, _ = name.partition("/")
        given = self._texts.name(self._language, "step", name)
        if sort == "round":
            self._rounds += 1
            text = f"{sentence(self._narrator.name('step', name, 1))[:-1]} {self._rounds}"
            if seat >= 0:
                text += f" · {self._narrator.who(seat)['seat']}"
            self._position = Position(text, "", name, seat)
            self._head(Line("round", text))
        elif sort == "phase":
            self._position = evolve(self._position, phase=name)
            self._head(Line("phase", sentence(self._narrator.name("step", name, 1))[:-1]))
        elif given is not None:
            self._head(Line("step", sentence(self._narrator.line(event))[:-1]))

    def _restarted(self, event: Event) -> None:
        """Begin the log of the next game of a series."""
        text = sentence(self._narrator.line(event))[:-1]
        self._rounds, self._scoring, self._award = 0, False, ""
        self._position = Position(text)
        self._close()
        self._lines.append(Line("round", text))
        self._waiting, self._named, self._heading = [], {}, text

    def _performed(self, event: Event) -> None:
        """Report who uses which card, unless the heading or an answer has just named it.

        An effect of a definition without a player and a card gets the definition's name as heading.
        """
        seat = event.numbers[0]
        if seat < 0 and not event.cards:
            definition = self.program.sources[event.at].name.partition("/")[2].rpartition(".")[0]
            if self._texts.name(self._language, "definition", definition) is not None:
                self._head(Line("step", sentence(self._narrator.name("definition", definition, 1))[:-1]))
        if seat < 0 or not event.cards or BACK in event.cards:
            return
        card = self._narrator.cards(event.cards)
        said = [*self._named.get(seat, ())]
        if self._open is not None:
            said += self._open.pieces[-1:]
        said += [self._heading]
        if any(card in text for text in said):
            return
        key = self.program.sources[event.at].name
        what = self._narrator.name("step", key, 1).rstrip("0123456789 ")
        who = self._narrator.who(seat)
        # The key of an effect is an English word: in other languages the card alone is enough.
        named = self._language == "en" or self._texts.name(self._language, "step", key) is not None
        detail = self._narrator.phrase("detail", what=card, detail=what) if named else card
        self._say(self._narrator.phrase("uses", what=detail, **who), event, seat)

    def _scored(self, event: Event) -> None:
        if not self._scoring:
            self._scoring = True
            self._position = Position(WORDS[self._language]["scoring"])
            self._head(Line("round", WORDS[self._language]["scoring"]))
        title = award_title(self._narrator, event)
        if self._award != title:
            self._close()
            self._award = title
        self._shares.append(award_share(self._narrator, event))
        self._open = OpenLine([f"{title}: {self._narrator.join(self._shares)}"])

    def _head(self, line: Line) -> None:
        """Hold a heading back until something follows under it; it replaces those of its level or below."""
        self._close()
        self._named = {}
        self._heading = line.text
        level = _LEVELS[line.sort]
        self._waiting = [one for one in self._waiting if _LEVELS[one.sort] < level]
        self._waiting.append(line)

    def _actor(self, event: Event) -> int:
        """Return the seat that a line is about: the one that it begins with if no reader is "you"."""
        if event.kind in ("ended", "series-ended") and event.numbers[0].bit_count() > 1:
            return -1
        text = self._plain.line(event)
        return next((seat for seat, lead in enumerate(self._leads) if text.startswith(lead)), -1)

    def _shared(self, text: str, actor: int) -> str:
        """Remove the subject of a sentence, to append it to one about the same seat.

        The pack's own lines begin with a capital letter.
        """
        you = f"{self._narrator.phrase('you')} "
        subject = you if actor == self.reader and text.lower().startswith(you) else self._leads[actor]
        return text[len(subject) :] if text.lower().startswith(subject.lower()) else text

    def _names_reader(self, text: str, actor: int) -> bool:
        """Whether a line of the pack names the reader's seat; then no line with "you" can be appended to it."""
        return actor >= 0 and actor == self.reader and text.startswith(self._leads[actor])

    def _begins(self, event: Event) -> bool:
        """Whether an answer has the pack's own line, which is a sentence of its own; effects may follow in it."""
        later = event.kind == "announced" and self.program.sources[event.at].name.startswith(LINE)
        return later or (event.kind == "answered" and self._narrator.chosen(event) is not None)

    def _say(self, text: str, event: Event, actor: int = -1) -> None:
        if not text:
            return
        actor = self._actor(event) if actor < 0 else actor
        rule = (event.at, event.numbers[0]) if event.kind == "changed" else None
        answer = event.kind == "answered" or self._answers
        line = self._open
        if (
            line is not None
            and actor >= 0
            and actor == line.actor
            and line.named == self._names_reader(text, actor)
            and not (answer and len(line.pieces) > line.answers)
            and not self._begins(event)
        ):
            line.pieces.append(self._shared(text, actor))
            line.answers += answer
            line.rule = rule if len(line.pieces) == 1 else None
        elif line is not None and rule is not None and rule == line.rule:
            line.pieces[-1] += f"; {text}"
            line.actor = -1
        else:
            self._close()
            named = self._names_reader(text, actor)
            self._open = OpenLine([text], actor, int(answer), rule, named=named)

    def _close(self) -> None:
        self._award, self._shares = "", []
        if self._open is not None:
            self._lines.extend(self._waiting)
            self._waiting = []
            self._lines.append(self._line(self._open))
            self._open = None

    def _line(self, of: OpenLine) -> Line:
        text = " · ".join(of.pieces)
        if of.passing:
            text = self._narrator.passing(of.passing, self.program.sites[of.site])
        return Line("text", sentence(text), of.actor)
