"""The facts of a state in the words of scenarios: `ann's coins` is 7.

They are used to compare states of programs that differ in the order of packs. Hidden parts of the kernel (keys with
a slash, the stack, chance) are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum

from attrs import frozen

from rulewright.interpreter.state.frames import Axis, axes, read_list
from rulewright.interpreter.views.decision import Decision, decisions
from rulewright.interpreter.views.view import result
from rulewright.interpreter.views.visibility import member_key, value_key
from rulewright.ruleset.table.nodes import ListInfo, TableProgram, TrackInfo, ZoneInfo
from rulewright.tools.scenarios.performance import bare, with_players

NAMES = ("ann", "ben", "cleo", "dan", "eve", "fay", "gus", "hal")
SHOWN = 60
"""Displayed characters of a value."""


class Sort(IntEnum):
    """Sorts of facts, in order of preference for display."""

    FAILURE = 0
    TRACK = 1
    COUNT = 2
    LIST = 3
    RESULT = 4
    ASKED = 5
    OFFERED = 6
    CARDS = 7
    SEEN = 8


@frozen
class Subject:
    """The subject of a fact. `key` is the name of the track, zone, or list; `owner` is a player or empty.

    `index` are the members of the track's or list's scope, without the player. `plain`: the words are an
    expression.
    """

    sort: Sort
    words: str
    key: str = ""
    owner: str = ""
    index: tuple[str, ...] = ()
    plain: bool = True


Facts = dict[Subject, str]


def names_of(seats: int, taken: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return names for the players: those of the examples, unless the pack uses one of them otherwise."""
    names = NAMES[:seats]
    if seats > len(names) or taken & set(names):
        return tuple(f"seat-{seat + 1}" for seat in range(seats))
    return names


def facts(table: TableProgram, state: Sequence[int], names: Sequence[str]) -> Facts:
    """Return all facts of a state."""
    found: Facts = {}
    for track in table.tracks:
        if "/" not in track.key and track.key != "winner":
            for index, subject in _known(table, track, Sort.TRACK, names):
                found[subject] = said(table, track.of, state[track.address + index], names)
    for listed in table.state_lists:
        if "/" not in listed.key:
            for index, subject in _known(table, listed, Sort.LIST, names):
                values = read_list(state, listed.address + index * (listed.capacity + 1))
                found[subject] = ", ".join(said(table, listed.of, one, names) for one in values) or "empty"
    for zone in table.zones:
        cards = [table.cards[card].key for card in read_list(state, zone.address)]
        subject = _of_zone(zone, names)
        found[Subject(Sort.COUNT, f"count({subject.words})", subject.key, subject.owner, subject.index)] = str(
            len(cards)
        )
        found[subject] = ", ".join(sorted(cards) if zone.order == "bag" else cards) or "empty"
    for subject, who in seen(table, names):
        found[subject] = who
    over = result(table, state)
    if over is not None:
        winners = ", ".join(names[seat] for seat in over.winners) or "nobody"
        found[Subject(Sort.RESULT, "the winner", plain=False)] = winners
    asked = decisions(table, state)
    found[Subject(Sort.ASKED, "asked", plain=False)] = (
        ", ".join(f"{names[one.seat]} at {one.choice}" for one in asked) or "nobody"
    )
    for one in asked:
        found[Subject(Sort.OFFERED, one.choice, owner=names[one.seat], plain=False)] = _offered(one, names)
    return found


def seen(table: TableProgram, names: Sequence[str]) -> Iterator[tuple[Subject, str]]:
    """Yield who sees the cards of each zone, which never changes during a game."""
    for zone in table.zones:
        subject = _of_zone(zone, names)
        for mask, which in ((zone.sees, ""), (zone.top, "the top of ")):
            who = [name for seat, name in enumerate(names) if mask >> seat & 1]
            words = f"{which}{subject.words}"
            about = Subject(Sort.SEEN, words, subject.key, subject.owner, subject.index, plain=False)
            yield about, "everybody" if len(who) == len(names) else ", ".join(who) or "nobody"


