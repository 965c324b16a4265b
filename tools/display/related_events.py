"""Compare events of the log: which announce an answer, and which can be merged into one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import define, evolve, field

from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.events import BACK, Event
from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.table.nodes import TableProgram

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
