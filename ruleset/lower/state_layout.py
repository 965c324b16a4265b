"""The layout of a table's state: its cards, zones, tracks, and lists, and constant tables about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product

from attrs import evolve

from rulewright.ruleset.common.limits import MOST_IN_RANGE
from rulewright.ruleset.language.types import Type, sort_named
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import Constants, FieldValue, missing_value
from rulewright.ruleset.program.tables import TableSize
from rulewright.ruleset.table import nodes as t


class LayoutError(ValueError):
    """The seats and options give no valid table: too many cards, or a track that starts outside its bounds."""


def cells_of_track(track: t.TrackInfo) -> tuple[tuple[int, int], ...]:
    """Return the ranges of cells that a track takes: its values, and the order of their arrival."""
    values = (track.address, track.count)
    return (values, (track.arrival - 1, track.count + 1)) if track.arrival >= 0 else (values,)


class StateLayout:
    """Addresses of one table. Read-only after construction, except constant tables, which grow on demand."""

    def __init__(self, program: p.Program, seats: int, options: dict[str, int]) -> None:
        self.program = program
        self.seats = seats
        self.constants = Constants(program, seats, options)
        self.everyone = (1 << seats) - 1
        self.definitions = {d.key: number for number, d in enumerate(program.definitions)}
        self.kinds = {kind.key: number for number, kind in enumerate(program.kinds)}
        self.enumerations = {e.key: e.members for e in program.enumerations}
        self.tables: list[tuple[int, ...]] = []
        self.tabulated: dict[t.Expr, int] = {}
        """From tabulated expressions to the numbers of their tables."""
        self.lists: list[tuple[tuple[int, ...], ...]] = []
        self._table_numbers: dict[tuple[int, ...], int] = {}
        self._list_numbers: dict[tuple[tuple[int, ...], ...], int] = {}
        self.cards: list[t.CardInfo] = []
        self.copies: list[int] = []
        self.card_definitions: list[int] = []
        self.card_supplies: list[p.Supply] = []
        self._fields: dict[tuple[str, bool], tuple[FieldValue, ...]] = {}
        self.size = TableSize(program, self.constants)
        fault = self.size.fault()
        if fault is not None:
            raise LayoutError(fault.message)
        self._deal_cards()
        self.next = 0
        self.places = 0
        self.zones: list[t.ZoneInfo] = []
        self.zone_base: dict[str, int] = {}
        self.tracks: dict[str, tuple[int, t.TrackInfo]] = {}
        self.state_lists: dict[str, t.ListInfo] = {}

    def place(self, start: int) -> None:
        """Assign cells to all zones, tracks, and lists, starting at an address."""
        self.next = start
        self._place_zones()
        for card, supply in enumerate(self.card_supplies):  # fields that select zones have a value
            for zone, field in ((supply.starts, supply.starts_by), (supply.home, supply.home_by)):
                if field:
                    self.zone_member(zone, field, self.card_definitions[card], card)
        for number, track in enumerate(self.program.tracks):
            self.tracks[track.key] = (number, self._track(track))
        for declared in self.program.lists:
            self.state_lists[declared.key] = self._list(declared)

    def take(self, cells: int) -> int:
        """Allocate cells, and return their address."""
        address = self.next
        self.next += cells
        return address

    # -------------------------------------------------------------- cards

    def _deal_cards(self) -> None:
        faces: dict[str, int] = {}
        order = sorted(
            zip(self.program.supplies, self.size.copies, strict=True),
            key=lambda one: (self.kinds[self._kind(one[0].definition)], self.definitions[one[0].definition]),
        )
        for supply, copies in order:
            definition = self.program.definitions[self.definitions[supply.definition]]
            apart = any(len(values) > 1 for _, values in (*definition.fields, *definition.effects))
            for copy in range(copies):
                key = f"{definition.key}-{copy + 1}" if apart else definition.key
                face = faces.setdefault(key, len(faces))
                self.cards.append(t.CardInfo(key, definition.kind, definition.key, face))
                self.copies.append(copy)
                self.card_definitions.append(self.definitions[definition.key])
                self.card_supplies.append(supply)

    def in_game(self, definition: p.Definition) -> bool:
        """Whether a definition is part of the game at this table."""
        return self.constants.in_game(self.definitions[definition.key])

    def _kind(self, definition: str) -> str:
        return self.program.definitions[self.definitions[definition]].kind

    def rank(self, definition: int) -> int:
        """Return the number of a definition among those of its kind."""
        return self.ranks[definition]

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """For each definition, its number among those of its kind."""
        seen: dict[str, int] = {}
        found = []
        for definition in self.program.definitions:
            found.append(seen.get(definition.kind, 0))
            seen[definition.kind] = found[-1] + 1
        return tuple(found)

    @cached_property
    def functions(self) -> dict[str, p.Unit]:
        return {function.unit.key: function.unit for function in self.program.functions}

    @cached_property
    def units(self) -> dict[str, p.Unit]:
        return {unit.key: unit for unit in self.program.units}

    @cached_property
    def declared_zones(self) -> dict[str, p.Zone]:
        return {zone.key: zone for zone in reversed(self.program.zones)}

    @cached_property
    def declared_tracks(self) -> dict[str, p.Track]:
        return {track.key: track for track in reversed(self.program.tracks)}

    @cached_property
    def declared_lists(self) -> dict[str, p.StateList]:
        return {one.key: one for one in reversed(self.program.lists)}

    # -------------------------------------------------------------- tables

    def table(self, values: tuple[int, ...]) -> int:
        """Return the number of a constant table; equal tables are shared."""
        number = self._table_numbers.get(values)
        if number is None:
            number = self._table_numbers[values] = len(self.tables)
            self.tables.append(values)
        return number

    def list_table(self, values: tuple[tuple[int, ...], ...]) -> int:
        """Return the number of a constant table of lists; equal tables are shared."""
        number = self._list_numbers.get(values)
        if number is None:
            number = self._list_numbers[values] = len(self.lists)
            self.lists.append(values)
        return number

    def field(self, name: str, definition: bool) -> tuple[FieldValue, ...]:
        """Return a field's values, one per card or one per definition (see `settled.field_value`)."""
        known = self._fields.get((name, definition))
        if known is None:
            known = self._fields[name, definition] = self._field(name, definition)
        return known

    def field_per(self, name: str, definition: bool, size: int) -> tuple[tuple[int, ...], ...]:
        """Return a field's values for the `size` members of its enumeration, one tuple per card or definition."""
        missing = next(
            -1 if field.type.can_be_none else 0
            for kind in self.program.kinds for field in kind.fields if field.key == name and field.per
        )  # fmt: skip
        rows = self.field(name, definition)
        return tuple(row if isinstance(row, tuple) and len(row) == size else (missing,) * size for row in rows)

    def _field(self, name: str, definition: bool) -> tuple[FieldValue, ...]:
        own: list[tuple[FieldValue, ...]] = [dict(d.fields).get(name, ()) for d in self.program.definitions]
        for number, d in enumerate(self.program.definitions):
            if (d.kind, name) in self.constants.derived and self.in_game(d):
                own[number] = (self.constants.field(number, name),)
        kinds = {d.kind for d, values in zip(self.program.definitions, own, strict=True) if not values}
        missing = {kind: missing_value(self.program, name, kind) for kind in kinds}
        firsts = tuple(
            values[0] if values else missing[d.kind]
            for d, values in zip(self.program.definitions, own, strict=True)
        )
        if definition:
            return firsts
        return tuple(
            own[number][copy % len(own[number])] if own[number] else firsts[number]
            for number, copy in zip(self.card_definitions, self.copies, strict=True)
        )

    def supplied(self, zone: str, own: bool, by: str, definition: int, card: int) -> int:
        """Return the number of the zone where a card starts, or its home; -1 for none.

        `own`: the zone of its definition; `by`: the field that selects one. `card` -1: any of its cards.
        """
        base = self.zone_base.get(zone, -1)
        if base < 0:
            return base
        return base + (self.zone_member(zone, by, definition, card) if by else self.rank(definition) if own else 0)

    def zone_member(self, zone: str, field: str, definition: int, card: int) -> int:
        """Return the number of a zone among those of its scope: a field of the card or definition says it."""
        value = self.field(field, card < 0)[definition if card < 0 else card]
        assert isinstance(value, int)
        if value < 0:
            key = self.program.definitions[definition].key
            raise LayoutError(f"`{field}` of `{key}` is none, but it selects a zone of `{zone}`")
        return self.ranks[value] if self.declared_zones[zone].of in self.kinds else value

    # -------------------------------------------------------------- zones, tracks, lists

    def _mask(self, who: str, owner: int) -> int:
        return {"nobody": 0, "all": self.everyone}.get(who, 1 << owner if owner >= 0 else self.everyone)

    def _place_zones(self) -> None:
        for zone in self.program.zones:
            kinds = zone.accepts or tuple(self.kinds)
            accepts = tuple(n for n, card in enumerate(self.cards) if card.kind in kinds)
            self.zone_base[zone.key] = len(self.zones)
            owners: Sequence[int] = range(self.seats) if zone.scope == "player" else (-1,)
            keys = [zone.key] * self.seats if zone.scope == "player" else [zone.key]
            if zone.scope == "definition":
                names = list(self.enumerations.get(zone.of, ()))
                names = names or [d.key for d in self.program.definitions if d.kind == zone.of]
                owners, keys = [-1] * len(names), [f"{zone.key}/{name}" for name in names]
            own: dict[str, list[int]] = {}
            for card in accepts if zone.own else ():
                own.setdefault(f"{zone.key}/{self.cards[card].definition}", []).append(card)
            for owner, key in zip(owners, keys, strict=True):
                if zone.own:
                    accepts = tuple(own.get(key, ()))
                address = self.take(len(accepts) + 1)
                shown = f"{key}/{owner + 1}" if owner >= 0 else key
                self.zones.append(
                    t.ZoneInfo(
                        shown,
                        zone.key,
                        owner,
                        zone.order,
                        address,
                        len(accepts),
                        accepts,
                        self._mask(zone.seen_by, owner),
                        self._mask(zone.top_seen_by, owner),
                        self._mask(zone.size_seen_by, owner),
                        -1,
                        zone.eager,
                    )
                )
        for number, info in enumerate(self.zones):
            zone = self.declared_zones[info.zone]
            if zone.refill:
                source = self.zone_base[zone.refill] + max(info.owner, 0)
                if zone.scope == "definition" and self.declared_zones[zone.refill].of == zone.of:
                    source += number - self.zone_base[zone.key]
                self.zones[number] = evolve(info, refill=source)

    def _track(self, track: p.Track) -> t.TrackInfo:
        extents = [self.size.extent(scope) for scope in track.scope]
        indices = list(product(*(range(e) for e in extents)))
        count = len(indices)
        start = self.constants.number(track.start)
        if not track.low <= start <= track.high:
            raise LayoutError(
                f"the track `{track.key}` would start at {start}; expected {track.low} to {track.high}; "
                "choose other options"
            )
        arrival = -1
        address = self.take(count)
        if track.arrival:
            arrival = self.take(count + 1) + 1
        owners = [i[track.scope.index("player")] if "player" in track.scope else -1 for i in indices]
        seen = tuple(self._mask(track.seen_by, owner) for owner in owners)
        changes = tuple(self._mask(track.changes_seen_by, owner) for owner in owners)
        of = sort_named(track.of)
        scopes = tuple("card" if scope.endswith(p.EACH_CARD) else scope for scope in track.scope)
        return t.TrackInfo(
            track.key,
            address,
            count,
            scopes,
            track.low,
            track.high,
            track.clamps,
            tuple([start] * count),
            seen,
            changes,
            arrival,
            of,
        )

    def _list(self, declared: p.StateList) -> t.ListInfo:
        count = self.size.extent(declared.scope)
        capacity = declared.at_most or self.size.capacity_of(declared.of.name, declared.of.of)
        address = self.take(count * (capacity + 1))
        of = sort_named(declared.of)
        scope = "card" if declared.scope.endswith(p.EACH_CARD) else declared.scope
        return t.ListInfo(declared.key, address, count, capacity, scope, of)

    def most_held(self, type_: Type) -> int:
        """Return the most members that a list variable can have, unless it is known to have fewer."""
        return MOST_IN_RANGE if type_.name in ("number", "boolean") else self.size.capacity_of(type_.name, type_.of)
