"""RW33x: the layout of the table."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

LAYOUT: tuple[Entry, ...] = (
    Entry(
        "RW330",
        "unknown-in-layout",
        "error",
        "Unknown name in a layout",
        "A layout lists zones, tracks, and lists by name, and `score`.",
        "layout: table\ngroups: [{show: [hands, row]}]",
        "layout: table\ngroups: [{show: [hand, row]}]",
    ),
    Entry(
        "RW331",
        "shown-twice",
        "error",
        "A layout lists something twice",
        "Each zone, track, or list is in one group of a layout, or in `hidden`.",
        "layout: table\ngroups: [{show: [row, hand]}]\nhidden: [row]",
        "layout: table\ngroups: [{show: [hand]}]\nhidden: [row]",
    ),
    Entry(
        "RW332",
        "several-layouts",
        "error",
        "A pack has several layouts",
        "A pack has one layout.",
        "layout: wide\ngroups: [{show: [row]}]\n---\nlayout: narrow\ngroups: [{show: [hand]}]",
        "layout: wide\ngroups: [{show: [row, hand]}]",
    ),
    Entry(
        "RW333",
        "form-of-no-zone",
        "error",
        "A layout gives a form to something that is not a zone",
        "`cards`, `places`, `top`, and `count` are forms for the cards of a zone. Tracks and lists have only one "
        "form.",
        "layout: table\ngroups: [{show: [{sparks: count}, hand]}]",
        "layout: table\ngroups: [{show: [sparks, {hand: count}]}]",
    ),
    Entry(
        "RW334",
        "definitions-in-layout",
        "error",
        "A layout does not match the zones of definitions",
        "A zone with a kind as scope is shown with `{of: LIST, with: FIELD}`: the list contains definitions of "
        "this kind, and the field is one of theirs. Either key may be omitted.",
        "zones: {stall: {scope: lantern, accepts: own}}\n---\n"
        "layout: table\ngroups: [{show: [{stall: {with: oill}}]}]",
        "zones: {stall: {scope: lantern, accepts: own}}\n---\n"
        "layout: table\ngroups: [{show: [{stall: {with: oil}}]}]",
    ),
    Entry(
        "RW362",
        "unseen-in-layout",
        "error",
        "A layout shows a function that nobody can see",
        "A layout can show a function that gives a number or a condition, and takes nothing or one player. A "
        "player reads its value only if they see everything that it uses, so at least one player must.",
        "function: held\ntakes: {n: number}\ngives: number\nis: n + 1\n---\n"
        "layout: table\ngroups: [{show: [held]}]",
        "function: held\ntakes: {who: player}\ngives: number\nis: count(who's hand)\n---\n"
        "layout: table\ngroups: [{show: [held]}]",
    ),
)
