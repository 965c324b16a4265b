"""Draw why things happened after an answer: the rules that were carried out, from the step that asked.

Everything is what the reader may read of the events; a place is that of a rule in the pack's files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import JournalEntry
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.events import BACK, Event
from rulewright.interpreter.views.names import sentence
from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.table.nodes import Source
from rulewright.tools.browser.drawing.eyes import Eyes
from rulewright.tools.display.decision_texts import DecisionTexts
from rulewright.tools.display.game_log import TrackMemory, joined

MOST = 40
"""Reasons after one answer; of more the last ones are shown."""


@frozen
class RuleReason:
    """What a rule did: lines as in the log, its file and line, and the rule as written, if it is at hand."""

    lines: tuple[str, ...]
    place: str
    rule: str


@frozen
class AnswerReasons:
    """The reasons after one answer, and how many before them are left out."""

    reasons: tuple[RuleReason, ...]
    left_out: int


@frozen
class AnsweredGame:
    """An answer, and the game before it."""

    before: Game
    entry: JournalEntry


def because(eyes: Eyes, answered: AnsweredGame | None, events: Sequence[Event]) -> AnswerReasons:
    """Return the reasons of the events after an answer; without one, of those before the first."""
    program = eyes.game.program if eyes.sees_all else eyes.program
    memory = TrackMemory(program, None if eyes.sees_all else eyes.seat)
    if answered is not None:
        state = answered.before.state
        memory.values = {
            (number, index): state[track.address + index]
            for number, track in enumerate(program.tracks)
            for index in range(track.count)
        }
    narrator = Narrator(program, eyes.language, eyes.texts, memory.reader, memory)
    found: list[RuleReason] = []
    last = -1
    for event, line in _lines(eyes, answered, events, narrator, memory):
        at = _option(eyes, event)
        if found and at == last and event.kind != "answered":
            found[-1] = evolve(found[-1], lines=(*found[-1].lines, line))
            continue
        last = at
        found.append(RuleReason((line,), _place(program.sources, at), _rule(eyes, at)))
    return AnswerReasons(tuple(found[-MOST:]), max(0, len(found) - MOST))


def _lines(
    eyes: Eyes, answered: AnsweredGame | None, events: Sequence[Event], narrator: Narrator, memory: TrackMemory
) -> Iterator[tuple[Event, str]]:
    """Yield the events that the reader may read and that have words, with their lines."""
    read = ((event, next(iter(eyes.redacted([event])), None)) for event in events)
    for passed, event in joined(narrator.program, read):
        for one in passed:
            memory.fold(one)
        if event is None:
            continue
        line = narrator.line(event)
        if not line and event.kind == "answered" and answered is not None:
            line = _answer(eyes, answered, narrator)
        if line:
            yield event, sentence(line)


def _answer(eyes: Eyes, answered: AnsweredGame, narrator: Narrator) -> str:
    """Say what was chosen where the log leaves it to later lines; to others only that something was."""
    entry, before = answered.entry, answered.before
    who = narrator.who(entry.seat)
    if not eyes.sees_all and entry.seat != eyes.seat:
        return narrator.phrase("has-chosen", **who)
    decision = next(one for one in before.decisions if one.seat == entry.seat)
    told = DecisionTexts(narrator, eyes.naming, before, decision)
    pairs = zip(told.decision.options, told.labels, strict=True)
    labels = [label for option, label in pairs if option.key in entry.keys]
    return narrator.phrase("chooses" if labels else "chooses-nothing", what=narrator.join(labels), **who)


def _option(eyes: Eyes, event: Event) -> int:
    """Return the rule of an event: for an option of a menu that the reader sees, the option's own."""
    site = eyes.program.sites[event.numbers[1]] if event.kind == "answered" else None
    book = eyes.naming.book
    if site is None or site.of != "menu" or book is None or len(event.cards) != 1 or BACK in event.cards:
        return event.at
    at = book.branch(site.key, site.branches[unfold(site, event.cards[0])[0]].key)
    return at if _played(eyes) and 0 <= at < len(eyes.program.sources) else event.at


def _played(eyes: Eyes) -> bool:
    """Whether the pack at hand is the one that is played, so that its text shows the rules."""
    return eyes.naming.reasons(eyes.game.program) is not None


def _place(sources: Sequence[Source], at: int) -> str:
    """Return file and line; empty for no rule."""
    if not 0 <= at < len(sources) or not sources[at].span.path:
        return ""
    return f"{sources[at].span.path}:{sources[at].span.line}"


def _rule(eyes: Eyes, at: int) -> str:
    """Return the rule as written; empty if only its name is written there, or the pack is not at hand."""
    book = eyes.naming.book
    if book is None or not 0 <= at < len(eyes.program.sources) or not _played(eyes):
        return ""
    rule = book.rule(at)
    name = eyes.program.sources[at].name.rpartition("/")[2].rpartition(".")[2]
    return rule if rule != name else ""
