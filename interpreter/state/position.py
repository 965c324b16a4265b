"""Positions: programs whose game begins with chosen cards and numbers in chosen places.

A position is part of the table program (`start` and `position`), so a game that begins there is saved, replayed and
compared like any other. Seats know only the part of it that they see. Tracks keep their starts, so that cards with
other values are still different from their equals.

Everything not mentioned stays as in the state that the position is made from. Wanted cards are taken first from
zones whose contents are replaced, then from zones that belong to no seat. Displaced cards take the places of the
cards that were taken, or go under the cards of their starting zone.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeVar

from attrs import evolve, field, frozen

from rulewright.interpreter.state.frames import axes, read_list, write_list, zeros
from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.table.nodes import ListInfo, TableProgram, TrackInfo

Cards = Sequence[str]
"""Cards by key (`gem`, `tower-3`), definition or kind; `card` is any card."""
Place = tuple[str | int, ...]
"""A track or list and its index: `("coins", 0)`, `("fame", 0, "red")`; members by number or by key."""
Value = int | str
"""A value of a track or a member of a list, by number or by key."""

ANY = "card"
VACANT = -1
NONE = "none"


class PositionError(ValueError):
    """An impossible position. The message is the reason, `key` the zone concerned, or `place` the track or list."""

    def __init__(self, message: str, key: str = "", place: Place = ()) -> None:
        super().__init__(message)
        self.key = key
        self.place = place


Info = TypeVar("Info", TrackInfo, ListInfo)


@frozen
class WantedPosition:
    """The contents of a position. Zones are named by their key in the table program (`hand/2`); `top` lists begin
    with the topmost card.

    On a track that keeps arrivals, values arrive in the order of the mapping. The zone `left`, if any, gets all
    cards that it accepts and that are neither in a zone of a seat nor in one of the position.

    A key in the index of a track or list means all cards with this key; several values of a track are those of its
    copies, in the order of `NamedMembers`. A key as a value means the first such card.
    """

    zones: Mapping[str, Cards] = field(factory=dict)
    top: Mapping[str, Cards] = field(factory=dict)
    tracks: Mapping[Place, Value | tuple[Value, ...]] = field(factory=dict)
    lists: Mapping[Place, Sequence[Value]] = field(factory=dict)
    left: str = ""


def positioned(
    program: TableProgram, before: TableProgram, state: Sequence[int], wanted: WantedPosition
) -> TableProgram:
    """Return the program with a position made from a state of another program of the same pack, seats and options.

    Raises PositionError.
    """
    lying = {zone.key: read_list(state, zone.address) for zone in before.zones}
    deal(program, lying, wanted.zones, wanted.top, {}, wanted.left)
    dealt = tuple(
        (number, tuple(lying[zone.key])) for number, zone in enumerate(program.zones) if lying.get(zone.key)
    )
    cells = zeros(program.layout.stack)
    values = {track.key: list(track.start) for track in program.tracks}
    tracks = {track.key: track for track in program.tracks}
    for old in before.tracks:
        new = tracks.get(old.key)
        if new is not None and new.count == old.count:
            values[new.key] = list(state[old.address : old.address + old.count])
            if new.arrival >= 0:
                last = old.arrival + old.count
                cells[new.arrival - 1 : new.arrival + new.count] = array("i", state[old.arrival - 1 : last])
    lists = {one.key: one for one in program.state_lists}
    for kept in before.state_lists:
        same = lists.get(kept.key)
        for index in range(kept.count if same is not None else 0):
            assert same is not None
            members = read_list(state, kept.address + index * (kept.capacity + 1))
            write_list(cells, same.address + index * (same.capacity + 1), members)
    named = NamedMembers(program, lying, (*wanted.zones, *wanted.top), frozenset(wanted.top))
    for place, value in wanted.tracks.items():
        track = named.held(tracks, place)
        for index, number in named.valued(track, place, value):
            if not track.low <= number <= track.high:
                raise PositionError(f"{track.key} is from {track.low} to {track.high}, not {number}", "", place)
            values[track.key][index] = number
            if track.arrival >= 0:
                cells[track.arrival - 1] += 1
                cells[track.arrival + index] = cells[track.arrival - 1]
    for place, listed in wanted.lists.items():
        info = named.held(lists, place)
        if len(listed) > info.capacity:
            raise PositionError(f"{info.key} has room for {info.capacity}, not for {len(listed)}", "", place)
        for index in named.indices(info, place):
            numbers = named.numbers(info.of, listed, place)
            write_list(cells, info.address + index * (info.capacity + 1), numbers)
    position = {address: value for address, value in enumerate(cells) if value}
    for key, track in tracks.items():
        for index, (value, start) in enumerate(zip(values[key], track.start, strict=True)):
            if value != start:
                position[track.address + index] = value
    return evolve(program, start=dealt, position=tuple(sorted(position.items())))


# ------------------------------------------------------------------ cards

def deal(
    program: TableProgram,
    lying: dict[str, list[int]],
    zones: Mapping[str, Cards],
    top: Mapping[str, Cards],
    rest: Mapping[str, str],
    left_for: str = "",
) -> None:
    """Rewrite `lying`, the cards of each zone, so that `zones` hold exactly these cards and `top` zones have these
    on top.

    `rest` names, per kind, a zone for displaced cards. The zone `left_for` gets all others that it accepts, under
    its own cards, except those of seats and of named zones. Raises PositionError.
    """
    unknown = {*zones, *top, *rest.values(), *([left_for] if left_for else [])} - set(lying)
    if unknown:
        raise PositionError(f"there is no zone {', '.join(sorted(unknown))}")
    displaced: list[int] = []
    for key in zones:
        displaced += lying[key]
        lying[key] = []
    for key, names in top.items():
        kept = max(0, len(lying[key]) - len(names))
        displaced += lying[key][kept:]
        del lying[key][kept:]
    starts = {card: program.zones[zone].key for zone, cards in program.start for card in cards}
    filled_first = set(starts.values())
    shared = [zone.key for zone in program.zones if zone.owner < 0 and zone.key not in zones]
    sources = [displaced, *(lying[key] for key in sorted(shared, key=lambda key: key not in filled_first))]
    wanted = [(key, place, name) for key, names in zones.items() for place, name in enumerate(names)]
    wanted += [(key, -1 - place, name) for key, names in top.items() for place, name in enumerate(names)]
    supply = _Supply(program, sources)
    found: dict[tuple[str, int], int] = {}
    for key, place, name in sorted(wanted, key=lambda want: supply.breadth(want[2])):
        card = supply.take(name)
        if card == VACANT:
            message = f"there is no {name} left for {key}: {_holders(program, lying, name)}"
            raise PositionError(message, key)
        found[key, place] = card
    left = dict.fromkeys(card for card in displaced if card != VACANT)
    accepts = {zone.key: zone.accepts for zone in program.zones}
    if left_for:
        _gather(lying, left_for, left, set(accepts[left_for]), [key for key in shared if key not in top])
    for key in shared:
        lying[key] = _filled(program, lying[key], accepts[key], left, rest)
    for key, names in zones.items():
        lying[key] = [found[key, place] for place in range(len(names))]
    for key, names in top.items():
        lying[key] += [found[key, -1 - place] for place in reversed(range(len(names)))]
    _put_under(lying, zones, {card: rest.get(program.cards[card].kind, starts[card]) for card in left}, starts)
    for zone in program.zones:
        if len(lying[zone.key]) > zone.capacity:
            raise PositionError(f"{zone.key} has room for {zone.capacity} cards", zone.key)


def _put_under(
    lying: dict[str, list[int]], zones: Mapping[str, Cards], goes: Mapping[int, str], starts: Mapping[int, str]
) -> None:
    """Put cards under those of their zones. Raises PositionError if such a zone has exactly the wanted cards."""
    homeless = [card for card, zone in goes.items() if zone in zones]
    if homeless:
        key = starts[homeless[0]]
        count = f"{len(homeless)} cards" if len(homeless) > 1 else "one card"
        advice = f"say where they are, or only what is on top of {key}"
        raise PositionError(f"{count} of {key} would lie nowhere: {advice}", key)
    below: dict[str, list[int]] = {}
    for card, zone in goes.items():
        below.setdefault(zone, []).append(card)
    for key, cards in below.items():
        lying[key][:0] = reversed(cards)


def _gather(
    lying: dict[str, list[int]], zone: str, left: dict[int, None], accepted: set[int], shared: Sequence[str]
) -> None:
    """Put all accepted cards of `left` and of shared zones under the cards of a zone."""
    found = [card for card in left if card in accepted]
    for card in found:
        del left[card]
    for key in shared:
        if key != zone:
            found += (card for card in lying[key] if card in accepted)
            lying[key] = [card for card in lying[key] if card not in accepted]
    lying[zone] = [*found, *(card for card in lying[zone] if card != VACANT)]


class _Supply:
    """The cards that a position may take, in order. A card that is taken becomes `VACANT` in its source.

    Look-up tables are prepared once, so the time is proportional to the number of cards.
    """

    def __init__(self, program: TableProgram, sources: Sequence[list[int]]) -> None:
        self._called: dict[str, list[int]] = {}
        for number, info in enumerate(program.cards):
            for name in {info.key, info.definition, info.kind, ANY}:
                self._called.setdefault(name, []).append(number)
        self._places: dict[int, tuple[int, list[int], int]] = {}
        """Of each card: its number in the order of all, its source, and its place there."""
        for cards in sources:
            for place, card in enumerate(cards):
                self._places[card] = (len(self._places), cards, place)
        self._named: dict[str, tuple[int, Iterator[int]]] = {}

    def _look(self, name: str) -> tuple[int, Iterator[int]]:
        """Return how many cards of the game a name means (`is_called`), and those that may be taken."""
        if name not in self._named:
            cards = {*self._called.get(name, ()), *(self._called.get(name[:-1], ()) if name.endswith("s") else ())}
            there = sorted((card for card in cards if card in self._places), key=lambda card: self._places[card][0])
            self._named[name] = len(cards), iter(there)
        return self._named[name]

    def breadth(self, name: str) -> int:
        """Return how many cards a name could mean: the narrowest names are dealt first."""
        return self._look(name)[0]

    def take(self, name: str) -> int:
        """Take the first card of a name that is left, or return `VACANT`."""
        for card in self._look(name)[1]:
            _, cards, place = self._places[card]
            if cards[place] == card:
                cards[place] = VACANT
                return card
        return VACANT


def _holders(program: TableProgram, lying: Mapping[str, Sequence[int]], name: str) -> str:
    """Describe where the cards of a name are that cannot be taken: in zones of players, or wanted elsewhere."""
    found = {key: sum(is_called(program, card, name) for card in cards) for key, cards in lying.items()}
    parts = [f"{count} in {key}" for key, count in found.items() if count]
    return f"the game has {', '.join(parts)}" if parts else "the game has none beside those that are named"


def is_called(program: TableProgram, card: int, name: str) -> bool:
    """Return whether a name is a card's key, definition or kind, or a plural of it."""
    if card < 0:
        return False
    info = program.cards[card]
    own = (info.key, info.definition, info.kind, ANY)
    return name in own or (name.endswith("s") and name[:-1] in own)


