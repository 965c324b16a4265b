"""RW361: tracks and lists that last a moment."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

LASTING: tuple[Entry, ...] = (
    Entry(
        "RW361",
        "cannot-start-over",
        "error",
        "A track or list cannot start over with this moment",
        "`lasts` names a moment that the game has: `turn`, `phase`, `round`, `own-turn` for what players have, or "
        "`verb/NAME`. Only the scopes `game`, `player`, and enumerations are possible. The start is a number, "
        "`true`, `false`, a member, `none`, or `you`.",
        "tracks:\n  shield: {lasts: own-turn}",
        "tracks:\n  shield: {scope: player, lasts: own-turn}",
    ),
)
