"""What a node reads itself, without its children: zones, tracks, lists, and `players`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.ruleset.program import nodes as p

PLAYERS = "players"
"""The list of the players still in the game; no pack can declare this name."""


def read_by(node: Any) -> Iterator[str]:
    """Yield the name that a node reads, if any."""
    if isinstance(node, p.TrackAt | p.ArrivalAt):
        yield node.track
    elif isinstance(node, p.ListAt):
        yield node.list
    elif isinstance(node, p.ZoneAt):
        yield node.zone
    elif isinstance(node, p.Living):
        yield PLAYERS
