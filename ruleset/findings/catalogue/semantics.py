"""RW5xx: meaning. RW6xx: packs."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

MEANING: tuple[Entry, ...] = (
    Entry(
        "RW501",
        "read-would-shuffle",
        "error",
        "Reading this could shuffle",
        "Reading the top or bottom of a pile that refills itself may shuffle it first. Conditions and amounts "
        "never change the game, so they cannot read it: move or reveal the card with `as NAME`, and test the name.",
        "do: |\n  if top of deck is moth: draw 1",
        "do: |\n  if top of discard is moth: draw 1",
    ),
    Entry(
        "RW502",
        "endless-calls",
        "error",
        "A cycle of calls never ends",
        "Verbs, functions and effects that call each other in a cycle never end, unless a player is asked on the "
        "way.",
        "function: echo\ngives: number\nis: echo + 1",
        "function: echo\ngives: number\nis: 1",
    ),
    Entry(
        "RW503",
        "derived-anew",
        "warning",
        "A function is read again after the zone that it reads was emptied",
        "A function is computed each time it is read. If a zone that it reads was emptied in between, it gives "
        "another value. To keep the first value, use `let` or a track.",
        "function: spread\ngives: number\nis: count(row)\n---\nverb: sweep(s)\ndo: |\n  sparks += spread\n"
        "  move row to discard\n  sparks += spread",
        "function: spread\ngives: number\nis: count(row)\n---\nverb: sweep(s)\ndo: |\n"
        "  let before = spread\n  sparks += before\n  move row to discard\n  sparks += before",
    ),
)

PACKS: tuple[Entry, ...] = (
    Entry(
        "RW504",
        "never-accepted",
        "error",
        "Cards are moved to a zone that accepts none of them",
        "`accepts` lists the kinds of cards that a zone accepts. Cards of other kinds cannot be moved there.",
        "zones: {case: {accepts: [lantern]}, net: {accepts: [moth]}}\n---\nsetup: begin\n"
        "steps: [{id: tidy, do: move net to case}]",
        "zones: {case: {accepts: [moth]}, net: {accepts: [moth]}}\n---\nsetup: begin\n"
        "steps: [{id: tidy, do: move net to case}]",
    ),
    Entry(
        "RW505",
        "never-decides",
        "error",
        "A `winner` comes after one that always decides",
        "Of several `winner` documents, the first whose `when` holds decides. One without `when` always decides, "
        "so it must be the last.",
        "winner: best\namong: players\n---\nwinner: rich\nwhen: count(players) > 2\namong: players",
        "winner: rich\nwhen: count(players) > 2\namong: players\n---\nwinner: best\namong: players",
    ),
    Entry(
        "RW601",
        "file-outside",
        "error",
        "A file lies outside of the pack's folder",
        "A link in a pack's folder leads out of it. A pack is complete in its folder, so that it can be passed on.",
        "",
        "",
    ),
    Entry(
        "RW602",
        "pack-too-large",
        "error",
        "A pack is too large",
        "A pack has at most 2,000 files and 8 MiB.",
        "",
        "",
    ),
    Entry(
        "RW603",
        "no-pack-file",
        "error",
        "There is no pack here",
        "A pack is a folder with a file `pack.yaml`. Neither this folder nor one above it has such a file.",
        "",
        "",
    ),
    Entry(
        "RW604",
        "file-encoding",
        "error",
        "A file is not UTF-8",
        "The file holds bytes that are no text in UTF-8. Save it with that encoding.",
        "",
        "",
    ),
    Entry(
        "RW605",
        "pack-undeclared",
        "error",
        "No document declares the pack",
        "The file `pack.yaml` begins with `pack: NAME`.",
        "",
        "",
    ),
    Entry(
        "RW606",
        "pack-declared-twice",
        "error",
        "Two documents declare the pack",
        "A pack has exactly one document with the key `pack`. Keep one, and merge the keys of the other into it.",
        "pack: sample\nplayers: 2 to 3\n---\npack: sample\nplayers: 2 to 3",
        "pack: sample\nplayers: 2 to 3",
    ),
)