def _filled(
    program: TableProgram, cards: list[int], accepts: Sequence[int], left: dict[int, None], rest: Mapping[str, str]
) -> list[int]:
    """Fill the places of taken cards in a zone with displaced cards that fit there.

    Cards used are removed from `left`, which is ordered.
    """
    if VACANT not in cards:
        return cards
    kinds = {program.cards[card].kind for card in cards if card >= 0} - set(rest)
    accepted = set(accepts)
    fitting = iter([card for card in left if card in accepted and program.cards[card].kind in kinds])
    filled = []
    for card in cards:
        if card == VACANT:
            card = next(fitting, VACANT)
            if card == VACANT:
                continue
            del left[card]
        filled.append(card)
    return filled


# ------------------------------------------------------------------ tracks and lists

class NamedMembers:
    """The cards and other members that the names in tracks and lists mean.

    Copies of a definition come in this order: those in zones of the seat that a track or list belongs to, those in
    the zones of the position, and all others; within a zone, as a position lists them.
    """

    def __init__(
        self,
        program: TableProgram,
        lying: Mapping[str, Sequence[int]],
        named: Sequence[str] = (),
        top: Collection[str] = (),
    ) -> None:
        self.program = program
        owners = {zone.key: zone.owner for zone in program.zones}
        keys = dict.fromkeys((*named, *owners))
        self._cards = [
            (owners[key], card) for key in keys for card in (reversed(lying[key]) if key in top else lying[key])
        ]

    def held(self, infos: Mapping[str, Info], place: Place) -> Info:
        """Return the track or list of a place. Raises PositionError, as all that follow do."""
        info = infos.get(str(place[0]))
        if info is None:
            raise PositionError(f"nothing in this game uses {place[0]}", "", place)
        scopes = axes(self.program, info)
        if len(scopes) != len(place) - 1:
            scope = ", ".join(axis.name for axis in scopes) or "the game"
            raise PositionError(f"{info.key} is kept for {scope}", "", place)
        return info

    def indices(self, info: TrackInfo | ListInfo, place: Place) -> list[int]:
        """Return the indices that a place means: one, or one for each copy of a card."""
        found = [0]
        for axis, member in zip(axes(self.program, info), place[1:], strict=True):
            if isinstance(member, int):
                numbers = [member]
            elif axis.cards:
                numbers = self._called(member, place)
            else:
                numbers = [self._number(axis.name, member, place, scope=True)]
            if not all(map(axis.holds, numbers)):
                raise PositionError(f"{info.key} keeps nothing for {member}", "", place)
            found = [index + (number - axis.first) * axis.stride for index in found for number in numbers]
        return found

    def valued(self, track: TrackInfo, place: Place, value: Value | tuple[Value, ...]) -> Iterator[tuple[int, int]]:
        """Yield the indices of a track that a place means, each with its value."""
        indices = self.indices(track, place)
        if not isinstance(value, tuple):
            yield from ((index, self.numbers(track.of, (value,), place)[0]) for index in indices)
            return
        if len(value) > len(indices):
            cards = "there is one card" if len(indices) == 1 else f"there are {len(indices)} cards"
            raise PositionError(f"{cards} {place[-1]}, but {len(value)} values", "", place)
        yield from zip(indices, self.numbers(track.of, value, place), strict=False)

    def numbers(self, of: str, values: Sequence[Value], place: Place) -> list[int]:
        """Return the numbers of values of one type. Equal names mean different copies, as long as there are any."""
        found: list[int] = []
        for value in values:
            if isinstance(value, int):
                found.append(value)
            elif of == "card" and value != NONE:
                cards = self._called(value, place)
                found.append(next((card for card in cards if card not in found), cards[0]))
            else:
                found.append(self._number(of, value, place))
        return found

    def _called(self, key: str, place: Place) -> list[int]:
        """Return all cards with this key, definition, or kind."""
        found = [(owner, card) for owner, card in self._cards if is_called(self.program, card, key)]
        if not found:
            raise PositionError(f"there is no card {key}", "", place)
        return [card for _, card in sorted(found, key=lambda one: one[0] < 0 or one[0] != self._owner(place))]

    def _owner(self, place: Place) -> int:
        """Return the seat that a place belongs to, or -1: seats are the only members that are given by number."""
        return next((member for member in place[1:] if isinstance(member, int)), -1)

    def _number(self, of: str, key: str, place: Place, scope: bool = False) -> int:
        """Return the number of a value by its key. As a scope, a kind has only its own definitions."""
        if key == NONE:
            return -1
        if of in ("seat", "player"):
            names: Sequence[str] = [f"seat-{seat + 1}" for seat in range(self.program.seats)]
        elif of == "number":
            if not re.fullmatch(r"-?[0-9]{1,10}", key) or not LOWEST <= int(key) <= HIGHEST:
                raise PositionError(f"{key} is not a number that the game can hold", "", place)
            return int(key)
        elif of == "boolean":
            return int(key == "true")
        else:
            members = {one.key: one.members for one in self.program.enumerations}
            definitions = dict(self.program.definitions)
            names = members.get(of, definitions.get(of if scope else "definition", ()))
        if key not in names:
            raise PositionError(f"there is no {of} {key}", "", place)
        return names.index(key)
