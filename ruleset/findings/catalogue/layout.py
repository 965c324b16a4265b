"""RW33x: the layout of the table."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

LAYOUT: tuple[Entry, ...] = (
    Entry(
        "RW330",
        "unknown-in-layout",
        "error",
        "A layout names something that is not on the table",
        "A layout lists zones, tracks and lists by their names, and `score`.",
        "layout: table\ngroups: [{show: [hands, row]}]",
        "layout: table\ngroups: [{show: [hand, row]}]",
    ),
    Entry(
        "RW331",
        "shown-twice",
        "error",
        "A layout lists something twice",
        "Each zone, track or list stands in one group of a layout, or among what is hidden.",
        "layout: table\ngroups: [{show: [row, hand]}]\nhidden: [row]",
        "layout: table\ngroups: [{show: [hand]}]\nhidden: [row]",
    ),
    Entry(
        "RW332",
        "several-layouts",
        "error",
        "A pack has several layouts",
        "There is one table, and a pack says once how it is shown.",
        "layout: wide\ngroups: [{show: [row]}]\n---\nlayout: narrow\ngroups: [{show: [hand]}]",
        "layout: wide\ngroups: [{show: [row, hand]}]",
    ),
    Entry(
        "RW333",
        "form-of-no-zone",
        "error",
        "A layout gives a form to something that is no zone",
        "`cards`, `places`, `top` and `count` say how the cards of a zone are told. Tracks and lists have "
        "one form only.",
        "layout: table\ngroups: [{show: [{sparks: count}, hand]}]",
        "layout: table\ngroups: [{show: [sparks, {hand: count}]}]",
    ),
    Entry(
        "RW334",
        "definitions-in-layout",
        "error",
        "A layout does not fit the zones of definitions",
        "A zone that each definition of a kind has is shown in one piece with `{of: LIST, with: FIELD}`: the list "
        "holds definitions of this kind, and the field is one of theirs. One of the two may be left out.",
        "zones: {stall: {scope: lantern, accepts: own}}\n---\n"
        "layout: table\ngroups: [{show: [{stall: {with: oill}}]}]",
        "zones: {stall: {scope: lantern, accepts: own}}\n---\n"
        "layout: table\ngroups: [{show: [{stall: {with: oil}}]}]",
    ),
)
