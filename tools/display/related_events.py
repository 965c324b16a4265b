"""Compare events of the log: which announce an answer, and which can be merged into one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from interpreter.state.events import BACK, Event
from interpreter.views.narration import Narrator
from interpreter.views.options import unfold
from ruleset.table.nodes import TableProgram


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
    if first.kind != then.kind or (first.audience, first.sees) != (then.audience, then.sees):
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


def joined(
    program: TableProgram, events: Iterable[tuple[Event, Event | None]]
) -> Iterator[tuple[Sequence[Event], Event | None]]:
    """Merge single-card moves between the same places, and changes of one number by one rule.

    Each comes with the raw events up to it, which are folded into the memory only when it is reported, so that no
    line depends on later values.
    """
    held: Event | None = None
    passed: list[Event] = []
    after: list[Event] = []
    for raw, read in events:
        after.append(raw)
        if read is None:
            continue
        whole = together(program, held, read) if held is not None else None
        if whole is None:
            yield passed, held
            passed = after
        else:
            passed = [*passed, *after]
        held, after = whole or read, []
    yield passed, held
    yield after, None
