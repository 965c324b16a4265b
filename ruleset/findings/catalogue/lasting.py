"""RW361 and RW507: tracks and lists that last a moment, or a series of games."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

LASTING: tuple[Entry, ...] = (
    Entry(
        "RW361",
        "cannot-start-over",
        "error",
        "A track or list cannot start over with this moment",
        "`lasts` is `turn`, `phase`, `round`, or `verb/NAME`, if the game has such a moment; for tracks and lists "
        "of players also `own-turn`. Only tracks and lists with the scopes `game`, `player`, and enumerations can "
        "start over. `starts` is a number, `true`, `false`, a member, or `none`; for a track of players it can "
        "also be `you`. `lasts: series` needs a `series` document, and has none of these limits.",
        "tracks:\n  shield: {lasts: own-turn}",
        "tracks:\n  shield: {scope: player, lasts: own-turn}",
    ),
    Entry(
        "RW507",
        "lost-after-game",
        "warning",
        "A change after a game does not reach the next one",
        "After each game of a series, only tracks and lists with `lasts: series` keep their values. All others, "
        "and all cards, begin as they do in a first game.",
        "tracks:\n  shield: {scope: player}\n---\nseries: evening\nafter-each-game: |\n"
        "  each p in winners: p's shield += 1\nuntil: any p in players where p's shield is 2\nscore: shield",
        "tracks:\n  shield: {scope: player, lasts: series}\n---\nseries: evening\nafter-each-game: |\n"
        "  each p in winners: p's shield += 1\nuntil: any p in players where p's shield is 2\nscore: shield",
    ),
)
