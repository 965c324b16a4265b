"""Find what a condition of a bot, or a function in a layout, reads that a seat does not see.

The analysis follows a condition into the functions that it calls, tracking which variables hold the bot's seat.
Anything unknown before a game begins (the zone of a card, the card that a track points at) counts as unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import children
from rulewright.ruleset.table import nodes as t

_OPEN = ("modifier/", "hook/")
"""Prefixes of built-in tracks that are derived from public events."""

You = frozenset[int]
"""The variables of a unit that hold the bot's own seat."""


class Sight:
    """Decides what a seat sees in one pack."""

    def __init__(self, declared: Declared, units: Iterable[p.Unit], functions: Iterable[p.Function]) -> None:
        self.declared = declared
        self._units = {unit.key: unit for unit in units}
        self._functions = {function.unit.key: function.unit for function in functions}
        self._looked: set[tuple[str, You]] = set()
        """Units that have been searched, or are being searched, with the variables that held the bot's seat."""

    def unseen(self, condition: t.Expr, you: int) -> str | None:
        """Describe something that a condition reads and the seat in this variable does not see, or return None."""
        self._looked.clear()
        return self._in(condition, frozenset({you}))

    def unseen_in(self, unit: p.Unit, yours: Iterable[int]) -> str | None:
        """Do the same for all code of a unit; `yours` are its variables that hold the seat."""
        self._looked.clear()
        found = (self._in(statement, frozenset(yours)) for statement in unit.body)
        return next((one for one in found if one is not None), None)

    def _in(self, node: Any, you: You) -> str | None:
        own = _READS.get(type(node))
        found: str | None = own(self, node, you) if own is not None else None
        if found is not None:
            return found
        if isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            return self._zone(node.items.zone, you, "size_seen_by", "the number of cards in ")
        if isinstance(node, t.Last) and isinstance(node.items, t.Cards) and self._shows_top(node.items.zone, you):
            return None
        for child in children(node):
            found = self._in(child, you)
            if found is not None:
                return found
        return None

    # -------------------------------------------------------------- zones, tracks, lists

    def _cards(self, node: t.Cards, you: You) -> str | None:
        return self._zone(node.zone, you, "seen_by", "the cards of ")

    def _zone(self, zone: t.Expr, you: You, who: str, what: str) -> str | None:
        if not isinstance(zone, p.ZoneAt):
            return f"{what}a zone that is only known during play"
        declared = self.declared.zones[zone.zone][1]
        if self._by(getattr(declared, who), zone.index if declared.scope == "player" else None, you):
            return None if zone.index is None else self._in(zone.index, you)
        return f"{what}`{zone.zone}`"

    def _shows_top(self, zone: t.Expr, you: You) -> bool:
        top = self._zone(zone, you, "top_seen_by", "") is None
        return top and isinstance(zone, p.ZoneAt) and self.declared.zones[zone.zone][1].order == "pile"

    def _track(self, node: p.TrackAt | p.ArrivalAt, you: You) -> str | None:
        declared = self.declared.tracks.get(node.track)
        if declared is None:
            return None if node.track in _KERNEL or node.track.startswith(_OPEN) else f"`{node.track}`"
        track = declared[1]
        if track.of.name == "card":
            return f"the card that `{node.track}` points at"
        owner = node.indices[track.scope.index("player")] if "player" in track.scope else None
        return None if self._by(track.seen_by, owner, you) else f"`{node.track}`"

    def _list(self, node: p.ListAt, _you: You) -> str | None:
        declared = self.declared.lists.get(node.list)
        holds_cards = declared is not None and declared[1].of.name == "card"
        return f"the cards that `{node.list}` points at" if holds_cards else None

    @staticmethod
    def _by(seen: str, owner: t.Expr | None, you: You) -> bool:
        """Whether the seat sees what an owner has; without an owner, it belongs to everybody."""
        return seen == "all" or (seen == "owner" and (owner is None or _is_you(owner, you)))

    # -------------------------------------------------------------- calls

    def _invocation(self, node: p.Invocation | p.InvocationList, you: You) -> str | None:
        if p.is_field_reader(node.function):  # the reader calls every function that changes the field, of any kind
            ending = f".{node.function.partition(' ')[0]}"
            changing = (unit for key, unit in self._functions.items() if key.endswith(ending))
            return self._first(changing, node.arguments, you)
        return self._first((self._functions.get(node.function),), node.arguments, you)

    def _worth(self, node: p.Worth, you: You) -> str | None:
        owners = (*self.declared.definitions, *(f"kind/{kind}" for kind in self.declared.kinds))
        units = (self._units.get(f"{owner}.{node.field}") for owner in owners)
        return self._first(units, (node.you, node.item), you)

    def _first(self, units: Iterable[p.Unit | None], arguments: Sequence[t.Expr | t.List], you: You) -> str | None:
        found = (self._unit(unit, arguments, you) for unit in units if unit is not None)
        return next((one for one in found if one is not None), None)

    def _unit(self, unit: p.Unit, arguments: Sequence[t.Expr | t.List], you: You) -> str | None:
        yours = frozenset(number for number, given in enumerate(arguments) if _is_you(given, you))
        if (unit.key, yours) in self._looked:
            return None
        self._looked.add((unit.key, yours))
        found = (self._in(statement, yours) for statement in unit.body)
        return next((one for one in found if one is not None), None)


def _is_you(node: t.Expr | t.List, you: You) -> bool:
    while isinstance(node, t.Present):
        node = node.operand
    return isinstance(node, p.Var) and node.variable in you


_KERNEL = ("score", "in-game", "winner")
_READS: dict[type, Any] = {
    t.Cards: Sight._cards,
    p.TrackAt: Sight._track,
    p.ArrivalAt: Sight._track,
    p.ListAt: Sight._list,
    p.Invocation: Sight._invocation,
    p.InvocationList: Sight._invocation,
    p.Worth: Sight._worth,
}
