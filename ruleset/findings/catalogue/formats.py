"""RW640 and RW641: the format of packs."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

FORMATS: tuple[Entry, ...] = (
    Entry(
        "RW640",
        "old-format",
        "error",
        "The pack uses an older format",
        "`rulewright migrate PATH` rewrites the pack, keeps comments and layout, and reports what it changed. "
        "Format 1 had two sections for values that change: `tracks`, for numbers, and `state`, for booleans "
        "unless `of` named another type. In format 2, `scope: KIND` of a track or list meant each card of a kind "
        "with cards; that is `KIND card` now.",
        "pack: lanterns\nformat: 1\nplayers: 2\nstate:\n  dusk: {}\n  starter: {of: player}",
        "pack: lanterns\nformat: 3\nplayers: 2\ntracks:\n  dusk: boolean\n  starter: {of: player}",
    ),
    Entry(
        "RW641",
        "newer-format",
        "error",
        "The pack uses a newer format",
        "The pack was made for a later version of rulewright. Install a newer version; until then the pack cannot "
        "be checked.",
        "pack: lanterns\nformat: 99\nplayers: 2",
        "pack: lanterns\nformat: 3\nplayers: 2",
    ),
)
