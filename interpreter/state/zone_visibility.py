"""Which seats see what of a zone: one definition for views, options, events, knowledge, bots and dealing.

| of a zone | is seen by |
|---|---|
| its cards | those of `seen-by` |
| its top card | those of `seen-by`; of a pile also those of `top-seen-by` |
| how many there are | those of `seen-by` and of `size-seen-by` |
| their order | those who see the cards, unless it is a bag |

Only a pile has a top. A bag or row that says who sees its top, as a journal's program may, shows it to nobody else.
All functions give masks: bit n stands for seat n. The tables of native code are made of them, too.
"""

from __future__ import annotations

from ruleset.table.nodes import ZoneInfo


def cards_seen(zone: ZoneInfo) -> int:
    """The seats that see all cards of a zone."""
    return zone.sees


def top_seen(zone: ZoneInfo) -> int:
    """The seats that see the card at the end of a zone's list."""
    return zone.sees | zone.top if zone.order == "pile" else zone.sees


def size_seen(zone: ZoneInfo) -> int:
    """The seats that see how many cards there are."""
    return zone.sees | zone.sizes


def order_seen(zone: ZoneInfo) -> int:
    """The seats that see which card lies where."""
    return 0 if zone.order == "bag" else zone.sees


def hidden(zone: ZoneInfo, seat: int) -> bool:
    """Whether a zone hides its cards from a seat (its top may be seen all the same)."""
    return not cards_seen(zone) >> seat & 1
