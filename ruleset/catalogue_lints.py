"""RW346–RW369 and RW450–RW469: what can be read, and is hardly what was meant."""

from __future__ import annotations

from ruleset.catalogue_entry import Entry

LINTS: tuple[Entry, ...] = (
    Entry(
        "RW450",
        "never-there",
        "error",
        "No such card can be in this list",
        "A noun such as `coins` in `coins in hand` leaves the coins of a list. If the zone accepts no coins, or if "
        "the list has definitions of other kinds only, it leaves nothing.",
        "zones: {nook: {scope: player, accepts: [moth]}}\n---\n"
        "verb: dust(s)\ndo: lose (count(lanterns in nook)) sparks",
        "zones: {nook: {scope: player, accepts: [moth]}}\n---\n"
        "verb: dust(s)\ndo: lose (count(moths in nook)) sparks",
    ),
)
