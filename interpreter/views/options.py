"""Options with stable keys: names of raw option values for the seat that chooses.

Keys: `gem` (a card of a bag that the seat sees or looks at; `gem+token=1` with a mark), `gem@place-2` and `place-2`
(seen and unseen, in an ordered zone, from the left or from the bottom), `unseen-1` (an unseen card of a bag), each
followed by `@` and the zone's key if the options are in several zones; `seat-1`; keys of definitions and members;
numbers; a menu's `branch` or `branch:member,member`. Where a seat orders cards (`Site.private`), the cards that it
sees have no place in their keys, so that equal ones are one option.

Invariants: two states that are equal for a seat have equal options (their `values` may differ), in an order that
does not depend on anything hidden from the seat. The card behind `unseen-1` is decided by a shuffle derived from
the game's chance cells: the order of card numbers would reveal something.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from attrs import field, frozen

from rulewright.interpreter.state.chance import load, seed_state
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.views.visibility import Mark, Sight
from rulewright.ruleset.table.nodes import Site

Rank: TypeAlias = tuple[int, ...]
"""The sort key of options."""


@frozen
class Option:
    """One thing that can be chosen, `count` times. `values` are its raw option values, lowest first."""

    key: str
    values: tuple[int, ...] = field(eq=False)
    count: int


def read_options(sight: Sight, site: Site, values: Sequence[int]) -> tuple[Option, ...]:
    """Turn raw option values into options with stable keys, equal ones grouped, in canonical order."""
    named = _menu(sight, site, values) if site.of == "menu" else _plain(sight, site.of, values, site.private)
    groups: dict[str, list[int]] = {}
    ranks: dict[str, Rank] = {}
    for value, (rank, key) in named.items():
        groups.setdefault(key, []).append(value)
        ranks[key] = min(ranks.get(key, rank), rank)
    order = sorted(groups, key=lambda key: (ranks[key], key))
    return tuple(Option(key, tuple(sorted(groups[key])), len(groups[key])) for key in order)


def _plain(sight: Sight, of: str, values: Iterable[int], alike: bool = False) -> dict[int, tuple[Rank, str]]:
    """Return rank and key of values of one type: cards by zone and place, others in the order of the rules.

    `alike`: equal cards that the seat sees are one option wherever they are in a pile or row.
    """
    distinct = dict.fromkeys(values)
    if of == "card":
        return _card_keys(sight, list(distinct), alike)
    return {value: ((rank,), sight.name(of, value)) for rank, value in enumerate(distinct)}


def _card_keys(sight: Sight, cards: Sequence[int], alike: bool) -> dict[int, tuple[Rank, str]]:
    zones = sight.program.zones
    named: dict[int, tuple[Rank, str]] = {-1: ((-1,), "none")} if -1 in cards else {}
    by_zone: dict[int, list[int]] = {}
    for card in cards:
        if card >= 0:
            by_zone.setdefault(sight.zone_of(card), []).append(card)
    for zone, group in by_zone.items():
        if zone >= 0 and zones[zone].order != "bag":
            keys = _place_keys(sight, zone, group)
            if alike:
                keys |= _face_keys(sight, [card for card in group if sight.sees(card)])
        else:
            seen = [card for card in group if sight.sees(card)]
            keys = _face_keys(sight, seen) | _unseen_keys(sight, [card for card in group if card not in seen])
        where = f"@{zones[zone].key}" if len(by_zone) > 1 and zone >= 0 else ""
        named.update({card: ((zone, *rank), key + where) for card, (rank, key) in keys.items()})
    return named


def _place_keys(sight: Sight, zone: int, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    places = {card: place for place, card in enumerate(sight.cards(zone), 1)}
    return {card: ((places[card],), _place_key(sight, card, places[card])) for card in group}


def _place_key(sight: Sight, card: int, place: int) -> str:
    return f"{sight.program.cards[card].key}@place-{place}" if sight.sees(card) else f"place-{place}"


def _unseen_keys(sight: Sight, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    shuffled = sorted(group, key=lambda card: _lot(sight.state, card))
    return {card: ((number,), f"unseen-{number}") for number, card in enumerate(shuffled, 1)}


def _lot(state: Sequence[int], card: int) -> int:
    """Return the rank of a hidden card among its equals: a function of the chance cells, which no seat reads."""
    return seed_state(load(state), card)


def _face_keys(sight: Sight, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    """Return rank and key of visible cards without places: by face and marks."""
    marks = {card: _marks_key(sight.marks(card)) for card in group}
    order = sorted(set(marks.values()))
    infos = sight.program.cards
    return {card: ((infos[card].face, order.index(mark)), infos[card].key + mark) for card, mark in marks.items()}


def _marks_key(marks: Iterable[Mark]) -> str:
    return "".join(f"+{key}={value}" for key, value in marks)


def _menu(sight: Sight, site: Site, values: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    """Return rank and key of menu options: by the order of their branches, then by their members."""
    split = {value: unfold(site, value) for value in dict.fromkeys(values)}
    first = {branch: rank for rank, branch in enumerate(dict.fromkeys(branch for branch, _ in split.values()))}
    columns: dict[tuple[int, int], dict[int, tuple[Rank, str]]] = {}
    for branch in first:
        for column, of in enumerate(site.branches[branch].members):
            members = [found[column] for number, found in split.values() if number == branch]
            columns[branch, column] = _plain(sight, of, members)
    named: dict[int, tuple[Rank, str]] = {}
    for value, (branch, found) in split.items():
        parts = [columns[branch, column][member] for column, member in enumerate(found)]
        key = site.branches[branch].key + (":" + ",".join(key for _, key in parts) if parts else "")
        named[value] = ((first[branch], *(number for rank, _ in parts for number in rank)), key)
    return named
