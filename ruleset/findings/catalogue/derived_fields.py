"""RW338 and RW339: fields that are worked out from others."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

DERIVED: tuple[Entry, ...] = (
    Entry(
        "RW338",
        "worked-out",
        "error",
        "A derived field is declared or written wrongly",
        "A field with `is` or `cases` is worked out once, before a game begins. No definition writes it, and no "
        "component lists its values. Of several cases, all except the last have a `when`. At each number of "
        "players, each definition has a value, which is in the range of the field.",
        "kinds: {net: {fields: {size: number, big: {type: boolean, is: size > 3}}}}\n---\n"
        "net: trawl\nname: Trawl\nsize: 9\nbig: true",
        "kinds: {net: {fields: {size: number, big: {type: boolean, is: size > 3}}}}\n---\n"
        "net: trawl\nname: Trawl\nsize: 9",
    ),
    Entry(
        "RW339",
        "fields-in-a-circle",
        "error",
        "Derived fields need each other in a circle",
        "A derived field is worked out from other fields. If it needs itself, directly or through others, it has "
        "no value.",
        "kinds: {net: {fields: {low: {type: number, is: high - 1}, high: {type: number, is: low + 1}}}}",
        "kinds: {net: {fields: {low: number, high: {type: number, is: low + 1}}}}",
    ),
)
