"""Tables of a pack: the options that are chosen, and how large a table would be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from math import prod
from typing import Literal

from attrs import frozen

from rulewright.ruleset.common.limits import MOST_CARDS, MOST_CELLS, NUMBERS_LISTED
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.nodes import DeclaredOption, Definition, Program
from rulewright.ruleset.program.settled import Constants, UnderivableError

# ---- The names chosen by an option with `some-of`, on a command line or in a scenario

def names_of(words: str) -> tuple[str, ...]:
    """Parse `bell, whistle` into names of definitions; `none` gives an empty tuple."""
    return () if words == "none" else tuple(word.strip() for word in words.split(","))


def option_numbers(program: Program, named: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the options of a table as numbers, from the names and values that it keeps."""
    known, words = {one.key: one for one in program.options}, dict(named)
    numbers = {}
    for key, option in known.items():
        word = words.get(key)
        if word is None:
            numbers[key] = option.default
        elif option.some:
            chosen = names_of(word)
            numbers[key] = sum(1 << n for n, one in enumerate(program.definitions) if one.key in chosen)
        else:
            numbers[key] = option.members.index(word) if option.members else int(word)
    return numbers


def choosable(option: DeclaredOption, definitions: Iterable[Definition]) -> tuple[str, ...]:
    """Return the names that can be chosen, in the pack's order."""
    names = tuple(one.key for one in definitions if one.kind == option.of)
    return names if option.among is None else tuple(name for name in names if name in option.among)


def wrong_names(option: DeclaredOption, names: tuple[str, ...], known: Collection[str]) -> tuple[str, str] | None:
    """Return message and hint for an invalid choice; None if it is empty, or has the required number of names."""
    can = list(known) if option.among is None else [name for name in known if name in option.among]
    for name in names:
        if name not in known:
            near = nearest(name, can)
            hint = f"did you mean `{near}`?" if near else f"choose from {listed(can) or '`none`'}"
            return f"there is no `{option.of}` called `{name}`", hint
        if name not in can:
            message = f"`{name}` cannot be chosen here: expected a `{option.of}` where `{option.where}`"
            return message, f"choose from {listed(can) or '`none`'}"
    count = len({*names})
    if names and (count != option.high or count < len(names)):
        return f"expected {option.high} different names or `none`, found {count}", "name each once"
    return None


# ---- How large a table would be, before any of it is made: cards, and cells of zones, tracks, and lists

@frozen(repr=False)
class TableFault(Record):
    """Why seats and options give no table. `key` is the part that is to blame, one of `what`."""

    what: Literal["field", "supply", "zone", "track", "list"]
    key: str
    message: str
    derived: str = ""
    """The definition, if the part is a field."""


class TableSize:
    """The size of one table."""

    def __init__(self, program: p.Program, constants: Constants) -> None:
        self.program = program
        self.constants = constants
        self.enumerations = {one.key: len(one.members) for one in program.enumerations}
        self.definitions = Counter(one.kind for one in program.definitions)
        """Definitions by kind."""

    def fault(self) -> TableFault | None:
        """Return the first reason why there is no such table, or None."""
        return self._underivable() or self._too_many_cards() or self._too_many_cells()

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """The number of cards of each supply."""
        numbers = {one.key: number for number, one in enumerate(self.program.definitions)}
        return tuple(
            max(0, self.constants.number(one.copies)) if self.constants.in_game(numbers[one.definition]) else 0
            for one in self.program.supplies
        )

    @cached_property
    def cards(self) -> Counter[str]:
        """Cards by kind."""
        kinds = {one.key: one.kind for one in self.program.definitions}
        found: Counter[str] = Counter()
        for supply, copies in zip(self.program.supplies, self.copies, strict=True):
            found[kinds[supply.definition]] += copies
        return found

    def extent(self, scope: str) -> int:
        """Return the number of indices of a scope."""
        if scope == "game":
            return 1
        if scope == "player":
            return self.constants.seats
        if scope in self.enumerations:
            return self.enumerations[scope]
        return self.cards.total() if scope.endswith(p.EACH_CARD) else self.definitions[scope]

    def capacity_of(self, name: str, of: str) -> int:
        """Return the most different members that a list of a type can have."""
        if name == "enumeration":
            return self.enumerations[of]
        sizes = {"player": self.constants.seats, "card": self.cards.total(), "definition": self.definitions.total()}
        return sizes.get(name, NUMBERS_LISTED)

    def _underivable(self) -> TableFault | None:
        for number, definition in enumerate(self.program.definitions):
            for kind, name in self.constants.derived:
                if kind == definition.kind and self.constants.in_game(number):
                    try:
                        self.constants.field(number, name)
                    except UnderivableError as error:
                        return TableFault("field", f"{kind}.{name}", str(error), definition.key)
        return None

    def _too_many_cards(self) -> TableFault | None:
        total = sum(self.copies)
        if total <= MOST_CARDS:
            return None
        most, supply = max(zip(self.copies, self.program.supplies, strict=True), key=lambda one: one[0])
        message = f"the game would have {total:,} cards, {most:,} of them `{supply.definition}`"
        return TableFault("supply", supply.definition, f"{message}; the limit is {MOST_CARDS:,}")

    def _too_many_cells(self) -> TableFault | None:
        parts = sorted(self._cells(), reverse=True)
        total = sum(cells for cells, _, _ in parts)
        if total <= MOST_CELLS:
            return None
        most, what, key = parts[0]
        message = f"the table would hold {total:,} numbers, {most:,} of them for `{key}`"
        return TableFault(what, key, f"{message}; the limit is {MOST_CELLS:,}")

    def _cells(self) -> Iterator[tuple[int, Literal["zone", "track", "list"], str]]:
        for zone in self.program.zones:
            accepted = sum(cards for kind, cards in self.cards.items() if not zone.accepts or kind in zone.accepts)
            count = self.extent(zone.of if zone.scope == "definition" else zone.scope)
            yield (accepted if zone.own else accepted * count) + count, "zone", zone.key
        for track in self.program.tracks:
            yield prod(map(self.extent, track.scope)) * (2 if track.arrival else 1), "track", track.key
        for one in self.program.lists:
            capacity = one.at_most or self.capacity_of(one.of.name, one.of.of)
            yield self.extent(one.scope) * (capacity + 1), "list", one.key
