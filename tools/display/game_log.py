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

from collections.abc import Iterator, Sequence
from typing import Literal

from attrs import define, evolve, field, frozen

from interpreter.state.events import BACK, Event, redact
from interpreter.views.award_lines import award_share, award_title
from interpreter.views.names import Texts, sentence
from interpreter.views.narration import LINE, Narrator
from interpreter.views.narration_messages import KERNEL_OPTIONS
from interpreter.views.options import unfold
from interpreter.views.recorder import cards_of_answer
from interpreter.views.witness import for_witness
from ruleset.program.nodes import TableLayout
from ruleset.table.nodes import TableProgram
from tools.display.position import Position
from tools.display.related_events import announces, joined
from tools.display.track_memory import TrackMemory

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


@define
class _Open:
    """The line to which similar events may be added."""

    pieces: list[str] = field(factory=list)
    actor: int = -1
    answers: int = 0
    rule: tuple[int, int] | None = None
    passing: list[int] = field(factory=list)
    """Seats that pass, in order; then they are the whole line."""
    site: int = -1
    """The number of the site where they pass."""
    named: bool = False
    """Whether the reader's own line begins with the name of the seat, not with "you"."""


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
        self._open: _Open | None = None
        self._plain = Narrator(program, language, texts, None, self._memory)
        self._leads = [f"{self._plain.who(seat)['seat']} " for seat in range(program.seats)]

    @property
    def position(self) -> Position:
        """The position of the last event in the log."""
        return self._position

    @property
    def narrator(self) -> Narrator:
        """The narrator of this log."""
        return self._narrator

    def tell(self, raw: Sequence[Event]) -> list[Line]:
        """Return the lines of the next events. The events are unredacted; the lines are redacted.

        The last line is held back, since more may be added to it; `rest` returns it.
        """
        for passed, event in joined(self.program, self._worth_telling(raw)):
            for one in passed:
                self._memory.fold(one)
            if event is not None:
                said = event.kind == "announced"
                self._answers = said and any(one.kind == "answered" for one in passed)
                self._event(event)
        lines, self._lines = self._lines, []
        return lines

    def rest(self) -> list[Line]:
        """Return the held-back line, if any: for a pause in which the reader wants to see everything."""
        self._close()
        lines, self._lines = self._lines, []
        return lines

    def pending(self) -> list[Line]:
        """Return the held-back line and the headings before it, without ending it."""
        return [] if self._open is None else [*self._waiting, self._line(self._open)]

    def note(self, text: str) -> list[Line]:
        """Add a line about no event, and return all lines so far."""
        self._close()
        lines = [*self._lines, *self._waiting, Line("text", text)]
        self._lines, self._waiting = [], []
        return lines

    # -------------------------------------------------------------- what is shown

    def _worth_telling(self, raw: Sequence[Event]) -> Iterator[tuple[Event, Event | None]]:
        """Yield events with their redacted form for the reader; None for omitted and repeated ones."""
        silent = [self._silent(event) for event in raw]
        for number, event in enumerate(raw):
            following = next((raw[n] for n in range(number + 1, len(raw)) if not silent[n]), None)
            read = None if silent[number] else self._read(event)
            yield event, None if read is None or self._repeated(event, following) else read

    def _silent(self, event: Event) -> bool:
        """Whether the pack's layout keeps an event out of the log, or there is nothing to tell.

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

    def _repeated(self, event: Event, following: Event | None) -> bool:
        if event.kind == "answered" and event.numbers[2]:
            site = self.program.sites[event.numbers[1]]
            if self._uses_at_once(event, following):
                return True
            if self._narrator.chosen(event):
                return False
            if site.of == "card" and following is not None and following.kind in ("moved", "revealed"):
                return set(event.cards) == set(following.cards)
            moved = following is not None and following.kind == "moved"
            if moved and cards_of_answer(site, event.cards) == list(following.cards if following else ()):
                return True
            answer, said = self._read(event), self._read(following) if following is not None else None
            if answer is not None and said is not None and announces(self._narrator, said, answer):
                return True
            if site.of == "menu":
                return site.branches[unfold(site, event.cards[0])[0]].key == KERNEL_OPTIONS[0]
        if event.kind == "changed" and following is not None and following.kind == "scored":
            return self.program.tracks[event.numbers[0]].key == "score"
        if event.kind == "performed" and event.cards and following is not None and following.kind == "revealed":
            return set(event.cards) == set(following.cards)
        return False

    def _uses_at_once(self, event: Event, following: Event | None) -> bool:
        """Whether the reader does not see what a seat has chosen, but sees which card it uses next."""
        if following is None or following.kind != "performed" or following.numbers[0] != event.numbers[0]:
            return False
        answer, used = self._read(event), self._read(following)
        if answer is None or used is None or not used.cards:
            return False
        return (not answer.cards or BACK in answer.cards) and BACK not in used.cards

    # -------------------------------------------------------------- lines

    def _event(self, event: Event) -> None:
        site = self._narrator.place_of_pass(event)
        if site >= 0:
            if self._open is None or self._open.site != site:
                self._close()
                self._open = _Open(site=site)
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
        self._open = _Open([f"{title}: {self._narrator.join(self._shares)}"])

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
            self._open = _Open([text], actor, int(answer), rule, named=named)

    def _close(self) -> None:
        self._award, self._shares = "", []
        if self._open is not None:
            self._lines.extend(self._waiting)
            self._waiting = []
            self._lines.append(self._line(self._open))
            self._open = None

    def _line(self, of: _Open) -> Line:
        text = " · ".join(of.pieces)
        if of.passing:
            text = self._narrator.passing(of.passing, self.program.sites[of.site])
        return Line("text", sentence(text), of.actor)
