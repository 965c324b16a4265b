"""Count the use of items in a game, decision by decision, under the keys of `usage`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interpreter.state.decision_slots import slot_address
from interpreter.views.options import unfold
from interpreter.views.visibility import ALL_DEFINITIONS, value_key
from ruleset.table.nodes import D_LEAST, D_MOST, D_OPTIONS, D_SITE, Site, TableProgram
from tools.simulation.usage import GameUse

PERFORMED = {"performed": "effect/", "reached": ""}
"""Kinds of events that are counted by their source, with the required prefix of its name."""
AWARDED = "scored"


class Watcher:
    """Counts use in the games of one table, one game after the other."""

    def __init__(self, program: TableProgram) -> None:
        self.use = GameUse()
        self._program = program
        self._slots = [slot_address(program.layout, seat) for seat in range(program.seats)]
        self._things: dict[tuple[int, int], tuple[tuple[str, int], ...]] = {}
        self._kinds = {key: kind for kind, keys in program.definitions if kind != ALL_DEFINITIONS for key in keys}
        self._sees = [zone.sees for zone in program.zones]

    def begin(self) -> None:
        self.use = GameUse()

    def answered(self, state: Sequence[int], seat: int, values: Sequence[int]) -> None:
        """Count a seat's answer to its open decision, before it is given."""
        slot = self._slots[seat]
        count = state[slot + D_OPTIONS]
        if not state[slot + D_MOST] or state[slot + D_LEAST] == count:
            return
        site, first = state[slot + D_SITE], slot + D_OPTIONS + 1
        options = state[first : first + count]
        if state[slot + D_LEAST] == state[slot + D_MOST] and self._alike(state, site, options):
            return
        offered = self.things(state, seat, site, options)
        chosen = self.things(state, seat, site, values)
        counts = self.use.choices
        for thing in offered:
            total = counts.setdefault((thing, seat), [0, 0])
            total[0] += 1
            total[1] += thing in chosen

    def ended(self, events: Iterable[tuple[str, Sequence[int], Sequence[int], int]]) -> GameUse:
        """Count events, given as kind, numbers, cards (or values), and source; return the use in the whole game."""
        sources, done, points = self._program.sources, self.use.done, self.use.points
        for kind, numbers, cards, at in events:
            if kind == "answered" and (site := self._program.sites[numbers[1]]).of == "menu":
                for value in cards:
                    thing = f"{site.key}/{site.branches[unfold(site, value)[0]].key}"
                    self.use.taken[thing] = self.use.taken.get(thing, 0) + 1
            begins = PERFORMED.get(kind)
            if begins is not None:
                name = sources[at].name
                if name.startswith(begins):
                    done[name] = done.get(name, 0) + 1
            elif kind == AWARDED:
                name = sources[at].name
                points.setdefault(name, [0] * self._program.seats)[numbers[1]] += numbers[2]
        return self.use

    def _alike(self, state: Sequence[int], site: int, options: Sequence[int]) -> bool:
        """Return whether all options are equal cards of one bag, so that the choice makes no difference."""
        if self._program.sites[site].of != "card" or min(options) < 0:
            return False
        places, cards, zones = self._program.layout.places, self._program.cards, self._program.zones
        zone = state[places + options[0]]
        if zone < 0 or zones[zone].order != "bag":
            return False
        return len({(state[places + card], cards[card].face) for card in options}) == 1

    # -------------------------------------------------------------- what a value stands for

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


def things(program: TableProgram) -> list[str]:
    """Return all definitions, options of menus, effects, steps, and awards of a table, in the order of the pack."""
    found = [f"{kind}/{key}" for kind, keys in program.definitions if kind != ALL_DEFINITIONS for key in keys]
    found += [f"{site.key}/{branch.key}" for site in program.sites for branch in site.branches]
    found += [source.name for source in program.sources if source.name.startswith(("step/", "award/"))]
    # Without a dot it is not an effect of a definition, but what picks one.
    found += [name for name in (source.name for source in program.sources) if re.match(r"effect/.*\.", name)]
    return list(dict.fromkeys(found))
