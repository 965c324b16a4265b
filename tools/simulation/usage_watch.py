"""Name the items that options are about, under the keys of `usage`, decision by decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.views.visibility import ALL_DEFINITIONS, value_key
from rulewright.ruleset.table.nodes import Site, TableProgram


class Watcher:
    """Names what the options of one table are about."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self._things: dict[tuple[int, int], tuple[tuple[str, int], ...]] = {}
        self._kinds = {key: kind for kind, keys in program.definitions if kind != ALL_DEFINITIONS for key in keys}
        self._sees = [zone.sees for zone in program.zones]

    def things(self, state: Sequence[int], seat: int, site: int, values: Sequence[int]) -> set[str]:
        """Return the items that raw values refer to, without cards that the seat does not see."""
        found: set[str] = set()
        places = self._program.layout.places
        for value in values:
            things = self._things.get((site, value))
            if things is None:
                things = self._things[site, value] = tuple(self._behind(self._program.sites[site], value))
            for thing, card in things:
                if card < 0:
                    found.add(thing)
                    continue
                zone = state[places + card]
                if zone < 0 or self._sees[zone] >> seat & 1:
                    found.add(thing)
        return found

    def _behind(self, site: Site, value: int) -> Iterable[tuple[str, int]]:
        """Iterate over the items that a value refers to, each with the card that must be visible, or -1."""
        if site.of != "menu":
            yield from self._member(site, site.of, value)
            return
        branch, members = unfold(site, value)
        yield f"{site.key}/{site.branches[branch].key}", -1
        for of, member in zip(site.branches[branch].members, members, strict=True):
            if of == "card" or of in (kind for kind, _ in self._program.definitions):
                yield from self._member(site, of, member)

    def _member(self, site: Site, of: str, value: int) -> Iterable[tuple[str, int]]:
        if of == "seat" or value < 0:
            return
        if of == "card":
            card = self._program.cards[value]
            yield f"{card.kind}/{card.definition}", value
            return
        key = value_key(self._program, of, value)
        defined = any(kind == of for kind, _ in self._program.definitions)
        yield (f"{self._kinds.get(key, of)}/{key}" if defined else f"{site.key}/{key}"), -1
