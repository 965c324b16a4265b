"""Zones of generated Python: their constants, and the operations on which all others are built.

The operations are closures over the constants.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from interpreter.backends.python.shuffle import mix
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import TableProgram

Operation = Callable[..., Any]
"""Changes a state: the first argument is its cells, the last is the number of the rule's source."""
Operations = tuple[Operation, ...]


@frozen
class ZoneCells:
    """The constants of a program's zones, by their numbers."""

    places: int
    addresses: tuple[int, ...]
    bags: tuple[bool, ...]
    capacities: tuple[int, ...]
    targets: tuple[tuple[int, int, bool], ...]
    """Address, capacity, and whether it is a bag."""
    refills: tuple[int, ...]
    eager: tuple[bool, ...]
    most: int
    """Number of cards of the game, an upper bound of each draw."""


def cells_of(program: TableProgram) -> ZoneCells:
    """Return the constants of a program's zones."""
    addresses = tuple(zone.address for zone in program.zones)
    bags = tuple(zone.order == "bag" for zone in program.zones)
    capacities = tuple(zone.capacity for zone in program.zones)
    targets = tuple(zip(addresses, capacities, bags, strict=True))
    refills, eager = tuple(zone.refill for zone in program.zones), tuple(zone.eager for zone in program.zones)
    places, most = program.layout.places, len(program.cards)
    return ZoneCells(places, addresses, bags, capacities, targets, refills, eager, most)


def placing(zones: ZoneCells) -> Operations:
    """Make the operations that take one card out of its zone, and put one card or several into a zone."""
    places, addresses, targets = zones.places, zones.addresses, zones.targets

    def take_one(state: list[int], card: int, source: int) -> None:
        """Take a card out of its zone."""
        start = addresses[source]
        end = start + state[start]
        if state[end] != card:
            i = state.index(card, start + 1, end)
            state[i:end] = state[i + 1 : end + 1]
        state[end] = 0
        state[start] -= 1

    def put_one(state: list[int], card: int, to: int, bottom: bool, at: int) -> None:
        """Put a card that is in no zone into a zone."""
        target, capacity, bag = targets[to]
        held = state[target]
        if held == capacity:
            raise RuleError("full", at)
        state[target] = held + 1
        state[places + card] = to
        end = target + held + 1
        if not held:
            state[end] = card
        elif bag:
            if state[end - 1] > card:
                i = bisect_left(state, card, target + 1, end)
                state[i + 1 : end + 1] = state[i:end]
                end = i
            state[end] = card
        elif bottom:
            state[target + 2 : end + 1] = state[target + 1 : end]
            state[target + 1] = card
        else:
            state[end] = card

    def put(state: list[int], cards: list[int], to: int, bottom: bool, at: int) -> None:
        """Put cards that are in no zone into a zone, one after the other."""
        target, capacity, bag = targets[to]
        held, count = state[target], len(cards)
        if held + count > capacity:
            raise RuleError("full", at)
        state[target] = held + count
        for card in cards:
            state[places + card] = to
        first = target + 1
        if bag:
            cards = state[first : first + held] + cards
            cards.sort()
            state[first : first + held + count] = cards
        elif bottom and held:
            state[first : first + held + count] = cards[::-1] + state[first : first + held]
        else:
            if bottom:
                cards = cards[::-1]
            state[first + held : first + held + count] = cards

    return take_one, put_one, put


def refilling(zones: ZoneCells) -> Operations:
    """Make the operations that refill a zone from its source, shuffle it, and refill it if it has too few cards."""
    places, addresses, bags = zones.places, zones.addresses, zones.bags
    capacities, refills = zones.capacities, zones.refills

    def refill(state: list[int], zone: int, at: int, under: Sequence[int] = ()) -> bool:
        """Refill a zone with the present cards `under` from its source. Returns False if the source is empty."""
        source = refills[zone]
        if source < 0:
            return False
        start = addresses[source]
        count = state[start]
        if not count:
            return False
        cards = state[start + 1 : start + 1 + count]
        if count + len(under) > capacities[zone]:
            raise RuleError("full", at)
        state[start : start + count + 1] = [0] * (count + 1)
        cards.sort()
        for card in cards:
            state[places + card] = zone
        if bags[zone]:
            cards += under
            cards.sort()
        else:
            mix(state, cards)
            cards += under
        target = addresses[zone]
        state[target] = len(cards)
        state[target + 1 : target + 1 + len(cards)] = cards
        return True

    def shuffle(state: list[int], zone: int, at: int) -> None:
        if not bags[zone]:
            first = addresses[zone] + 1
            cards = sorted(state[first : first + state[first - 1]])
            mix(state, cards)
            state[first : first + len(cards)] = cards

    def prepare(state: list[int], zone: int, count: int, at: int) -> None:
        first = addresses[zone] + 1
        held = state[first - 1]
        if held < count:
            refill(state, zone, at, state[first : first + held])

    return refill, shuffle, prepare
