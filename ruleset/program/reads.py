"""What a node of the code reads by itself, apart from what is inside it: zones, tracks, lists, `players`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruleset.program import nodes as p

PLAYERS = "players"
"""Stands for the list of the players still in the game; no pack can declare anything of this name."""


def read_by(node: Any) -> Iterator[str]:
    """The one name that a node reads, if it reads any."""
    if isinstance(node, p.TrackAt | p.ArrivalAt):
        yield node.track
    elif isinstance(node, p.ListAt):
        yield node.list
    elif isinstance(node, p.ZoneAt):
        yield node.zone
    elif isinstance(node, p.Living):
        yield PLAYERS
