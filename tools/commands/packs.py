"""`rulewright packs`: list all packs that can be found by name, with their folders."""

from __future__ import annotations

import sys
from collections.abc import Collection

from attrs import frozen

from rulewright.ruleset.packs import ANY, Head
from rulewright.tools.common.errors import CLEAN
from rulewright.tools.common.output import say, say_data, warn
from rulewright.tools.packs import loading
from rulewright.tools.packs.discovery import FoundPack, shorter
from rulewright.tools.packs.pack_heads import all_heads

FORMAT = 1
"""The version of the JSON format."""


@frozen
class Listed:
    """A found pack with the head of its `pack.yaml`. It is `hidden` if an earlier pack has the same name."""

    found: FoundPack
    head: Head | None
    hidden: bool


def packs_list(as_json: bool) -> int:
    """Print the list; troubles go to stderr, and do not make the command fail."""
    heads, troubles = all_heads(loading.finder())
    listed: list[Listed] = []
    for found, head in heads:
        hidden = any(other.found.pack == found.pack for other in listed)
        listed.append(Listed(found, head, hidden))
    if as_json:
        instead = {item.found.pack for item in listed if item.hidden and item.found.source == "shipped"}
        data = {"version": FORMAT, "packs": [_data(item, instead) for item in listed], "troubles": troubles}
        say_data(data)
        return CLEAN
    rows = [_row(item) for item in sorted(listed, key=lambda item: item.found.pack)]
    rows.insert(0, ("PACK", "VERSION", "EXTENDS", "FOUND", "FOLDER"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    sys.stdout.flush()
    for trouble in troubles:
        warn(trouble)
    return CLEAN


def _row(item: Listed) -> tuple[str, str, str, str, str]:
    found, head = item.found, item.head
    version = head.version if head and head.version != "0" else "-"
    extends = [f"{need.pack} {need.versions}".removesuffix(f" {ANY}") for need in head.extends] if head else []
    where = f"{found.where}, hidden by the one above" if item.hidden else found.where
    return (found.pack, version, ", ".join(extends) or "-", where, shorter(found.root))


def _data(item: Listed, instead: Collection[str]) -> dict[str, object]:
    """Return a pack as JSON; `instead` are the names whose shipped pack is not used."""
    head = item.head
    needs = ("extends", "requires", "conflicts", "after")
    return {
        "pack": item.found.pack,
        "version": head.version if head and head.version != "0" else None,
        **{key: {need.pack: need.versions for need in getattr(head, key, ())} for key in needs},
        "found": item.found.source,
        "where": item.found.where,
        "folder": str(item.found.root.absolute()),
        "hidden": item.hidden,
        "instead-of-shipped": item.found.pack in instead and not item.hidden,
    }
