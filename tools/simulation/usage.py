"""Counts of used definitions, options, effects, steps, and awards, over many games and tables.

Items are named by text keys that are the same at every table of a pack, so counts of different tables merge:

- `lantern/tall`: a definition. It is *offered* in a decision in which the seat sees that it, or one of its cards,
  can be chosen, and *chosen* if it was;
- `supply.act/pass`: an option of a menu, or a number or member if the rules ask for one;
- `effect/tall.light`: an effect is *performed*; `step/supply.act` is reached; `award/classes` gives points.

Choices are counted apart for each site, the place in the rules that asks. Only decisions with answers that differ
count. A decision counts once for an item, even if several equal ones were offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from attrs import define, field

from rulewright.interpreter.counting import MOMENTS, STRATA, added
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.views.visibility import ALL_DEFINITIONS, value_key
from rulewright.ruleset.table.nodes import Site, TableProgram

if TYPE_CHECKING:
    from rulewright.interpreter.counting import Counted, Counts


DONE = ("effect/", "step/", "phase/", "round/")
"""Prefixes of items that are carried out. Awards begin with `award/`; all other items can be chosen."""
OFFERED, CHOSEN = MOMENTS.index("offered"), MOMENTS.index("chosen")


class CountedChoice(NamedTuple):
    """An item that can be chosen at a site, by its key. `defined`: it is a definition."""

    site: str
    what: str
    defined: bool


class Stratum(NamedTuple):
    """Games that are compared: those at one table in which one seat had about as many offers.

    `table` is the number of the table in a run with several.
    """

    group: int
    table: int
    seat: int
    offers: int


@define
class UsageCounts:
    """The use in many games; parts merge in any order.

    `rows` has the sums of `interpreter.counting` for each choice and stratum. `done` has for each effect and
    step how often it was carried out, and in how many games; `points` the points of each award and seat, and
    `owned`, for each definition and seat, how many of its cards the seat had at the ends of games.
    """

    games: int = 0
    rows: dict[CountedChoice, dict[Stratum, list[int]]] = field(factory=dict)
    done: dict[str, list[int]] = field(factory=dict)
    points: dict[tuple[str, int], list[int]] = field(factory=dict)
    owned: dict[tuple[str, int], list[int]] = field(factory=dict)

    def take(self, counted: Counted, counts: Counts, table: int = 0) -> None:
        """Add the counts of games at a table."""
        self.games += counts.games
        uses = counted.uses
        assert uses is not None, "a table whose decisions are counted"
        choices = [CountedChoice(use.site, use.what, use.defined) for use in uses.uses]
        for group, rows in counts.rows.items():
            for number, row in rows.items():
                place, offers = divmod(number, len(STRATA) + 1)
                seat, use = divmod(place, len(uses.uses))
                own = self.rows.setdefault(choices[use], {})
                _add(own, Stratum(group, table, seat, offers), row)
        seats, defined = counted.program.seats, counted.definitions
        for number, name in enumerate(counted.done):
            if counts.done[2 * number]:
                _add(self.done, name, counts.done[2 * number : 2 * number + 2])
        for number, points in enumerate(counts.points):
            award, seat = divmod(number, seats)
            _add(self.points, (counted.awards[award], seat), [points])
        for number, copies in enumerate(counts.owned):
            definition, seat = divmod(number, seats)
            if copies:
                _add(self.owned, (defined[definition], seat), [copies])

    def merge(self, other: UsageCounts) -> None:
        self.games += other.games
        for choice, rows in other.rows.items():
            own = self.rows.setdefault(choice, {})
            for stratum, row in rows.items():
                _add(own, stratum, row)
        for name, sums in other.done.items():
            _add(self.done, name, sums)
        for key, sums in other.points.items():
            _add(self.points, key, sums)
        for key, sums in other.owned.items():
            _add(self.owned, key, sums)

    def total(self, choice: CountedChoice, moment: int) -> int:
        """Return a sum over all games and seats."""
        return sum(row[moment] for row in self.rows[choice].values())


Key = TypeVar("Key")


def _add(sums: dict[Key, list[int]], key: Key, more: list[int]) -> None:
    known = sums.get(key)
    sums[key] = list(more) if known is None else added(known, more)


# ---- Name the items that options are about, under the keys of `usage`, decision by decision

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
