"""RW361: tracks and lists that last a moment."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

LASTING: tuple[Entry, ...] = (
    Entry(
        "RW361",
        "cannot-start-over",
        "error",
        "A track or list cannot start over with this moment",
        "`lasts` is `turn`, `phase`, `round`, or `verb/NAME`, if the game has such a moment; for tracks and lists "
        "of players also `own-turn`. Only tracks and lists with the scopes `game`, `player`, and enumerations can "
        "start over. `starts` is a number, `true`, `false`, a member, or `none`; for a track of players it can "
        "also be `you`.",
        "tracks:\n  shield: {lasts: own-turn}",
        "tracks:\n  shield: {scope: player, lasts: own-turn}",
    ),
)
