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

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.interpreter.state.decision_slots import cards_of_answer, unfold
from rulewright.interpreter.state.events import BACK, Event, redact
from rulewright.interpreter.views.event_lines import award_share, award_title
from rulewright.interpreter.views.names import Texts, sentence
from rulewright.interpreter.views.narration import LINE, Narrator
from rulewright.interpreter.views.narration_messages import KERNEL_OPTIONS
from rulewright.interpreter.views.view import for_witness
from rulewright.ruleset.program.nodes import TableLayout
from rulewright.ruleset.table.nodes import TableProgram

# ---- The last line of a log, to which similar events may be added

@define
class OpenLine:
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

    def copy(self) -> OpenLine:
        """Return one to which other events can be added."""
        return evolve(self, pieces=[*self.pieces], passing=[*self.passing])


# ---- Compare events of the log: which announce an answer, and which can be merged into one line

Joined: TypeAlias = tuple[Sequence[Event], Event | None]
"""A merged event as its reader reads it, with the raw events up to it; None if it is not read."""


def announces(narrator: Narrator, said: Event, answer: Event) -> bool:
    """Return whether an event announces all that the reader sees of an answer of its seat. Both are redacted."""
    if said.kind != "announced" or said.numbers[0] != answer.numbers[0]:
        return False
    site = narrator.program.sites[answer.numbers[1]]
    text, chosen = narrator.line(said), [value for value in answer.cards if value != BACK]
    if not text:
        return False
    if site.of == "card":
        cards = Counter(narrator.program.cards[card].key for card in chosen)
        return all(narrator.several("card", key, count) in text for key, count in cards.items())
    if site.of != "menu":
        return all(narrator.member(site.of, value) in text for value in chosen)
    for value in chosen:
        number, members = unfold(site, value)
        named = zip(site.branches[number].members, members, strict=True)
        own = narrator.kernel_option(site, value)
        if own or not all(narrator.member(of, member) in text for of, member in named):
            return False
    return True


def together(program: TableProgram, first: Event, then: Event) -> Event | None:
    """Merge single-card moves between the same places, or changes of one number by one rule; or return None."""
    if first.kind != then.kind or first.audience != then.audience or (BACK in first.cards) != (BACK in then.cards):
        return None
    head, count, rest = first.numbers[:2], first.numbers[2:3], first.numbers[3:]
    if (head, rest) != (then.numbers[:2], then.numbers[3:]):
        return None
    if first.kind == "moved":
        cards = first.cards + then.cards
    elif first.kind == "changed" and first.at == then.at and first.cards == then.cards:
        counted = program.tracks[head[0]].of == "number"
        if not counted or (count[0] > 0) != (then.numbers[2] > 0):
            return None
        cards = first.cards
    else:
        return None
    return evolve(first, numbers=(*head, count[0] + then.numbers[2], *rest), cards=cards)


