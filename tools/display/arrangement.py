"""Arrange a view: by the pack's layout or, without one, in an order that suits any pack.

A table has groups of zones, tracks, and lists. Each is in one group; those that the layout does not mention come
last, in a group without a name, and hidden ones are omitted. Tracks and lists of cards are shown with the cards.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rulewright.interpreter.state.frames import card_axis
from rulewright.ruleset.program.nodes import TableLayout, Texts
from rulewright.ruleset.table.nodes import TableProgram

KERNEL_KEYS = ("in-game", "winner", "living")
"""Tracks and lists of the kernel that are shown by their meaning, if at all."""

Sort = Literal["zone", "track", "list", "function"]


@frozen
class Thing:
    """A zone, track, list, or function; `told` means that a layout names it.

    `form` is that of a zone (`zone_text`), and for a function who sees it (`ruleset.program.nodes.Placed.shown`).

    `of` and `field` are for zones of definitions that a layout shows together (`ruleset.program.nodes.Placed`).
    """

    sort: Sort
    key: str
    form: str = ""
    told: bool = False
    of: str = ""
    field: str = ""


@frozen
class Group:
    """Things under an optional heading."""

    texts: Texts
    things: tuple[Thing, ...]


def arrange(program: TableProgram, layout: TableLayout | None) -> tuple[Group, ...]:
    """Return the groups of a table, in order."""
    known = {thing.key: thing for thing in _things(program)}
    if layout is None:
        return (Group((), tuple(known.values())),)
    groups = []
    for group in layout.groups:
        placed = [
            Thing("function", one.key, one.shown, True)
            if one.shown
            else Thing(known.pop(one.key).sort, one.key, one.form, True, one.of, one.field)
            for one in group.placed
            if one.shown or one.key in known
        ]
        groups.append(Group(group.texts, tuple(placed)))
    rest = tuple(thing for key, thing in known.items() if key not in layout.hidden)
    return tuple(group for group in (*groups, Group((), rest)) if group.things)


def _things(program: TableProgram) -> list[Thing]:
    """Return everything shown on its own: players' tracks, the game's zones, tracks, and lists; players' zones."""
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
