"""Events of narration, and `redact`, the only way from an event to a seat.

A backend emits raw events with every card in them; their audience was decided when they were made. The result of
`redact` may be shown, sent and logged.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import evolve, frozen

from rulewright.ruleset.table.nodes import ORDERED, ZoneInfo

RawEvent: TypeAlias = tuple[str, tuple[int, ...], tuple[int, ...], int, int, int]
"""Kind, numbers, cards, audience, sees, at."""

BACK = -1
"""Replaces a card that the reader does not see."""


NO_CARD = -2
"""A card that a text shows and that is not there."""


@frozen
class Event:
    """Something that happened. `kind` and `numbers` are those of `ruleset.table.nodes.EVENTS`.

    `audience` is the mask of seats that hear of it, `sees` the mask of seats among them that see its cards (or
    values); `at` is the number of the source that caused it. Where seats may see some of its cards, `each` has a
    group of masks for each value that the event names, and in it the mask of the seats that see each card.
    """

    kind: str
    numbers: tuple[int, ...]
    cards: tuple[int, ...]
    audience: int
    sees: int
    at: int
    each: tuple[tuple[int, ...], ...] = ()


def from_raw(raw: RawEvent) -> Event:
    """Make an event from a raw tuple."""
    kind, numbers, cards, audience, sees, at = raw
    return Event(kind, tuple(numbers), tuple(cards), audience, sees, at)


def redact(event: Event, seat: int) -> Event | None:
    """Return the part of an event that a seat may read: None, its fact with backs for cards, or all of it.

    >>> drawn = Event("moved", (0, 1, 2), (7, 3), audience=0b11, sees=0b01, at=0)
    >>> redact(drawn, 0).cards, redact(drawn, 1).cards
    ((7, 3), (-1, -1))
    """
    if not event.audience >> seat & 1:
        return None
    if event.sees >> seat & 1:
        return _unordered(evolve(event, each=()), seat)
    return covered(event, 1 << seat)


def _unordered(event: Event, seat: int) -> Event:
    """Return an event with its cards sorted if a seat that sees them may not learn the order that another chose."""
    ordered = event.kind == "moved" and len(event.numbers) > 5 and event.numbers[3] & ORDERED
    if not ordered or event.numbers[5] >> seat & 1:
        return event
    return evolve(event, cards=tuple(sorted(event.cards)))


def covered(event: Event, seats: int = 0) -> Event:
    """Return an event for readers that see only the cards that `each` shows to any of these seats.

    The others become backs, after those that are seen: their order could tell them apart. Numbers of cards,
    and of the zones in which they lie, are left out: a player may have chosen a card in secret among several zones.
    """
    if event.kind == "shuffled":  # their number may be hidden from the reader
        return evolve(event, cards=(), each=())
    numbers = event.numbers
    if event.kind == "changed" and event.cards:
        numbers = (numbers[0], BACK, *numbers[2:])
    elif event.kind == "revealed":
        numbers = (numbers[0], *(-1 for _ in event.cards))
    shown: list[int] = []
    for masks in event.each or ((0,) * len(event.cards),):
        cards = event.cards[len(shown) : len(shown) + len(masks)]
        seen = [card for mask, card in zip(masks, cards, strict=True) if mask & seats]
        shown += [*seen, *(BACK,) * (len(masks) - len(seen))]
    return evolve(event, numbers=numbers, cards=tuple(shown), each=())


# ---- Visibility of zones: one definition for views, options, events, knowledge, bots and dealing
#
# | of a zone | is seen by |
# |---|---|
# | its cards | the seats of `seen-by` |
# | its top card | the seats of `seen-by`; of a pile also those of `top-seen-by` |
# | its size | the seats of `seen-by` and of `size-seen-by` |
# | its order | the seats that see its cards, unless it is a bag |
#
# Only a pile has a top. In a bag or row, `top-seen-by` has no effect. All functions return masks: bit n is
# seat n. `top_seen` always contains `cards_seen`.
#
# Whether a seat sees one card is decided by `views.visibility.SeatSight`, and again, for speed, by
# `interpreter.backends.policies`, and in C by `rw_in_sight` (`bots.c`) and `rw_sees` (`deal.c`). All of them, and
# the tables of native code, use these functions; `tests/interpreter/state/test_zone_visibility.py` compares
# them.

def cards_seen(zone: ZoneInfo) -> int:
    """Return the seats that see all cards of a zone."""
    return zone.sees


def top_seen(zone: ZoneInfo) -> int:
    """Return the seats that see the card at the end of a zone's list."""
    return zone.sees | zone.top if zone.order == "pile" else zone.sees


def size_seen(zone: ZoneInfo) -> int:
    """Return the seats that see the number of cards."""
    return zone.sees | zone.sizes


def order_seen(zone: ZoneInfo) -> int:
    """Return the seats that see which card is at which place."""
    return 0 if zone.order == "bag" else zone.sees


def hidden(zone: ZoneInfo, seat: int) -> bool:
    """Return whether a zone hides its cards from a seat. Its top may still be seen."""
    return not cards_seen(zone) >> seat & 1
