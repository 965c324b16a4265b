"""RW640 and RW641: the format of packs."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

FORMATS: tuple[Entry, ...] = (
    Entry(
        "RW640",
        "old-format",
        "error",
        "The pack is written in an older format",
        "The way in which packs are written has changed since. `rulewright migrate PATH` rewrites the pack; "
        "comments, quotes and all else stay as they are, and it tells what it did. In format 1 what a game "
        "remembers stood in two sections: `tracks`, of numbers, and `state`, which was true or false unless `of` "
        "said something else. In format 2 there is only `tracks`.",
        "pack: lanterns\nformat: 1\nplayers: 2\nstate:\n  dusk: {}\n  starter: {of: player}",
        "pack: lanterns\nformat: 2\nplayers: 2\ntracks:\n  dusk: boolean\n  starter: {of: player}",
    ),
    Entry(
        "RW641",
        "newer-format",
        "error",
        "The pack is written in a format that is not known yet",
        "The pack was made for a later version of rulewright. Install a newer one; until then nothing else can be "
        "said about the pack.",
        "pack: lanterns\nformat: 99\nplayers: 2",
        "pack: lanterns\nformat: 2\nplayers: 2",
    ),
)
