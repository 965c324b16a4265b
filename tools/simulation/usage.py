"""How often what a pack defines is used, counted from what seats are asked and what happens.

Things are told by keys of text, the same at every table of a pack, so counts of different tables merge:

- `lantern/tall`: a definition. It is *offered* in a decision in which one of its cards, or itself, could be
  chosen in the sight of the seat, and *chosen* where it was;
- `supply.act/pass`: an option of a menu, or a number or member where the rules ask for one;
- `effect/tall.light`: an effect is *performed*; `step/supply.act` is reached; `award/classes` gives points.

Only answers with an alternative count. A decision counts once for a thing, however many alike were in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import define, field

from interpreter.state.decision_slots import slot_address
from interpreter.views.options import unfold
from interpreter.views.visibility import ALL_DEFINITIONS, value_key
from ruleset.table.nodes import D_LEAST, D_MOST, D_OPTIONS, D_SITE, Site, TableProgram
from tools.simulation.statistics import Clusters, Numbers

PERFORMED = {"performed": "effect/", "reached": ""}
"""Kinds of events that are counted by their source, where its name begins so."""
AWARDED = "scored"
DONE = ("effect/", "step/", "phase/", "round/")
"""How the names of things begin that are carried out; awards begin with `award/`, all others can be chosen."""


@define
class GameUse:
    """What was used in one game. `choices` has, per thing and seat, in how many decisions it was offered and
    chosen; `done` how often an effect or a step was carried out; `points` what seats got from awards. `taken` are
    options of menus, each with how often it was taken, also where there was no other.
    """

    choices: dict[tuple[str, int], list[int]] = field(factory=dict)
    done: dict[str, int] = field(factory=dict)
    points: dict[str, list[int]] = field(factory=dict)
    taken: dict[str, int] = field(factory=dict)


@define
class Choice:
    """A thing that can be chosen, over many games."""

    offered: int = 0
    chosen: int = 0
    games: int = 0
    """Games in which it was chosen."""
    taken: int = 0
    """How often an option of a menu was taken, also where there was no other."""
    won: Clusters = field(factory=Clusters)
    """Of decisions in which it was chosen, and in which it was not: those of seats that won."""

    def merge(self, other: Choice) -> None:
        self.offered += other.offered
        self.chosen += other.chosen
        self.games += other.games
        self.taken += other.taken
        self.won.merge(other.won)


@define
class Usage:
    """What was used in many games; parts merge to the whole in any order."""

    games: int = 0
    choices: dict[str, Choice] = field(factory=dict)
    done: dict[str, Numbers] = field(factory=dict)
    """Per game in which it happened at all."""
    points: dict[str, Numbers] = field(factory=dict)
    """Per game and award, of all seats together."""

    def add(self, use: GameUse, winners: Sequence[int]) -> None:
        self.games += 1
        sums: dict[str, list[int]] = {}
        for (thing, seat), (offered, chosen) in use.choices.items():
            won = int(seat in winners)
            total = sums.setdefault(thing, [0, 0, 0, 0])
            for place, count in enumerate((chosen, chosen * won, offered - chosen, (offered - chosen) * won)):
                total[place] += count
        for thing, (chose, chose_won, left, left_won) in sums.items():
            choice = self.choices.setdefault(thing, Choice())
            choice.offered += chose + left
            choice.chosen += chose
            choice.games += chose > 0
            choice.won.add(chose, chose_won, left, left_won)
        for thing, times in use.taken.items():
            self.choices.setdefault(thing, Choice()).taken += times
        for name, times in use.done.items():
            self.done.setdefault(name, Numbers()).add(times)
        for name, points in use.points.items():
            self.points.setdefault(name, Numbers()).add(sum(points))

    def merge(self, other: Usage) -> None:
        self.games += other.games
        for thing, choice in other.choices.items():
            self.choices.setdefault(thing, Choice()).merge(choice)
        for mine, theirs in ((self.done, other.done), (self.points, other.points)):
            for name, numbers in theirs.items():
                mine.setdefault(name, Numbers()).merge(numbers)


class Watcher:
    """Counts in the games of one table, one after the other."""

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
        """Counts the answer to an open decision of a seat, before it is given."""
        slot = self._slots[seat]
        count = state[slot + D_OPTIONS]
        if not state[slot + D_MOST] or state[slot + D_LEAST] == count:
            return
        site, first = state[slot + D_SITE], slot + D_OPTIONS + 1
        options = state[first : first + count]
        if state[slot + D_LEAST] == state[slot + D_MOST] and self._alike(state, site, options):
            return
        offered = self._of(state, seat, site, options)
        chosen = self._of(state, seat, site, values)
        counts = self.use.choices
        for thing in offered:
            total = counts.setdefault((thing, seat), [0, 0])
            total[0] += 1
            total[1] += thing in chosen

    def ended(self, events: Iterable[tuple[str, Sequence[int], Sequence[int], int]]) -> GameUse:
        """Counts what has happened, as kind, numbers, cards (or values) and source; gives all of the game."""
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
        """Whether all options are equal cards of one bag: then it does not matter which is chosen."""
        if self._program.sites[site].of != "card" or min(options) < 0:
            return False
        places, cards, zones = self._program.layout.places, self._program.cards, self._program.zones
        zone = state[places + options[0]]
        if zone < 0 or zones[zone].order != "bag":
            return False
        return len({(state[places + card], cards[card].face) for card in options}) == 1

    # -------------------------------------------------------------- what a value stands for

    def _of(self, state: Sequence[int], seat: int, site: int, values: Sequence[int]) -> set[str]:
        """The things behind raw values, without cards that the seat does not see."""
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
        """The things behind one value, each with the card that has to be seen, or -1."""
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
    """All definitions, options of menus, effects, steps and awards of a table, in the order of the pack."""
    found = [
        f"{kind}/{key}" for kind, keys in program.definitions if kind != ALL_DEFINITIONS for key in keys
    ]
    found += [f"{site.key}/{branch.key}" for site in program.sites for branch in site.branches]
    found += [source.name for source in program.sources if source.name.startswith(("step/", "award/"))]
    # Without a dot it is not an effect of a definition, but what picks one.
    found += [name for name in (source.name for source in program.sources) if re.match(r"effect/.*\.", name)]
    return list(dict.fromkeys(found))