def failed(code: str) -> Facts:
    """Return the only fact of a state in which the rules fail."""
    return {Subject(Sort.FAILURE, "the rules fail", plain=False): code}


def differing(one: Facts, two: Facts) -> tuple[Facts, Facts]:
    """Return the differing facts of both; a missing one is the empty text."""
    keys = [key for key in {**one, **two} if one.get(key) != two.get(key)]
    keys.sort(key=lambda key: (key.sort, key.owner, key.words))
    return {key: one.get(key, "") for key in keys}, {key: two.get(key, "") for key in keys}


def said(table: TableProgram, of: str, value: int, names: Sequence[str]) -> str:
    """Write a value as a scenario does."""
    if of in ("seat", "player"):
        return names[value] if value >= 0 else "none"
    if of == "card":
        return table.cards[value].key if value >= 0 else "none"
    if of == "boolean":
        return "true" if value else "false"
    return value_key(table, of, value)


def _offered(decision: Decision, names: Sequence[str]) -> str:
    """List the options, regardless of their order."""
    counted: Counter[str] = Counter()
    for one in decision.options:
        counted[bare(with_players(one.key, names))] += one.count
    told = ", ".join(f"{count} {key}" if count > 1 else key for key, count in sorted(counted.items())) or "nothing"
    bounds = (decision.least, decision.most)
    return told if bounds == (1, 1) else f"{bounds[0]} to {bounds[1]} of {told}"


def _of_zone(zone: ZoneInfo, names: Sequence[str]) -> Subject:
    if zone.owner >= 0:
        owner = names[zone.owner]
        return Subject(Sort.CARDS, f"{owner}'s {zone.zone}", zone.zone, owner, plain=False)
    name, _, member = zone.key.partition("/")
    words = f"{name}[{member}]" if member else name
    return Subject(Sort.CARDS, words, name, "", (member,) if member else (), plain=False)


def _known(
    table: TableProgram, info: TrackInfo | ListInfo, sort: Sort, names: Sequence[str]
) -> tuple[tuple[int, Subject], ...]:
    """`_members`, cached for the most recent tables."""
    who = tuple(names)
    found = next((made for known, called, made in _recent if known is table and called == who), None)
    if found is None:
        found = {}
        _recent.insert(0, (table, who, found))
        del _recent[2:]
    if (sort, info.key) not in found:
        found[sort, info.key] = tuple(_members(table, info, sort, names))
    return found[sort, info.key]


_recent: list[tuple[TableProgram, tuple[str, ...], dict[tuple[Sort, str], tuple[tuple[int, Subject], ...]]]] = []
"""Names of the tracks and lists of a table, by identity of the table, for both orders."""


def _members(
    table: TableProgram, info: TrackInfo | ListInfo, sort: Sort, names: Sequence[str]
) -> Iterator[tuple[int, Subject]]:
    """Yield each index of a track or list, and its name."""
    scopes = axes(table, info)
    for index in range(info.count):
        owner = ""
        members: list[str] = []
        definition = ""
        for axis in scopes:
            member = axis.member(index)
            if axis.name in ("player", "seat"):
                owner = names[member]
            elif axis.cards:
                definition = table.cards[member].key
                members.append(definition)
            else:
                members.append(member_key(table, axis.name, member))
                definition = definition or ("" if _enumerated(table, axis) else members[-1])
        brackets = "".join(f"[{one}]" for one in members if one != definition)
        lead = owner or definition
        words = f"{lead}'s {info.key}{brackets}" if lead else f"{info.key}{brackets}"
        plain = sort is Sort.TRACK and not (owner and definition)
        yield index, Subject(sort, words, info.key, owner, tuple(members), plain)


def _enumerated(table: TableProgram, axis: Axis) -> bool:
    return any(one.key == axis.name for one in table.enumerations)
