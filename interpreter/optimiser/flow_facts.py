"""What the analysis of cards knows of a whole program; the facts grow until nothing changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from interpreter.optimiser.references import (
    NO_CARD,
    NUMBER,
    Coded,
    Faces,
    NotKeptError,
    Ref,
    State,
    Value,
    join,
)
from interpreter.optimiser.zone_sets import Unit, Zones, ZoneSets
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, TableProgram
from ruleset.table.traversal import everything

Removed = dict[int, Faces]
"""Of each zone the faces of the cards that may leave it."""


def card_cells(program: TableProgram) -> Iterator[tuple[int, int]]:
    """Iterate over the ranges of cells of tracks and lists that hold cards: from, to."""
    for track in program.tracks:
        if track.of == "card":
            yield track.address, track.address + track.count
    for info in program.state_lists:
        if info.of == "card":
            yield info.address, info.address + info.count * (info.capacity + 1)


class Facts:
    """The facts, and the unit of code that the analysis looks at."""

    def __init__(self, program: TableProgram, zones: ZoneSets, ordered: Zones) -> None:
        self.program, self.zones, self.ordered = program, zones, ordered
        self.changed = True
        """Whether a fact was added in the present round."""
        self.unit: Unit = ("function", 0)
        self.name = ""
        """The name of the unit."""
        self.looking_at: object = None
        """The statement, or the end of a segment, that the analysis looks at."""
        self.around: object = None
        """The segment that it looks at."""
        self.individual: dict[int, str] = {}
        """The faces whose cards rules tell apart, each with the first reason."""
        self.asked: Zones = 0
        """The zones of cards among the options of decisions."""
        self.of_cards: set[int] = set()
        """Identities of nodes with a card as index, and of comparisons and searches of cards."""
        self.of_numbers: set[int] = set()
        """Identities of nodes with a number as index."""
        self.parameters: dict[Unit, dict[int, Value]] = defaultdict(dict)
        self.results: dict[Unit, Value] = {}
        self.reached: set[Unit] = set()
        self.removed: dict[Unit, Removed] = defaultdict(dict)
        self.covered: dict[Unit, Zones] = defaultdict(int)
        """The zones on which a unit, or one that it calls, may put cards."""
        self._copies = defaultdict(list)
        for number, card in enumerate(program.cards):
            self._copies[card.face].append(number)
        self.every_face: Faces = sum(1 << face for face in self._copies)
        self.held: list[Faces] = [0] * len(program.zones)
        """The faces that can ever be in each zone."""
        games = [program.start] if program.next_game is None else [program.start, program.next_game.start]
        for zone, lying in (one for start in games for one in start):
            self.held[zone] |= self.faces_of(lying)
        self._kept = {start: NO_CARD for start, _ in card_cells(program)}
        """What lists and tracks of cards refer to, by their addresses."""
        self._looked_up: dict[int, Faces] = defaultdict(int)

    @property
    def at(self) -> str:
        """The name of the effect or verb; within the procedure of the whole game, that of the step."""
        if self.unit != ("procedure", self.program.entry):
            return self.name
        for node in (self.looking_at, self.around):
            numbers = [getattr(part, "at", -1) for part in everything(node)]
            names = [self.program.sources[number].name for number in numbers if number >= 0]
            known = sorted((n for n in names if n not in ("", "main")), key=lambda n: not n.startswith("step/"))
            if known:
                return known[0].split("/", 1)[-1]
        return "a step"

    # -------------------------------------------------------------- faces

    def faces_of(self, cards: Sequence[int]) -> Faces:
        """Return the faces of cards."""
        faces = 0
        for card in cards:
            faces |= 1 << self.program.cards[card].face
        return faces

    def cards_of(self, face: int) -> Sequence[int]:
        """Return all cards with a face."""
        return self._copies[face]

    def tell_apart(self, faces: Faces, why: str) -> None:
        """Make faces individual; `why` follows the name of the unit."""
        for face in bits(faces):
            if face not in self.individual and len(self._copies[face]) > 1:
                self.individual[face] = f"{self.at} {why}"
                self.changed = True

    def index(self, node: object, value: Value, entries: Sequence[object]) -> None:
        """Note what a node's index into a table is. Cards with different entries become individual."""
        if isinstance(value, Coded):
            raise NotKeptError(f"{self.at} works out by arithmetic which card is meant")
        if value is not None:
            (self.of_cards if isinstance(value, Ref) else self.of_numbers).add(id(node))
        if isinstance(value, Ref) and len(entries) != len(self.program.cards):
            raise NotKeptError(f"{self.at} does not tell a card from other options of its menu")
        if isinstance(value, Ref):
            for face in bits(value.faces & ~self._looked_up[id(entries)]):
                if len({entries[card] for card in self._copies[face]}) > 1:
                    self.tell_apart(1 << face, "looks up what differs between equal cards")
            self._looked_up[id(entries)] |= value.faces

    # -------------------------------------------------------------- zones

    def leave(self, removed: Mapping[int, Faces], state: State, but: Sequence[object] = ()) -> None:
        """Cards of these faces may leave these zones: references to them become stale, `but` in some slots."""
        own = self.removed[self.unit]
        for zone, faces in removed.items():
            if faces & ~own.get(zone, 0):
                own[zone] = own.get(zone, 0) | faces
                self.changed = True
        for key, value in state.items():
            if isinstance(value, Ref | Coded) and key not in but:
                state[key] = _staled(value, removed)
        for address, ref in self._kept.items():
            self._remember(address, _staled(ref, removed))

    def arrive(self, faces: Faces, to: Zones, state: State, but: Sequence[object] = ()) -> None:
        """Cards of these faces may arrive in these zones, on top of the others."""
        for zone in bits(to):
            self._hold(zone, faces)
        self.cover(to, state, but)

    def cover(self, zones: Zones, state: State, but: Sequence[object] = ()) -> None:
        """Cards may lie on top of those that were on top of these zones."""
        if zones & ~self.covered[self.unit]:
            self.covered[self.unit] |= zones
            self.changed = True
        for key, value in state.items():
            if isinstance(value, Ref) and value.top and value.zones & zones and key not in but:
                state[key] = evolve(value, top=False)

    def _hold(self, zone: int, faces: Faces) -> None:
        if faces & ~self.held[zone]:
            self.held[zone] |= faces
            self.changed = True

    def refilling(self, removed: Removed) -> Removed:
        """Add what leaves the zones from which these zones refill themselves."""
        for zone in list(removed):
            source = self.program.zones[zone].refill
            if source >= 0:
                removed[source] = removed.get(source, 0) | self.held[source]
                self._hold(zone, self.held[source])
        return removed

    def refills(self, left: Zones) -> Zones:
        """Return the zones with which zones refill themselves at once when their last card leaves."""
        zones = self.program.zones
        found = 0
        for zone in bits(left):
            if zones[zone].eager and zones[zone].refill >= 0:
                found |= 1 << zones[zone].refill
        return found

    def whole(self, zones: Zones) -> Removed:
        """Return what may leave these zones if any of their cards may."""
        return self.refilling({zone: self.held[zone] for zone in bits(zones)})

    # -------------------------------------------------------------- what the state remembers

    def _family(self, address: Expr) -> int | None:
        """Return where the track or list of cards begins that an address is in; None if it is in none."""
        families, base = list(card_cells(self.program)), base_of(address)
        if base is None and families:
            raise NotKeptError(f"{self.at} works out where a value is kept")
        for start, end in families:
            if base is not None and start <= base < end:
                return start
        return None

    def remembered(self, address: Expr) -> Ref | None:
        """Return what the cells at an address refer to; None if they do not hold cards."""
        found = self._family(address)
        return None if found is None else self._kept[found]

    def remember(self, node: object, address: Expr, value: Value) -> None:
        """Store a value, or the members of a list, at an address, as a node does."""
        found = self._family(address)
        if value is None or (found is None and value is NUMBER):
            return
        if found is None or not isinstance(value, Ref):
            raise NotKeptError(f"{self.at} stores a card as a number")
        self.of_cards.add(id(node))
        self.tell_apart(value.faces, "remembers which card is meant")
        self._remember(found, self._kept[found].joined(evolve(value, distinct=True, top=False)))

    def _remember(self, address: int, value: Value) -> None:
        if isinstance(value, Ref) and value != self._kept[address]:
            self._kept[address] = value
            self.changed = True

    # -------------------------------------------------------------- calls

    def passed(self, called: Unit, place: int, value: Value) -> None:
        """Pass an argument."""
        before = self.parameters[called].get(place)
        after = join(before, value)
        if after != before:
            self.parameters[called][place] = after
            self.changed = True

    def called(self, called: Unit, state: State) -> None:
        """Call a unit: cards move as they do in it."""
        if called not in self.reached:
            self.reached.add(called)
            self.changed = True
        self.leave(self.removed[called], state)
        self.cover(self.covered[called], state)

    def gives(self, value: Value) -> None:
        """The unit gives a value."""
        before = self.results.get(self.unit)
        after = join(before, value)
        if after != before:
            self.results[self.unit] = after
            self.changed = True


def base_of(address: Expr) -> int | None:
    """Return the constant that an index is added to in an address; None if it has another form."""
    match address:
        case Const(value) | t.Binary("+", _, Const(value)) | t.Binary("+", Const(value), _):
            return value
    return None


def _staled(value: Ref | Coded, removed: Mapping[int, Faces]) -> Ref | Coded:
    """Return a value after cards of these faces may have left these zones."""
    if isinstance(value, Coded):
        return value.with_cards(lambda ref: _staled_card(ref, removed))
    return _staled_card(value, removed)


def _staled_card(value: Ref, removed: Mapping[int, Faces]) -> Ref:
    gone, top = 0, value.top
    for zone, faces in removed.items():
        if value.zones >> zone & 1:
            gone |= faces
            top = False
    return evolve(value, stale=value.stale | gone & value.faces, top=top)


def union(removed: Removed) -> Faces:
    """Return all faces of which cards may leave."""
    faces = 0
    for one in removed.values():
        faces |= one
    return faces


def bits(mask: int) -> list[int]:
    """Return the members of a set."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