@define
class Joining:
    """Merge single-card moves between the same places, and changes of one number by one rule.

    Each merged event comes with the raw events up to it, which are folded into the memory only when it is reported,
    so that no line depends on later values. The last event is held until another one follows that cannot be merged
    with it.
    """

    program: TableProgram
    _held: Event | None = None
    _passed: list[Event] = field(factory=list)
    _after: list[Event] = field(factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing is held."""
        return self._held is None and not self._after

    def add(self, raw: Event, read: Event | None) -> Joined | None:
        """Add an event and what the reader reads of it; return the event that is complete now, if one is."""
        self._after.append(raw)
        if read is None:
            return None
        whole = together(self.program, self._held, read) if self._held is not None else None
        if whole is not None:
            self._held, self._passed, self._after = whole, [*self._passed, *self._after], []
            return None
        done = (self._passed, self._held) if self._held is not None else None
        self._held, self._passed, self._after = read, self._after, []
        return done

    def end(self) -> list[Joined]:
        """Return what is held, and hold nothing."""
        found: list[Joined] = [(self._passed, self._held), (self._after, None)]
        self._held, self._passed, self._after = None, [], []
        return found

    def copy(self) -> Joining:
        """Return one that holds the same."""
        return Joining(self.program, self._held, [*self._passed], [*self._after])


def joined(program: TableProgram, events: Iterable[tuple[Event, Event | None]]) -> Iterator[Joined]:
    """Merge events of which nothing follows; see `Joining`."""
    joining = Joining(program)
    for raw, read in events:
        done = joining.add(raw, read)
        if done is not None:
            yield done
    yield from joining.end()


# ---- Find events of the log that the next one repeats; all of them are redacted for the reader
#
# What a reader cannot see decides nothing here, since the reader learns whether a line is omitted.

@frozen
class Repetition:
    """What is repeated in the log of one reader."""

    program: TableProgram
    narrator: Narrator

    def repeated(self, event: Event, following: Event | None) -> bool:
        """Whether the next event of the log says all that an event does. Both are redacted."""
        if event.kind == "answered" and event.numbers[2]:
            return self._answer(event, following)
        if following is None:
            return False
        if event.kind == "changed" and following.kind == "scored":
            return self.program.tracks[event.numbers[0]].key == "score"
        if event.kind == "performed" and event.cards and following.kind == "revealed":
            return _shown(event.cards, following)
        return False

    def _answer(self, event: Event, following: Event | None) -> bool:
        site = self.program.sites[event.numbers[1]]
        covered = BACK in event.cards
        if following is not None and _uses_at_once(event, following):
            return True
        if self.narrator.chosen(event):
            return False
        if following is not None and covered and self._moves_own(event, following):
            return site.of != "card" or _shown(event.cards, following)
        if following is not None and not covered and following.kind in ("moved", "revealed"):
            if site.of == "card":
                return _shown(event.cards, following)
            named = cards_of_answer(site, event.cards)
            if named and following.kind == "moved" and _shown(named, following):
                return True
        if following is not None and announces(self.narrator, following, event):
            return True
        if site.of == "menu" and not covered:
            return site.branches[unfold(site, event.cards[0])[0]].key == KERNEL_OPTIONS[0]
        return False

    def _moves_own(self, answer: Event, following: Event) -> bool:
        """Whether a seat that has chosen in secret moves cards next: its own, or shared ones if it chose alone."""
        zone = following.numbers[0] if following.kind == "moved" else -1
        own = (answer.numbers[0],) if self.program.sites[answer.numbers[1]].sealed else (answer.numbers[0], -1)
        return zone >= 0 and self.program.zones[zone].owner in own


def _shown(cards: Sequence[int], following: Event) -> bool:
    """Whether an event shows as many cards, and among them all that the reader sees of some cards."""
    return len(cards) == len(following.cards) and {*cards} <= {*following.cards, BACK}


def _uses_at_once(answer: Event, following: Event) -> bool:
    """Whether the reader does not see what a seat has chosen, but sees which card it uses next."""
    if following.kind != "performed" or following.numbers[0] != answer.numbers[0]:
        return False
    return bool(following.cards) and (not answer.cards or BACK in answer.cards) and BACK not in following.cards


# ---- The values of tracks, as they follow from the events of a game

@define
class TrackMemory:
    """State derived from the events so far; the `views.narration.Context` of a reader."""

    program: TableProgram
    reader: int | None
    values: dict[tuple[int, int], int] = field(factory=dict)
    _position: dict[int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._position = dict(self.program.position or ())

    def fold(self, event: Event) -> None:
        """Take in an event with all its details."""
        if event.kind == "changed":
            number, index, amount = event.numbers[:3]
            self.values[number, index] = self._now(number, index) + amount
        elif event.kind == "restarted":
            self._restart()

    def _restart(self) -> None:
        """Give all tracks that do not last the series the values with which its next game begins."""
        following = self.program.next_game
        assert following is not None, "only a series has a next game"
        for number, (track, starts) in enumerate(zip(self.program.tracks, following.tracks, strict=True)):
            if not any(at <= track.address < at + count for at, count in following.kept):
                self.values.update({(number, index): start for index, start in enumerate(starts)})

    def value(self, track: int, index: int) -> int | None:
        """Return a value if the reader can see it, else None."""
        info = self.program.tracks[track]
        if not 0 <= index < info.count or (self.reader is not None and not info.seen[index] >> self.reader & 1):
            return None
        return self._now(track, index)

    def _now(self, track: int, index: int) -> int:
        """Return the current value: initially that of the position, if the game begins in its middle."""
        info = self.program.tracks[track]
        known = self.values.get((track, index))
        return self._position.get(info.address + index, info.start[index]) if known is None else known


# ---- Positions in a game: the round or turn, and the phase

@frozen
class Position:
    """A position in a game: the heading of the round, and the source names of the phase and the round."""

    title: str
    phase: str = ""
    round: str = ""
    seat: int = -1
    """The seat whose turn it is, or -1."""


def phases_of(program: TableProgram, round_: str) -> list[str]:
    """Return the phases of a round, in order: the sources between its own and the next round's."""
    found: list[str] = []
    inside = False
    for source in program.sources:
        if source.name.startswith("round/"):
            inside = source.name == round_
        elif inside and source.name.startswith("phase/") and source.name not in found:
            found.append(source.name)
    return found


# ---- Game log

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
class GameLogLine:
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
        self._waiting: list[GameLogLine] = [GameLogLine("round", WORDS[self._language]["set-up"])]
        self._rounds = 0
        self._scoring = False
        self._award, self._shares = "", list[str]()
        self._named: dict[int, list[str]] = {}
        """The answers and announcements of each seat under this heading."""
        self._heading = ""
        self._answers = False
        """Whether an announcement replaces an answer."""
        self._lines: list[GameLogLine] = []
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

    def tell(self, raw: Sequence[Event]) -> list[GameLogLine]:
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

    def rest(self) -> list[GameLogLine]:
        """Return the held-back lines, if any: for a pause in which the reader wants to see everything."""
        self._end()
        self._close()
        return self._finished()

    def pending(self) -> list[GameLogLine]:
        """Return the held-back lines and the headings before them, without ending them."""
        ahead = self._ahead()
        last = [] if ahead._open is None else [*ahead._waiting, ahead._line(ahead._open)]
        return [*ahead._lines, *last]

    def note(self, text: str) -> list[GameLogLine]:
        """Add a line about no event, and return all lines so far."""
        self._end()
        self._close()
        self._lines += [*self._waiting, GameLogLine("text", text)]
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

    def _finished(self) -> list[GameLogLine]:
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
            self._head(GameLogLine("round", text))
        elif sort == "phase":
            self._position = evolve(self._position, phase=name)
            self._head(GameLogLine("phase", sentence(self._narrator.name("step", name, 1))[:-1]))
        elif given is not None:
            self._head(GameLogLine("step", sentence(self._narrator.line(event))[:-1]))

    def _restarted(self, event: Event) -> None:
        """Begin the log of the next game of a series."""
        text = sentence(self._narrator.line(event))[:-1]
        self._rounds, self._scoring, self._award = 0, False, ""
        self._position = Position(text)
        self._close()
        self._lines.append(GameLogLine("round", text))
        self._waiting, self._named, self._heading = [], {}, text

    def _performed(self, event: Event) -> None:
        """Report who uses which card, unless the heading or an answer has just named it.

        An effect of a definition without a player and a card gets the definition's name as heading.
        """
        seat = event.numbers[0]
        if seat < 0 and not event.cards:
            definition = self.program.sources[event.at].name.partition("/")[2].rpartition(".")[0]
            if self._texts.name(self._language, "definition", definition) is not None:
                self._head(GameLogLine("step", sentence(self._narrator.name("definition", definition, 1))[:-1]))
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
            self._head(GameLogLine("round", WORDS[self._language]["scoring"]))
        title = award_title(self._narrator, event)
        if self._award != title:
            self._close()
            self._award = title
        self._shares.append(award_share(self._narrator, event))
        self._open = OpenLine([f"{title}: {self._narrator.join(self._shares)}"])

    def _head(self, line: GameLogLine) -> None:
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

    def _line(self, of: OpenLine) -> GameLogLine:
        text = " · ".join(of.pieces)
        if of.passing:
            text = self._narrator.passing(of.passing, self.program.sites[of.site])
        return GameLogLine("text", sentence(text), of.actor)
