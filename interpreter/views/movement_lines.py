"""Lines of the log about cards that move.

A pack can write the line itself (`log` of a zone), for cards that come into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rulewright.interpreter.state.events import BACK, Event
from rulewright.interpreter.views.names import Texts, arguments, parsed
from rulewright.ruleset.table.message import Value, format_message
from rulewright.ruleset.table.nodes import ORDERED, UNDER, TableProgram


class Words(Protocol):
    """Words for the things of a game, for one reader and in one language (`interpreter.views.narration`)."""

    program: TableProgram
    language: str
    texts: Texts

    def who(self, seat: int) -> dict[str, Value]: ...

    def cards(self, cards: Sequence[int]) -> str: ...

    def zone(self, zone: int, actor: int = -1) -> str: ...

    def one_zone(self, zone: int) -> str: ...

    def phrase(self, key: str, **values: Value) -> str: ...


def movement_line(words: Words, event: Event) -> str:
    """Return the line of a move; empty if no cards moved."""
    line = _movement(words, event)
    if line and len(event.numbers) > 4 and event.numbers[3] & ORDERED:
        return words.phrase("in-chosen-order", line=line, **words.who(event.numbers[4]))
    return line


def _movement(words: Words, event: Event) -> str:
    source, target, count = event.numbers[:3]
    if not count:
        return ""
    under = "yes" if len(event.numbers) > 3 and event.numbers[3] & UNDER else "no"
    giver, taker = _owner(words, source), _owner(words, target)
    values: dict[str, Value] = {
        "cards": words.cards(event.cards or (BACK,) * count),
        "count": count,
    }
    actor = taker if giver == -1 else giver
    if giver >= 0 and taker >= 0 and giver != taker:
        actor = -1
    values["from"], values["to"] = words.zone(source, actor), words.zone(target, actor)
    if source >= 0 and words.program.zones[source].zone == words.program.zones[target].zone and giver == taker:
        values["from"], values["to"] = words.one_zone(source), words.one_zone(target)
    own = _arrival(words, target, values, taker if taker >= 0 else giver, source >= 0)
    if own is not None:
        return own
    if taker >= 0 and giver in (-1, taker):
        # Nobody draws from piles in sight.
        pile = words.program.zones[source] if source >= 0 else None
        drawn = pile is not None and pile.order == "pile" and pile.sees != (1 << words.program.seats) - 1
        sort = "draw" if drawn and words.program.zones[target].order == "bag" else "take"
        if sort == "take" and giver == taker:
            return _put(words, source, target, under, values, taker)
        return words.phrase(sort, **values, **words.who(taker))
    if giver >= 0 and taker < 0:
        return _put(words, source, target, under, values, giver)
    if giver >= 0:
        return words.phrase("give", **values)
    return words.phrase("move", **values, under=under)


def _arrival(words: Words, target: int, values: dict[str, Value], seat: int, comes: bool) -> str | None:
    """Return the pack's own line for cards that come into a zone; None if it has none that fits.

    `seat` is the owner of this zone or, if it has none, of the zone that the cards come from; else -1. `comes`:
    they come from a zone.
    """
    given = words.texts.name(words.language, "arrival", words.program.zones[target].zone)
    if given is None or "{" not in given:
        return given
    needs = arguments(given)
    if (seat < 0 and needs & {"seat", "you"}) or (not comes and "from" in needs):
        return None
    return format_message(parsed(given), {**values, **(words.who(seat) if seat >= 0 else {})}, words.language)


def _put(words: Words, source: int, target: int, under: str, values: dict[str, Value], seat: int) -> str:
    """Say that a seat puts cards somewhere; from where, unless they can only have been in its hand."""
    zones = words.program.zones
    into = zones[target].order == "bag" and zones[target].owner >= 0
    where = "under" if under == "yes" else "into" if into else "onto"
    own = [
        number
        for number, zone in enumerate(zones)
        if zone.owner == seat and zone.sees == 1 << seat and number != target
    ]
    sort = "put-down" if own == [source] else "put"
    if sort == "put-down":
        del values["from"]
    return words.phrase(sort, **values, **words.who(seat), where=where)


def _owner(words: Words, zone: int) -> int:
    return words.program.zones[zone].owner if zone >= 0 else -1
