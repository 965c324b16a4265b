"""Visibility of zones: one definition for views, options, events, knowledge, bots and dealing.

| of a zone | is seen by |
|---|---|
| its cards | the seats of `seen-by` |
| its top card | the seats of `seen-by`; of a pile also those of `top-seen-by` |
| its size | the seats of `seen-by` and of `size-seen-by` |
| its order | the seats that see its cards, unless it is a bag |

Only a pile has a top. In a bag or row, `top-seen-by` has no effect. All functions
return masks: bit n is seat n. `top_seen` always contains `cards_seen`.

Whether a seat sees one card is decided by `views.visibility.Sight`, and again, for speed, by
`backends.policies.players`, and in C by `rw_in_sight` (`bots.c`) and `rw_sees` (`deal.c`). All of them, and
the tables of native code, use these functions; `tests/interpreter/state/test_zone_visibility.py` compares them.
"""

from __future__ import annotations

from rulewright.ruleset.table.nodes import ZoneInfo


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
