"""What of a view is shown where: by a pack's layout, or, without one, in an order that suits any pack.

A table has groups of zones, tracks and lists. Each thing stands in one group; what a layout does not name
comes last, in a group without a name, and what it hides is left out. What is kept for cards is shown with them.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from interpreter.state.indices import card_axis
from ruleset.program.nodes import TableLayout, Texts
from ruleset.table.nodes import TableProgram

KERNEL_KEYS = ("in-game", "winner", "living")
"""Tracks and lists of the kernel that are shown as what they mean, if at all."""

Sort = Literal["zone", "track", "list"]


@frozen
class Thing:
    """A zone, a track or a list; `form` is for zones (`zone_text`), `told` if a layout names it.

    `of` and `field` are for zones of definitions that a layout tells in one piece (`ruleset.program.nodes.Placed`).
    """

    sort: Sort
    key: str
    form: str = ""
    told: bool = False
    of: str = ""
    field: str = ""


@frozen
class Group:
    """Things under one heading, if any."""

    texts: Texts
    things: tuple[Thing, ...]


def arrange(program: TableProgram, layout: TableLayout | None) -> tuple[Group, ...]:
    """The groups in which a table is shown."""
    known = {thing.key: thing for thing in _things(program)}
    if layout is None:
        return (Group((), tuple(known.values())),)
    groups = []
    for group in layout.groups:
        placed = [
            Thing(known.pop(one.key).sort, one.key, one.form, True, one.of, one.field)
            for one in group.placed
            if one.key in known
        ]
        groups.append(Group(group.texts, tuple(placed)))
    rest = tuple(thing for key, thing in known.items() if key not in layout.hidden)
    return tuple(group for group in (*groups, Group((), rest)) if group.things)


def _things(program: TableProgram) -> list[Thing]:
    """Everything that can be shown by itself: numbers, places of the game, facts, places of players."""
    tracks = [
        track
        for track in program.tracks
        if "/" not in track.key and track.key not in KERNEL_KEYS and card_axis(program, track) is None
    ]
    lists = [
        info
        for info in program.state_lists
        if "/" not in info.key and info.key not in KERNEL_KEYS and card_axis(program, info) is None
    ]
    of_players = [zone.zone for zone in program.zones if zone.owner >= 0]
    of_game = [zone.zone for zone in program.zones if zone.owner < 0]
    return [
        *(Thing("track", track.key) for track in tracks if "player" in track.scope),
        *(Thing("zone", key) for key in dict.fromkeys(of_game)),
        *(Thing("track", track.key) for track in tracks if "player" not in track.scope),
        *(Thing("list", info.key) for info in lists),
        *(Thing("zone", key) for key in dict.fromkeys(of_players)),
    ]
