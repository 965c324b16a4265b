"""Names for the values that texts of a pack show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rulewright.interpreter.state.events import NO_CARD, Event
from rulewright.interpreter.views.visibility import value_key
from rulewright.ruleset.table.message import Named, Value
from rulewright.ruleset.table.nodes import LIST_OF, TableProgram


class Names(Protocol):
    """Names of things for one reader, in one language."""

    program: TableProgram
    reader: int | None

    def cards(self, cards: Sequence[int]) -> str: ...

    def member(self, of: str, value: int) -> str: ...

    def name(self, thing: str, key: str, count: int) -> str: ...

    def join(self, parts: Sequence[str]) -> str: ...


def event_values(names: Names, event: Event) -> dict[str, Value]:
    """Name the values that an event gives to its text (`Source.values`)."""
    found: dict[str, Value] = {}
    cards = list(event.cards)
    values, members = _values(names, event)
    for name, of, number in values:
        if of == "card":
            found[name] = name_values(names, of, cards[:number] or (NO_CARD,), False)
            cards = cards[number:]
        elif of.startswith(LIST_OF):
            found[name] = name_values(names, of.removeprefix(LIST_OF), members[:number], True)
            members = members[number:]
        else:
            found[name] = name_values(names, of, (number,), False)
    return found


def empty_lists(names: Names, event: Event) -> frozenset[str]:
    """Return the names of the values of an event that are empty lists, or cards that are not there."""
    values, _ = _values(names, event)
    return frozenset(name for name, of, number in values if not number and (of == "card" or of.startswith(LIST_OF)))


def _values(names: Names, event: Event) -> tuple[list[tuple[str, str, int]], tuple[int, ...]]:
    """Return the name, type, and number of each value of an event, and the members of its lists."""
    given = names.program.sources[event.at].values
    end = 1 + len(given)
    return [(*one, number) for one, number in zip(given, event.numbers[1:end], strict=True)], event.numbers[end:]


def name_values(names: Names, of: str, values: Sequence[int] | None, many: bool) -> int | Named:
    """Name a value of a type (as in `Site.of`), or several (`many`); None is hidden from the reader."""
    if values is None:
        return Named("…", "other")
    if of == "number" and not many:
        return values[0]
    if of == "card":
        case = names.program.cards[values[0]].definition if len(values) == 1 and values[0] >= 0 else "other"
        case = "none" if all(card == NO_CARD for card in values) else case
        return Named(names.cards([card for card in values if card != NO_CARD]), case)
    if len(values) != 1:
        parts = [str(name_values(names, of, (one,), False)) for one in values]
        return Named(names.join(parts) or names.name(of, "none", 1), "other")
    value = values[0]
    if of == "boolean":
        return Named(names.name(of, "yes" if value else "no", 1), "yes" if value else "no")
    if of in ("seat", "player") and value >= 0:
        return Named(names.member(of, value), "you" if value == names.reader else "other")
    return Named(names.member(of, value), value_key(names.program, of, value))
